// Turns the rights that were read into the answer for a caller.

import type { AnyDefinition } from '../../contract/definition.js';
import type { ErrorCode } from '../../contract/errors.js';
import type { Caller, Permission } from '../records.js';

/** Rights without clauses: `admin` is not granted by a clause, and `@exists` holds for every record that exists. */
export const KNOWN_RIGHTS: Readonly<Record<string, string>> = { admin: '0', '@exists': '1' };
const SAME_RIGHT: Readonly<Record<string, string>> = { editor: 'edit' };

/** The right to look up for a caller who needs `right`: an administrator holds every right on a record that exists. */
export function lookupRight(right: string, caller: Caller): string {
  return caller.admin ? '@exists' : (SAME_RIGHT[right] ?? right);
}

/**
 * @param held 1: the caller holds the right; undefined: there is no such record
 * @param isSeen whether the caller may know of the record; asked only if the right is not held
 */
export function permissionOf(caller: Caller, held: unknown, isSeen: boolean): Permission {
  if (held === 1) return { allowed: true };
  if (held === undefined || !isSeen) return { allowed: false, code: 'not_found' };
  return { allowed: false, code: caller.user === null ? 'login_required' : 'forbidden' };
}

/** The error code for a caller who may not read a record that exists. */
export function denial(
  definition: AnyDefinition,
  caller: Caller,
): Extract<ErrorCode, 'not_found' | 'forbidden' | 'login_required'> {
  if (definition.access.hidden) return 'not_found';
  return caller.user === null ? 'login_required' : 'forbidden';
}
