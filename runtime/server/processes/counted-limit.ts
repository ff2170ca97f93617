// The limit of requests in a worker: counts on its own, and learns several times a second what the other workers count.

import type { RateLimit } from '../../http/rate-limit.js';

/** By the key that requests are counted under; below 0 if more were taken back. */
export type LimitCounts = readonly (readonly [key: string, count: number])[];

export interface CountedLimit {
  /** Null: there is none. */
  readonly limit: RateLimit | null;
  /** What it has counted since that was last taken. */
  take(): LimitCounts;
  /** Adds what other workers have counted, which is not reported from here. */
  share(limited: LimitCounts, now: number): void;
}

/** A limit that remembers what it counts, until that is taken. */
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
