// What a database records about itself: the schema to which it was last migrated, the steps that led there, and the migration
// that is under way. Nothing else is kept in these tables.
import type { SchemaStep } from '../../schema/plan.js';
import type { Schema } from '../../schema/schema.js';
import { literal } from '../../schema/sql-text.js';
import type { AppliedStep } from '../schema-migrator.js';
import { StartError } from '../start-error.js';
import type { Pending, Queries } from '../unit.js';
import type { Session } from './session.js';

/** The keys of a database's metadata. */
export type MetadataKey =
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

export type Metadata = ReadonlyMap<MetadataKey, string>;

/** All metadata of the database; null if it was never given a schema. Throws StartError for an unfinished copy. */
export function* readMetadata(session: Session): Pending<Metadata | null> {
  const metadata = yield* readAnyMetadata(session);
  const source = metadata?.get('copy');
  if (source === undefined) return metadata;
  throw new StartError(
    `the database is an unfinished copy of ${source}: run the same \`punchboard copy\` again, which goes on where it stopped`,
  );
}

/** The same, but also for an unfinished copy. */
export function* readAnyMetadata(session: Session): Pending<Metadata | null> {
  if (!(yield* session.has('_punchboard'))) return null;
  const rows = yield* session.rows('SELECT "key", "value" FROM "_punchboard"', {});
  const metadata = new Map(rows.map(({ key, value }) => [String(key) as MetadataKey, String(value)]));
  return metadata.has('schema') ? metadata : null;
}

export function schemaIn(metadata: Metadata): Schema {
  return JSON.parse(metadata.get('schema') ?? '') as Schema;
}

export function* putMetadata(queries: Queries, key: MetadataKey, value: string): Pending<void> {
  yield* queries.rows(
    'INSERT INTO "_punchboard" ("key", "value") VALUES (@key, @value) ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"',
    { key, value },
  );
}

export function* deleteMetadata(queries: Queries, key: MetadataKey): Pending<void> {
  yield* queries.rows('DELETE FROM "_punchboard" WHERE "key" = @key', { key });
}

/** Adds a step to the history. @param now epoch milliseconds */
export function* recordStep(queries: Queries, step: SchemaStep, now: number): Pending<void> {
  yield* queries.rows(
    `INSERT INTO "_punchboard_history" ("number", "applied", "class", "says")
SELECT coalesce(max("number"), 0) + 1, ${literal(now)}, @class, @says FROM "_punchboard_history"`,
    { class: step.class, says: step.says },
  );
}

/** The steps that were applied, oldest first. */
export function* readHistory(session: Session): Pending<readonly AppliedStep[]> {
  if (!(yield* session.has('_punchboard_history'))) return [];
  const sql = 'SELECT "applied", "class", "says" FROM "_punchboard_history" ORDER BY "number"';
  return (yield* session.rows(sql, {})) as unknown as readonly AppliedStep[];
}
