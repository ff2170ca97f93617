// Counts and durations of requests, and metrics of the process, in the Prometheus text format.
import type { ServerResponse } from 'node:http';
import type { Counter, Registry } from 'prom-client';
import { memoize } from '../memoize.js';
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
  /** Other modules register their metrics here. */
  readonly registry: Registry;
  /** Of all requests so far. */
  requestTotals(): RequestTotals;
  /** Adds what another process has counted. */
  add(counted: CountedRequests): void;
}

/** What one process has counted, as plain data. */
export interface CountedRequests {
  readonly durations: readonly CountedDurations[];
  readonly uses: readonly (Use & { readonly count: number })[];
}

/** The metrics of another process, as `getMetricsAsJSON` of its registry returns them. */
export type ProcessMetrics = readonly object[];

/**
 * The number of requests is the `_count` of their durations.
 * The library is loaded, and the metrics of the process begin, after the first response.
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
  const load = memoize((_all: 'all') => {
    const collectors = collect(deprecations);
    for (const register of others) register(collectors.registry);
    return collectors;
  });
  return {
    get registry() {
      return load('all').registry;
    },
    observe(exchange, status, milliseconds) {
      durations.observe(exchange, status, milliseconds);
      const { uses } = load('all');
      for (const { resource, field } of exchange.notice?.uses ?? []) uses?.inc({ resource, field });
    },
    requestTotals: durations.totals,
    add(counted) {
      durations.add(counted.durations);
      const { uses } = load('all');
      for (const { resource, field, count } of counted.uses) uses?.inc({ resource, field }, count);
    },
    text: async () => `${await textWith(load('all').registry, processes())}\n${durations.text()}`,
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

interface Collectors {
  readonly registry: Registry;
  readonly uses: Counter<'resource' | 'field'> | null;
}

function collect(deprecations: readonly Use[]): Collectors {
  const { Counter } = require('prom-client') as typeof import('prom-client');
  const registry = createProcessRegistry([]);
  if (deprecations.length === 0) return { registry, uses: null };
  const uses = new Counter({
    name: 'punchboard_deprecated_use_total',
    help: 'Requests that used something deprecated, by resource and field; an empty field means the resource itself.',
    labelNames: ['resource', 'field'] as const,
    registers: [registry],
  });
  for (const { resource, field } of deprecations) uses.inc({ resource, field }, 0);
  return { registry, uses };
}
