// One process, and two that serve next to one that writes.

import { copyFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { measuresOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { fill } from '../fixture.js';
import type { GoalResults } from '../goals.js';
import { startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, type Rate, stopped } from '../throughput.js';

/** The measures, each with its goal. */
const MEASURES = {
  'fetch, anonymous': 'fetch with 2 processes: requests a second, of those with 1',
  '90 fetches, 10 creates': '90 fetches to 10 creates with 2 processes: requests a second, of those with 1',
  create: null,
} as const;

export async function* processes(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = join(folder, 'two.db');
  copyFileSync(fixture.database, copy);
  const two = [...fixture.options, '--database', copy, ...UNLIMITED, '--processes', '2'];
  const servers = [
    await startServer('1 process', null, [...fixture.options, ...UNLIMITED], false),
    await startServer('2 processes', null, two, false),
  ];
  const measures = measuresOf(fixture);
  const reached: Record<string, number> = {};
  const table = await stopped(servers, async () => {
    const head = ['', ...servers.map(({ name }) => `${name}, a second`), 'ratio', 'at most'];
    const rows: (readonly string[])[] = [head];
    for (const [what, goal] of Object.entries(MEASURES) as [keyof typeof MEASURES, keyof GoalResults | null][]) {
      const rates = await compareRates(servers, { ...extent, ...measures[what] });
      const [one, two] = rates;
      if (one === undefined || two === undefined) continue;
      const figures = [one.perSecond.toFixed(0), two.perSecond.toFixed(0), ratio(two.perSecond, one.perSecond)];
      rows.push([what, ...figures, ratio(allowed(one), one.perSecond)]);
      if (goal !== null) reached[goal] = two.perSecond / one.perSecond;
    }
    return rows;
  });
  const note =
    '32 connections, as shipped; the load is on the same processors, which both together use up at the ratio in the last column';
  yield { name: 'processes', note, table, reached };
}

/** Requests per second of all processors, which the service and the load share. */
function allowed({ perCpuSecond, load }: Rate): number {
  return (availableParallelism() * 1e6) / (1e6 / perCpuSecond + load);
}
