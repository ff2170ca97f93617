// F08, F03: the table of conversions between kinds, each cell with rows in the table: the stored values before and afterwards,
// row by row, and the rows in the way. Through descriptors, the generator and the ledger, as a maintainer makes the change.

import type Database from 'better-sqlite3';
import { schemaView } from '../../generator/emit/schema.js';
import type { Kind, Schema } from '../../runtime/schema/schema.js';
import { permitAllowed } from '../../runtime/store/migration-permits.js';
import { isSafe, type PendingMigration } from '../../runtime/store/schema-migrator.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { applyTo } from '../../runtime/store/sqlite/migrate/apply.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { type AnyKind, CELLS, type Cell, FIELDS, SAMPLES, type Value } from '../evolution/kinds.js';
import { boardField } from '../evolution/pair.js';
import { BASE, edited, type State, state } from '../evolution/pairs.js';
import { fill } from './fill.js';
import { dump, freshShape, migrate, NOW, shapeOf } from './schemas.js';

const KINDS = Object.keys(SAMPLES) as Kind[];
const ANY = Object.keys(FIELDS) as AnyKind[];
const base = state(BASE, null);
const known = new Map<string, State>();

/** The spec with a field of a kind, numbered with a ledger; many pairs share a state. */
function stateOf(kind: AnyKind, ledger: State['ledger']): State {
  const key = `${kind} ${JSON.stringify(ledger)}`;
  const result = known.get(key) ?? state(edited(BASE, boardField(FIELDS[kind])), ledger);
  known.set(key, result);
  return result;
}

/** Both schemas of an edit: the second is numbered with the ledger of the first. */
function schemas(from: AnyKind, to: AnyKind): { readonly old: Schema; readonly next: Schema } {
  const old = stateOf(from, base.ledger);
  return { old: schemaView(old.model), next: schemaView(stateOf(to, old.ledger).model) };
}

/** A database of boards with these values in `x_id`, beginning with `r0`, and one board without a value if it may be empty. */
function boards(schema: Schema, values: readonly Value[]): Database.Database {
  const db = connectTo(':memory:');
  migrate(db, schema);
  // At least two rows, so that ids may refer to them.
  fill(db, schema, Math.max(values.length + 1, 2));
  for (const [at, value] of values.entries()) {
    db.prepare('UPDATE board SET x_id = ? WHERE id = ?').run(value, `r${at}`);
  }
  const rest = values.map((_, at) => `'r${at}'`).join();
  const required =
    db.prepare(`SELECT "notnull" FROM pragma_table_info('board') WHERE name = 'x_id'`).pluck().get() === 1;
  db.exec(`${required ? 'DELETE FROM board' : 'UPDATE board SET x_id = NULL'} WHERE id NOT IN (${rest})`);
  return db;
}

function stored(db: Database.Database, count: number): readonly unknown[] {
  const all = db.prepare<[], unknown>('SELECT x_id FROM board ORDER BY id').pluck().all();
  return all.slice(0, count);
}

function pending(db: Database.Database, next: Schema): PendingMigration {
  const result = pendingOf(db, next);
  if (result === null) throw new Error('the database is empty');
  return result;
}

function apply(db: Database.Database, next: Schema, allow: readonly string[] = []): void {
  applyTo(db, { schema: next, now: NOW, extraDdl: [], permit: permitAllowed(allow) });
}

/** The options that the edit needs: an image's proof flag is dropped with it, and a boolean cannot be empty. */
function allowances({ plan, risks }: PendingMigration): {
  readonly drops: readonly string[];
  readonly fills: readonly string[];
} {
  return { drops: plan.drops, fills: risks.flatMap(({ allow }) => allow ?? []) };
}

const NO_VALUE = 'has no value';
const inTheWay = ({ broken }: PendingMigration) => broken.filter(({ says }) => says !== NO_VALUE);

function converts(from: Kind, to: AnyKind, { rows, bad }: Exclude<Cell, 'gone'>): void {
  const { old, next } = schemas(from, to);
  const db = boards(
    old,
    rows.map(([before]) => before),
  );
  const result = pending(db, next);
  const needed = allowances(result);
  expect(needed.drops).toEqual(from === 'image' && to !== 'image' ? ['board.has_proofed_x'] : []);
  expect(inTheWay(result)).toEqual([]);
  apply(db, next, [...needed.drops.map((name) => `drop:${name}`), ...needed.fills]);
  expect(stored(db, rows.length)).toEqual(rows.map(([, after]) => after));
  const empty = db.prepare(`SELECT x_id FROM board WHERE id = 'r${rows.length}'`).pluck().get();
  expect(empty ?? null).toBe(to === 'boolean' && from !== 'boolean' ? 0 : null);
  expect(shapeOf(db, next)).toEqual(freshShape(next));
  db.close();
  if (bad.length > 0) refuses(bad, old, next);
}

/** Every value is in the way, under exactly one rule. */
function refuses(bad: readonly Value[], old: Schema, next: Schema): void {
  const db = boards(old, bad);
  const before = dump(db);
  const result = pending(db, next);
  const named = inTheWay(result).flatMap(({ ids }) => ids);
  expect(named.sort()).toEqual(bad.map((_, at) => `r${at}`));
  expect(() => apply(db, next, allowances(result).fills)).toThrow('nothing was changed');
  expect(dump(db)).toEqual(before);
  db.close();
}

function drops(from: Kind, to: AnyKind): void {
  const { old, next } = schemas(from, to);
  const db = boards(old, [SAMPLES[from]]);
  const before = dump(db);
  const result = pending(db, next);
  expect(isSafe(result)).toBe(false);
  expect(result.plan.drops).toContain('board.x_id');
  const why = to === 'computed' ? '' : `, since ${from} does not convert to ${to}`;
  const change = result.plan.changes.find(({ kind, column }) => kind === 'column_dropped' && column === 'x_id');
  expect(change).toMatchObject({ class: 'destructive', says: `is gone, with its values${why}` });
  expect(() => apply(db, next)).toThrow('--allow drop:board.x_id');
  expect(dump(db)).toEqual(before);
  apply(
    db,
    next,
    result.plan.drops.map((name) => `drop:${name}`),
  );
  if (to !== 'computed') expect(stored(db, 1)).toEqual([to === 'boolean' ? 0 : null]);
  const drop = db.prepare(`SELECT number FROM _punchboard_dropped WHERE name = 'board.x_id'`).pluck().get();
  expect(db.prepare(`SELECT x_id FROM _punchboard_dropped_${drop} WHERE id = 'r0'`).pluck().get()).toBe(SAMPLES[from]);
  expect(shapeOf(db, next)).toEqual(freshShape(next));
  db.close();
}

describe('F08: every pair of kinds, with rows in the table', () => {
  for (const from of KINDS) {
    for (const to of ANY) {
      const cell = CELLS[from][to];
      test(`${from} to ${to}`, () => (cell === 'gone' ? drops(from, to) : converts(from, to, cell)));
    }
  }

  for (const to of KINDS) {
    test(`computed to ${to} is a new column`, () => {
      const { old, next } = schemas('computed', to);
      const db = connectTo(':memory:');
      migrate(db, old);
      fill(db, old, 2);
      const { plan, broken } = pending(db, next);
      expect([plan.drops, broken]).toEqual([[], []]);
      expect(plan.changes.map(({ kind }) => kind)).toContain('column_added');
      apply(db, next);
      expect(stored(db, 2)).toEqual(to === 'boolean' ? [0, 0] : [null, null]);
      db.close();
    });
  }

  test('no cell with a password keeps its values, except from password to password', () => {
    const open = KINDS.flatMap((from) => ANY.filter((to) => CELLS[from][to] !== 'gone').map((to) => [from, to]));
    expect(open.filter((pair) => pair.includes('password'))).toEqual([['password', 'password']]);
  });
});
