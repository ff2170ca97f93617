// `npm run bench:postgres`: fetch and create on PostgreSQL beside a server written by hand for that one resource. Both use
// one database, so that they take turns within one run; what counts is requests a CPU second of the server's process.

import { deepStrictEqual } from 'node:assert';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/paths.js';
import { startPostgres } from '../support/postgres.js';
import { fill, type Ground } from './ground.js';
import { type Server, startServer } from './servers.js';
import { printRates } from './tables.js';
import { compareRates, stopped } from './throughput.js';

const PLAN = { turns: 5, milliseconds: 1500 };
/** Long enough for the compiler to be through with a server: until then the one with less code has an advantage. */
const WARM_UP = { turns: 0, milliseconds: 10_000 };

async function main(): Promise<void> {
  const folder = temporaryFolder('bench');
  const postgres = await startPostgres();
  try {
    const ground = await fill({ database: await postgres.createDatabase(), folder });
    await stopped(await startBoth(ground), (servers) => compareAll(servers, Object.entries(askedOf(ground))));
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The other's first, with which the service is compared. */
async function startBoth({ options, database }: Ground): Promise<readonly Server[]> {
  return [
    await startServer('by hand: node:http, pg', 'pg-server.js', [database]),
    await startServer('punchboard', null, [...options, '--log-level', 'error']),
  ];
}

async function compareAll(servers: readonly Server[], kinds: readonly (readonly [string, readonly Asked[]])[]) {
  for (const [, asked] of kinds) {
    const answers = await Promise.all(servers.map((server) => answerOf(server, asked[0])));
    deepStrictEqual(answers[0], answers[1]);
    await compareRates(servers, { ...WARM_UP, requests: asked.map(textOf) });
  }
  for (const connections of [32, 1]) {
    for (const [what, asked] of kinds) {
      const rates = await compareRates(servers, { ...PLAN, requests: asked.map(textOf), connections });
      printRates(`${what}, ${connections} connection${connections === 1 ? '' : 's'}`, rates);
    }
  }
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

function askedOf({ session, game, ids }: Ground): Readonly<Record<string, readonly Asked[]>> {
  const user = { Authorization: `Bearer ${session}` };
  const fetches = (headers: Asked['headers']): readonly Asked[] =>
    ids.map((id) => ({ method: 'GET', path: `/api/boxtop/${id}`, headers, body: null }));
  const body = JSON.stringify({ name: 'Box', game_id: game });
  const content = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  return {
    'fetch, anonymous': fetches({}),
    'fetch, its owner': fetches(user),
    create: [{ method: 'POST', path: '/api/boxtop', headers: { ...user, ...content }, body }],
  };
}

/** What does not depend on when it was asked: the status, the names of the headers, and the record without its id and dates. */
async function answerOf({ address }: Server, asked: Asked | undefined) {
  if (asked === undefined) throw new Error('nothing is asked');
  const { method, path, headers, body } = asked;
  const answer = await fetch(`${address}${path}`, { method, headers, body });
  const record = JSON.stringify(await answer.json(), (key, value) => (/^(id|date_.*)$/.test(key) ? '' : value));
  return { status: answer.status, headers: [...answer.headers.keys()], record };
}

function textOf({ method, path, headers, body }: Asked): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

void main();
