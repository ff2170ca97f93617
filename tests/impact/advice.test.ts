// The advice with a breaking finding: pasted into the descriptor, it leaves nothing breaking.
import { parseAcceptances } from '../../generator/impact/accepted.js';
import type { CountRows } from '../../generator/impact/data.js';
import { impact } from '../../generator/impact/impact.js';
import type { Finding } from '../../generator/impact/report.js';
import { boardField, inBoard, inCard } from '../evolution/pair.js';
import { BASE, type Edit, edited, state } from '../evolution/texts.js';

const TODAY = '2026-06-01';
const base = state(BASE, null);

function findings(edit: Edit, count: CountRows | null = null): readonly Finding[] {
  const old = state(BASE, base.ledger);
  const now = state(edited(BASE, edit), old.ledger);
  const context = { today: TODAY, acceptances: parseAcceptances(null), uses: null, count };
  return impact(old.model, now.model, context).findings;
}

const HEIGHT = 'height: { kind: integer, min: 0, max: 500, description: Height in millimetres. }';
const renameHeight = (more = '') =>
  inBoard([HEIGHT, `tallness: { kind: integer, was: height, ${more}min: 0, max: 500, description: Height. }`]);
const LABEL = 'label: { kind: text, max: 30, synonyms: [caption], description: Text on the edge. }';
const inked = (more = 'synonyms: [caption], ') =>
  inBoard([LABEL, `ink: { kind: text, was: label, max: 30, ${more}description: Text on the edge. }`]);
const FACE = 'face: { kind: image, description: Printed side. }';
const removeHeight = (dates: string) => inBoard([HEIGHT, dates === '' ? '' : HEIGHT.replace(' }', `, ${dates} }`)]);
const required = (more: string) => boardField(`maker: { kind: text, max: 50, ${more}description: Who made it. }`);
const file = (name: string, head: string): Edit => ({
  'resources/card.yaml': null,
  [`resources/${name}.yaml`]: (BASE['resources/card.yaml'] ?? '').replace('resource: card', head),
});
const DATES = 'deprecated: 2026-06-01, sunset: 2026-11-28';

/** Each row: the edit, all advice for it, and the edit with the advice applied. */
const ROWS: readonly (readonly [string, Edit, readonly string[], Edit])[] = [
  [
    'a renamed field',
    renameHeight(),
    ['add to tallness: shown_as: [height]', 'add to tallness: synonyms: [height]'],
    renameHeight('shown_as: [height], synonyms: [height], '),
  ],
  [
    'a renamed field that has synonyms already',
    inked(),
    ['add to ink: shown_as: [label]', 'add to ink: synonyms: [caption, label]'],
    inked('shown_as: [label], synonyms: [caption, label], '),
  ],
  ['a removed field', removeHeight(''), [`keep height for now, with: ${DATES}`], removeHeight(DATES)],
  [
    'a field that callers must send',
    required('required: true, fill: x, '),
    ['add to maker: required: false'],
    required(''),
  ],
  [
    'a renamed resource',
    file('sheet', 'resource: sheet\nwas: card'),
    ['add to sheet: old_names: [card]'],
    file('sheet', 'resource: sheet\nwas: card\nold_names: [card]'),
  ],
];

const breakingOf = (all: readonly Finding[]) => all.filter(({ part, breaking }) => part === 'api' && breaking);

test.each(ROWS)('%s', (_, edit, advice, pasted) => {
  const breaking = breakingOf(findings(edit));
  expect([...new Set(breaking.flatMap((one) => one.advice ?? []))].sort()).toEqual(advice);
  const advised = new Set(breaking.filter((one) => one.advice !== null).map(({ fingerprint }) => fingerprint));
  expect(advised.size).toBeGreaterThan(0);
  expect(breakingOf(findings(pasted)).filter(({ fingerprint }) => advised.has(fingerprint))).toEqual([]);
});

test('a renamed image gets advice by its base name, for the parameters that can be sent', () => {
  const edit = inBoard([FACE, FACE.replace('face: { kind: image', 'front: { kind: image, was: face')]);
  const advice = breakingOf(findings(edit)).flatMap((one) => one.advice ?? []);
  expect([...new Set(advice)]).toContain('add to front: synonyms: [face]');
});

test('the advice for a removed image is to keep it, with dates, under the name of its field', () => {
  const advice = breakingOf(findings(inBoard([FACE, '']))).flatMap((one) => one.advice ?? []);
  expect([...new Set(advice)]).toEqual([`keep face for now, with: ${DATES}`]);
});

test('a removed synonym cannot have dates of its own', () => {
  const breaking = breakingOf(findings(inBoard(['synonyms: [caption], ', ''])));
  expect(breaking.map(({ advice }) => advice)).toEqual(breaking.map(() => null));
  expect(breaking.length).toBeGreaterThan(0);
});

test('a removal that was announced gets no advice to announce it', () => {
  const old = state(edited(BASE, removeHeight('deprecated: 2025-01-01, sunset: 2026-01-01')), base.ledger);
  const now = state(edited(BASE, removeHeight('')), old.ledger);
  const context = { today: TODAY, acceptances: parseAcceptances(null), uses: null, count: null };
  const breaking = breakingOf(impact(old.model, now.model, context).findings);
  expect(breaking.map(({ advice }) => advice)).toEqual(breaking.map(() => null));
  expect(breaking.length).toBeGreaterThan(0);
});

test('with a database, a drop reports how many rows lose a value or are removed', () => {
  const asked: string[] = [];
  const count: CountRows = (rows) => {
    asked.push(rows);
    return asked.length;
  };
  const lost = (edit: Edit) => findings(edit, count).filter((one) => one.class === 'destructive');
  expect(lost(removeHeight('')).map(({ message }) => message)).toEqual([
    'is gone, with its values: 1 row; to apply it, use --allow drop:board.height',
  ]);
  expect(lost({ 'resources/card.yaml': null }).map(({ message }) => message)).toEqual([
    'is gone, with all its rows: 2 rows; to apply it, use --allow drop:card',
  ]);
  expect(asked).toEqual(['SELECT "id" FROM "board" WHERE "height" IS NOT NULL', 'SELECT "id" FROM "card"']);
  expect(
    findings(inCard(['title: Card', 'title: Cards']), count).filter(({ class: kind }) => kind === 'destructive'),
  ).toEqual([]);
});
