// Turns SQLite's errors into error codes for callers, only here (D04).
import type { AnyDefinition } from '../../contract/definition.js';
import { failed, ServiceError } from '../../contract/errors.js';
import { CHOSEN_ID } from '../../contract/ids.js';

/** Turns an error of the engine into a ServiceError if a caller can react to it; returns any other error unchanged. */
export function engineError(error: unknown): unknown {
  const code = sqliteCode(error);
  if (isBusy(error)) {
    return new ServiceError('unavailable', 'the database is busy; try again', [], { 'Retry-After': '1' });
  }
  if (/^SQLITE_CANTOPEN/.test(code)) {
    return new ServiceError('unavailable', 'the database cannot open its files; try again', [], { 'Retry-After': '1' });
  }
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return notStored();
  return error;
}

/** The disk is full or failed. */
export function notStored(): ServiceError {
  return new ServiceError('storage_full', 'the change could not be stored');
}

/** True if another connection holds a lock that this one needs. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error));
}

/**
 * Turns a broken constraint of a write to `definition` into the failure of a field. A broken CHECK remains a bug, since
 * validation comes first. SQLite's message names the columns.
 */
export function constraintError(error: unknown, definition: AnyDefinition): unknown {
  const code = sqliteCode(error);
  if (isForeignKey(error)) return new ServiceError('reference_not_found', 'it refers to a record that does not exist');
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return notUnique(definition, [CHOSEN_ID]);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_NOTNULL') return error;
  const columns = columnsOf((error as Error).message);
  if (code === 'SQLITE_CONSTRAINT_UNIQUE') return notUnique(definition, columns);
  const [field] = columns;
  if (field !== undefined && field in definition.parameters) {
    return failed([{ field, code: 'required', message: `${field} is required` }]);
  }
  return error;
}

/** The extended result code of an error of SQLite, `SQLITE_BUSY`; empty for any other error. */
export function sqliteCode(error: unknown): string {
  // instanceof would fail if the driver is loaded twice in a process, since its errors have the class of the first.
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  return name === 'SqliteError' && typeof code === 'string' ? code : '';
}

/** True if a foreign key prevents a record from being written or deleted. */
export function isForeignKey(error: unknown): boolean {
  // A violation of ON DELETE RESTRICT is reported as a trigger's.
  return /^SQLITE_CONSTRAINT_(FOREIGNKEY|TRIGGER)$/.test(sqliteCode(error));
}

function notUnique(definition: AnyDefinition, columns: readonly string[]): ServiceError {
  const matches = (unique: readonly string[]) =>
    unique.length === columns.length && unique.every((column) => columns.includes(column));
  const field = (definition.uniques.find(matches) ?? columns).at(-1) ?? 'id';
  return failed([{ field, code: 'not_unique', message: `${field} is already taken` }]);
}

/** The columns in `UNIQUE constraint failed: game.designer_id, game.name`. */
function columnsOf(message: string): string[] {
  const named = message.slice(message.indexOf(': ') + 2);
  return named.split(', ').map((column) => column.slice(column.indexOf('.') + 1));
}
