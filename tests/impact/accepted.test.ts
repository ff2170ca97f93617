// impact.yaml: what an entry accepts, until when, and what is reported about entries without effect.

import { parseAcceptances } from '../../generator/impact/accepted.js';

const PRINT = '0123456789ab';
const entry = (lines: string) => `accept:\n  - ${lines.split('\n').join('\n    ')}\n`;
const whole = entry(`fingerprint: "${PRINT}"\nreason: nobody sends it\nuntil: 2026-06-30`);
const found = [{ fingerprint: PRINT }];

test.each([
  ['holds before the day', '2026-06-29', true],
  ['holds on the day', '2026-06-30', true],
  ['holds no longer', '2026-07-01', false],
])('AnEntry: %s', (_, today, holds) => {
  expect(parseAcceptances(whole).find(PRINT, today)).toEqual(
    holds ? { fingerprint: PRINT, reason: 'nobody sends it', until: '2026-06-30' } : null,
  );
});

test('AnEntryAcceptsNothingElse', () => expect(parseAcceptances(whole).find('ffffffffffff', '2026-06-01')).toBeNull());

const REMARKS: readonly (readonly [string, string | null, readonly string[]])[] = [
  ['no file', null, []],
  ['an empty file', '', []],
  ['an entry at work', whole, []],
  ['not YAML', 'accept: [', ['impact.yaml: invalid YAML: ']],
  ['something else', 'yes', ['impact.yaml: must have one key, accept, with a list of entries']],
  ['no list', 'accept: 1', ['impact.yaml: must have one key, accept, with a list of entries']],
  [
    'no fingerprint',
    entry('reason: x\nuntil: 2026-06-30'),
    ['impact.yaml: entry 1 needs a fingerprint: twelve hex digits in quotes'],
  ],
  [
    'a number',
    entry('fingerprint: 123456789012\nreason: x\nuntil: 2026-06-30'),
    ['impact.yaml: entry 1 needs a fingerprint: twelve hex digits in quotes'],
  ],
  ['no reason', entry(`fingerprint: "${PRINT}"\nuntil: 2026-06-30`), [`impact.yaml: entry 1 (${PRINT}) has no reason`]],
  [
    'an empty reason',
    entry(`fingerprint: "${PRINT}"\nreason: " "\nuntil: 2026-06-30`),
    [`impact.yaml: entry 1 (${PRINT}) has no reason`],
  ],
  [
    'no date',
    entry(`fingerprint: "${PRINT}"\nreason: x`),
    [`impact.yaml: entry 1 (${PRINT}) needs a date: until: YYYY-MM-DD`],
  ],
  [
    'no such day',
    entry(`fingerprint: "${PRINT}"\nreason: x\nuntil: 2026-02-30`),
    [`impact.yaml: entry 1 (${PRINT}) needs a date: until: YYYY-MM-DD`],
  ],
  [
    'another finding',
    entry(`fingerprint: "ffffffffffff"\nreason: x\nuntil: 2026-06-30`),
    ['impact.yaml: ffffffffffff is not a finding of this edit; remove it'],
  ],
  [
    'an entry that is over',
    whole.replace('2026-06-30', '2026-05-31'),
    [`impact.yaml: ${PRINT} was accepted until 2026-05-31`],
  ],
  [
    'a good one behind a bad one',
    `accept:\n  - 1\n${whole.slice(8)}`,
    ['impact.yaml: entry 1 needs a fingerprint: twelve hex digits in quotes'],
  ],
];

test.each(REMARKS)('Remarks: %s', (_, text, remarks) => {
  const said = parseAcceptances(text).remarks(found, '2026-06-01');
  expect(said).toHaveLength(remarks.length);
  for (const [at, remark] of remarks.entries()) expect(said[at]).toContain(remark);
});

test('ABadEntryTakesNothingFromAGoodOne', () => {
  const text = `accept:\n  - 1\n${whole.slice(8)}`;
  expect(parseAcceptances(text).find(PRINT, '2026-06-01')?.reason).toBe('nobody sends it');
});
