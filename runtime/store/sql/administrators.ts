// Somebody can always administer (D65): whatever would take the right from the last enabled administrator is refused, within
// the transaction that would do it.
import type { AnyDefinition, Row } from '../../definition.js';
import { ServiceError } from '../../errors.js';
import { quoted } from '../../schema/sql-text.js';
import type { RowChange } from '../audit.js';
import type { Definitions } from './access.js';
import { referringTo } from './referring.js';

/** SQL that finds one enabled administrator; null: users of this project cannot be administrators. */
export function findAdministrator(definitions: Definitions): string | null {
  const principal = [...definitions.values()].find((definition) => definition.principal);
  if (principal === undefined || !Object.hasOwn(principal.columns, 'admin')) return null;
  const enabled = Object.hasOwn(principal.columns, 'disabled') ? ' AND u."disabled" = 0' : '';
  return `SELECT u."id" AS "id" FROM ${quoted(principal.name)} u WHERE u."admin" = 1${enabled} LIMIT 1`;
}

/** Whether the user could administer before the change, and cannot after it. */
export function isDemotion({ principal }: AnyDefinition, { old, row }: RowChange): boolean {
  return Boolean(principal) && administers(old) && !administers(row);
}

/** Whether users are deleted with a record of the definition, or are such records. */
export function deletesUsers(definitions: Definitions, definition: AnyDefinition): boolean {
  const seen = new Set<AnyDefinition>();
  const deletes = (one: AnyDefinition): boolean => {
    if (one.principal) return true;
    if (seen.has(one)) return false;
    seen.add(one);
    return referringTo(definitions, one).some(
      ({ child, reference }) => reference.onDelete === 'cascade' && deletes(child),
    );
  };
  return deletes(definition);
}

export function lastAdministrator(): ServiceError {
  return new ServiceError('conflict', 'This is the last administrator: make another user an administrator first.');
}

function administers(row: Row | null): boolean {
  return row !== null && row.admin === 1 && (row.disabled ?? 0) === 0;
}
