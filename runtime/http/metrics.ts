// Counts and durations of requests, and metrics of the process, in the Prometheus text format.
import type { ServerResponse } from 'node:http';
import type { Counter, Histogram, Registry } from 'prom-client';
import { memoize } from '../memoize.js';
import type { Exchange } from './exchange.js';
import type { Use } from './notice.js';

export interface Metrics {
  /** Other modules register their metrics here. */
  readonly registry: Registry;
  /** @param milliseconds time to the response */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
}

const NAMES = ['operation', 'resource', 'status'] as const;
type Name = (typeof NAMES)[number];

/**
 * The number of requests is the histogram's `_count`.
 * The library is loaded, and the metrics of the process begin, after the first response.
 * @param others register the metrics of other modules
 * @param deprecations the deprecated items (D38), counted from 0 so that unused ones show; no counter if there are none
 */
export function createMetrics(
  others: readonly ((registry: Registry) => void)[] = [],
  deprecations: readonly Use[] = [],
): Metrics {
  const load = memoize((_all: 'all') => {
    const collectors = collect(deprecations);
    for (const register of others) register(collectors.registry);
    return collectors;
  });
  return {
    get registry() {
      return load('all').registry;
    },
    observe({ operation, resource, notice }, status, milliseconds) {
      const labels = { operation, resource, status: `${Math.floor(status / 100)}xx` };
      load('all').durations.observe(labels, milliseconds / 1000);
      if (notice !== null) for (const { resource, field } of notice.uses) load('all').uses?.inc({ resource, field });
    },
  };
}

/** Responds with all metrics. */
export async function sendMetrics({ registry }: Metrics, res: ServerResponse): Promise<void> {
  const text = await registry.metrics();
  res.setHeader('Content-Type', registry.contentType);
  res.end(text);
}

interface Collectors {
  readonly registry: Registry;
  readonly durations: Histogram<Name>;
  readonly uses: Counter<'resource' | 'field'> | null;
}

function collect(deprecations: readonly Use[]): Collectors {
  const { collectDefaultMetrics, Counter, Histogram, Registry } =
    require('prom-client') as typeof import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram<Name>({
    name: 'punchboard_request_duration_seconds',
    help: 'Time from the first byte of a request to its response, by operation, resource and status class.',
    labelNames: NAMES,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  if (deprecations.length === 0) return { registry, durations, uses: null };
  const uses = new Counter({
    name: 'punchboard_deprecated_use_total',
    help: 'Requests that used something deprecated, by resource and field; an empty field means the resource itself.',
    labelNames: ['resource', 'field'] as const,
    registers: [registry],
  });
  for (const { resource, field } of deprecations) uses.inc({ resource, field }, 0);
  return { registry, durations, uses };
}
