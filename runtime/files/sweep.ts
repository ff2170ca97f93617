// Deletes bytes that no record uses and that were not stored within the last hour: those of deleted records and refused
// uploads, and leftovers of a crash. Works in small steps while uploads continue, here and on other servers.
//
// An upload stores its bytes (which renews their time) before its record is written. If another server checks their time just
// before and moves them just after, they are in the trash and the record holds them: they are served from there, and moved
// back. This assumes that an upload writes its record within an hour of storing its bytes, and that the clocks of servers and
// store differ by far less than an hour.
//
// When disk space is scarce nothing waits for an hour. Then each upload has a mark, from before its bytes are stored until its
// record is, which protects the bytes. Both steps read the marks before the records: if a mark appears between the two and its
// bytes are moved to the trash nevertheless, they have the mark or a record when the trash is emptied.

import { join } from 'node:path';
import type { FileIndex, Release } from '../store/engine.js';
import type { BlobStore } from './blob-store.js';
import { hashesInFlight } from './blobs.js';
import { listFiles, removeOld } from './folder.js';

export interface Sweep {
  /** Deletes some of the released bytes. @param now epoch milliseconds @returns true: there is more to do now */
  sweep(now: number): Promise<boolean>;
  /** The same while disk space is scarce: without waiting, except for bytes that uploads under way have stored. */
  free(now: number): Promise<boolean>;
  /** Searches a part of the store for leftovers of a crash and releases them. @returns true: there is more to do now */
  walk(now: number): Promise<boolean>;
  /**
   * Resolves when this server has stopped deleting, which it does until the returned function is called, so that
   * database and files can be copied consistently.
   */
  pause(): Promise<() => void>;
}

const HOUR = 60 * 60 * 1000;
/** Hashes handled in one step. */
const STEP = 100;

/** @param patience milliseconds to wait even if space is scarce: other servers may not mark what they store */
export function createSweep(store: BlobStore, index: FileIndex, patience = 0): Sweep {
  let pauses = 0;
  const steps = new Set<Promise<boolean>>();
  const isPaused = () => pauses > 0;
  const step = async (now: number, work: () => Promise<boolean>): Promise<boolean> => {
    if (isPaused() || (await index.isPaused(now))) return false;
    const running = work();
    steps.add(running);
    return running.finally(() => steps.delete(running));
  };
  const [handleReleases, releaseNow] = [createReleases(store, index, isPaused), createReleases(store, index, isPaused)];
  const [emptyTrash, emptyNow] = [createEmptying(store, index, isPaused), createEmptying(store, index, isPaused)];
  const releaseUnheld = createWalk(store, index);
  return {
    sweep: (now) => step(now, async () => (await handleReleases(now - HOUR)) || emptyTrash(now - HOUR)),
    free: (now) =>
      step(now, async () => {
        const before = patience === 0 ? Number.POSITIVE_INFINITY : now - patience;
        const more = await releaseNow(before, await hashesInFlight(store.incoming));
        return more || emptyNow(before, await hashesInFlight(store.incoming));
      }),
    walk: (now) => step(now, () => releaseUnheld(now - HOUR)),
    async pause() {
      pauses += 1;
      await Promise.allSettled(steps);
      let paused = true;
      return () => {
        if (paused) pauses -= 1;
        paused = false;
      };
    },
  };
}

/** @param spared hashes to leave as they are */
type SweepStep = (before: number, spared?: ReadonlySet<string>) => Promise<boolean>;

const NONE: ReadonlySet<string> = new Set();

/** Moves released bytes to the trash unless a record holds them; bytes that are too young wait. */
function createReleases(store: BlobStore, index: FileIndex, isPaused: () => boolean): SweepStep {
  let lastSequence = 0;
  return async (before, spared = NONE) => {
    const releases = await index.listReleases(lastSequence, STEP);
    lastSequence = releases.length < STEP ? 0 : (releases.at(-1)?.sequence ?? 0);
    const done: Release[] = [];
    for (const release of releases.filter(({ hash }) => !spared.has(hash))) {
      const isHeld = await index.isHeld(release.hash);
      if (isPaused()) break;
      if (isHeld || (await store.toTrash(release.hash, before))) done.push(release);
    }
    if (done.length > 0) await index.deleteReleases(done);
    return releases.length === STEP;
  };
}

/** Deletes what has been in the trash for an hour, and moves back the bytes that a record holds. */
function createEmptying(store: BlobStore, index: FileIndex, isPaused: () => boolean): SweepStep {
  const take = createTaking((before) => store.trash(before));
  return async (before, spared = NONE) => {
    const { taken, more } = await take(before);
    for (const hash of taken.filter((one) => !spared.has(one))) {
      const isHeld = await index.isHeld(hash);
      if (isPaused()) return false;
      if (isHeld) await store.restore(hash);
      else await store.remove(hash, before);
    }
    return more;
  };
}

/**
 * Releases bytes that no record holds, and deletes leftovers of uploads that were being received. A leftover is deleted only if
 * the previous walk saw it too, since an upload under way looks as old as a leftover if the clock leaps.
 */
function createWalk(store: BlobStore, index: FileIndex): SweepStep {
  const take = createTaking(() => store.hashes());
  let seen: ReadonlySet<string> = NONE;
  return async (before) => {
    const { taken, more } = await take(before);
    const unheld: string[] = [];
    for (const hash of taken) if (!(await index.isHeld(hash))) unheld.push(hash);
    if (unheld.length > 0) await index.release(unheld);
    if (more) return true;
    const left = await listFiles(store.incoming);
    for (const name of left) if (seen.has(name)) removeOld(join(store.incoming, name), before);
    seen = new Set(left);
    return false;
  };
}

/** Takes the next hashes of a listing at each call; after its end another listing begins. */
function createTaking(list: (before: number) => AsyncIterable<string>) {
  let listing: AsyncIterator<string> | null = null;
  return async (before: number): Promise<{ readonly taken: readonly string[]; readonly more: boolean }> => {
    listing ??= list(before)[Symbol.asyncIterator]();
    const taken: string[] = [];
    while (taken.length < STEP) {
      const next = await listing.next();
      if (next.done === true) {
        listing = null;
        return { taken, more: false };
      }
      taken.push(next.value);
    }
    return { taken, more: true };
  };
}
