// The metric that counts what remembers each version of the API (D68).

import type { Registry } from 'prom-client';
import type { Service } from './open-service.js';

/** Registers the metric; a version that nothing remembers shows 0 sessions. */
export function versionMetrics({ versions, engine }: Service, now: () => number): (registry: Registry) => void {
  return (registry) => {
    const { Gauge } = require('prom-client') as typeof import('prom-client');
    const gauge: InstanceType<typeof Gauge> = new Gauge({
      name: 'punchboard_version_remembered',
      help: 'Live sessions, API keys and web hooks that remember a version of the API.',
      labelNames: ['version', 'by'],
      registers: [registry],
      async collect() {
        const counts = await engine.upkeep.countRemembered(now());
        gauge.reset();
        for (const version of Object.keys(versions.dates)) gauge.set({ version, by: 'session' }, 0);
        for (const { count, ...labels } of counts) gauge.set(labels, count);
      },
    });
  };
}
