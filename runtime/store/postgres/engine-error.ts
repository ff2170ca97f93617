// Turns PostgreSQL's errors into error codes for callers, only here (D04). Citus reports a constraint only in its message, under
// its name on the shard.
import type { AnyDefinition } from '../../contract/definition.js';
import { failed, ServiceError } from '../../contract/errors.js';
import { CHOSEN_ID } from '../../contract/ids.js';
import { nameOf } from '../../schema/postgres/ddl.js';
import type { Table } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { uniquesOf } from '../../schema/uniques.js';
import { isOutdated } from './client.js';

/** Turns a broken constraint of a table into the failure of a field. A broken CHECK remains a bug, as on SQLite. */
export function constraintError(error: unknown, definition: AnyDefinition, table: Table): unknown {
  if (isForeignKey(error)) return new ServiceError('reference_not_found', 'it refers to a record that does not exist');
  const constraint = uniqueViolation(error);
  const unique = uniquesOf(table).find(({ columns }) => nameOf(table, columns, 'key') === quoted(constraint ?? ''));
  if (unique !== undefined) return notUnique(unique.columns);
  if (nameOf(table, [], 'pkey') === quoted(constraint ?? '')) return notUnique([CHOSEN_ID]);
  const field = missingColumn(error);
  if (field !== null && field in definition.parameters) {
    return failed([{ field, code: 'required', message: `${field} is required` }]);
  }
  return error;
}

export function notUnique(columns: readonly string[]): ServiceError {
  const field = columns.at(-1) ?? 'id';
  return failed([{ field, code: 'not_unique', message: `${field} is already taken` }]);
}

/** True if a foreign key prevents a record from being written or deleted. */
export function isForeignKey(error: unknown): boolean {
  return /^(23503|23001)$/.test(sqlState(error));
}

/** The name of the broken unique constraint; null: the error is another one. */
export function uniqueViolation(error: unknown): string | null {
  return sqlState(error) === UNIQUE_VIOLATION ? constraintOf(error) : null;
}

/** True if the same transaction may succeed now: it conflicted with another transaction or with a migration, which is done. */
export function isTransient(error: unknown): boolean {
  return /^(40001|40P01)$/.test(sqlState(error)) || isOutdated(error);
}

const UNIQUE_VIOLATION = '23505';
const NOT_NULL_VIOLATION = '23502';

interface PostgresError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly constraint?: string;
  readonly column?: string;
}

/** Empty for errors that are not PostgreSQL's. */
function sqlState(error: unknown): string {
  const { code } = Object(error) as PostgresError;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/** The name of the constraint without the number that Citus appends to it on a shard. */
function constraintOf(error: unknown): string {
  const { constraint, message } = Object(error) as PostgresError;
  const name = constraint ?? /constraint "([^"]+)"/.exec(String(message))?.[1] ?? '';
  return name.replace(/_\d{6,}$/, '');
}

function missingColumn(error: unknown): string | null {
  if (sqlState(error) !== NOT_NULL_VIOLATION) return null;
  const { column, message } = Object(error) as PostgresError;
  return column ?? /column "([^"]+)"/.exec(String(message))?.[1] ?? null;
}
