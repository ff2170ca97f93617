// The figures of the last hour, sampled every minute from the metrics that the server has anyway.

import type { MaybePromise } from '../../contract/maybe-promise.js';
import type { CountedUse } from '../../http/request-metrics.js';

export interface Sample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Since the sample before. */
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
  /** Takes a sample. @param now epoch milliseconds */
  sample(now: number): Promise<void>;
  /** Requests that used something deprecated since the start, by `<resource>.<field>`. */
  uses(): Promise<ReadonlyMap<string, number>>;
}

const KEPT = 60;

/** Of all requests since the start. */
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

export function createFigures(metrics: MetricsSource): Figures {
  const samples: Sample[] = [];
  let before: Totals = { requests: 0, failures: 0, milliseconds: 0 };
  return {
    samples: () => samples,
    async sample(now) {
      const totals = metrics.requestTotals();
      const requests = totals.requests - before.requests;
      const mean = requests === 0 ? 0 : (totals.milliseconds - before.milliseconds) / requests;
      const failures = totals.failures - before.failures;
      samples.push({ at: now, requests, failures, mean, memory: metrics.memory() });
      if (samples.length > KEPT) samples.shift();
      before = totals;
    },
    async uses() {
      return new Map(metrics.uses().map(({ resource, field, count }) => [`${resource}.${field}`, count]));
    },
  };
}
