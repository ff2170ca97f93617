// Conditions of a write on the record that it changes (D57; RFC 9110, 13.1): read from the head of a request, and checked. A tag
// consists of the version of the row, `"7"`.

import { ServiceError } from './errors.js';

/** The versions that the tags of a condition name; `any`: all of them. */
export type Versions = 'any' | readonly number[];

export interface Conditions {
  /** The record has one of these versions. */
  readonly match?: Versions;
  /** It has none of these. */
  readonly noneMatch?: Versions;
}

/** The headers with conditions: If-Match and If-None-Match. */
export interface ConditionHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** Undefined: the write depends on nothing. Throws `malformed`. */
export function conditionsIn({
  'if-match': match,
  'if-none-match': noneMatch,
}: ConditionHeaders): Conditions | undefined {
  if (match === undefined && noneMatch === undefined) return undefined;
  return {
    // A weak tag never matches here; in If-None-Match it does.
    ...(match === undefined ? {} : { match: versionsIn('If-Match', match, OWN) }),
    ...(noneMatch === undefined ? {} : { noneMatch: versionsIn('If-None-Match', noneMatch, OWN_OR_WEAK) }),
  };
}

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(`^[ \\t]*${TAG}(?:[ \\t]*,[ \\t]*${TAG})*[ \\t]*$`);
/** The tags of records; no record has a tag of any other form. */
const OWN = /(?<!W\/)"([1-9]\d{0,15})"/g;
const OWN_OR_WEAK = /"([1-9]\d{0,15})"/g;

function versionsIn(name: string, text: string, tags: RegExp): Versions {
  if (text.trim() === '*') return 'any';
  if (!LIST.test(text)) {
    throw new ServiceError('malformed', `${name} must be * or a list of tags, each in quotes as in an ETag.`);
  }
  return [...text.matchAll(tags)].map(([, version]) => Number(version));
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
  const isStale = match !== undefined && !names(match, version);
  if (!isStale && (noneMatch === undefined || !names(noneMatch, version))) return;
  const message = isStale
    ? 'The record has changed meanwhile: read it again, and send its ETag.'
    : 'If-None-Match excludes the record as it is: send If-Match with its ETag to change it.';
  throw new ServiceError('precondition_failed', message, [], { ETag: entityTag(version) });
}

function names(versions: Versions, version: number): boolean {
  return versions === 'any' || versions.includes(version);
}
