// Kills fills of every form on PostgreSQL at random moments, resumes them, and compares each cell with an independent calculation.
// During the fills, a server that runs the previous version of the project creates and renames rows. On SQLite, where a fill is
// one transaction, fills.test.ts and kill.test.ts test the same.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSpec } from '../../generator/compile-spec.js';
import { schemaView } from '../../generator/emit/schema.js';
import { readSpec } from '../../generator/write/read-spec.js';
import type { Row } from '../../runtime/contract/definition.js';
import type { Schema } from '../../runtime/schema/schema.js';
import type { Query } from '../../runtime/store/postgres/connections.js';
import { OURS, type Server, serve } from '../cli/processes.js';
import { chanceOf, seedOfRun } from '../support/chance.js';
import { clientOf, type Send } from '../support/client.js';
import { count } from '../support/counts.js';
import { runHere } from '../support/in-process.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../support/postgres.js';
import { cells, lineBy, nameBy } from './cells.js';
import { open } from './postgres/fixture.js';
import { NOW } from './schemas.js';

const ROWS = count(1200, 5000);
const KILLS = count(2, 12);
const SEED = seedOfRun();
const chance = chanceOf(SEED);

const folder = temporaryFolder('cells');

const FIELDS = `
  edition: { kind: integer, required: true, fill: 3, description: A constant. }
  first: { kind: text, required: true, max: 255, fill: { words: name, part: first }, description: The first word. }
  rest: { kind: text, max: 255, fill: { words: name, part: rest }, description: What follows it. }
  full: { kind: text, required: true, max: 600, fill: { join: [name, short_description], with: ", " }, description: Texts joined. }
  line: { kind: text, max: 255, fill: { copy: short_description }, description: A copy. }
  publisher: { kind: text, required: true, max: 255, fill: { copy: designer.name }, description: A copy from the parent. }
  maker: { kind: reference, to: user, need: exists, fill: { copy: designer.user }, description: A reference of the parent. }
  code: { kind: text, required: true, max: 20, fill: { function: code }, description: What a function gives to every row. }
  rating: { kind: integer, min: 0, max: 2, fill: { function: rating }, description: What a function gives to some rows. }
`;

/** The schema of the service, with the filled fields in its games. */
function filledSchema(): Schema {
  const { ledger, files } = readSpec(join(ROOT, 'spec'));
  const next = files.map(({ path, text }) =>
    path.endsWith('/game.yaml') ? { path, text: text.replace('\nfields:\n', `\nfields:${FIELDS}`) } : { path, text },
  );
  const compiled = compileSpec({ files: next, ledger });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return schemaView(compiled.model);
}

const path = join(folder, 'schema.json');
writeFileSync(path, JSON.stringify(filledSchema()));

/** Runs once for each kill, and then to the end; at the time of each run, the lease of the previous one has ended. */
async function fillKilled(url: string, steps: number): Promise<number> {
  let kills = 0;
  for (let run = 0; ; run++) {
    const step = run < KILLS ? 1 + chance.below(steps) : -1;
    const args = [url, path, String(NOW + run * 3_600_000), String(step)];
    const child = spawn(process.execPath, [join(__dirname, 'cells-child.js'), ...args], { stdio: 'inherit' });
    const [code, signal] = await new Promise<readonly unknown[]>((resolve) =>
      child.once('close', (...end) => resolve(end)),
    );
    if (signal === null || step === -1) {
      expect([SEED, code]).toEqual([SEED, 0]);
      return kills;
    }
    kills += 1;
  }
}

/** The cells that differ, and how many were compared. @param versions values that a row had; a cell may follow from any */
function compare(rows: readonly Row[], parents: ReadonlyMap<unknown, Row>, versions: (row: Row) => readonly Row[]) {
  const wrong: unknown[] = [];
  let number = 0;
  for (const row of rows) {
    const { name, user_id: user } = parents.get(row.designer_id) ?? {};
    const expected = versions(row).map((one) => cells({ ...row, ...one }, { name, user }));
    for (const column of Object.keys(expected[0] ?? {})) {
      number += 1;
      const values = expected.map((one) => one[column]);
      if (!values.includes(row[column])) wrong.push({ id: row.id, name: row.name, column, is: row[column], values });
    }
  }
  return { wrong: wrong.slice(0, 10), number };
}

(hasPostgres ? describe : describe.skip)('on PostgreSQL, beside a server of the previous version', () => {
  let postgres: SharedPostgres;
  let url = '';
  let old: Server | null = null;
  beforeAll(async () => {
    postgres = await sharePostgres();
    url = await postgres.createDatabase();
  });
  afterAll(async () => {
    old?.process.kill('SIGKILL');
    await postgres?.stop();
  });

  test(`${ROWS} rows, killed at random`, async () => {
    const options = ['--port', '0', '--rate-limit', '0', '--log-level', 'silent'];
    old = await serve(options, folder, { DATABASE_URL: url });
    const send = clientOf(old.address);
    const { session, designer } = await publisher(send, url);
    const writers = createWriters(send, session, designer);
    await writers.create();
    await inDatabase(url, copyGame);
    for (const row of await inDatabase(url, gamesIn)) writers.remember(row);

    const ends = Array.from({ length: 2 }, () => writers.run());
    const kills = await fillKilled(url, 30);
    writers.stop();
    await Promise.all(ends);

    const [rows, parents] = await inDatabase(url, async (query) => [
      await gamesIn(query),
      await query('SELECT * FROM designer'),
    ]);
    const { wrong, number } = compare(rows, new Map(parents.map((one) => [one.id, one])), writers.versions);
    expect([SEED, wrong]).toEqual([SEED, []]);
    expect([rows.length, number]).toEqual([ROWS + writers.created(), 9 * rows.length]);
    expect(Math.min(kills, writers.created() - 1, writers.renamed())).toBeGreaterThan(0);
    // Once a field is required, creates that cannot give it are refused.
    expect([...writers.statuses].filter((status) => status !== 'create 500').sort()).toEqual([
      'create 201',
      'rename 200',
    ]);
  });
});

async function publisher(send: Send, url: string) {
  const password = 'correct horse battery';
  const args = ['user', 'add', '--database', url, '--username', 'ada', '--password-stdin'];
  const { code, stderr } = await runHere(args, folder, { input: `${password}\n`, env: OURS });
  if (code !== 0) throw new Error(stderr);
  const { body: opened } = await send('POST', '/api/session', { parameters: { username: 'ada', password } });
  const session = String(opened.id);
  const { body } = await send('POST', '/api/designer', { session, parameters: { name: 'Meeple  Works' } });
  return { session, designer: String(body.id) };
}

/** Creates and renames games over HTTP, and remembers the values of each row. */
function createWriters(send: Send, session: string, designer: string) {
  const history = new Map<unknown, Row[]>();
  const ids: string[] = [];
  const statuses = new Set<string>();
  const counts = { created: 0, renamed: 0 };
  let stopped = false;
  const remember = (row: Row): void => {
    if (!history.has(row.id)) ids.push(String(row.id));
    history.set(row.id, [...(history.get(row.id) ?? []), row]);
  };
  const create = async (): Promise<void> => {
    const [name, short_description] = [`${chance.one(WORDS)} ${nameBy(chance)}`.trim(), lineBy(chance)?.trim() || null];
    const { status, body } = await send('POST', '/api/game', {
      session,
      parameters: { name, short_description, designer_id: designer },
    });
    statuses.add(`create ${status}`);
    if (status !== 201) return;
    counts.created += 1;
    remember({ id: body.id, name, short_description });
  };
  const rename = async (): Promise<void> => {
    const id = chance.one(ids);
    const [before] = history.get(id) ?? [];
    const name = `${chance.one(WORDS)} ${nameBy(chance)}`.trim();
    remember({ ...before, id, name });
    const { status } = await send('PUT', `/api/game/${id}`, { session, parameters: { name } });
    statuses.add(`rename ${status}`);
    counts.renamed += 1;
  };
  return {
    ...{ remember, create, statuses },
    created: () => counts.created,
    renamed: () => counts.renamed,
    versions: ({ id }: Row) => history.get(id) ?? [],
    stop: () => {
      stopped = true;
    },
    async run() {
      while (!stopped) await (chance.happens(0.5) ? create() : rename());
    },
  };
}

const WORDS = ['Harbour', 'Lights', 'Ärger'];

function inDatabase<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  return open(url, ({ query }) => work(query));
}

function gamesIn(query: Query): Promise<readonly Row[]> {
  return query('SELECT * FROM game ORDER BY id');
}

/** Inserts rows with the other values of the existing one. */
async function copyGame(query: Query): Promise<void> {
  const [row = {}] = await gamesIn(query);
  const id = (at: number): string =>
    `${String(row.id).slice(0, 2)}${String(at).padStart(String(row.id).length - 2, '0')}`;
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    ...{ ...row, id: id(at) },
    ...{ name: nameBy(chance), short_description: lineBy(chance) },
  }));
  await query('INSERT INTO game SELECT * FROM jsonb_populate_recordset(NULL::game, $1::jsonb)', [JSON.stringify(rows)]);
}
