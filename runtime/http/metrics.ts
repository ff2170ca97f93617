// Counts and durations of requests, and metrics of the process, in the Prometheus text format.
import type { ServerResponse } from 'node:http';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { memoize } from '../contract/memoize.js';
import type { Exchange } from './exchange.js';
import type { DeprecatedUse } from './notice.js';
import {
  type CountedRequests,
  type CountedUse,
  createRequestCounts,
  type RequestCounts,
  type RequestTotals,
} from './request-metrics.js';

/** The part of the metrics that the HTTP layer needs. */
export interface RequestMetrics {
  /** To be called before the response is written. @param milliseconds time to the response */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
  /** All metrics. */
  text(): Promise<string>;
}

export interface Metrics extends RequestMetrics {
  /** The totals of all requests so far. */
  requestTotals(): RequestTotals;
  /** How often deprecated items (D38) have been used so far. */
  uses(): readonly CountedUse[];
  /** Bytes that all processes have in memory. */
  memory(): number;
  /** Adds what another process has counted. */
  add(counted: CountedRequests): void;
}

/** A process that serves requests for this one. */
export interface OtherProcess {
  /** Since it was started. */
  readonly counted: CountedRequests;
  readonly metrics: ProcessMetrics;
}

/** The metrics of another process, as `getMetricsAsJSON` of its registry returns them. */
export type ProcessMetrics = readonly Pick<MetricObjectWithValues<MetricValue<string>>, 'name' | 'values'>[];

/**
 * The number of requests is the `_count` of their durations. The library is loaded, and the metrics of the process begin, when
 * the metrics are read for the first time.
 * @param others register the metrics of other modules
 * @param deprecations the deprecated items (D38), counted from 0 so that unused ones show; no counter if there are none
 * @param processes the other processes whose metrics are shown with those of this process
 */
export function createMetrics(
  others: readonly ((registry: Registry) => void)[] = [],
  deprecations: readonly DeprecatedUse[] = [],
  processes: () => readonly OtherProcess[] = () => [],
): Metrics {
  const counts = createRequestCounts(deprecations);
  const registry = memoize((_all: 'all') => createProcessRegistry(others));
  return {
    observe: counts.observe,
    requestTotals: () => sumOf(counts, processes()).durations.totals(),
    uses: () => sumOf(counts, processes()).uses.counts(),
    memory: () => processes().reduce((sum, { metrics }) => sum + memoryIn(metrics), process.memoryUsage.rss()),
    add: counts.add,
    async text() {
      const running = processes();
      const { uses, durations } = sumOf(counts, running);
      return `${await textWith(registry('all'), running)}\n${uses.text()}${durations.text()}`;
    },
  };
}

/** What has been counted altogether. */
function sumOf(counts: RequestCounts, processes: readonly OtherProcess[]): RequestCounts {
  if (processes.length === 0) return counts;
  const sum = createRequestCounts();
  for (const { counted } of [{ counted: counts.counted() }, ...processes]) sum.add(counted);
  return sum;
}

/** 0: the process has not reported yet. */
function memoryIn(metrics: ProcessMetrics): number {
  return metrics.find(({ name }) => name === 'process_resident_memory_bytes')?.values[0]?.value ?? 0;
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
async function textWith(registry: Registry, others: readonly OtherProcess[]): Promise<string> {
  if (others.length === 0) return registry.metrics();
  const { AggregatorRegistry } = require('prom-client') as typeof import('prom-client');
  return AggregatorRegistry.aggregate([
    await registry.getMetricsAsJSON(),
    ...others.map(({ metrics }) => metrics),
  ]).metrics();
}

/** A registry with the metrics of this process, but not of its requests. @param register add those of other modules */
export function createProcessRegistry(register: readonly ((registry: Registry) => void)[]): Registry {
  const { collectDefaultMetrics, Registry } = require('prom-client') as typeof import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const add of register) add(registry);
  return registry;
}

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** Responds with all metrics. */
export async function sendMetrics(metrics: Pick<RequestMetrics, 'text'>, res: ServerResponse): Promise<void> {
  const text = await metrics.text();
  res.setHeader('Content-Type', PROMETHEUS_TEXT);
  res.end(text);
}
