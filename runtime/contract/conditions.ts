// Conditions of a write on the record that it changes (D57; RFC 9110, 13.1): a tag consists of the version of the row, `"7"`.

import { ServiceError } from './errors.js';

/** The versions that the tags of a condition name; `any`: all of them. */
export type Versions = 'any' | readonly number[];

export interface Conditions {
  /** The record has one of these versions. */
  readonly match?: Versions;
  /** It has none of these. */
  readonly noneMatch?: Versions;
}

export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Throws precondition_failed, with the tag of the record as it is, or precondition_required.
 * @param needsMatch whether the write has to say which versions it changes
 */
export function checkConditions(version: number, { match, noneMatch }: Conditions = {}, needsMatch = false): void {
  if (match === undefined && needsMatch) {
    const message = 'If-Match is required: send the ETag of the record as it was read, or * for any.';
    throw new ServiceError('precondition_required', message);
  }
  const met = (match === undefined || names(match, version)) && (noneMatch === undefined || !names(noneMatch, version));
  if (met) return;
  const message = 'The record has changed meanwhile: read it again, and send its ETag.';
  throw new ServiceError('precondition_failed', message, [], { ETag: entityTag(version) });
}

function names(versions: Versions, version: number): boolean {
  return versions === 'any' || versions.includes(version);
}
