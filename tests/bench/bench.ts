// `npm run bench`: prints how long start and `gen` take and how fast reads and writes are beside simpler servers.
// Figures are for people to judge; nothing here fails because of one.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, temporaryFolder } from '../support/paths.js';
import { firstAnswer, genTimes } from './durations.js';
import { fill, type Ground } from './ground.js';
import { type Server, startServer } from './servers.js';
import { print, printRates, ratio } from './tables.js';
import { compareRates, type Plan, type Rate, stopped } from './throughput.js';

const SAMPLES = 9;

async function main(): Promise<void> {
  const folder = temporaryFolder('bench');
  try {
    await durations(folder);
    const ground = await fill({ database: join(folder, 'bench.db'), folder });
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

async function reads({ options, database, ids }: Ground): Promise<void> {
  const requests = ids.map((id) => `GET /api/boxtop/${id} HTTP/1.1\r\nHost: x\r\n\r\n`);
  // The log's line a request is not what the others do; it is measured on its own.
  const servers = [
    await startServer('node:http and SQLite by hand', 'hand-server.js', [database]),
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

function compared(servers: readonly Server[], plan: Plan): Promise<readonly Rate[]> {
  return stopped(servers, () => compareRates(servers, plan));
}

function ms(value: number): string {
  return value.toFixed(0);
}

void main();
