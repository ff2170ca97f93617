// `npm run bench`: prints how long start and `gen` take and how fast reads and writes are beside simpler servers.
// Figures are for people to judge; nothing here fails because of one.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { firstAnswer, genTimes } from './durations.js';
import { type Server, startServer } from './servers.js';
import { compareRates, type Rate } from './throughput.js';

const SAMPLES = 9;
const RECORDS = 1000;

async function main(): Promise<void> {
  const folder = temporaryFolder('bench');
  try {
    await durations(folder);
    const ground = await fill(folder);
    await reads(ground);
    await writes(ground);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function durations(folder: string): Promise<void> {
  const serve = [BIN, 'serve', '--port', '0', '--database', join(folder, 'start.db'), '--files', join(folder, 'start')];
  const service = await firstAnswer(serve, '/api/boxtop/none', SAMPLES);
  const bare = await firstAnswer([join(__dirname, 'hello-server.js')], '/', SAMPLES);
  const { nothing, everything } = await genTimes(3);
  print(
    ['Time', 'ms', 'aim', 'ratio'],
    [
      ['node:http, first answer', ms(bare), '', '1.00'],
      ['punchboard serve, first answer', ms(service), '300', ratio(service, bare)],
      ['punchboard gen, nothing to do', ms(nothing), '1000', ''],
      ['punchboard gen, everything, compiled', ms(everything), '', ratio(everything, nothing)],
    ],
  );
}

interface Ground {
  readonly options: readonly string[];
  readonly database: string;
  readonly session: string;
  readonly game: string;
  readonly ids: readonly string[];
}

/** A game with many box tops. */
async function fill(folder: string): Promise<Ground> {
  const database = join(folder, 'bench.db');
  const now = Date.now();
  const service = await openService(
    { database, wire: 'plain', generated: null, owner: true, random: randomBytes },
    now,
  );
  const text = await addUser(service, { username: 'bench', password: 'correct horse', admin: false }, now);
  const user = (JSON.parse(text) as { id: string }).id;
  const create = async (resource: string, parameters: Readonly<Record<string, unknown>>): Promise<string> => {
    const definition = service.definitions.find(({ name }) => name === resource);
    if (definition === undefined) throw new Error(`there is no ${resource}`);
    const caller = { user, admin: false };
    const call = { definition, id: '', name: '', parameters, caller, now, upload: null };
    return (JSON.parse((await service.operations.create(call)).body) as { id: string }).id;
  };
  const game = await create('game', { name: 'Bench', designer_id: await create('designer', { name: 'Bench' }) });
  const top = (at: number): Promise<string> => create('boxtop', { name: `Box ${at}`, game_id: game });
  const ids = await Promise.all(Array.from({ length: RECORDS }, (_, at) => top(at)));
  const { id: session } = await service.login({ username: 'bench', password: 'correct horse' }, { address: '', now });
  service.engine.close();
  const options = ['--database', database, '--files', join(folder, 'files'), '--rate-limit', '0'];
  return { options, database, session, game, ids };
}

async function reads({ options, database, ids }: Ground): Promise<void> {
  const requests = ids.map((id) => `GET /api/boxtop/${id} HTTP/1.1\r\nHost: x\r\n\r\n`);
  // The log's line a request is not what the others do; it is measured on its own.
  const servers = [
    await startServer('node:http + statement', 'bare-server.js', [database]),
    await startServer('Express, res.json', 'express-server.js', [database]),
    await startServer('punchboard', null, [...options, '--log-level', 'error']),
  ];
  const rates = await compared(servers, { requests, turns: 3, milliseconds: 2000 });
  const logged = await compared([await startServer('punchboard, log', null, options)], {
    requests,
    turns: 2,
    milliseconds: 2000,
  });
  printRates(`GET by id, 32 connections, Node ${process.version}`, [...rates, ...logged]);
}

async function writes({ options, session, game }: Ground): Promise<void> {
  const body = JSON.stringify({ name: 'Box', game_id: game });
  const head = `POST /api/boxtop HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${session}\r\nContent-Type: application/json`;
  const requests = [`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`];
  const apart = { options, requests };
  printRates('POST create, 32 connections, synchronous=FULL', await inTurns(apart));
}

/** Two servers cannot share a database, so that each has its turns on a start of its own. */
async function inTurns({ options, requests }: { options: readonly string[]; requests: readonly string[] }) {
  const quiet = [...options, '--log-level', 'error'];
  const plan = { requests, turns: 1, milliseconds: 2500 };
  const rates: Rate[] = [];
  for (const turn of [1, 2]) {
    rates.push(
      ...(await compared(
        [await startServer(`one transaction each ${turn}`, null, quiet, 'one-transaction-each.js')],
        plan,
      )),
    );
    rates.push(...(await compared([await startServer(`group commit ${turn}`, null, quiet)], plan)));
  }
  return rates;
}

async function compared(
  servers: readonly Server[],
  plan: Parameters<typeof compareRates>[1],
): Promise<readonly Rate[]> {
  try {
    return await compareRates(servers, plan);
  } finally {
    for (const server of servers) await server.stop();
  }
}

function printRates(title: string, rates: readonly Rate[]): void {
  const [first] = rates;
  const rows = rates.map(({ name, perSecond, perCpuSecond }) => [
    name,
    perSecond.toFixed(0),
    ratio(perSecond, first?.perSecond ?? 1),
    perCpuSecond.toFixed(0),
    ratio(perCpuSecond, first?.perCpuSecond ?? 1),
  ]);
  print([title, 'a second', 'ratio', 'a CPU second', 'ratio'], rows);
}

function ms(value: number): string {
  return value.toFixed(0);
}

function ratio(value: number, to: number): string {
  return (value / to).toFixed(2);
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  console.log([line(head), ...rows.map(line), ''].join('\n'));
}

void main();
