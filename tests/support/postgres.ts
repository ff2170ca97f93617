// A PostgreSQL server for tests, from the binaries of an npm package, on a unix socket, as `nobody` if the tests run as root.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';
import { keptFolder } from './paths.js';
import { postgresPackage } from './postgres-package.js';

const PACKAGE = postgresPackage();
/** The server refuses to run as root. */
const NOBODY = 65_534;
const ACCOUNT = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
/** Data must survive the end of a process, but not a power cut. */
const SETTINGS = [
  'listen_addresses=',
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  // Shared memory is a file in the data folder, so that it is deleted with the folder, however the server ends.
  'dynamic_shared_memory_type=mmap',
];

/** False if the package has no binaries for this platform. */
export const hasPostgres = existsSync(join(PACKAGE, 'native'));

export interface TestPostgres {
  url(database: string): string;
  /** @returns the URL of a new, empty database */
  createDatabase(): Promise<string>;
  /** Ends the server as a crash would. */
  kill(): Promise<void>;
  /** Starts the server again on its data. */
  restart(): Promise<void>;
  /** Ends the server and deletes its data. */
  stop(): Promise<void>;
}

/** Starts a server with its own data folder. */
export async function startPostgres(): Promise<TestPostgres> {
  const fixture = await prepareServer();
  return serverOn(fixture, await fixture.start());
}

/** The server of the whole run, for a suite that neither ends nor configures it. */
export type SharedPostgres = Pick<TestPostgres, 'url' | 'createDatabase' | 'stop'>;

/** @returns the server of the run, whose `stop` drops the suite's databases; outside a run, a separate one */
export async function sharePostgres(): Promise<SharedPostgres> {
  const folder = process.env[SHARED];
  if (folder === undefined) return startPostgres();
  const server = urlOf(folder, 'postgres');
  const created: string[] = [];
  return {
    url: (database) => urlOf(folder, database),
    async createDatabase() {
      const database = await createDatabase(server);
      created.push(database);
      return database;
    },
    stop: () => dropDatabases(server, created.map(nameIn)),
  };
}

/**
 * Starts the server of the run. A server for each suite took a seventh of the CPU of suites on PostgreSQL.
 * @returns a function that ends it without waiting
 */
export async function startShared(): Promise<() => void> {
  const fixture = await prepareServer();
  // Databases are dropped before vacuuming them would pay off, and the log of all writes is in memory.
  const server = await fixture.start(['autovacuum=off', 'max_wal_size=256MB', 'log_min_messages=log']);
  process.env[SHARED] = fixture.folder;
  // A server that is still running must not keep the run from ending.
  server.unref();
  (server.stderr as Socket).unref();
  return () => void server.kill('SIGQUIT');
}

/** The variable that names the folder of the run's server. */
const SHARED = 'PUNCHBOARD_SHARED_POSTGRES';

/** A server and its standby, which receives every commit before it is acknowledged. */
export interface ReplicatedPostgres {
  readonly primary: TestPostgres;
  readonly standby: TestPostgres;
  /** @returns the URL of a new, empty database that names the standby before the primary, so that clients must skip it */
  createDatabase(): Promise<string>;
  /** Makes the standby the primary, once the primary has ended. */
  promote(): Promise<void>;
}

/** Starts both. While the standby is down, no commit of the primary is acknowledged. */
export async function startReplicated(): Promise<ReplicatedPostgres> {
  const [first, second] = [await prepareServer(), await prepareServer()];
  await run('rm', ['-rf', second.data]);
  await run('cp', ['-a', first.data, second.data]);
  await run('touch', [join(second.data, 'standby.signal')]);
  const primary = await first.start(['synchronous_standby_names=*']);
  const standby = await second.start([`primary_conninfo=host=${first.folder} user=postgres`]);
  return {
    primary: serverOn(first, primary),
    standby: serverOn(second, standby),
    async createDatabase() {
      const url = await createDatabase(urlOf(first.folder, 'postgres'));
      return url.replace('@', `@${encodeURIComponent(second.folder)},`);
    },
    async promote() {
      const client = new Client(urlOf(second.folder, 'postgres'));
      await client.connect();
      await client.query('SELECT pg_promote()');
      await client.end();
    },
  };
}

interface ServerFixture {
  readonly folder: string;
  readonly data: string;
  start(settings?: readonly string[]): Promise<ChildProcess>;
}

async function prepareServer(): Promise<ServerFixture> {
  const binaries = await preparedBinaries();
  const folder = ownFolder();
  const data = join(folder, 'data');
  await run('cp', ['-a', join(binaries, 'data'), data]);
  return {
    folder,
    data,
    async start(settings = []) {
      const options = [...SETTINGS, `unix_socket_directories=${folder}`, ...settings].flatMap((one) => ['-c', one]);
      const child = spawn(join(binaries, 'native', 'bin', 'postgres'), ['-D', data, ...options], {
        ...ACCOUNT,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await ready(child);
      return child;
    },
  };
}

function serverOn({ folder, start }: ServerFixture, started: ChildProcess): TestPostgres {
  let server = started;
  return {
    url: (database) => urlOf(folder, database),
    createDatabase: () => createDatabase(urlOf(folder, 'postgres')),
    async kill() {
      // The processes that serve connections do not notice immediately that their parent has ended.
      const children = childrenOf(server);
      const end = ended(server, 'SIGKILL');
      for (const child of children) killIfRunning(child);
      await end;
      // A server does not start while one of them holds the shared memory.
      while (children.some(isRunning)) await new Promise(setImmediate);
    },
    async restart() {
      server = await start();
    },
    async stop() {
      await ended(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param server URL of any of its databases @returns the URL of a new, empty one */
export function createDatabase(server: string): Promise<string> {
  return createFrom(server, 'template1');
}

/** @param database URL of a database to which nobody is connected @returns the URL of a new one with the same contents */
export function cloneDatabase(database: string): Promise<string> {
  const template = nameIn(database);
  return createFrom(database.replace(/[^/]*$/, 'postgres'), template, template);
}

async function createFrom(server: string, template: string, prefix = 'test'): Promise<string> {
  const name = `${prefix}_${randomBytes(8).toString('hex')}`;
  // This strategy takes a third of the CPU of the default, which writes every page to the log.
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`));
  return server.replace(/[^/]*$/, name);
}

/** Runs statements in one transaction. @param database a URL */
export function runScript(database: string, statements: string): Promise<void> {
  return withClient(database, (client) => client.query(statements));
}

function nameIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** Drops the databases with these names, and the databases created from them. */
async function dropDatabases(server: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await withClient(server, async (client) => {
    const all =
      'SELECT datname FROM pg_database WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) n WHERE starts_with(datname, n))';
    const { rows } = await client.query<{ readonly datname: string }>(all, [names]);
    for (const { datname } of rows)
      await client.query(`DROP DATABASE ${client.escapeIdentifier(datname)} WITH (FORCE)`);
  });
}

async function withClient(server: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(folder: string, database: string): string {
  return `postgres://postgres@${encodeURIComponent(folder)}/${database}`;
}

/** The binaries and an initialized data folder, created once per version of the package and shared by all test processes. */
async function preparedBinaries(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const shared = join(keptFolder(), `punchboard-postgres-${version}-${ACCOUNT.uid ?? process.getuid?.() ?? 0}`);
  if (existsSync(shared)) return shared;
  // A copy, because the account that runs the server may not be allowed to enter the project's folder.
  const folder = ownFolder(keptFolder());
  // Links stay relative: the project may be deleted while the copy is still used.
  cpSync(join(PACKAGE, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries(join(folder, 'native'));
  await run(join(folder, 'native', 'bin', 'initdb'), [
    '-D',
    join(folder, 'data'),
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
  ]);
  try {
    renameSync(folder, shared);
  } catch {
    // Another process was first.
    rmSync(folder, { recursive: true, force: true });
  }
  return shared;
}

/** An npm package cannot have symbolic links; its install script, which may be disabled, creates them from a list. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!existsSync(path)) symlinkSync(basename(source), join(dirname(path), basename(target)));
  }
}

/** A new folder that the server's account may write to. */
function ownFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'punchboard-pg-'));
  chmodSync(folder, 0o777);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function run(command: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(command, parameters, { ...ACCOUNT, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${basename(command)} ended with ${code}: ${errors}`);
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
    server.stderr?.on('data', (chunk) => {
      log += String(chunk);
      if (/database system is ready to accept (read-only )?connections/.test(log)) resolve();
    });
  });
}

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? (readFileSync(list, 'utf8').match(/\d+/g) ?? []).map(Number) : [];
}

function killIfRunning(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Whether the process is running; a process that has ended is not, even if its parent has not waited for it. */
function isRunning(id: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  const exit = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.kill(signal);
  return exit;
}
