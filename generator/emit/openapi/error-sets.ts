// Which errors an operation may answer with: sets of names of error-table.ts.

import type { Resource } from '../../model/model.js';
import type { ErrorName } from './error-table.js';

/** What every operation of the API may answer besides. */
export const ALWAYS: readonly ErrorName[] = [
  'malformed',
  'too_large',
  'invalid',
  'rate_limited',
  'internal',
  'unavailable',
];

/** What writing takes: a session, a right, a fitting state of other records, and room. */
export const WRITING: readonly ErrorName[] = ['login_required', 'forbidden', 'conflict', 'storage_full'];

/** Who may not read a record is told to log in or refused, unless the record is kept hidden (D15). */
export function readErrors({ access, operations }: Resource): readonly ErrorName[] {
  const open = access.hidden || access.read.some((clause) => 'anyone' in clause);
  const admitted = operations.fetch === 'anyone' ? [] : (['login_required'] as const);
  return open ? admitted : ['login_required', 'forbidden'];
}

/** A file that a parameter refers to may be of a type that is not accepted there. */
export function fileErrors({ references }: Resource): readonly ErrorName[] {
  return references.some(({ accepts }) => accepts) ? ['unsupported_file'] : [];
}

/** So may an uploaded one. */
export function uploadErrors(resource: Resource): readonly ErrorName[] {
  return resource.upload === null ? fileErrors(resource) : ['unsupported_file'];
}
