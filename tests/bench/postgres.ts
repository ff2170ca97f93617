// `npm run bench:postgres`: fetch and create on PostgreSQL beside a server written by hand for that one resource. Both use
// one database, so that they take turns within one run; what counts is requests a CPU second of the server's process.

import { deepStrictEqual } from 'node:assert';
import { rmSync } from 'node:fs';
import { temporaryFolder } from '../support/paths.js';
import { startPostgres } from '../support/postgres.js';
import { type Asked, answerOf, askedOf, textOf } from './asked.js';
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

void main();
