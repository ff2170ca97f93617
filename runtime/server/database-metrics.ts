// The metrics of the connections to the database's server, of every process that has connections.

import type { Registry } from 'prom-client';
import { metricOf } from '../http/metric.js';
import type { DatabaseServer, PoolMetrics } from '../store/database-server.js';

type ReadFigure = (figures: PoolMetrics) => number;

/** Metrics of connections, by their purpose. */
const POOLS: readonly (readonly [kind: 'gauge' | 'counter', name: string, help: string, read: ReadFigure])[] = [
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
  const ofPools = POOLS.map(([kind, name, help, read]) =>
    metricOf({ kind, name: `database_${name}`, help, labels: ['use'] }, () =>
      Object.entries(server.metrics().pools).map(([use, figures]) => [{ use }, read(figures)]),
    ),
  );
  const help = 'Statements that took too long.';
  const ofTimeouts = metricOf(
    { kind: 'counter', name: 'database_statement_timeouts_total', help },
    () => server.metrics().timeouts,
  );
  return (registry) => {
    for (const add of [...ofPools, ofTimeouts]) add(registry);
  };
}
