// `npm run bench:lists`: how long pages and searches of a million games take compared with a fetch by id, on SQLite, where
// everybody waits for them. With `--accept`, it writes the table to RESULTS.md. Figures are for people to judge; nothing here
// fails because of one.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Call, Run } from '../../runtime/operations/call.js';
import { fillWords, wordsTable } from '../../runtime/schema/sqlite/words.js';
import { isSearched } from '../../runtime/schema/words.js';
import { openService, type Service } from '../../runtime/server/open-service.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { registerWordFunction } from '../../runtime/store/sqlite/words.js';
import { temporaryFolder } from '../support/paths.js';
import { fill } from './fixture.js';
import { writeResults } from './results.js';
import { print, ratio } from './tables.js';
import { median } from './throughput.js';

/** Another number can be given, to try the bench itself. */
const ROWS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
/** Rounds in which the requests take turns, so that a noisy moment affects them all. */
const ROUNDS = 40;
const TIMES = 5;

async function main(): Promise<void> {
  const folder = temporaryFolder('bench-lists');
  try {
    const database = join(folder, 'bench.db');
    await fill({ database, folder });
    const began = performance.now();
    multiply(database);
    console.log(`${ROWS} games in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const options = { database, wire: 'plain', generated: null, owner: true, random: randomBytes } as const;
    const service = await openService(options, Date.now());
    report(await measured(await requests(service)));
    await service.engine.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies the game; nine of ten are published, and words are in all, in one of a thousand, or in one of a hundred thousand. */
function multiply(database: string): void {
  const db = connectTo(database);
  db.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -1000000',
  );
  registerWordFunction(db);
  const names = db.prepare<[], string>(`SELECT name FROM pragma_table_info('game')`).pluck().all();
  const columns: Readonly<Record<string, string>> = {
    id: "substr(id, 1, 2) || printf('%024d', n)",
    name: `'Harbour Lights ' || (n % 1000) || iif(n % 100000 = 7, ' Lantern', '')`,
    short_description: "'Ships'",
    public: 'n % 10 <> 0',
  };
  const values = names.map((name) => columns[name] ?? `"${name}"`).join(', ');
  const indexes = indexesOf(db);
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`);
  db.exec(
    `INSERT INTO game (${names.map((name) => `"${name}"`).join(', ')})
     WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
     SELECT ${values} FROM numbers, (SELECT * FROM game LIMIT 1)`,
  );
  fillGames(db);
  for (const { sql } of indexes) db.exec(sql);
  db.exec('ANALYZE');
  db.close();
}

/** Indexes are faster to create after the rows. */
function indexesOf(db: Database) {
  const sql = `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('game', 'game_words') AND sql IS NOT NULL`;
  return db.prepare<[], { readonly name: string; readonly sql: string }>(sql).all();
}

function fillGames(db: Database): void {
  const stored = db.prepare<[], string>(`SELECT value FROM _punchboard WHERE key = 'schema'`).pluck().get() ?? '';
  const game = (JSON.parse(stored) as Service['schema']).tables.find(({ name }) => name === 'game');
  if (game === undefined || !isSearched(game)) throw new Error('games cannot be searched');
  db.exec(`DELETE FROM "${wordsTable(game)}"`);
  db.exec(fillWords(game));
}

interface ListRequest {
  readonly name: string;
  /** The text of the answer. */
  ask(): string;
}

async function requests({ definitions, operations }: Service): Promise<readonly ListRequest[]> {
  const definition = definitions.find(({ name }) => name === 'game');
  if (definition === undefined) throw new Error('there are no games');
  const call = (parameters: Call['parameters'], id = ''): Call => ({
    ...{ definition, id, name: '', parameters, upload: null, now: Date.now() },
    caller: { user: null, admin: false },
  });
  const request = (name: string, run: Run, one: Call): ListRequest => ({ name, ask: () => bodyOf(run(one)) });
  const list = (name: string, parameters: Call['parameters']) => request(name, operations.list, call(parameters));
  const { items, paging } = JSON.parse(list('', {}).ask());
  return [
    request('fetch by id', operations.fetch, call({}, items[7].id)),
    list('first page', {}),
    list('page by cursor', { _cursor: paging.next_cursor }),
    list('page 400 by number', { _page_number: '400' }),
    list('search: a word in all', { q: 'harbour' }),
    list('search: a word in all, page 80', { q: 'harbour', _page_number: '80' }),
    list('search: a word in all, by name', { q: 'harbour', _order_by: 'name' }),
    list('search: a word in one of 1,000', { q: '777' }),
    list('search: a word in one of 100,000', { q: 'lantern' }),
    list('search: eight words in all', { q: 'harbour lights ships harb ligh ship harbo light' }),
    list('search: no match', { q: 'nowhere' }),
  ];
}

function bodyOf(outcome: ReturnType<Run>): string {
  if (outcome instanceof Promise) throw new Error('reads answer at once');
  return outcome.body;
}

type ListTimes = readonly { readonly name: string; readonly milliseconds: number }[];

async function measured(all: readonly ListRequest[]): Promise<ListTimes> {
  const times = new Map(all.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, ask } of all) {
      for (let time = 0; time < TIMES; time += 1) {
        const began = performance.now();
        ask();
        if (round > 0) times.get(name)?.push(performance.now() - began);
      }
    }
  }
  return [...times].map(([name, each]) => ({ name, milliseconds: median(each) }));
}

function report(all: ListTimes): void {
  const fetch = all[0]?.milliseconds ?? 1;
  const rows = all.map(({ name, milliseconds }) => [name, milliseconds.toFixed(3), ratio(milliseconds, fetch)]);
  const head = [`${ROWS.toLocaleString('en')} games on SQLite`, 'p50 ms', 'of a fetch'];
  print(head, rows);
  if (process.argv.includes('--accept')) {
    const note = `\`npm run bench:lists -- --accept\`: medians of ${ROUNDS * TIMES} requests without HTTP, in the process that serves them`;
    writeResults('lists', note, [head, ...rows]);
  }
}

void main();
