// The same edits on SQLite and on PostgreSQL: the same rows are in the way, the same values result and are kept aside, and the
// tables have the shape of fresh ones.
import fc from 'fast-check';
import { schemaView } from '../../../generator/emit/schema.js';
import type { Schema } from '../../../runtime/schema/schema.js';
import { listDropped } from '../../../runtime/store/postgres/migrate/dropped.js';
import { connectTo } from '../../../runtime/store/sqlite/driver.js';
import { listDropped as listDroppedOfSqlite } from '../../../runtime/store/sqlite/migrate/dropped.js';
import { PAIRS, states } from '../../evolution/pairs.js';
import { count } from '../../support/counts.js';
import { describeOnServers } from '../../support/servers.js';
import { type Draw, LAST_EDIT, schemasOf } from '../edits.js';
import { fill as fillSqlite } from '../fill.js';
import { InTheWay, migrate as migrateSqlite } from '../schemas.js';
import { wordsIn } from '../words.js';
import {
  claims,
  contentOf,
  type Database,
  fill,
  fixtureOn,
  leftovers,
  type PostgresFixture,
  PREFIX,
  shapeOf,
} from './fixture.js';

const ROWS = 4;

interface Outcome {
  /** The reason of a refusal; null if there was none. */
  readonly refused: string | null;
  readonly rows: Readonly<Record<string, readonly unknown[]>>;
  readonly kept: readonly unknown[];
}

function onSqlite(from: Schema, to: Schema): Outcome {
  const db = connectTo(':memory:');
  migrateSqlite(db, from);
  fillSqlite(db, from, ROWS, PREFIX);
  const refused = attempt(() => migrateSqlite(db, to));
  const { tables } = refused === null ? to : from;
  const rows = tables.map(({ name, columns }) => {
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    return [name, db.prepare(`SELECT ${names} FROM "${name}" ORDER BY id`).all()];
  });
  const kept = listDroppedOfSqlite(db).map(({ number: _, ...drop }) => drop);
  db.close();
  return { refused, rows: Object.fromEntries(rows) as Outcome['rows'], kept: sorted(kept) };
}

async function onPostgres(
  { query, migrate }: Database,
  from: Schema,
  to: Schema,
  distribute: boolean,
): Promise<Outcome> {
  await migrate(from);
  await fill(query, from, ROWS);
  await migrate(from, { distribute });
  const refused = await attempt(() => migrate(to));
  const kept = (await listDropped(query)).map(({ number: _, watched: _since, filler: _filler, ...drop }) => drop);
  return { refused, rows: await contentOf(query, refused === null ? to : from), kept: sorted(kept) };
}

function attempt(work: () => void): string | null;
function attempt(work: () => Promise<unknown>): Promise<string | null>;
function attempt(work: () => unknown): string | null | Promise<string | null> {
  const refused = (error: unknown): string => {
    if (error instanceof InTheWay) return error.message;
    throw error;
  };
  try {
    const done = work();
    return done instanceof Promise ? done.then(() => null, refused) : null;
  } catch (error) {
    return refused(error);
  }
}

function sorted(all: readonly unknown[]): readonly unknown[] {
  return [...all].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

describeOnServers((server, name) => {
  let fixture: PostgresFixture;
  beforeAll(() => {
    fixture = fixtureOn(server());
  });

  /** Whether the migration succeeded. */
  const same = (from: Schema, to: Schema): Promise<boolean> =>
    fixture.within(async (database) => {
      const outcome = await onPostgres(database, from, to, name === 'Citus');
      expect(outcome).toEqual(onSqlite(from, to));
      const { actual, expected } = await claims(database.query, outcome.refused === null ? to : from);
      expect(actual).toEqual(expected);
      const words = await wordsIn(database.query, outcome.refused === null ? to : from);
      expect(words.actual).toEqual(words.expected);
      expect(await leftovers(database.query)).toEqual([]);
      if (outcome.refused !== null) return false;
      expect(await shapeOf(database.query)).toEqual(await fixture.freshShape(to));
      return true;
    });

  const pairs = PAIRS.filter((_, at) => at % count(24, 1) === 0).flatMap((pair) => {
    const { old, new: next } = states(pair);
    const [from, to] = [schemaView(old.model), schemaView(next.model)];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ name: pair.name, from, to }];
  });

  test.each(pairs)('$name', async ({ from, to }) => void (await same(from, to)));

  test(
    'random edits',
    async () => {
      const draws = fc.array(fc.tuple(fc.nat(LAST_EDIT), fc.nat(99), fc.nat(9)), { minLength: 1, maxLength: 8 });
      let migrated = 0;
      await fc.assert(
        fc.asyncProperty(draws, fc.nat(99), async (edits: readonly Draw[], at) => {
          const schemas = schemasOf(edits);
          if (await same(schemas[at % schemas.length] as Schema, schemas.at(-1) as Schema)) migrated += 1;
        }),
        { numRuns: count(5, 500) },
      );
      // A property that is always refused would prove nothing.
      expect(migrated).toBeGreaterThan(0);
    },
    count(300_000, 900_000),
  );
});
