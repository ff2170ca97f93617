// How long requests take at half of the load that the service can bear, and while many log in.

import { join } from 'node:path';
import { askedOf, textOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { fill } from '../ground.js';
import { load } from '../load.js';
import { startServer } from '../servers.js';
import { stopped } from '../throughput.js';

const CONNECTIONS = 32;
const MILLISECONDS = 4000;
/** Fetches a second while others log in, and logins at a time. */
const CALM = 200;
const LOGINS = 16;

export async function* latency(folder: string): AsyncIterable<Measured> {
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const server = await startServer('punchboard', null, [...ground.options, '--rate-limit', '1000000000']);
  const table = await stopped([server], async () => {
    const rows: (readonly string[])[] = [['', 'most a second', 'p50 at half of it, ms', 'p99, ms', 'p99 of p50']];
    const { 'fetch, its owner': fetches, create } = askedOf(ground);
    for (const [what, asked] of Object.entries({ 'fetch, its owner': fetches, create })) {
      const job = {
        port: server.port,
        requests: asked.map(textOf),
        connections: CONNECTIONS,
        milliseconds: MILLISECONDS,
      };
      await load(job);
      const { answers, milliseconds } = await load(job);
      const most = (answers * 1000) / milliseconds;
      const { p50, p99 } = await load({ ...job, perSecond: most / 2 });
      rows.push([what, most.toFixed(0), p50.toFixed(2), p99.toFixed(2), (p99 / p50).toFixed(1)]);
    }
    return rows;
  });
  yield { name: 'latency', note: `${CONNECTIONS} connections, as shipped`, table };
}

export async function* logins(folder: string): AsyncIterable<Measured> {
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const server = await startServer('punchboard', null, [...ground.options, '--login-limit', '0']);
  const body = JSON.stringify({ username: 'bench', password: 'correct horse' });
  const content = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  const login = textOf({ method: 'POST', path: '/api/session', headers: content, body });
  const table = await stopped([server], async () => {
    const fetches = {
      ...{ port: server.port, requests: askedOf(ground)['fetch, its owner'].map(textOf) },
      ...{ connections: CONNECTIONS, milliseconds: MILLISECONDS, perSecond: CALM },
    };
    const storm = { port: server.port, requests: [login], connections: LOGINS, milliseconds: MILLISECONDS };
    const calm = await load(fetches);
    const [stormy, { answers }] = await Promise.all([load(fetches), load(storm)]);
    const row = (what: string, { p50, p99 }: typeof calm): readonly string[] => [what, p50.toFixed(2), p99.toFixed(2)];
    return [
      ['', 'p50, ms', 'p99, ms'],
      row(`${CALM} fetches a second alone`, calm),
      row(`while ${LOGINS} log in, ${answers} logins in ${MILLISECONDS / 1000} s`, stormy),
    ];
  });
  yield { name: 'logins', note: 'as shipped', table };
}
