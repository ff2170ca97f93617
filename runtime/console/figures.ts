// The figures of the last hour, sampled every minute from the metrics that the server has anyway.

import type { Registry } from 'prom-client';
import type { MaybePromise } from '../maybe-promise.js';

export interface Sample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Since the sample before. */
  readonly requests: number;
  readonly failures: number;
  /** Mean time to the response, in milliseconds. */
  readonly mean: number;
  /** Bytes of the process. */
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
const USES = 'punchboard_deprecated_use_total';

/** Of all requests since the start. */
interface Totals {
  readonly requests: number;
  readonly failures: number;
  readonly milliseconds: number;
}

interface Source {
  readonly registry: Registry;
  requestTotals(): Totals;
}

export function createFigures(metrics: Source): Figures {
  const samples: Sample[] = [];
  let before: Totals = { requests: 0, failures: 0, milliseconds: 0 };
  return {
    samples: () => samples,
    async sample(now) {
      const totals = metrics.requestTotals();
      const requests = totals.requests - before.requests;
      const mean = requests === 0 ? 0 : (totals.milliseconds - before.milliseconds) / requests;
      const failures = totals.failures - before.failures;
      samples.push({ at: now, requests, failures, mean, memory: process.memoryUsage.rss() });
      if (samples.length > KEPT) samples.shift();
      before = totals;
    },
    async uses() {
      const values = await valuesOf(metrics.registry, USES);
      return new Map(values.map(({ labels, value }) => [`${labels.resource}.${labels.field ?? ''}`, value]));
    },
  };
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
}

async function valuesOf(registry: Registry, name: string): Promise<readonly Value[]> {
  const metric = registry.getSingleMetric(name);
  return metric === undefined ? [] : ((await metric.get()).values as readonly Value[]);
}
