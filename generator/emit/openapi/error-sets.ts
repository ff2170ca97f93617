// Which errors an operation may respond with: sets of names from error-table.ts.

import type { Resource } from '../../model/model.js';
import type { ErrorName } from './error-table.js';

/** The errors that every operation of the API may respond with. */
export const ALWAYS: readonly ErrorName[] = [
  'malformed',
  'too_large',
  'unsupported_media_type',
  'invalid',
  'rate_limited',
  'internal',
  'unavailable',
];

/** What can fail in any write: the session, the right, the state of other records, or the space to store it. */
export const WRITING: readonly ErrorName[] = ['login_required', 'forbidden', 'conflict', 'storage_full'];

/** Callers who may not read a record are asked to log in or refused, unless the record is hidden from them (D15). */
export function readErrors({ access, operations }: Resource): readonly ErrorName[] {
  const open = access.hidden || access.read.some((clause) => 'anyone' in clause);
  const login = operations.fetch === 'anyone' ? [] : (['login_required'] as const);
  return open ? login : ['login_required', 'forbidden'];
}

/** A parameter may refer to a file of a type that is not accepted there. */
export function fileErrors({ references }: Resource): readonly ErrorName[] {
  return references.some(({ accepts }) => accepts) ? ['unsupported_file'] : [];
}

/** An uploaded file may be of such a type too. */
export function uploadErrors(resource: Resource): readonly ErrorName[] {
  return resource.upload === null ? fileErrors(resource) : ['unsupported_file'];
}

/** What an operation that takes an Idempotency-Key responds with besides (D60); after the other errors of the same status. */
export const WITH_KEY: readonly ErrorName[] = ['conflict_with_key', 'invalid_with_key'];
