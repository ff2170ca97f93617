// One process, and two beside one that writes.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedOf, textOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { fill } from '../ground.js';
import { startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, stopped } from '../throughput.js';

const PLAN = { turns: 3, milliseconds: 2000 };

export async function* processes(folder: string): AsyncIterable<Measured> {
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = join(folder, 'two.db');
  copyFileSync(ground.database, copy);
  const rest = ['--rate-limit', '1000000000'];
  const servers = [
    await startServer('1 process', null, [...ground.options, ...rest]),
    await startServer('2 processes', null, [...ground.options, '--database', copy, ...rest, '--processes', '2']),
  ];
  const { 'fetch, anonymous': fetches, 'fetch, its owner': owned, create } = askedOf(ground);
  const mixed = Array.from({ length: 100 }, (_, at) => (at % 10 === 9 ? create[0] : owned[at])).flatMap(
    (one) => one ?? [],
  );
  const table = await stopped(servers, async () => {
    const rows: (readonly string[])[] = [['', ...servers.map(({ name }) => `${name}, a second`), 'ratio']];
    for (const [what, asked] of Object.entries({ fetch: fetches, 'fetch 90, create 10': mixed, create })) {
      const requests = asked.map(textOf);
      await compareRates(servers, { requests, turns: 0, milliseconds: 4000 });
      const [one, two] = await compareRates(servers, { ...PLAN, requests });
      const [single, double] = [one?.perSecond ?? 0, two?.perSecond ?? 0];
      rows.push([what, single.toFixed(0), double.toFixed(0), ratio(double, single)]);
    }
    return rows;
  });
  yield { name: 'processes', note: '32 connections, as shipped; the load takes a part of the same processors', table };
}
