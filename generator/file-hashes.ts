// Hashes of files on disk, read again only when a file may have changed: what gen compares its outputs with.

import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { hash } from './output.js';

/** A file as it was when it was read or written. */
export interface Seen {
  /** Size, times in nanoseconds and inode. */
  readonly stamp: string;
  readonly hash: string;
}

export interface FileHashes {
  /** Hash of the file's text; null where there is none. */
  of(path: string): string | null;
  /** Says what was just written, so that it need not be read. */
  wrote(path: string, hash: string, inode: bigint): void;
  seen(): ReadonlyMap<string, Seen>;
  /** True when something is known that the last `seen` did not have. */
  changed(): boolean;
}

/** A file read in the moment it was written may change again without its times telling. Milliseconds. */
const MOMENT = 50;

/**
 * @param known what was seen before
 * @param now epoch milliseconds
 */
export function createFileHashes(known: ReadonlyMap<string, Seen>, now: () => number): FileHashes {
  const files = new Map(known);
  let changed = false;
  const learn = (path: string, seen: Seen): void => {
    files.set(path, seen);
    changed = true;
  };
  return {
    of(path) {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) {
        changed = files.delete(path) || changed;
        return null;
      }
      const before = files.get(path);
      if (before?.stamp === stampOf(stats)) return before.hash;
      const found = hash(readFileSync(path, 'utf8'));
      if (Number(stats.ctimeMs) < now() - MOMENT) learn(path, { stamp: stampOf(stats), hash: found });
      return found;
    },
    wrote(path, hash, inode) {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats?.ino === inode) learn(path, { stamp: stampOf(stats), hash });
    },
    seen() {
      changed = false;
      return files;
    },
    changed: () => changed,
  };
}

function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino].join(' ');
}
