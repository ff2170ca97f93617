// impact.yaml: what an entry accepts and until when, and the remarks about entries without effect.

import { parseAcceptances } from '../../generator/impact/accepted.js';

const PRINT = '0123456789ab';
const entry = (lines: string) => `accept:\n  - ${lines.split('\n').join('\n    ')}\n`;
const whole = entry(`fingerprint: "${PRINT}"\nreason: nobody sends it\nuntil: 2026-06-30`);
const findings = [{ fingerprint: PRINT }];

test.each([
  ['holds before the day', '2026-06-29', true],
  ['holds on the day', '2026-06-30', true],
  ['holds no longer', '2026-07-01', false],
])('an entry %s', (_, today, holds) => {
  expect(parseAcceptances(whole).find(PRINT, today)).toEqual(
    holds ? { fingerprint: PRINT, reason: 'nobody sends it', until: '2026-06-30' } : null,
  );
});

test('an entry accepts no other finding', () =>
  expect(parseAcceptances(whole).find('ffffffffffff', '2026-06-01')).toBeNull());

const REMARKS: readonly (readonly [string, string | null, readonly string[]])[] = [
  ['no file', null, []],
  ['an empty file', '', []],
  ['an entry in effect', whole, []],
  ['not YAML', 'accept: [', ['impact.yaml:1:9: error E0114: this [ is never closed; add the missing ]']],
  ['a single value', 'yes', ['impact.yaml:1:1: error E0106: a file must be a map of keys, not a single value']],
  ['not a list', 'accept: 1', ['impact.yaml:1:9: error E0202: "accept" must be a list of entries, not the number 1']],
  ['only a comment', '# nothing yet', []],
  [
    'no fingerprint',
    entry('reason: x\nuntil: 2026-06-30'),
    ['impact.yaml:2:5: error E0204: missing key "fingerprint" in accept.0'],
  ],
  [
    'a number',
    entry('fingerprint: 123456789012\nreason: x\nuntil: 2026-06-30'),
    ['impact.yaml:2:18: error E0202: "fingerprint" must be twelve hex digits in quotes, not the number 123456789012'],
  ],
  [
    'another form of fingerprint',
    entry('fingerprint: "0123"\nreason: x\nuntil: 2026-06-30'),
    ['impact.yaml:2:18: error E0206: "fingerprint" must be twelve hex digits in quotes, not "0123"'],
  ],
  [
    'no reason',
    entry(`fingerprint: "${PRINT}"\nuntil: 2026-06-30`),
    ['impact.yaml:2:5: error E0204: missing key "reason" in accept.0'],
  ],
  [
    'a misspelt key',
    entry(`fingerprint: "${PRINT}"\nreasn: x\nuntil: 2026-06-30`),
    ['impact.yaml:3:5: error E0201: unknown key "reasn" in accept.0; did you mean "reason"?'],
  ],
  [
    'an empty reason',
    entry(`fingerprint: "${PRINT}"\nreason: " "\nuntil: 2026-06-30`),
    ['impact.yaml:3:13: error E0206: "reason" must be a text that says why, not " "'],
  ],
  [
    'no date',
    entry(`fingerprint: "${PRINT}"\nreason: x`),
    ['impact.yaml:2:5: error E0204: missing key "until" in accept.0'],
  ],
  [
    'an impossible day',
    entry(`fingerprint: "${PRINT}"\nreason: x\nuntil: 2026-02-30`),
    ['impact.yaml:4:12: error E0206: "until" must be a date such as 2030-01-31, not "2026-02-30"'],
  ],
  [
    'another finding',
    entry(`fingerprint: "ffffffffffff"\nreason: x\nuntil: 2026-06-30`),
    ['impact.yaml: ffffffffffff is not a finding of this edit; remove it'],
  ],
  [
    'an expired entry',
    whole.replace('2026-06-30', '2026-05-31'),
    [`impact.yaml: ${PRINT} was accepted until 2026-05-31`],
  ],
  [
    'a valid entry after an invalid one',
    `accept:\n  - 1\n${whole.slice(8)}`,
    ['impact.yaml:2:5: error E0202: an item of "accept" must be a map, not the number 1'],
  ],
];

test.each(REMARKS)('remarks: %s', (_, text, remarks) => {
  expect(parseAcceptances(text).remarks(findings, '2026-06-01')).toEqual(remarks);
});

test('an invalid entry does not affect a valid one', () => {
  const text = `accept:\n  - 1\n${whole.slice(8)}`;
  expect(parseAcceptances(text).find(PRINT, '2026-06-01')?.reason).toBe('nobody sends it');
});
