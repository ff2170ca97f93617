// What a database in a file records about itself.
import type Sqlite from 'better-sqlite3';
import type { SchemaStep } from '../../../schema/plan.js';
import type { Schema } from '../../../schema/schema.js';
import { putMetadata, readMetadata, recordStep, schemaIn } from '../../migrate/metadata.js';
import { runSync } from '../../unit.js';
import { onSession, sessionOf } from '../session.js';

/** The schema to which a database was last migrated; null if it never was. Throws StartError for an unfinished copy. */
export function readStoredSchema(db: Sqlite.Database): Schema | null {
  const metadata = onSession(readMetadata)(db);
  return metadata === null ? null : schemaIn(metadata);
}

/** Stores the schema and the steps that led to it. @param now epoch milliseconds */
export function storeSchema(db: Sqlite.Database, schema: Schema, steps: readonly SchemaStep[], now: number): void {
  db.exec(TABLES);
  const session = sessionOf(db);
  runSync(putMetadata(session, 'schema', JSON.stringify(schema)));
  runSync(putMetadata(session, 'brought_at', String(now)));
  for (const step of steps) runSync(recordStep(session, step, now));
}

const TABLES = `
CREATE TABLE IF NOT EXISTS _punchboard (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS _punchboard_history (
  number INTEGER PRIMARY KEY,
  applied INTEGER NOT NULL,
  class TEXT NOT NULL,
  says TEXT NOT NULL
) STRICT;
`;
