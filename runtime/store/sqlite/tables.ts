// The tables of a database besides those of its schema, as repeatable statements.
import type Sqlite from 'better-sqlite3';
import type { AnyDefinition } from '../../contract/definition.js';
import { hasWebhooks } from '../../rules/hooks.js';
import {
  contentIndexes,
  ENGINE_TABLES,
  type EngineColumn,
  type EngineTable,
  indexStatements,
  OUTBOX_TABLES,
} from '../engine-tables.js';
import { StartError } from '../start-error.js';
import { sqliteCode } from './engine-error.js';

/** @param definitions all generated definitions */
export function engineTables(definitions: readonly AnyDefinition[]): readonly string[] {
  return [
    ...ENGINE_TABLES.flatMap(tableStatements),
    ...contentIndexes(definitions),
    ...(hasWebhooks(definitions) ? OUTBOX_STATEMENTS : []),
  ];
}

/** Throws StartError if a statement names a table or a column that the schema does not have. */
export function createModuleTables(db: Sqlite.Database, statements: readonly string[]): void {
  try {
    for (const sql of statements) if (!isAdded(db, sql)) db.exec(sql);
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_ERROR') throw error;
    throw new StartError(
      `nothing was changed: the program needs a name that the schema does not have (${(error as Error).message})`,
    );
  }
}

/** Whether the statement adds a column that exists already. All other statements can be repeated. */
export function isAdded(db: Sqlite.Database, sql: string): boolean {
  const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(sql) ?? [];
  if (table === undefined) return false;
  return db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;
}

export function tableStatements(table: EngineTable): readonly string[] {
  const { name, columns, key, numbered } = table;
  const [first, later] = [columns.filter(({ isLater }) => !isLater), columns.filter(({ isLater }) => isLater)];
  const lines = first.map((column) => definitionOf(column, column.name === key && numbered === undefined));
  const [all, options] =
    numbered === undefined ? [lines, 'STRICT, WITHOUT ROWID'] : [['sequence INTEGER PRIMARY KEY', ...lines], 'STRICT'];
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${all.join(',\n  ')}\n) ${options}`,
    ...later.map((column) => `ALTER TABLE ${name} ADD COLUMN ${definitionOf(column, false)}`),
    ...indexStatements(table, null),
  ];
}

function definitionOf(column: EngineColumn, isKey: boolean): string {
  const { name, type, nameInFiles = name, isNullable, isUnique, check } = column;
  const parts = [nameInFiles, type.toUpperCase()];
  if (isKey) parts.push('PRIMARY KEY');
  else if (!isNullable) parts.push('NOT NULL');
  if (isUnique) parts.push('UNIQUE');
  if (column.default !== undefined) parts.push(`DEFAULT ${column.default}`);
  if (check !== undefined) parts.push(`CHECK (${check})`);
  return parts.join(' ');
}

/** The tables of the outbox, with indexes for what SQLite does not find by the primary key. */
export const OUTBOX_STATEMENTS: readonly string[] = [
  ...OUTBOX_TABLES.flatMap(tableStatements),
  'CREATE INDEX IF NOT EXISTS webhook_attempt_delivery_idx ON webhook_attempt (webhook_id, delivery_id)',
  'CREATE INDEX IF NOT EXISTS webhook_answer_idx ON webhook_answer (id)',
  'CREATE UNIQUE INDEX IF NOT EXISTS webhook_message_idx ON webhook_message (webhook_id, id)',
  'CREATE INDEX IF NOT EXISTS webhook_owner_event_idx ON webhook (owner_id, event)',
];
