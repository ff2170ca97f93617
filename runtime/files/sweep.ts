// Deletes bytes that no record uses and that were not stored within the last hour: those of deleted records and refused
// uploads, and leftovers of a crash. Works in small steps while uploads continue.

import { rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileIndex, Release } from '../store/engine.js';
import { blobPath } from './blobs.js';

export interface Sweep {
  /** Deletes some of the released bytes. @param now epoch milliseconds @returns true: there is more to do now */
  sweep(now: number): Promise<boolean>;
  /** Searches a part of the folder for leftovers of a crash and releases them. @returns true: there is more to do now */
  walk(now: number): Promise<boolean>;
  /** Deletes nothing until the returned function is called, so that database and files can be copied consistently. */
  pause(): () => void;
}

const HOUR = 60 * 60 * 1000;
/** Releases handled in one step. */
const STEP = 100;

export function createSweep(folder: string, index: FileIndex): Sweep {
  let pauses = 0;
  let lastSequence = 0;
  /** Parts of the folder that the current walk has not visited; null: no walk is under way. */
  let unvisited: string[] | null = null;
  return {
    async sweep(now) {
      if (pauses > 0) return false;
      const releases = await index.released(lastSequence, STEP);
      lastSequence = releases.length < STEP ? 0 : (releases.at(-1)?.sequence ?? 0);
      const done: Release[] = [];
      for (const release of releases) {
        const isHeld = await index.held(release.hash);
        if (pauses > 0) break;
        if (isHeld || removeOld(join(folder, blobPath(release.hash)), now)) done.push(release);
      }
      if (done.length > 0) await index.forget(done);
      return releases.length === STEP;
    },
    async walk(now) {
      if (pauses > 0) return false;
      unvisited ??= await partsOf(folder);
      const part = unvisited.pop();
      if (part === TEMPORARY) await sweepTemporary(join(folder, part), now);
      else if (part !== undefined) await releaseUnheld(join(folder, part), index);
      if (unvisited.length > 0) return true;
      unvisited = null;
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
 * False: the file is too young. Nothing comes between check and deletion, since neither awaits: an upload of the same bytes
 * either renewed its time before, or finds it gone and stores its own. It does so before its record is written, so
 * it does not matter that the index was queried some time earlier.
 */
function removeOld(path: string, now: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return true;
  if (stats.mtimeMs > now - HOUR) return false;
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
