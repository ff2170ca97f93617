// The metrics of the connections to the database's server, of every process that has connections.

import type { Registry } from 'prom-client';
import type { DatabaseServer, PoolMetrics } from '../store/database-server.js';

type MetricKind = 'gauge' | 'counter';
type ReadFigure = (figures: PoolMetrics) => number;

/** Metrics of connections, by their purpose. */
const POOLS: readonly (readonly [kind: MetricKind, name: string, help: string, read: ReadFigure])[] = [
  ['gauge', 'connections', 'Connections to the database.', ({ open }) => open],
  ['gauge', 'connections_busy', 'Those that have work.', ({ busy }) => busy],
  ['gauge', 'connections_stalled', 'Those that have not answered for a while.', ({ stalled }) => stalled],
  ['gauge', 'waiting', 'What waits for a connection.', ({ waiting }) => waiting],
  ['counter', 'waits_total', 'What had to wait for a connection.', ({ waits }) => waits],
  ['counter', 'wait_seconds_total', 'Seconds of these waits together.', ({ waited }) => waited],
  ['counter', 'refusals_total', 'What was refused since no connection became free.', ({ refusals }) => refusals],
  ['counter', 'repeats_total', 'Reads that were sent again, from behind one that waited.', ({ repeats }) => repeats],
];

/** Adds them to a registry. */
export function databaseMetrics(server: DatabaseServer): (registry: Registry) => void {
  return (registry) => {
    for (const [kind, name, help, read] of POOLS) {
      add(registry, { kind, name, help, labels: ['use'] }, () =>
        Object.entries(server.metrics().pools).map(([use, figures]) => [{ use }, read(figures)]),
      );
    }
    const help = 'Statements that took too long.';
    add(registry, { kind: 'counter', name: 'statement_timeouts_total', help, labels: [] }, () => [
      [{}, server.metrics().timeouts],
    ]);
  };
}

interface MetricDescription {
  readonly kind: MetricKind;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Adds a metric that is computed whenever the metrics are read. */
function add(
  registry: Registry,
  { kind, name, help, labels }: MetricDescription,
  read: () => readonly (readonly [labels: Record<string, string>, value: number])[],
): void {
  const { Counter, Gauge } = require('prom-client') as typeof import('prom-client');
  const Metric = kind === 'counter' ? Counter : Gauge;
  const metric: InstanceType<typeof Counter> | InstanceType<typeof Gauge> = new Metric({
    ...{ name: `punchboard_database_${name}`, help, labelNames: [...labels], registers: [registry] },
    collect() {
      metric.reset();
      for (const [labelled, value] of read()) metric.inc(labelled, value);
    },
  });
}
