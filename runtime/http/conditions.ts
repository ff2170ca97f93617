// Reads the conditions of a write from its head: If-Match and If-None-Match (RFC 9110, 13.1).
import type { IncomingHttpHeaders } from 'node:http';
import type { Conditions, Versions } from '../contract/conditions.js';
import { ServiceError } from '../contract/errors.js';

/** Undefined: the write depends on nothing. Throws `malformed`. */
export function conditionsIn(headers: IncomingHttpHeaders): Conditions | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
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
