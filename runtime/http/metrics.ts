// Counts and durations of requests, and metrics of the process, in the Prometheus text format.
import type { ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { memoize } from '../memoize.js';
import { type CountedUse, createDeprecatedUses } from './deprecated-uses.js';
import type { Exchange } from './exchange.js';
import type { Use } from './notice.js';
import { type CountedDurations, createRequestDurations, type RequestTotals } from './request-durations.js';

/** The part of the metrics that the HTTP layer needs. */
export interface RequestMetrics {
  /** @param milliseconds time to the response */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
  /** All metrics. */
  text(): Promise<string>;
}

export interface Metrics extends RequestMetrics {
  /** Of all requests so far. */
  requestTotals(): RequestTotals;
  /** Of deprecated items (D38) so far. */
  uses(): readonly CountedUse[];
  /** Adds what another process has counted. */
  add(counted: CountedRequests): void;
}

/** What one process has counted, as plain data. */
export interface CountedRequests {
  readonly durations: readonly CountedDurations[];
  readonly uses: readonly CountedUse[];
}

/** The metrics of another process, as `getMetricsAsJSON` of its registry returns them. */
export type ProcessMetrics = readonly object[];

/**
 * The number of requests is the `_count` of their durations. The library is loaded, and the metrics of the process begin, when
 * the metrics are read for the first time.
 * @param others register the metrics of other modules
 * @param deprecations the deprecated items (D38), counted from 0 so that unused ones show; no counter if there are none
 * @param processes the metrics of other processes, to be shown with those of this one
 */
export function createMetrics(
  others: readonly ((registry: Registry) => void)[] = [],
  deprecations: readonly Use[] = [],
  processes: () => readonly ProcessMetrics[] = () => [],
): Metrics {
  const durations = createRequestDurations();
  const uses = createDeprecatedUses(deprecations);
  const registry = memoize((_all: 'all') => createProcessRegistry(others));
  return {
    observe(exchange, status, milliseconds) {
      durations.observe(exchange, status, milliseconds);
      if (exchange.notice !== null) uses.observe(exchange.notice.uses);
    },
    requestTotals: durations.totals,
    uses: uses.counts,
    add(counted) {
      durations.add(counted.durations);
      uses.add(counted.uses);
    },
    text: async () => `${await textWith(registry('all'), processes())}\n${uses.text()}${durations.text()}`,
  };
}

/** Registers what is running, as a metric that is always 1. */
export function buildInfo(labels: Readonly<Record<'version' | 'node', string>>): (registry: Registry) => void {
  return (registry) => {
    const { Gauge } = require('prom-client') as typeof import('prom-client');
    const help = 'The version of the program, and of Node.';
    const labelNames = ['version', 'node'] as const;
    new Gauge({ name: 'punchboard_build_info', help, labelNames, aggregator: 'first', registers: [registry] }).set(
      labels,
      1,
    );
  };
}

/** The metrics of this process and of others: sums, or means where a sum would say nothing. */
async function textWith(registry: Registry, others: readonly ProcessMetrics[]): Promise<string> {
  if (others.length === 0) return registry.metrics();
  const { AggregatorRegistry } = require('prom-client') as typeof import('prom-client');
  return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics();
}

/** A registry with the metrics of this process, but not of its requests. @param register add those of other modules */
export function createProcessRegistry(register: readonly ((registry: Registry) => void)[]): Registry {
  const { collectDefaultMetrics, Registry } = require('prom-client') as typeof import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const one of register) one(registry);
  return registry;
}

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Responds with all metrics. */
export async function sendMetrics(metrics: Pick<RequestMetrics, 'text'>, res: ServerResponse): Promise<void> {
  const text = await metrics.text();
  res.setHeader('Content-Type', PROMETHEUS_TEXT);
  res.end(text);
}
