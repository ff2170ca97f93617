// The metric that counts what remembers each version of the API (D68).

import type { Registry } from 'prom-client';
import { metricOf } from '../http/metric.js';
import type { Service } from './open-service.js';

/** Registers the metric; a version that nothing remembers shows 0 sessions. */
export function versionMetrics({ versions, engine }: Service, now: () => number): (registry: Registry) => void {
  const help = 'Live sessions, API keys and web hooks that remember a version of the API.';
  return metricOf({ name: 'version_remembered', help, labels: ['version', 'by'] }, async () => [
    ...Object.keys(versions.dates).map((version) => [{ version, by: 'session' }, 0] as const),
    ...(await engine.upkeep.countRemembered(now())).map(({ count, ...labels }) => [labels, count] as const),
  ]);
}
