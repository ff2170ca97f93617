// Databases of a PostgreSQL server to migrate: filled, inspected, and compared with a fresh one.
import { placementOf } from '../../../runtime/contract/ids.js';
import type { SchemaStep } from '../../../runtime/schema/plan.js';
import { postgresDdl } from '../../../runtime/schema/postgres/ddl.js';
import type { Schema, Table } from '../../../runtime/schema/schema.js';
import { quoted } from '../../../runtime/schema/sql-text.js';
import {
  type Connections,
  createConnections,
  type Query,
  type Row,
} from '../../../runtime/store/postgres/connections.js';
import { applyTo, type MigrationTarget } from '../../../runtime/store/postgres/migrate/apply.js';
import { runTogether } from '../../../runtime/store/postgres/migrate/transaction.js';
import { uniqueKeysOf, uniqueParameters } from '../../../runtime/store/postgres/unique-values.js';
import { cloneDatabase, sharePostgres } from '../../support/postgres.js';
import type { TestServer } from '../../support/servers.js';
import { rowsOf } from '../fill.js';
import { NOW, permit } from '../schemas.js';
import { addWordsIn } from '../words.js';

/** All ids have one placement, like the ids of all records of one owner. */
export const PREFIX = '00r';

export interface PostgresFixture {
  /** Runs the work on a connection to a new, empty database. */
  within<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Runs the work on a connection to a new database with the schema and rows. */
  filled<T>(schema: Schema, rows: number, work: (database: Database) => Promise<T>): Promise<T>;
  /** The catalog of a fresh database. */
  freshShape(schema: Schema): Promise<unknown>;
  stop(): Promise<void>;
}

export interface Database {
  readonly url: string;
  readonly connections: Connections;
  readonly query: Query;
  /** Applies everything that may be allowed; throws InTheWay if rows are in the way of the rest. */
  migrate(to: Schema, more?: Partial<MigrationTarget>): Promise<readonly SchemaStep[]>;
}

/** A fixture on the server that suites share. */
export async function prepareFixture(): Promise<PostgresFixture> {
  return fixtureOn(await sharePostgres());
}

export function fixtureOn(server: Pick<TestServer, 'createDatabase' | 'stop'>): PostgresFixture {
  const within: PostgresFixture['within'] = async (work) => {
    const url = await server.createDatabase();
    return open(url, work);
  };
  const fresh = new Map<string, unknown>();
  const templates = new Map<string, Promise<string>>();
  const template = (schema: Schema, rows: number): Promise<string> =>
    within(async ({ url, query, migrate }) => {
      await migrate(schema);
      await fill(query, schema, rows);
      return url;
    });
  return {
    within,
    async filled(schema, rows, work) {
      const key = JSON.stringify([schema, rows]);
      const url = templates.get(key) ?? template(schema, rows);
      templates.set(key, url);
      return open(await cloneDatabase(await url), work);
    },
    async freshShape(schema) {
      const key = JSON.stringify(schema);
      const shape =
        fresh.get(key) ??
        (await within(async ({ query }) => {
          await runTogether(query, postgresDdl(schema));
          return shapeOf(query);
        }));
      fresh.set(key, shape);
      return shape;
    },
    stop: () => server.stop(),
  };
}

/** Runs the work on a connection to an existing database. */
export async function open<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const connections = createConnections({ url, size: 1, timeout: 60_000 });
  try {
    return await connections.session((query) => {
      const migrate: Database['migrate'] = (schema, more = {}) =>
        applyTo(query, { connections, schema, now: NOW, tick: () => 0, extraDdl: [], holder: 'ada', permit, ...more });
      return work({ url, connections, query, migrate });
    });
  } finally {
    await connections.close();
  }
}

/** Inserts rows into every table, and their claims of unique values. */
export async function fill(query: Query, { tables }: Schema, rows: number): Promise<void> {
  // Tables may refer to each other in any order.
  await query('SET session_replication_role = replica');
  for (const table of tables) {
    const names = ['"_shard"', ...table.columns.map(({ name }) => quoted(name))];
    const places = names.map((_, at) => `$${at + 1}`).join(', ');
    for (const row of rowsOf(table, rows, PREFIX)) {
      await query(`INSERT INTO ${quoted(table.name)} (${names.join(', ')}) VALUES (${places})`, ['00', ...row]);
    }
    for (const claim of await claimsOf(query, table)) {
      await query('INSERT INTO _unique_value VALUES ($1, $2, $3, $4)', claim);
    }
  }
  await addWordsIn(query, { revision: 0, tables });
  await query('SET session_replication_role = origin');
}

/** The claims that the rows of a table must have. */
export async function claimsOf(query: Query, table: Table): Promise<readonly (readonly string[])[]> {
  const rows = await query(`SELECT * FROM ${quoted(table.name)}`);
  return uniqueKeysOf(table).flatMap((key) =>
    rows.flatMap((row) => {
      const values = uniqueParameters(key, row);
      return values === null ? [] : [[...values, String(row.id)]];
    }),
  );
}

/** All existing claims, and all expected ones. */
export async function claims(
  query: Query,
  { tables }: Schema,
): Promise<{ readonly actual: unknown; readonly expected: unknown }> {
  const actual = (await query('SELECT * FROM _unique_value')).map((row) => Object.values(row).join(' '));
  const expected: string[] = [];
  for (const table of tables) expected.push(...(await claimsOf(query, table)).map((claim) => claim.join(' ')));
  return { actual: actual.sort(), expected: expected.sort() };
}

/** The rows of each table, by their names, in SQLite's form. */
export async function contentOf(query: Query, { tables }: Schema): Promise<Record<string, readonly Row[]>> {
  const content: Record<string, readonly Row[]> = {};
  for (const { name, columns } of tables) {
    const names = columns.map((column) => quoted(column.name)).join(', ');
    content[name] = await query(`SELECT ${names} FROM ${quoted(name)} ORDER BY "id"`);
    const placed = await query(`SELECT "id", "_shard" FROM ${quoted(name)}`);
    for (const row of placed) {
      if (row._shard !== placementOf(String(row.id))) throw new Error(`${name}: ${JSON.stringify(row)}`);
    }
  }
  return content;
}

/** Everything in the catalog about the service's tables, independent of their history. */
export async function shapeOf(query: Query): Promise<unknown> {
  const where = `c.relnamespace = 'public'::regnamespace AND NOT starts_with(c.relname, '_punchboard')`;
  const columns =
    await query(`SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    a.attcollation::int AS collation, a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS default
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE ${where} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2`);
  const constraints = await query(`SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS sql,
    k.convalidated AS valid FROM pg_class c JOIN pg_constraint k ON k.conrelid = c.oid
    WHERE ${where} AND k.contype <> 'n' ORDER BY 1, 2`);
  const indexes = await query(`SELECT c.relname AS table, pg_get_indexdef(i.indexrelid) AS sql, i.indisvalid AS valid
    FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid WHERE ${where} ORDER BY 1, 2`);
  return { columns, constraints, indexes };
}

/** Tables that a migration must not leave behind. */
export async function leftovers(query: Query): Promise<readonly unknown[]> {
  return query(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relname ~ '^_punchboard' AND relname !~ '^_punchboard(_history|_migrator|_dropped(_[0-9]+)?)?(_pkey)?$'
    UNION ALL SELECT key FROM _punchboard WHERE key IN ('migration', 'steps_done')
    UNION ALL SELECT holder FROM _punchboard_migrator`);
}
