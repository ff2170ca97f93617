// Counts and durations of requests, and metrics of the process, in the Prometheus text format.
import type { ServerResponse } from 'node:http';
import type { Counter, Registry } from 'prom-client';
import { memoize } from '../memoize.js';
import type { Exchange } from './exchange.js';
import type { Use } from './notice.js';
import { createRequestDurations, type RequestTotals } from './request-durations.js';

export interface Metrics {
  /** Other modules register their metrics here. */
  readonly registry: Registry;
  /** @param milliseconds time to the response */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
  /** Of all requests so far. */
  requestTotals(): RequestTotals;
  /** All of them. */
  text(): Promise<string>;
}

/**
 * The number of requests is the `_count` of their durations.
 * The library is loaded, and the metrics of the process begin, after the first response.
 * @param others register the metrics of other modules
 * @param deprecations the deprecated items (D38), counted from 0 so that unused ones show; no counter if there are none
 */
export function createMetrics(
  others: readonly ((registry: Registry) => void)[] = [],
  deprecations: readonly Use[] = [],
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
    text: async () => `${await load('all').registry.metrics()}\n${durations.text()}`,
  };
}

/** Registers what is running, as a metric that is always 1. */
export function buildInfo(labels: Readonly<Record<'version' | 'node', string>>): (registry: Registry) => void {
  return (registry) => {
    const { Gauge } = require('prom-client') as typeof import('prom-client');
    const help = 'The version of the program, and of Node.';
    const labelNames = ['version', 'node'] as const;
    new Gauge({ name: 'punchboard_build_info', help, labelNames, registers: [registry] }).set(labels, 1);
  };
}

/** Responds with all metrics. */
export async function sendMetrics(metrics: Metrics, res: ServerResponse): Promise<void> {
  const text = await metrics.text();
  res.setHeader('Content-Type', metrics.registry.contentType);
  res.end(text);
}

interface Collectors {
  readonly registry: Registry;
  readonly uses: Counter<'resource' | 'field'> | null;
}

function collect(deprecations: readonly Use[]): Collectors {
  const { collectDefaultMetrics, Counter, Registry } = require('prom-client') as typeof import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
