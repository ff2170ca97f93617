// How long fetches take during creates while the disk is slow at times: every 200th sync takes 300 ms longer, in both servers.

import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/paths.js';
import { measuresOf, textOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { fill } from '../fixture.js';
import { type Job, type LoadResult, startLoad } from '../load.js';
import { type Server, startServer, UNLIMITED } from '../servers.js';
import { median, stopped } from '../throughput.js';

/** Creates a second. The server by hand commits each create on its own and cannot reach the rate, so it creates what it can. */
const RATES = { fetches: 500, creates: 2000 };
const CONNECTIONS = { fetches: 8, creates: 64 };

type Beside = Readonly<Record<'fetch' | 'create', LoadResult>>;

export async function* disk(folder: string, { turns, held }: Extent): AsyncIterable<BenchResult> {
  const library = join(folder, 'slow-sync.so');
  const source = join(ROOT, 'tests', 'bench', 'slow-sync.c');
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = `${fixture.database}-hand.db`;
  copyFileSync(fixture.database, copy);
  const env = { LD_PRELOAD: library };
  const servers = [
    await startServer('punchboard', null, [...fixture.options, ...UNLIMITED], true, env),
    await startServer('node:http by hand', 'hand-server.js', [copy], true, env),
  ];
  const measures = measuresOf(fixture);
  const [fetches, creates] = [measures['fetch, its owner'], measures.create].map(({ asked }) => asked(0).map(textOf));
  const loads = [startLoad(true), startLoad(true)] as const;
  const beside = async ({ port }: Server, rate: Partial<Pick<Job, 'perSecond'>>): Promise<Beside> => {
    const job = { port, milliseconds: held };
    const [fetch, create] = await Promise.all([
      loads[0].run({ ...job, requests: fetches ?? [], connections: CONNECTIONS.fetches, perSecond: RATES.fetches }),
      loads[1].run({ ...job, requests: creates ?? [], connections: CONNECTIONS.creates, ...rate }),
    ]);
    return { fetch, create };
  };
  const runs = servers.map((): Beside[] => []);
  try {
    await stopped(servers, async () => {
      // The first round warms the servers up.
      for (let turn = 0; turn <= turns; turn += 1) {
        for (const [at, server] of servers.entries()) {
          const run = await beside(server, at === 0 ? { perSecond: RATES.creates } : {});
          if (turn > 0) runs[at]?.push(run);
        }
      }
    });
  } finally {
    for (const load of loads) load.stop();
  }
  const figures = runs.map(figuresOf);
  yield {
    name: 'disk',
    note: `every 200th sync takes 300 ms longer; ${RATES.fetches} fetches a second beside ${RATES.creates} creates, as shipped; of ${turns} turns of ${held / 1000} s the median, and the longest of all, without the answers that came while the load did not run`,
    table: [
      ['', 'fetch p50, ms', 'p99, ms', 'longest, ms', 'creates a second', 'create p50, ms', 'p99, ms'],
      ...figures.map(({ p50, p99, longest, rate, create50, create99 }, at) => {
        const times = [p50.toFixed(2), p99.toFixed(1), longest.toFixed(0), rate.toFixed(0)];
        return [servers[at]?.name ?? '', ...times, create50.toFixed(1), create99.toFixed(0)];
      }),
    ],
    reached: {
      'fetch while the disk is slow now and then: p99, ms': figures[0]?.p99,
      'fetch while the disk is slow now and then: longest, ms': figures[0]?.longest,
    },
  };
}

function figuresOf(runs: readonly Beside[]) {
  const middle = (figure: (run: Beside) => number): number => median(runs.map(figure));
  return {
    p50: middle(({ fetch }) => fetch.p50),
    p99: middle(({ fetch }) => fetch.p99),
    longest: Math.max(...runs.map(({ fetch }) => fetch.longest)),
    rate: middle(({ create }) => (create.answers * 1000) / create.milliseconds),
    create50: middle(({ create }) => create.p50),
    create99: middle(({ create }) => create.p99OfAll),
  };
}
