// What a row takes from the request besides parameters, where the operation has seen to it that it is there.

import type { Given, Upload } from './definition.js';

/** The session's user; creating a record that belongs to its maker needs a session, so a missing one is a bug. */
export function owner(given: Given): string {
  if (given.user === null) throw new Error('a record of the session user is made without a session');
  return given.user;
}

/** What was read from the uploaded bytes; a resource that stores uploads is not created without. */
export function uploaded(given: Given): Upload {
  if (given.upload === null) throw new Error('a record of an upload is made without bytes');
  return given.upload;
}
