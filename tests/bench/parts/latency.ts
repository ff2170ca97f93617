// How long requests take at half of the load that the service can bear, and while many log in.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measure, measuresOf, textOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import { type LoadGenerator, type LoadResult, startLoad } from '../load.js';
import { type Server, startServer, UNLIMITED } from '../servers.js';
import { stopped } from '../throughput.js';

const CONNECTIONS = 32;
/** Fetches a second while others log in, and concurrent logins. */
const CALM = 200;
const LOGINS = 16;

const HEAD = [
  ...['', 'most a second', 'p50 at half of it, ms', 'p99, ms', 'p99 of p50'],
  ...['left out', 'p99 with them, ms', 'the load stalled, ms'],
];

export async function* latency(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const copy = `${fixture.database}-hand.db`;
  copyFileSync(fixture.database, copy);
  const servers = [
    await startServer('punchboard', null, [...fixture.options, ...UNLIMITED]),
    await startServer('node:http by hand', 'hand-server.js', [copy]),
  ];
  const measures = measuresOf(fixture);
  const shares: number[] = [];
  const table = await stopped(servers, async () => {
    const rows: (readonly string[])[] = [HEAD];
    for (const measure of ['fetch, its owner', 'create'] as const) {
      for (const server of servers) {
        const { most, p50, p99, p99OfAll, leftOut, answers, stalled } = await atHalf(server, measures[measure], extent);
        const times = [most.toFixed(0), p50.toFixed(3), p99.toFixed(3), (p99 / p50).toFixed(1)];
        const rest = [`${leftOut} of ${answers}`, p99OfAll.toFixed(3), stalled.toFixed(0)];
        rows.push([`${measure}: ${server.name}`, ...times, ...rest]);
        shares.push(p99 / p50);
      }
    }
    return rows;
  });
  const note = `${CONNECTIONS} connections, as shipped; p50 and p99 without the answers that came while the load did not run`;
  const [fetch, , create] = shares;
  const reached = {
    'fetch at half of the maximum load: p99, of p50': fetch,
    'create at half of the maximum load: p99, of p50': create,
  };
  yield { name: 'latency', note, table, reached };
}

/** The most answers a second, and how long answers take at half of that. Both begin warm, including the held rate. */
async function atHalf({ port }: Server, { asked }: Measure, { warmUp, held }: Extent) {
  const job = { port, requests: asked(0).map(textOf), connections: CONNECTIONS };
  const load = startLoad(true);
  try {
    await load.run({ ...job, milliseconds: warmUp });
    const { answers, milliseconds } = await load.run({ ...job, milliseconds: held });
    const most = (answers * 1000) / milliseconds;
    const half = { ...job, perSecond: most / 2 };
    await load.run({ ...half, milliseconds: warmUp });
    return { most, ...(await load.run({ ...half, milliseconds: held })) };
  } finally {
    load.stop();
  }
}

export async function* logins(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const server = await startServer('punchboard', null, [...fixture.options, '--login-limit', '0'], false);
  const loads = [startLoad(false), startLoad(false)] as const;
  try {
    const { calm, stormy, answers } = await stopped([server], () =>
      storm(server, fixture, { loads, held: extent.held }),
    );
    const row = (what: string, { p50, p99 }: LoadResult): readonly string[] => [what, p50.toFixed(2), p99.toFixed(2)];
    const table = [
      ['', 'p50, ms', 'p99, ms'],
      row(`${CALM} fetches a second alone`, calm),
      row(`while ${LOGINS} log in, ${answers} logins in ${extent.held / 1000} s`, stormy),
    ];
    const reached = { 'fetch while others log in: p99, ms': stormy.p99 };
    yield { name: 'logins', note: 'as shipped', table, reached };
  } finally {
    for (const load of loads) load.stop();
  }
}

interface Loads {
  readonly loads: readonly [LoadGenerator, LoadGenerator];
  readonly held: number;
}

/** The same fetches alone, and during logins. */
async function storm({ port }: Server, fixture: BenchFixture, { loads: [one, other], held }: Loads) {
  const requests = measuresOf(fixture)['fetch, its owner'].asked(0).map(textOf);
  const fetches = { port, requests, connections: CONNECTIONS, milliseconds: held, perSecond: CALM };
  const body = JSON.stringify({ username: 'bench', password: 'correct horse' });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  const login = textOf({ method: 'POST', path: '/api/session', headers, body });
  const calm = await one.run(fetches);
  const logins = { port, requests: [login], connections: LOGINS, milliseconds: held };
  const [stormy, { answers }] = await Promise.all([one.run(fetches), other.run(logins)]);
  return { calm, stormy, answers };
}
