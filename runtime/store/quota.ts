// The limit on the bytes of a user's files (D64). The files are counted now and then, and not with each upload, so that no
// request has to add them up: an upload just after the limit was reached may still be accepted.

import type { Failure } from '../contract/errors.js';

/** The bytes of a user's files. */
export interface StoredBytes {
  readonly user: string;
  readonly bytes: number;
}

export interface Quota {
  /** The bytes that the files of each user may take. */
  readonly bytes: number;
  /** The users who had reached the limit at the last count. */
  full(): readonly StoredBytes[];
  /** Replaces these users. */
  learn(full: readonly StoredBytes[]): void;
  /** The reason why nothing more can be uploaded for the user; null: it can. */
  failure(part: string, user: string | null | undefined): Failure | null;
}

/** @param bytes the bytes that the files of each user may take */
export function createQuota(bytes: number): Quota {
  let taken: ReadonlyMap<string, number> = new Map();
  return {
    bytes,
    full: () => [...taken].map(([user, used]) => ({ user, bytes: used })),
    learn(full) {
      taken = new Map(full.map((one) => [one.user, one.bytes]));
    },
    failure(field, user) {
      const used = user && taken.get(user);
      return used ? { field, code: 'quota_exceeded', message: message(used, bytes) } : null;
    },
  };
}

function message(used: number, bytes: number): string {
  return (
    `The files of this user take ${used} bytes, and at most ${bytes} are allowed: ` +
    'delete files that are no longer needed; a minute later there can be uploads again.'
  );
}
