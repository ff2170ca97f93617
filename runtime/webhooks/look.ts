// Looks into the outbox for hooks with something due, no more often than needed and in windows of time, so that what is
// overdue and waits for room is not read again and again. Writes nothing.

import type { Outbox } from './delivery.js';

export interface Look {
  /** Hooks to queue: found since the last look if it is time for one, else none. @param now epoch milliseconds */
  at(now: number): readonly string[];
  /** When to look again, epoch milliseconds; null: nothing is waiting but what other processes may write. */
  next(now: number): number | null;
  /** True when the last look was one that also finds what other processes wrote. */
  polled(): boolean;
}

/** Milliseconds between looks for rows that other processes wrote. */
export const POLL = 1_000;
/** Milliseconds between looks at everything, whatever its time. */
const FULL = 60_000;
/** How far a poll goes back: a row is due from before its transaction, which may have to wait for another's end. */
const OVERLAP = 10_000;

export function createLook(outbox: Pick<Outbox, 'dueHooks' | 'nextDue' | 'othersWrote'>): Look {
  const never = Number.NEGATIVE_INFINITY;
  let looked = never;
  let lastPoll = never;
  let lastFull = never;
  let due: number | null = null;
  let polled = false;
  const start = (now: number): number | null => {
    // The clock has gone back (S31): what was seen as still to come may be due from another time on.
    if (now < looked || now - lastFull >= FULL) {
      lastFull = now;
      lastPoll = now;
      return -1;
    }
    if (now - lastPoll >= POLL) {
      const from = lastPoll - OVERLAP;
      lastPoll = now;
      // Without others' rows nothing is found but what already waits.
      return outbox.othersWrote?.() === false ? looked : from;
    }
    return due !== null && now >= due ? looked : null;
  };
  return {
    at(now) {
      const after = start(now);
      polled = lastPoll === now;
      if (after === null) return [];
      looked = now;
      return outbox.dueHooks(after, now);
    },
    next(now) {
      due = outbox.nextDue(now);
      return due;
    },
    polled: () => polled,
  };
}
