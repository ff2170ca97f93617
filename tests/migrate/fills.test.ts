// What rows get that are there when a field comes or becomes required, from descriptors to stored values, on each engine.
import { schemaView } from '../../generator/emit/schema.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { isSafe } from '../../runtime/store/schema-keeper.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { boardField, inBoard } from '../evolution/pair.js';
import { BASE, type Edit, edited, state } from '../evolution/pairs.js';
import { hasPostgres } from '../support/postgres.js';
import { fill } from './fill.js';
import { fill as fillPostgres, type Ground, prepareGround } from './postgres/ground.js';
import { freshShape, migrate, shapeOf } from './schemas.js';

/** Boards and games are named 0, 1 and 2, each board is of the next game, and the second has no label. */
const ROWS = 3;
const x = (keys: string): Edit => boardField(`x: { ${keys}, description: X. }`);
const label = (keys: string): Edit => inBoard(['label: { kind: text, max: 30', `label: { kind: text, ${keys}`]);

interface Case {
  readonly edit: Edit;
  readonly column: string;
  /** Names that the three boards have instead. */
  readonly names?: readonly string[];
  /** What the three rows hold afterwards. */
  readonly values: readonly unknown[];
  /** A start fills no null that is there. */
  readonly safe: boolean;
}

const added = (keys: string, ...values: readonly unknown[]): Case => ({
  edit: x(keys),
  column: 'x',
  values,
  safe: true,
});
const reference = (keys: string, ...values: readonly unknown[]): Case => ({
  ...added(`kind: reference, need: exists, to: ${keys}`, ...values),
  column: 'x_id',
});
const required = (keys: string, ...values: readonly unknown[]): Case => ({
  ...{ edit: label(`${keys}, required: true`), column: 'label', values, safe: false },
});

const NAMES = [' Red  Sea  Dragon', 'Blue', '   '];
const words = (path: string, part: string, more = ''): string =>
  `kind: text, max: 300, fill: { words: ${path}, part: ${part} }${more}`;
const join = 'kind: text, max: 300, required: true, fill: { join: [name, label], with: ", " }';

const CASES: Readonly<Record<string, Case>> = {
  'a literal': added('kind: integer, required: true, fill: 3', 3, 3, 3),
  'a literal that is not the default': added('kind: boolean, default: false, fill: true', 1, 1, 1),
  'a literal into an optional field': added('kind: day, fill: "2030-01-31"', '2030-01-31', '2030-01-31', '2030-01-31'),
  'a copy': added('kind: text, required: true, max: 100, fill: { copy: name }', '0', '1', '2'),
  'a copy of what may be empty': added('kind: text, fill: { copy: label }', '0', null, '2'),
  'a copy from the parent': added('kind: text, required: true, fill: { copy: game.name }', '1', '2', '0'),
  'a literal where it was empty': required('max: 30, fill: none', '0', 'none', '2'),
  'a copy where it was empty': required('max: 300, fill: { copy: name }', '0', '1', '2'),
  'the first word': { ...added(words('name', 'first', ', required: true'), 'Red', 'Blue', '   '), names: NAMES },
  'what follows the first word': { ...added(words('name', 'rest'), 'Sea  Dragon', null, null), names: NAMES },
  'the first word of a name of the parent': added(words('game.name', 'first'), '1', '2', '0'),
  'texts joined': { ...added(join, ' Red  Sea  Dragon, 0', 'Blue', '   , 2'), names: NAMES },
  'texts joined where it was empty': {
    ...required('max: 800, fill: { join: [name, notes], with: "-" }', '0', 'Blue', '2'),
    names: NAMES,
  },
  'a reference of the parent': reference('user, required: true, fill: { copy: game.user }', 'r2', 'r0', 'r1'),
  'a reference that may be empty': reference('game, fill: { copy: expands }', 'r1', null, 'r0'),
  'an owner': reference('game, inside: true, required: true, fill: { copy: game }', 'r1', 'r2', 'r0'),
  'nothing where it stays optional': {
    edit: label('max: 30, fill: none'),
    column: 'label',
    values: ['0', null, '2'],
    safe: true,
  },
};

/** The ids of the ground start with a placement. */
function withoutPlacement(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^00r/, 'r') : value;
}

function renaming({ names = [] }: Case): readonly string[] {
  return names.map((name, row) => `UPDATE board SET name = '${name}' WHERE name = '${row}'`);
}

function schemasOf({ edit }: Case): readonly [Schema, Schema] {
  const old = state(BASE, null);
  return [schemaView(old.model), schemaView(state(edited(BASE, edit), old.ledger).model)];
}

test.each(Object.entries(CASES))('%s on SQLite', (_title, one) => {
  const [old, next] = schemasOf(one);
  const db = connectTo(':memory:');
  migrate(db, old);
  fill(db, old, ROWS);
  for (const sql of renaming(one)) db.exec(sql);
  const pending = pendingOf(db, next);
  expect(pending && isSafe(pending)).toBe(one.safe);
  migrate(db, next);
  const values = db.prepare(`SELECT "${one.column}" FROM board ORDER BY id`).pluck();
  expect(values.all()).toEqual(one.values);
  expect(shapeOf(db, next)).toEqual(freshShape(next));
  // It has no effect afterwards.
  db.exec(`UPDATE board SET "${one.column}" = (SELECT "${one.column}" FROM board WHERE id = 'r0') WHERE id = 'r2'`);
  const later = values.all();
  expect(pendingOf(db, next)?.plan.steps).toEqual([]);
  migrate(db, next);
  expect(values.all()).toEqual(later);
  db.close();
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await prepareGround();
  });
  afterAll(() => ground.stop());

  test.each(Object.entries(CASES))('%s', (_title, one) =>
    ground.within(async ({ query, migrate: bring }) => {
      const [old, next] = schemasOf(one);
      await bring(old);
      await fillPostgres(query, old, ROWS);
      for (const sql of renaming(one)) await query(sql);
      await bring(next);
      const rows = await query(`SELECT "${one.column}" AS value FROM board ORDER BY "id"`);
      expect(rows.map(({ value }) => withoutPlacement(value))).toEqual(one.values);
    }),
  );
});
