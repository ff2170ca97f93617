// Metrics for Prometheus whose values are read whenever Prometheus asks for them.

import type { Registry } from 'prom-client';
import type { MaybePromise } from '../contract/maybe-promise.js';

export interface MetricDescription {
  /** A gauge by default. */
  readonly kind?: 'gauge' | 'counter';
  /** Without the prefix `punchboard_`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Values with their labels, or the value of a metric without labels. */
type MetricValues = number | readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** @returns a function that adds the metric to a registry */
export function metricOf(
  { kind, name, help, labels = [] }: MetricDescription,
  read: () => MaybePromise<MetricValues>,
): (registry: Registry) => void {
  return (registry) => {
    const { Counter, Gauge } = require('prom-client') as typeof import('prom-client');
    const Metric = kind === 'counter' ? Counter : Gauge;
    const metric: InstanceType<typeof Counter> | InstanceType<typeof Gauge> = new Metric({
      ...{ name: `punchboard_${name}`, help, labelNames: [...labels], registers: [registry] },
      async collect() {
        const values = await read();
        metric.reset();
        const entries = typeof values === 'number' ? [[{}, values] as const] : values;
        for (const [labelValues, value] of entries) metric.inc(labelValues, value);
      },
    });
  };
}
