// What workers count: each on its own, reported to the primary, and by it to the others, several times a second.

import { createDeprecatedUses } from '../../http/deprecated-uses.js';
import type { CountedRequests, ProcessMetrics, RequestMetrics } from '../../http/metrics.js';
import type { RateLimit } from '../../http/rate-limit.js';
import { createRequestDurations } from '../../http/request-durations.js';

/** Milliseconds between two reports. A limit learns within two of these what other workers have counted. */
export const REPORT_EVERY = 100;

/** What a worker has counted since its last report. */
export interface Report extends CountedRequests {
  /** By the key that requests are counted under; below 0 if more were taken back. */
  readonly limited: readonly (readonly [key: string, count: number])[];
  /** Lines of the log that report errors. */
  readonly errors: readonly string[];
  /** Metrics of the process itself; null: no news. */
  readonly process: ProcessMetrics | null;
}

export interface CountedLimit {
  /** Null: there is none. */
  readonly limit: RateLimit | null;
  /** What it has counted since that was last taken. */
  take(): Report['limited'];
  /** Adds what other workers have counted, which is not reported from here. */
  share(limited: Report['limited'], now: number): void;
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

/** Metrics of requests that are remembered until they are taken. @param text all metrics of the service */
export function countedMetrics(text: RequestMetrics['text']): RequestMetrics & { take(): CountedRequests } {
  const durations = createRequestDurations();
  const uses = createDeprecatedUses();
  return {
    text,
    observe(exchange, status, milliseconds) {
      durations.observe(exchange, status, milliseconds);
      if (exchange.notice !== null) uses.observe(exchange.notice.uses);
    },
    take: () => ({ durations: durations.take(), uses: uses.take() }),
  };
}
