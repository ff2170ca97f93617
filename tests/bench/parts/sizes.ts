// Whether a fetch costs the same in a table of ten thousand rows and of ten million, and among 25 types and 1,000.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { manyTypes } from '../../support/many-types.js';
import { measuresOf } from '../asked.js';
import type { BenchResult } from '../bench.js';
import { copyBox, copyId } from '../copies.js';
import type { Extent } from '../extent.js';
import { type BenchFixture, fill } from '../fixture.js';
import { type Server, startServer, UNLIMITED } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, median, type Questions, stopped } from '../throughput.js';

/** The number of ids that are fetched: so many that their pages are not all in memory. */
const ASKED = 20_000;
/** Coprime to all sizes, so that every id is fetched, and neighbours not one after the other. */
const STRIDE = 55_433;

interface SizedDatabase {
  readonly server: Server;
  readonly asked: Questions;
}

export async function* rows(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const fixture = await fill({ database: join(folder, 'bench.db'), folder });
  const all: SizedDatabase[] = [];
  for (const size of extent.rows) {
    const database = join(folder, `${size}.db`);
    copyFileSync(fixture.database, database);
    copyBox(database, fixture.spare.id, size);
    const options = [...fixture.options, '--database', database, ...UNLIMITED];
    all.push({
      server: await startServer(`${size.toLocaleString('en')} rows`, null, options),
      asked: fetchesOf({ ...fixture, ids: idsAmong(fixture.spare.id, size) }),
    });
  }
  const { table, last } = await compared(all, extent);
  const note = `fetch, 32 connections, as shipped, ${ASKED.toLocaleString('en')} ids`;
  const reached = { 'fetch with 10,000,000 rows: requests a CPU second, of those with 10,000': last };
  yield { name: 'rows', note, table, reached };
}

export async function* types(folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const all: SizedDatabase[] = [];
  for (const size of extent.types) {
    const place = join(folder, String(size));
    mkdirSync(place);
    const { fixture, generated } = await fillWithTypes(place, size);
    const options = [...fixture.options, '--generated', generated, ...UNLIMITED];
    all.push({ server: await startServer(`${size} types`, null, options), asked: fetchesOf(fixture) });
  }
  const { table, last } = await compared(all, extent);
  const reached = { 'fetch with 1,000 types: requests a CPU second, of those with 25': last };
  yield { name: 'types', note: 'fetch, 32 connections, as shipped', table, reached };
}

/** A service with that many types. @param place an empty folder */
export async function fillWithTypes(
  place: string,
  size: number,
): Promise<{ fixture: BenchFixture; generated: string }> {
  const [spec, generated] = [join(place, 'spec'), join(place, 'generated')];
  mkdirSync(spec);
  manyTypes(spec, size);
  const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '..', 'gen-run.js'), spec, generated]);
  if (status !== 0) throw new Error(String(stderr));
  return { fixture: await fill({ database: join(place, 'bench.db'), folder: place, generated }), generated };
}

function fetchesOf(fixture: BenchFixture): Questions {
  return measuresOf(fixture)['fetch, anonymous'].asked;
}

/** Ids from all over the table. */
function idsAmong(id: string, size: number): readonly string[] {
  return Array.from({ length: Math.min(ASKED, size) }, (_, at) => copyId(id, (at * STRIDE) % size));
}

/** Takes turns here, as each service gets different requests. @returns ratios to the first, and that of the last */
async function compared(all: readonly SizedDatabase[], { turns, slice, warmUp }: Extent) {
  const servers = all.map(({ server }) => server);
  const rates = await stopped(servers, async () => {
    const each = all.map(() => [] as number[]);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [at, { server, asked }] of all.entries()) {
        const plan = { asked, turns: 1, slice, warmUp: turn === 0 ? warmUp : slice / 4 };
        each[at]?.push(...(await compareRates([server], plan)).map(({ perCpuSecond }) => perCpuSecond));
      }
    }
    return each.map(median);
  });
  const lines = servers.map(({ name }, at) => [
    name,
    (rates[at] ?? 0).toFixed(0),
    ratio(rates[at] ?? 0, rates[0] ?? 1),
  ]);
  return { table: [['', 'a CPU second', 'ratio'], ...lines], last: (rates.at(-1) ?? 0) / (rates[0] ?? 1) };
}
