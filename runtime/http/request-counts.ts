// What is counted of requests: how long they took, and what they used that is deprecated (D38).

import { type CountedUse, createDeprecatedUses, type DeprecatedUses } from './deprecated-uses.js';
import type { Exchange } from './exchange.js';
import { type Keep, keptHere } from './kept-counts.js';
import type { Use } from './notice.js';
import { type CountedDurations, createRequestDurations, type RequestDurations } from './request-durations.js';

export interface RequestCounts {
  readonly durations: RequestDurations;
  readonly uses: DeprecatedUses;
  /** @param milliseconds time to the response */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
  counted(): CountedRequests;
  /** Adds what another process has counted. */
  add(counted: CountedRequests): void;
}

/** What one process has counted, as plain data. */
export interface CountedRequests {
  readonly durations: readonly CountedDurations[];
  readonly uses: readonly CountedUse[];
}

/** @param items deprecated ones, counted from 0 @param keep where the counts are; in memory by default */
export function createRequestCounts(items: readonly Use[] = [], keep: Keep = keptHere): RequestCounts {
  const durations = createRequestDurations(keep);
  const uses = createDeprecatedUses(items, keep);
  return {
    ...{ durations, uses },
    observe(exchange, status, milliseconds) {
      durations.observe(exchange, status, milliseconds);
      if (exchange.notice !== null) uses.observe(exchange.notice.uses);
    },
    counted: () => ({ durations: durations.counted(), uses: uses.counts() }),
    add(counted) {
      durations.add(counted.durations);
      uses.add(counted.uses);
    },
  };
}
