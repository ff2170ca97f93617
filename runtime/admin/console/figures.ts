// The figures of the last hour, sampled every minute from the metrics that the server has anyway, and those of the last 30 days,
// which the database keeps hour by hour.

import { chain, type MaybePromise } from '../../contract/maybe-promise.js';
import type { CountedUse } from '../../http/request-metrics.js';
import { type FigureLog, MONTH } from '../../store/figures.js';

export interface Sample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Since the previous sample. */
  readonly requests: number;
  readonly failures: number;
  /** Mean time to the response, in milliseconds. */
  readonly mean: number;
  /** Bytes of all processes. */
  readonly memory: number;
}

export interface Figures {
  /** Oldest first, at most an hour. */
  samples(): MaybePromise<readonly Sample[]>;
  /** The last 30 days, hour by hour, of all servers of the database. */
  month(now: number): MaybePromise<readonly Sample[]>;
  /** Takes a sample. @param now epoch milliseconds */
  sample(now: number): Promise<void>;
  /** Requests that used something deprecated since the start, by `<resource>.<field>`. */
  uses(): Promise<ReadonlyMap<string, number>>;
}

const KEPT = 60;

/** Sums over all requests since the start. */
interface Totals {
  readonly requests: number;
  readonly failures: number;
  readonly milliseconds: number;
}

interface MetricsSource {
  requestTotals(): Totals;
  uses(): readonly CountedUse[];
  memory(): number;
}

export function createFigures(metrics: MetricsSource, log: FigureLog): Figures {
  const samples: Sample[] = [];
  let before: Totals = { requests: 0, failures: 0, milliseconds: 0 };
  return {
    samples: () => samples,
    async sample(now) {
      const totals = metrics.requestTotals();
      const requests = totals.requests - before.requests;
      const milliseconds = totals.milliseconds - before.milliseconds;
      const failures = totals.failures - before.failures;
      const memory = metrics.memory();
      samples.push({ at: now, requests, failures, mean: meanOf(milliseconds, requests), memory });
      if (samples.length > KEPT) samples.shift();
      before = totals;
      await log.addFigures({ at: now, requests, failures, milliseconds: Math.round(milliseconds), memory });
    },
    month: (now) =>
      chain(log.figures(now - MONTH), (hours) =>
        hours.map(({ milliseconds, ...hour }) => ({ ...hour, mean: meanOf(milliseconds, hour.requests) })),
      ),
    async uses() {
      return new Map(metrics.uses().map(({ resource, field, count }) => [`${resource}.${field}`, count]));
    },
  };
}

function meanOf(milliseconds: number, requests: number): number {
  return requests === 0 ? 0 : milliseconds / requests;
}
