// Renames as a maintainer states them, through the generator and the ledger: a rename, another one, a swap, a resource's
// rename, and a name that is used again; from every earlier state of the database directly to the last.

import { schemaView } from '../../generator/emit/schema.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { BASE, type Edit, edited, type State, state } from '../evolution/pairs.js';
import { fill } from './fill.js';
import { database, freshShape, migrate, shapeOf } from './schemas.js';

const LABEL = '  label: { kind: text, max: 30, synonyms: [caption], description: Text on the edge. }\n';
const SERIAL = '  serial: { kind: text, max: 40, unique: true, description: Serial number. }\n';
const label = (name: string, was: string): string =>
  LABEL.replace('label: { kind: text', `${name}: { kind: text, was: ${was}`);
const serial = (name: string, was: string): string =>
  SERIAL.replace('serial: { kind: text', `${name}: { kind: text, was: ${was}`);
const inBoard = (...replacements: readonly (readonly [string, string])[]): Edit => ({
  'resources/board.yaml': replacements,
});
const CARD = BASE['resources/card.yaml'] ?? '';

const EDITS: readonly Edit[] = [
  inBoard([LABEL, label('tag', 'label')]),
  inBoard([label('tag', 'label'), label('mark', 'tag')]),
  inBoard([label('mark', 'tag'), label('serial', 'mark')], [SERIAL, serial('mark', 'serial')]),
  {
    'resources/card.yaml': null,
    'resources/tile.yaml': CARD.replace('resource: card', 'resource: tile\nwas: card').replace(
      'plural: cards',
      'plural: tiles',
    ),
  },
  inBoard(
    [serial('mark', 'serial'), SERIAL.replace('serial: { kind: text', 'mark: { kind: text')],
    [
      label('serial', 'mark'),
      `${LABEL.replace('label: { kind: text', 'serial: { kind: text')}  label: { kind: text, was: null, description: A new one. }\n`,
    ],
  ),
];

/** Written by hand: the names of the two fields and the resource after each number of edits. */
const CALLED: readonly { readonly label: string; readonly serial: string; readonly card: string }[] = [
  { label: 'label', serial: 'serial', card: 'card' },
  { label: 'tag', serial: 'serial', card: 'card' },
  { label: 'mark', serial: 'serial', card: 'card' },
  { label: 'serial', serial: 'mark', card: 'card' },
  { label: 'serial', serial: 'mark', card: 'tile' },
  { label: 'serial', serial: 'mark', card: 'tile' },
];

function schemas(): readonly Schema[] {
  const states: State[] = [state(BASE, null)];
  for (const edit of EDITS) {
    const { texts, ledger } = states.at(-1) as State;
    states.push(state(edited(texts, edit), ledger));
  }
  return states.map(({ model }) => schemaView(model));
}

describe('stated renames', () => {
  const all = schemas();
  const last = all.at(-1) as Schema;
  const end = CALLED.at(-1) as (typeof CALLED)[number];

  for (const [at, from] of all.slice(0, -1).entries()) {
    test(`from the state after ${at} edits`, () => {
      const names = CALLED[at] as (typeof CALLED)[number];
      const db = database();
      migrate(db, from);
      fill(db, from, 4);
      const before = db.prepare(`SELECT "${names.label}", "${names.serial}" FROM board ORDER BY id`).raw().all();
      const cards = db.prepare(`SELECT * FROM "${names.card}" ORDER BY id`).raw().all();
      migrate(db, last);
      expect(db.prepare(`SELECT "${end.label}", "${end.serial}" FROM board ORDER BY id`).raw().all()).toEqual(before);
      expect(db.prepare(`SELECT count(label) FROM board`).pluck().get()).toBe(0);
      expect(cards.length).toBe(4);
      expect(db.prepare(`SELECT * FROM "${end.card}" ORDER BY id`).raw().all()).toEqual(cards);
      expect(shapeOf(db, last)).toEqual(freshShape(last));
    });
  }
});

test('a ledger that was reverted: a number that was assigned again is not a rename', () => {
  const { ledger } = state(BASE, null);
  const added = (field: string): Schema =>
    schemaView(
      state(edited(BASE, inBoard([LABEL, `${LABEL}  ${field}: { kind: text, description: New. }\n`])), ledger).model,
    );
  // Earlier versions of the generator counted up, and so assigned the same numbers again after a ledger was reverted.
  const counted = (schema: Schema): Schema => ({
    ...schema,
    tables: schema.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (/hue|shade/.test(column.name) ? { ...column, number: 999 } : column)),
    })),
  });
  const [deployed, other] = [counted(added('hue')), counted(added('shade'))];
  const { changes, drops } = planSqlite(deployed, other);
  expect(changes.map(({ kind, column }) => `${kind} ${column}`)).toEqual(['column_added shade', 'column_dropped hue']);
  expect(drops).toEqual(['board.hue']);
});
