// What a database records about itself: the schema to which it was last migrated, the steps that led there, and the migration
// that is under way. Nothing else is kept in these tables.
import type { SchemaStep } from '../../schema/plan.js';
import type { Schema } from '../../schema/schema.js';
import { literal } from '../../schema/sql-text.js';
import { refuseUnfinishedCopy } from '../allowed.js';
import type { AppliedStep } from '../schema-keeper.js';
import type { Pending, Queries } from '../unit.js';
import type { Session } from './session.js';

/** The keys of a database's memory. */
export type MemoryKey =
  | 'schema'
  | 'brought_at'
  /** The lowest revision of a server that can still run on the schema. */
  | 'lowest_revision'
  | 'extra_ddl'
  /** Its servers prepare outdated statements again after a migration. */
  | 'prepares_again'
  /** The source, if the database is an unfinished copy. */
  | 'copy'
  /** The migration that is under way, and how many of its steps are done. */
  | 'migration'
  | 'steps_done'
  /** The last number of a side table. */
  | 'side_tables';

export type Memory = ReadonlyMap<MemoryKey, string>;

/** Everything the database remembers; null if it was never given a schema. Throws StartError for an unfinished copy. */
export function* memoryOf(session: Session): Pending<Memory | null> {
  const memory = yield* readMemory(session);
  refuseUnfinishedCopy(memory?.get('copy') ?? null);
  return memory;
}

/** The same, but also for an unfinished copy. */
export function* readMemory(session: Session): Pending<Memory | null> {
  if (!(yield* session.has('_punchboard'))) return null;
  const rows = yield* session.rows('SELECT "key", "value" FROM "_punchboard"', {});
  const memory = new Map(rows.map(({ key, value }) => [String(key) as MemoryKey, String(value)]));
  return memory.has('schema') ? memory : null;
}

export function schemaIn(memory: Memory): Schema {
  return JSON.parse(memory.get('schema') ?? '') as Schema;
}

export function* put(queries: Queries, key: MemoryKey, value: string): Pending<void> {
  yield* queries.rows(
    'INSERT INTO "_punchboard" ("key", "value") VALUES (@key, @value) ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"',
    { key, value },
  );
}

export function* forget(queries: Queries, key: MemoryKey): Pending<void> {
  yield* queries.rows('DELETE FROM "_punchboard" WHERE "key" = @key', { key });
}

/** Adds a step to the history. @param now epoch milliseconds */
export function* note(queries: Queries, step: SchemaStep, now: number): Pending<void> {
  yield* queries.rows(
    `INSERT INTO "_punchboard_history" ("number", "applied", "class", "says")
SELECT coalesce(max("number"), 0) + 1, ${literal(now)}, @class, @says FROM "_punchboard_history"`,
    { class: step.class, says: step.says },
  );
}

/** The steps that were applied, oldest first. */
export function* history(session: Session): Pending<readonly AppliedStep[]> {
  if (!(yield* session.has('_punchboard_history'))) return [];
  const sql = 'SELECT "applied", "class", "says" FROM "_punchboard_history" ORDER BY "number"';
  return (yield* session.rows(sql, {})) as unknown as readonly AppliedStep[];
}
