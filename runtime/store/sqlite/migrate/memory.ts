// What a database records about itself: the schema it was last brought to, and the steps that led there. Nothing else is
// kept in these tables.
import type Database from 'better-sqlite3';
import type { Step } from '../../../schema/plan.js';
import type { Schema } from '../../../schema/schema.js';
import { refuseUnfinishedCopy } from '../../allowed.js';
import type { Applied } from '../../schema-keeper.js';

/** The schema a database was last brought to; null for one that never was. Throws StartError for an unfinished copy. */
export function rememberedSchema(db: Database.Database): Schema | null {
  const text = rememberedText(db);
  return text === null ? null : (JSON.parse(text) as Schema);
}

/** The same as it is stored. */
export function rememberedText(db: Database.Database): string | null {
  refuseUnfinishedCopy(rememberedAs(db, 'copy'));
  return rememberedAs(db, 'schema');
}

/** The stored text; null if there is none. `copy`: what it is an unfinished copy of. */
export function rememberedAs(db: Database.Database, key: 'schema' | 'copy'): string | null {
  if (!hasTable(db, '_punchboard')) return null;
  return db.prepare<[string], string>('SELECT value FROM _punchboard WHERE key = ?').pluck().get(key) ?? null;
}

/** Stores the schema, and the steps that led to it. @param now epoch milliseconds */
export function remember(db: Database.Database, schema: Schema, steps: readonly Step[], now: number): void {
  db.exec(TABLES);
  const put = db.prepare('INSERT OR REPLACE INTO _punchboard (key, value) VALUES (?, ?)');
  put.run('schema', JSON.stringify(schema));
  put.run('brought_at', String(now));
  const note = db.prepare('INSERT INTO _punchboard_history (applied, class, says) VALUES (?, ?, ?)');
  for (const step of steps) note.run(now, step.class, step.says);
}

/** The steps that were applied, oldest first. */
export function history(db: Database.Database): readonly Applied[] {
  if (!hasTable(db, '_punchboard_history')) return [];
  return db.prepare<[], Applied>('SELECT applied, class, says FROM _punchboard_history ORDER BY number').all();
}

export function hasTable(db: Database.Database, name: string): boolean {
  return db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
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
