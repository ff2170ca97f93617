// The service and a server by hand with 1, 32 and 256 connections.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuresOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { fill } from '../fixture.js';
import { startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, stopped } from '../throughput.js';

const CONNECTIONS = [1, 32, 256];

export async function* connections(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = `${fixture.database}-hand.db`;
  copyFileSync(fixture.database, copy);
  const servers = [
    await startServer('punchboard', null, [...fixture.options, ...UNLIMITED]),
    await startServer('node:http by hand', 'hand-server.js', [copy]),
  ];
  const measures = measuresOf(fixture);
  const ratios = new Map<string, number>();
  const table = await stopped(servers, async () => {
    const rows: (readonly string[])[] = [['', ...servers.map(({ name }) => `${name}, a second`), 'ratio']];
    for (const measure of ['fetch, its owner', 'create'] as const) {
      for (const connections of CONNECTIONS) {
        const rates = await compareRates(servers, { ...extent, ...measures[measure], connections });
        const [own = 0, hand = 0] = rates.map(({ perSecond }) => perSecond);
        const name = `${measure}, ${connections} connection${connections === 1 ? '' : 's'}`;
        ratios.set(name, own / hand);
        rows.push([name, own.toFixed(0), hand.toFixed(0), ratio(own, hand)]);
      }
    }
    return rows;
  });
  const reached = { 'create, 1 connection: requests a second, of those by hand': ratios.get('create, 1 connection') };
  yield { name: 'connections', note: 'as shipped; the one by hand has no log, limits or metrics', table, reached };
}
