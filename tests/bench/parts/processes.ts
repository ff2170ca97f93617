// One process, and two beside one that writes.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuresOf } from '../asked.js';
import type { Measured } from '../bench.js';
import type { Extent } from '../extent.js';
import type { Reached } from '../goals.js';
import { fill } from '../ground.js';
import { startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, stopped } from '../throughput.js';

/** What is measured, and the goal that it has. */
const MEASURES = {
  'fetch, anonymous': 'fetch with 2 processes: requests a second, of those with 1',
  '90 fetches, 10 creates': '90 fetches to 10 creates with 2 processes: requests a second, of those with 1',
  create: null,
} as const;

export async function* processes(folder: string, extent: Extent): AsyncIterable<Measured> {
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = join(folder, 'two.db');
  copyFileSync(ground.database, copy);
  const two = [...ground.options, '--database', copy, ...UNLIMITED, '--processes', '2'];
  const servers = [
    await startServer('1 process', null, [...ground.options, ...UNLIMITED], false),
    await startServer('2 processes', null, two, false),
  ];
  const measures = measuresOf(ground);
  const reached: Record<string, number> = {};
  const table = await stopped(servers, async () => {
    const rows: (readonly string[])[] = [['', ...servers.map(({ name }) => `${name}, a second`), 'ratio']];
    for (const [what, goal] of Object.entries(MEASURES) as [keyof typeof MEASURES, keyof Reached | null][]) {
      const rates = await compareRates(servers, { ...extent, ...measures[what] });
      const [one = 0, other = 0] = rates.map(({ perSecond }) => perSecond);
      rows.push([what, one.toFixed(0), other.toFixed(0), ratio(other, one)]);
      if (goal !== null) reached[goal] = other / one;
    }
    return rows;
  });
  yield {
    name: 'processes',
    note: '32 connections, as shipped; the load takes a part of the same processors',
    table,
    reached,
  };
}
