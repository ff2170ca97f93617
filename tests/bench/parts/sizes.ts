// Whether a fetch costs the same in a table of ten thousand rows and of ten million, and among 50 types and 1,000.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { manyTypes } from '../../support/many-types.js';
import { askedOf, textOf } from '../asked.js';
import type { Measured } from '../bench.js';
import { fill, type Ground } from '../ground.js';
import { type Server, startServer } from '../servers.js';
import { ratio } from '../tables.js';
import { compareRates, stopped } from '../throughput.js';

const ROWS = [10_000, 1_000_000, 10_000_000];
const TYPES = [50, 100, 1000];
const PLAN = { turns: 3, milliseconds: 1500 };
/** Ids that are asked for: of so many the pages are not all in memory. */
const ASKED = 20_000;

interface Sized {
  readonly server: Server;
  readonly requests: readonly string[];
}

export async function* rows(folder: string): AsyncIterable<Measured> {
  const ground = await fill({ database: join(folder, 'bench.db'), folder });
  const all: Sized[] = [];
  for (const size of ROWS) {
    const database = join(folder, `${size}.db`);
    copyFileSync(ground.database, database);
    const ids = grow(database, size);
    const options = [...ground.options, '--database', database, '--rate-limit', '1000000000'];
    all.push({
      server: await startServer(`${size.toLocaleString('en')} rows`, null, options),
      requests: askedOf({ ...ground, ids })['fetch, anonymous'].map(textOf),
    });
  }
  const note = `fetch, 32 connections, as shipped, ${ASKED.toLocaleString('en')} ids`;
  yield { name: 'rows', note, table: await compared(all) };
}

export async function* types(folder: string): AsyncIterable<Measured> {
  const all: Sized[] = [];
  for (const size of TYPES) {
    const place = join(folder, String(size));
    const [spec, generated] = [join(place, 'spec'), join(place, 'generated')];
    mkdirSync(spec, { recursive: true });
    manyTypes(spec, size);
    const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '..', 'gen-run.js'), spec, generated]);
    if (status !== 0) throw new Error(String(stderr));
    const ground: Ground = await fill({ database: join(place, 'bench.db'), folder: place, generated });
    const options = [...ground.options, '--generated', generated, '--rate-limit', '1000000000'];
    all.push({
      server: await startServer(`${size} types`, null, options),
      requests: askedOf(ground)['fetch, anonymous'].map(textOf),
    });
  }
  yield { name: 'types', note: 'fetch, 32 connections, as shipped', table: await compared(all) };
}

/** In turns; the ratios are to the first. */
async function compared(all: readonly Sized[]): Promise<readonly (readonly string[])[]> {
  const rates = await stopped(
    all.map(({ server }) => server),
    async () => {
      const median: number[] = [];
      for (const { server, requests } of all) {
        await compareRates([server], { requests, turns: 0, milliseconds: 6000 });
      }
      for (const { server, requests } of all) {
        median.push((await compareRates([server], { ...PLAN, requests }))[0]?.perCpuSecond ?? 0);
      }
      return median;
    },
  );
  const rows = all.map(({ server }, at) => [
    server.name,
    (rates[at] ?? 0).toFixed(0),
    ratio(rates[at] ?? 0, rates[0] ?? 1),
  ]);
  return [['', 'a CPU second', 'ratio'], ...rows];
}

/** Copies of a record until there are as many. @returns some ids, from all over the table */
function grow(file: string, size: number): readonly string[] {
  const db = new Database(file);
  const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('boxtop')").pluck().all();
  const rest = columns.filter((column) => column !== 'id').map((column) => `"${column}"`);
  const first = db.prepare<[], string>('SELECT min(id) FROM boxtop').pluck().get() ?? '';
  const idOf = `substr(id, 1, 2) || printf('0%0${first.length - 3}d', value)`;
  db.exec('PRAGMA synchronous = OFF');
  db.prepare(
    `WITH RECURSIVE series(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM series WHERE value < ?)
     INSERT INTO boxtop (id, ${rest.join(', ')}) SELECT ${idOf}, ${rest.join(', ')} FROM series JOIN boxtop ON id = ?`,
  ).run(size, first);
  const some = db
    .prepare<[number, number], string>('SELECT id FROM boxtop WHERE substr(id, -9) % ? = 0 LIMIT ?')
    .pluck();
  const ids = some.all(Math.max(1, Math.floor(size / ASKED)), ASKED);
  db.close();
  // Neighbours are not asked for one after the other.
  return ids
    .map((id, at) => [(at * 7919) % ids.length, id] as const)
    .sort(([one], [other]) => one - other)
    .map(([, id]) => id);
}
