// The service and a server by hand with 1, 32 and 256 connections.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedOf, textOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { fill } from '../ground.js';
import { startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, stopped } from '../throughput.js';

const CONNECTIONS = [1, 32, 256];
const PLAN = { turns: 3, milliseconds: 1000 };

export async function* connections(folder: string): AsyncIterable<Measured> {
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = `${ground.database}-hand.db`;
  copyFileSync(ground.database, copy);
  const servers = [
    await startServer('punchboard', null, [...ground.options, '--rate-limit', '1000000000']),
    await startServer('node:http by hand', 'hand-server.js', [copy]),
  ];
  const table = await stopped(servers, async () => {
    const rows: (readonly string[])[] = [['', ...servers.map(({ name }) => `${name}, a second`), 'ratio']];
    const { 'fetch, its owner': fetches, create } = askedOf(ground);
    for (const [what, asked] of Object.entries({ 'fetch, its owner': fetches, create })) {
      const requests = asked.map(textOf);
      await compareRates(servers, { requests, turns: 0, milliseconds: 4000 });
      for (const connections of CONNECTIONS) {
        const [own, hand] = await compareRates(servers, { ...PLAN, requests, connections });
        const [one, other] = [own?.perSecond ?? 0, hand?.perSecond ?? 0];
        rows.push([`${what}, ${connections} connections`, one.toFixed(0), other.toFixed(0), ratio(one, other)]);
      }
    }
    return rows;
  });
  yield { name: 'connections', note: 'as shipped; the one by hand has no log, limits or metrics', table };
}
