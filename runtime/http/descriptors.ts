// How many connections a process may hold, so that it keeps descriptors for the database, for files and for what it calls.

import { readFileSync } from 'node:fs';

/** The share of the descriptors, and their least number, that connections leave for everything else. */
const SPARE = { part: 1 / 4, least: 64 };
/** Every connection takes some memory, however many descriptors there are. */
const MOST = 16_384;
const LEAST = 16;

/** @param limits the system's limits for this process, as in /proc/self/limits; empty where there are none */
export function connectionsWithin(limits: string): number {
  const maximum = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (maximum === undefined) return MOST;
  const spare = Math.max(SPARE.least, Number(maximum) * SPARE.part);
  return Math.max(LEAST, Math.min(MOST, Math.floor(Number(maximum) - spare)));
}

/** Empty on systems other than Linux. */
export function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
