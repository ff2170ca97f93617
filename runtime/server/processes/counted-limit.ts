// The limit of requests in a worker: it counts on its own, and gets the counts of the other workers several times a second.

import type { RateLimit } from '../../http/rate-limit.js';

/** By the key that requests are counted under; below 0 if more requests were taken back. */
export type LimitCounts = readonly (readonly [key: string, count: number])[];

export interface CountedLimit {
  /** Null: there is none. */
  readonly limit: RateLimit | null;
  /** Returns what it has counted since the last call. */
  take(): LimitCounts;
  /** Adds what other workers have counted; this is not reported again from here. */
  share(limited: LimitCounts, now: number): void;
}

/** A limit that keeps its counts until they are taken. */
export function countedLimit(limit: RateLimit | null): CountedLimit {
  let counts = new Map<string, number>();
  const remember = (key: string, count: number): void => void counts.set(key, (counts.get(key) ?? 0) + count);
  return {
    limit: limit && {
      check: limit.check,
      count(key, now) {
        limit.count(key, now);
        remember(key, 1);
      },
      add(key, count, now) {
        limit.add(key, count, now);
        remember(key, count);
      },
    },
    take() {
      const taken = [...counts].filter(([, count]) => count !== 0);
      counts = new Map();
      return taken;
    },
    share(limited, now) {
      for (const [key, count] of limited) limit?.add(key, count, now);
    },
  };
}
