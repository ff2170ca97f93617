// Counts and durations of requests, and the process's own figures, in the Prometheus text format.
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Exchange } from './exchange.js';

export interface Metrics {
  /** For figures of other parts. */
  readonly registry: Registry;
  /** @param milliseconds time to the answer */
  observe(exchange: Exchange, status: number, milliseconds: number): void;
}

const NAMES = ['operation', 'resource', 'status'] as const;
type Name = (typeof NAMES)[number];

/** The number of requests is the histogram's `_count`. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram<Name>({
    name: 'punchboard_request_duration_seconds',
    help: 'Time from the first byte of a request to its answer, by operation, resource and status class.',
    labelNames: NAMES,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    registry,
    observe({ operation, resource }, status, milliseconds) {
      durations.observe({ operation, resource, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000);
    },
  };
}
