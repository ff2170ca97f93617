// What SQLite's errors mean to a caller: the one place where they become codes (D04).
import Database from 'better-sqlite3';
import type { AnyDefinition } from '../../definition.js';
import { failed, ServiceError } from '../../errors.js';

/** An error of the engine as a ServiceError where a caller can do something about it; any other comes back as it is. */
export function engineError(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) {
    return new ServiceError('unavailable', 'the database is busy; try again', [], { 'Retry-After': '1' });
  }
  if (/^SQLITE_(FULL|IOERR)/.test(error.code))
    return new ServiceError('storage_full', 'the change could not be stored');
  return error;
}

/**
 * A broken constraint of a write to `definition` as the failure of a field. A broken CHECK stays a bug, since
 * validation comes first; SQLite's message names the constraint.
 */
export function constraintError(error: unknown, definition: AnyDefinition): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (isForeignKey(error)) return new ServiceError('reference_not_found', 'it refers to a record that does not exist');
  const columns = columnsOf(error.message);
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE') return notUnique(definition, columns);
  const [field] = columns;
  if (error.code === 'SQLITE_CONSTRAINT_NOTNULL' && field !== undefined && field in definition.parameters) {
    return failed([{ field, code: 'required', message: `${field} is required` }]);
  }
  return error;
}

/** True where a foreign key keeps a record from being written or deleted. */
export function isForeignKey(error: unknown): boolean {
  // ON DELETE RESTRICT reports as a trigger.
  return error instanceof Database.SqliteError && /^SQLITE_CONSTRAINT_(FOREIGNKEY|TRIGGER)$/.test(error.code);
}

function notUnique(definition: AnyDefinition, columns: readonly string[]): ServiceError {
  const matches = (unique: readonly string[]) =>
    unique.length === columns.length && unique.every((column) => columns.includes(column));
  const field = (definition.uniques.find(matches) ?? columns).at(-1) ?? 'id';
  return failed([{ field, code: 'not_unique', message: `${field} is already taken` }]);
}

/** `UNIQUE constraint failed: game.designer_id, game.name` to its columns. */
function columnsOf(message: string): string[] {
  const named = message.slice(message.indexOf(': ') + 2);
  return named.split(', ').map((column) => column.slice(column.indexOf('.') + 1));
}
