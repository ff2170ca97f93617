// What a database records about itself: the schema it was last brought to, the steps that led there, and the migration that is
// under way. Nothing else is kept in these tables.
import type { Step } from '../../../schema/plan.js';
import type { Schema } from '../../../schema/schema.js';
import { literal } from '../../../schema/sql-text.js';
import { refuseUnfinishedCopy } from '../../allowed.js';
import type { Applied } from '../../schema-keeper.js';
import type { Query } from '../connections.js';

/** Statements that may be repeated. The numbers are assigned by the only one who writes: whoever holds the lease. */
export const MEMORY_TABLES: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS "_punchboard" ("key" text PRIMARY KEY, "value" text NOT NULL)',
  `CREATE TABLE IF NOT EXISTS "_punchboard_history" (
  "number" bigint PRIMARY KEY, "applied" bigint NOT NULL, "class" text NOT NULL, "says" text NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS "_punchboard_dropped" (
  "number" bigint PRIMARY KEY, "dropped" bigint NOT NULL, "table" bigint NOT NULL, "name" text NOT NULL,
  "rows" bigint NOT NULL, "definition" text NOT NULL, "watched" bigint)`,
  'CREATE TABLE IF NOT EXISTS "_punchboard_migrator" ("one" bigint PRIMARY KEY, "holder" text NOT NULL, "until" bigint NOT NULL)',
];

/** Prefix of the names of all tables that are not the service's. */
export const OWN = '_punchboard';

/** By what each of them is stored. */
export type Remembered =
  | 'schema'
  | 'brought_at'
  /** The lowest revision of a server that can still run on the schema. */
  | 'lowest_revision'
  | 'extra_ddl'
  /** What it is an unfinished copy of. */
  | 'copy'
  /** What is under way, and how many of its steps are done. */
  | 'migration'
  | 'steps_done'
  /** The last number of a side table. */
  | 'side_tables';

export type Memory = ReadonlyMap<Remembered, string>;

/** Everything the database remembers; null for one that was never brought to a schema. Throws StartError for an unfinished copy. */
export async function memoryOf(query: Query): Promise<Memory | null> {
  const memory = await readMemory(query);
  refuseUnfinishedCopy(memory?.get('copy') ?? null);
  return memory;
}

/** The same of an unfinished copy too. */
export async function readMemory(query: Query): Promise<Memory | null> {
  const [found] = await query(`SELECT to_regclass('"_punchboard"') IS NOT NULL AS "exists"`);
  if (String(found?.exists) !== 'true') return null;
  const rows = await query('SELECT "key", "value" FROM "_punchboard"');
  const memory = new Map(rows.map(({ key, value }) => [String(key) as Remembered, String(value)]));
  return memory.has('schema') ? memory : null;
}

export function schemaIn(memory: Memory): Schema {
  return JSON.parse(memory.get('schema') ?? '') as Schema;
}

export async function put(query: Query, key: Remembered, value: string): Promise<void> {
  await query(
    'INSERT INTO "_punchboard" ("key", "value") VALUES ($1, $2) ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"',
    [key, value],
  );
}

export async function forget(query: Query, key: Remembered): Promise<void> {
  await query('DELETE FROM "_punchboard" WHERE "key" = $1', [key]);
}

/** Adds a step to those that were applied. @param now epoch milliseconds */
export async function note(query: Query, step: Step, now: number): Promise<void> {
  await query(
    `INSERT INTO "_punchboard_history" ("number", "applied", "class", "says")
SELECT coalesce(max("number"), 0) + 1, ${literal(now)}::bigint, $1, $2 FROM "_punchboard_history"`,
    [step.class, step.says],
  );
}

/** The steps that were applied, oldest first. */
export async function history(query: Query): Promise<readonly Applied[]> {
  const rows = await query('SELECT "applied", "class", "says" FROM "_punchboard_history" ORDER BY "number"');
  return rows as unknown as readonly Applied[];
}
