// Fetch and create on PostgreSQL, compared with a server written by hand for that one resource. Both use one database and take
// turns within one run; requests per CPU second of the server's process are compared.

import { deepStrictEqual } from 'node:assert';
import { Client } from 'pg';
import { startPostgres } from '../../support/postgres.js';
import { answerOf, measuresOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import { type Server, startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, stopped } from '../throughput.js';

export async function* postgres(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const server = await startPostgres();
  try {
    const fixture = await fill({ database: await server.createDatabase(), folder });
    const table = await stopped(await startBoth(fixture), (servers) => compareAll(servers, fixture, extent));
    const version = await versionOf(fixture.database);
    const note = `PostgreSQL ${version} without fsync, on the same processors; without the request log, the same headers by hand`;
    yield { name: 'postgres', note, table };
  } finally {
    await server.stop();
  }
}

async function startBoth({ options, database }: BenchFixture): Promise<readonly Server[]> {
  return [
    await startServer('punchboard', null, [...options, '--log-level', 'error'], false),
    await startServer('node:http and pg by hand', 'pg-server.js', [database], false),
  ];
}

async function compareAll(
  servers: readonly Server[],
  fixture: BenchFixture,
  extent: Extent,
): Promise<BenchResult['table']> {
  const measures = measuresOf(fixture);
  const rows: (readonly string[])[] = [['', ...servers.map(({ name }) => `${name}, a CPU second`), 'ratio']];
  for (const connections of [32, 1]) {
    for (const measure of ['fetch, anonymous', 'fetch, its owner', 'create'] as const) {
      const { asked } = measures[measure];
      const [own, other] = await Promise.all(servers.map((server) => answerOf(server, asked(0)[0])));
      deepStrictEqual(own, other);
      const rates = await compareRates(servers, { ...extent, asked, connections });
      const [one = 0, hand = 0] = rates.map(({ perCpuSecond }) => perCpuSecond);
      rows.push([
        `${measure}, ${connections} connection${connections === 1 ? '' : 's'}`,
        one.toFixed(0),
        hand.toFixed(0),
        ratio(one, hand),
      ]);
    }
  }
  return rows;
}

async function versionOf(database: string): Promise<string> {
  const client = new Client(database);
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}
