// Keeps at least one administrator (D65): a change that would take the right from the last enabled administrator is refused
// within its transaction.

import type { AnyDefinition, Row } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { RowChange } from '../audit.js';
import type { Definitions } from '../sql/access.js';
import { incomingReferences } from '../sql/referring.js';
import { rowsOf } from '../sql/rows.js';
import type { Pending, Unit } from '../unit.js';
import type { Resource } from './resource.js';

/** Carries out a write; throws conflict if there was an administrator before it and there is none after it. */
export function* keepAdministrator(
  unit: Unit,
  { administrators: { lock, find } }: Resource,
  isAtRisk: boolean,
  write: () => Pending<void>,
): Pending<void> {
  if (!isAtRisk || find === null) return yield* write();
  // One transaction runs at a time: two that each take the right from another administrator would not see each other.
  if (lock !== null) yield* unit.row(lock, {});
  const before = yield* unit.row(find, {});
  yield* write();
  if (before !== undefined && (yield* unit.row(find, {})) === undefined) throw lastAdministrator();
}

/** SQL that finds one enabled administrator; null: users of this project cannot be administrators. */
export function findAdministrator(definitions: Definitions): string | null {
  const principal = [...definitions.values()].find((definition) => definition.principal);
  if (principal === undefined || !Object.hasOwn(principal.columns, 'admin')) return null;
  const enabled = Object.hasOwn(principal.columns, 'disabled') ? ' AND u."disabled" = 0' : '';
  return `SELECT u."id" AS "id" FROM ${rowsOf(principal, 'u')} WHERE u."admin" = 1${enabled} LIMIT 1`;
}

/** Whether the user was an enabled administrator before the change and is not after it. */
export function isDemotion({ old, row }: RowChange): boolean {
  return administers(old) && !administers(row);
}

/** Whether records of the definition are users, or users are deleted with them. */
export function deletesUsers(definitions: Definitions, definition: AnyDefinition): boolean {
  const seen = new Set<AnyDefinition>();
  const deletes = (one: AnyDefinition): boolean => {
    if (one.principal) return true;
    if (seen.has(one)) return false;
    seen.add(one);
    return incomingReferences(definitions, one).some(
      ({ child, reference }) => reference.onDelete === 'cascade' && deletes(child),
    );
  };
  return deletes(definition);
}

function lastAdministrator(): ServiceError {
  return new ServiceError('conflict', 'This is the last administrator: make another user an administrator first.');
}

function administers(row: Row | null): boolean {
  return row !== null && row.admin === 1 && (row.disabled ?? 0) === 0;
}
