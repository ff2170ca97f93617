// What the files of one user may take (D64). It is counted now and then, and not with each upload, so that no request has to
// add up files: what is uploaded just after the limit was reached may still be accepted.

import type { AnyDefinition } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';

/** What the files of a user take. */
export interface StoredBytes {
  readonly user: string;
  readonly bytes: number;
}

export interface Quota {
  /** What the files of each user may take, in bytes. */
  readonly bytes: number;
  /** Users whose files take all of that, as they were counted last. */
  full(): readonly StoredBytes[];
  /** Replaces them. */
  learn(full: readonly StoredBytes[]): void;
  /** Why nothing can be uploaded that would belong to the user; null: it can. */
  failure(part: string, user: string | null | undefined): Failure | null;
}

/** The resource whose uploads are counted; undefined: there is none, or it does not say how large they are. */
export function countedUploads(definitions: Iterable<AnyDefinition>): AnyDefinition | undefined {
  return [...definitions].find(({ upload, columns }) => columns[upload?.size ?? '']?.type === 'integer');
}

/** @param bytes what the files of each user may take */
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
