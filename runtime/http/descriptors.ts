// How many connections a process may hold, so that it keeps descriptors for the database, for files and for what it calls.

import { readFileSync } from 'node:fs';

/** The part of the descriptors, and the least number of them, that connections leave for everything else. */
const SPARE = { part: 1 / 4, least: 64 };
/** Each takes some memory, however many descriptors there are. */
const MOST = 16_384;
const LEAST = 16;

/** @param limits what the system says of this process, as in /proc/self/limits; empty where it says nothing */
export function connectionsWithin(limits: string): number {
  const said = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (said === undefined) return MOST;
  const spare = Math.max(SPARE.least, Number(said) * SPARE.part);
  return Math.max(LEAST, Math.min(MOST, Math.floor(Number(said) - spare)));
}

/** Empty on systems other than Linux. */
export function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
