// Deletes bytes that no record holds and that were not stored within the last hour: those of deleted records and refused
// uploads, and what a crash left. Works in small steps while uploads continue.

import { rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileIndex, Release } from '../store/engine.js';
import { blobPath } from './blobs.js';

export interface Sweep {
  /** Deletes some of what was released. @param now epoch milliseconds @returns true: there is more to do now */
  sweep(now: number): Promise<boolean>;
  /** Looks through a part of the folder for what a crash left, and releases it. @returns true: there is more to do now */
  walk(now: number): Promise<boolean>;
  /** Until the returned function is called nothing is deleted: for a copy of database and files that fit together. */
  pause(): () => void;
}

const HOUR = 60 * 60 * 1000;
/** Releases of one step. */
const STEP = 100;

export function createSweep(folder: string, index: FileIndex): Sweep {
  let pauses = 0;
  let swept = 0;
  /** Parts of the folder that the walk under way has not seen; null: none is under way. */
  let unseen: string[] | null = null;
  return {
    async sweep(now) {
      if (pauses > 0) return false;
      const releases = await index.released(swept, STEP);
      swept = releases.length < STEP ? 0 : (releases.at(-1)?.sequence ?? 0);
      const done: Release[] = [];
      for (const release of releases) {
        const held = await index.held(release.hash);
        if (pauses > 0) break;
        if (held || removeOld(join(folder, blobPath(release.hash)), now)) done.push(release);
      }
      if (done.length > 0) await index.forget(done);
      return releases.length === STEP;
    },
    async walk(now) {
      if (pauses > 0) return false;
      unseen ??= await partsOf(folder);
      const part = unseen.pop();
      if (part === TEMPORARY) await sweepTemporary(join(folder, part), now);
      else if (part !== undefined) await releaseUnheld(join(folder, part), index);
      if (unseen.length > 0) return true;
      unseen = null;
      return false;
    },
    pause() {
      pauses += 1;
      let paused = true;
      return () => {
        if (paused) pauses -= 1;
        paused = false;
      };
    },
  };
}

const TEMPORARY = 'tmp';

/**
 * False: they are too young. Nothing comes between look and deletion, since neither awaits: an upload of the same bytes
 * either renewed their time before, or finds them gone and stores its own. It does so before its record is written, so
 * the index may have been asked whether a record holds them some time earlier.
 */
function removeOld(path: string, now: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return true;
  if (found.mtimeMs > now - HOUR) return false;
  rmSync(path, { force: true });
  return true;
}

async function partsOf(folder: string): Promise<string[]> {
  return (await names(folder)).filter((name) => name === TEMPORARY || /^[0-9a-f]{2}$/.test(name));
}

async function sweepTemporary(folder: string, now: number): Promise<void> {
  for (const name of await names(folder)) removeOld(join(folder, name), now);
}

async function releaseUnheld(part: string, index: FileIndex): Promise<void> {
  const unheld: string[] = [];
  for (const hash of await names(part)) if (/^[0-9a-f]{64}$/.test(hash) && !(await index.held(hash))) unheld.push(hash);
  if (unheld.length > 0) await index.release(unheld);
}

async function names(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
