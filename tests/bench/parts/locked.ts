// Requests to other tables while one is locked and many requests wait for it, on PostgreSQL: how long they take compared with
// quiet times. Both are measured in turns, within one run.

import { Client } from 'pg';
import { clientOf, type Send } from '../../support/client.js';
import { startPostgres } from '../../support/postgres.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import { startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';

/** The number of requests that wait, and of clients of other tables. */
const WAITING = 40;
const CLIENTS = 4;

type Request = () => Promise<unknown>;

export async function* locked(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const postgres = await startPostgres();
  const fixture = await fill({ database: await postgres.createDatabase(), folder });
  const server = await startServer(
    'punchboard',
    null,
    [...fixture.options, ...UNLIMITED, '--log-level', 'error'],
    false,
  );
  const operator = new Client(fixture.database);
  try {
    await operator.connect();
    const send = clientOf(server.address);
    const rows: (readonly string[])[] = [
      ['', 'p50 quiet, ms', 'p50 locked', 'p99 quiet', 'p99 locked', 'ratio of p99'],
    ];
    for (const [name, request] of Object.entries(requestsOf(send, fixture))) {
      const times = await inTurns(operator, { request, blocked: (at) => blocked(send, fixture, at), extent });
      const [p50, p99] = [0.5, 0.99].map((share) => [quantile(times.quiet, share), quantile(times.locked, share)]);
      const cells = [...(p50 ?? []), ...(p99 ?? [])].map((one) => one.toFixed(1));
      rows.push([name, ...cells, ratio(p99?.[1] ?? 0, p99?.[0] ?? 0)]);
    }
    const note = `${CLIENTS} clients, while ${WAITING} requests wait for the table of box tops; the database on the same processors`;
    yield { name: 'locked', note, table: rows };
  } finally {
    await operator.end();
    await server.stop();
    await postgres.stop();
  }
}

function requestsOf(send: Send, { game, session }: BenchFixture): Readonly<Record<string, Request>> {
  const path = `/api/game/${game}`;
  return {
    'fetch of a game': () => send('GET', path),
    'update of a game': () => send('PUT', path, { session, parameters: { name: 'Bench' } }),
  };
}

/** Every other client writes. */
function blocked(send: Send, { ids, session }: BenchFixture, at: number): Promise<unknown> {
  const path = `/api/boxtop/${ids[at]}`;
  return at % 2 === 0 ? send('GET', path) : send('PUT', path, { session, parameters: { name: `Box ${at}` } });
}

interface Plan {
  readonly request: Request;
  readonly blocked: (at: number) => Promise<unknown>;
  readonly extent: Extent;
}

/** Milliseconds of each request. */
async function inTurns(operator: Client, { request, blocked, extent }: Plan) {
  const times = { quiet: [] as number[], locked: [] as number[] };
  // The first turn opens the connections, and does not count.
  for (let turn = -1; turn < extent.turns; turn += 1) {
    const quiet = await during(extent.slice, request);
    await operator.query('BEGIN');
    await operator.query('LOCK TABLE boxtop IN ACCESS EXCLUSIVE MODE');
    const waiting = Array.from({ length: WAITING }, (_, at) => blocked(at));
    const locked = await during(extent.slice, request);
    await operator.query('ROLLBACK');
    await Promise.all(waiting);
    if (turn < 0) continue;
    times.quiet.push(...quiet);
    times.locked.push(...locked);
  }
  return times;
}

async function during(milliseconds: number, request: Request): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  const client = async (): Promise<void> => {
    for (let began = performance.now(); began < end; began = performance.now()) {
      await request();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
