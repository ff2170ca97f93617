// A backup under write load contains every write acknowledged before it, with the bytes of files; a damaged backup is refused,
// and nothing is changed.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { readManifest, writeManifest } from '../../runtime/server/backup-manifest.js';
import { type CommandResult, DATA, OURS, run, serve } from '../cli/processes.js';
import { type CrashFixture, compare, makeShelf, prepare } from '../crash/rounds.js';
import { newWriter, type Target, write } from '../crash/writers.js';
import { chanceOf, seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { runHere } from '../support/in-process.js';
import { createTimedLedger } from './timed-ledger.js';

const MOMENTS = count(2, 20);
/** Nothing is created in these. */
const NO_SHELF = { game: '', deck: '' };
const WRITERS = 4;
const seed = seedOfRun();

const places = (folder: string) => ['--database', join(folder, 'punchboard.db'), '--files', join(folder, 'files')];

function damagesOf(database: string): readonly unknown[] {
  const db = new Database(database, { readonly: true });
  const integrity = db.pragma('integrity_check', { simple: true });
  const problems = [integrity, ...(db.pragma('foreign_key_check') as readonly unknown[])];
  db.close();
  return problems;
}

describe('under write load', () => {
  let fixture: CrashFixture;
  const ledger = createTimedLedger();
  const backups: { folder: string; taken: number; end: number; said: CommandResult }[] = [];
  beforeAll(async () => {
    fixture = await prepare();
    const chance = chanceOf(seed);
    const server = await serve(fixture.args, fixture.folder);
    const client = { address: server.address, session: fixture.session };
    const target: Target = { ...client, ...(await makeShelf(client)) };
    let stop = false;
    const writers = Array.from({ length: WRITERS }, (_, at) => newWriter(chanceOf(seed + 1 + at)));
    const load = writers.map((writer) => write(target, writer, ledger, () => stop));
    for (let at = 0; at < MOMENTS; at++) {
      const enough = ledger.answers + 50 + chance.below(400);
      while (ledger.answers < enough) await new Promise((resolve) => setImmediate(resolve));
      const folder = join(fixture.folder, `backup-${at}`);
      const said = await run(['backup', folder, ...places(fixture.folder)], fixture.folder);
      const taken = Date.parse(/until (\S+Z)/.exec(said.stdout)?.[1] ?? '');
      backups.push({ folder, taken, end: Date.now(), said });
    }
    stop = true;
    await Promise.all(load);
    await server.end('SIGTERM');
  });

  test.each(Array.from({ length: MOMENTS }, (_, at) => at))('moment %i', async (at) => {
    const { folder, taken, end, said } = backups[at] as (typeof backups)[number];
    expect([said.code, said.stdout]).toEqual([0, expect.stringMatching(/ holds everything until \S+Z: .* files, in /)]);
    expect(readdirSync(folder).sort()).toEqual(['files', 'manifest.json', 'punchboard.db']);
    const elsewhere = join(fixture.folder, `restored-${at}`);
    const restored = await runHere(['restore', folder, ...places(elsewhere)], fixture.folder, { env: DATA });
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/^Restored everything until /)]);
    expect(damagesOf(join(elsewhere, 'punchboard.db'))).toEqual(['ok']);
    const server = await serve(
      ['--port', '0', '--rate-limit', '0', '--log-level', 'error', ...places(elsewhere)],
      fixture.folder,
    );
    const entries = ledger.asOf(taken, end);
    const losses = await compare({ address: server.address, session: fixture.session, ...NO_SHELF }, entries);
    await server.end();
    expect([losses, seed]).toEqual([[], seed]);
    expect(entries.length).toBeGreaterThan(30);
    expect(entries.some(({ hash }) => hash !== null)).toBe(true);
  });

  test('the comparison detects what was written after a backup (null control)', async () => {
    const { taken, end } = backups.at(-1) as (typeof backups)[number];
    const first = backups[0] as (typeof backups)[number];
    const elsewhere = join(fixture.folder, 'restored-control');
    await runHere(['restore', first.folder, ...places(elsewhere)], fixture.folder, { env: DATA });
    const server = await serve(
      ['--port', '0', '--rate-limit', '0', '--log-level', 'error', ...places(elsewhere)],
      fixture.folder,
    );
    const target = { address: server.address, session: fixture.session, ...NO_SHELF };
    const losses = await compare(target, ledger.asOf(taken, end).slice(-50));
    await server.end();
    expect(losses.length).toBeGreaterThan(0);
  });
});

describe('refusals', () => {
  let fixture: CrashFixture;
  let backup: string;
  const here = (args: readonly string[]) => runHere(args, fixture.folder, { env: DATA });
  beforeAll(async () => {
    fixture = await prepare();
    const server = await serve(fixture.args, fixture.folder);
    const client = { address: server.address, session: fixture.session };
    const target: Target = { ...client, ...(await makeShelf(client)) };
    const ledger = createTimedLedger();
    await write(
      target,
      newWriter(chanceOf(5)),
      ledger,
      () => ledger.all().filter(({ hash }) => hash !== null).length > 3,
    );
    await server.end('SIGTERM');
    backup = join(fixture.folder, 'backup');
    const { code, stderr } = await here(['backup', backup, ...places(fixture.folder)]);
    if (code !== 0) throw new Error(stderr);
  });

  const filesOf = (folder: string) =>
    readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
  const flip = (path: string, at = 0.5) => {
    const bytes = readFileSync(path);
    const index = Math.floor(bytes.length * at);
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  /** Nothing writes to this named pipe, so whoever opens it waits. */
  const pipeFor = (path: string) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  };
  const damages: Readonly<Record<string, (folder: string) => void>> = {
    'a bit of the database': (folder) => flip(join(folder, 'punchboard.db')),
    'the end of the database is missing': (folder) => {
      const bytes = readFileSync(join(folder, 'punchboard.db'));
      writeFileSync(join(folder, 'punchboard.db'), bytes.subarray(0, bytes.length - 4096));
    },
    'the database is missing': (folder) => writeFileSync(join(folder, 'punchboard.db'), ''),
    'a bit of a file': (folder) => flip(join(folder, 'files', filesOf(folder)[0] ?? '')),
    'a file is empty': (folder) => writeFileSync(join(folder, 'files', filesOf(folder)[0] ?? ''), ''),
    'N45: a named pipe for the manifest': (folder) => pipeFor(join(folder, 'manifest.json')),
    'N45: a named pipe for the database': (folder) => pipeFor(join(folder, 'punchboard.db')),
    'N45: a named pipe for a file': (folder) => pipeFor(join(folder, 'files', filesOf(folder)[0] ?? '')),
    'a bit of the manifest': (folder) => flip(join(folder, 'manifest.json'), 0.3),
    'half of the manifest': (folder) => {
      const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
      writeFileSync(join(folder, 'manifest.json'), text.slice(0, text.length / 2));
    },
  };

  test.each(Object.keys(damages))('%s: refused, and the target is untouched', async (name) => {
    const copy = join(fixture.folder, name.replaceAll(' ', '-'));
    cpSync(backup, copy, { recursive: true });
    damages[name]?.(copy);
    const elsewhere = `${copy}-restored`;
    mkdirSync(elsewhere);
    const args = ['restore', copy, ...places(elsewhere)];
    // Waiting for a pipe blocks the whole process.
    const { code, stdout, stderr } = await (name.includes('pipe') ? run(args, fixture.folder) : here(args));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^punchboard: the backup is damaged \(.*\): nothing was restored\n$/m);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('N45: a backup of a later format is refused with that reason', async () => {
    const copy = join(fixture.folder, 'later');
    cpSync(backup, copy, { recursive: true });
    const manifest = readManifest(copy);
    if (manifest === null) throw new Error('the backup has no manifest');
    writeManifest(copy, { ...manifest, format: 2 });
    const { code, stderr } = await here(['restore', copy, ...places(join(fixture.folder, 'y'))]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^punchboard: .* is a backup of format 2, and .*\n$/)]);
    expect(existsSync(join(fixture.folder, 'y'))).toBe(false);
  });

  test('existing files are not overwritten', async () => {
    const again = await here(['backup', backup, ...places(fixture.folder)]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/overwrites nothing/)]);
    const before = readFileSync(join(fixture.folder, 'punchboard.db'));
    const over = await here(['restore', backup, ...places(fixture.folder)]);
    expect([over.code, over.stderr]).toEqual([1, expect.stringMatching(/overwrites nothing/)]);
    expect(readFileSync(join(fixture.folder, 'punchboard.db')).equals(before)).toBe(true);
  });

  test.each(['backup', 'restore'])('%s on PostgreSQL names its own tools', async (command) => {
    const env = { ...OURS, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const { code, stderr } = await runHere([command, 'somewhere'], fixture.folder, { env });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/pg_(dump|restore)/)]);
    expect(existsSync(join(fixture.folder, 'somewhere'))).toBe(false);
  });

  test('a folder that is not a backup and a database that does not exist are refused', async () => {
    const nothing = await here(['restore', fixture.folder, ...places(join(fixture.folder, 'x'))]);
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringMatching(/is not a backup/)]);
    const missing = await here(['backup', 'y', '--database', 'none.db']);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/there is no database none\.db/)]);
  });
});
