// Records the databases that a commit leaves, one on each engine, for the tests of upgrades: the server of a built checkout is
// started, filled over HTTP, and killed. `npm run record:upgrade -- CHECKOUT` writes tests/upgrade/<commit>.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { readSchema } from '../../runtime/schema/compact.js';
import { runIn, serveIn } from '../cli/processes.js';
import { clientOf } from '../support/client.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startPostgres } from '../support/postgres.js';
import { startHttpReceiver } from '../webhooks/http-receiver.js';
import { dump, restore, shapeOf, withClient } from './postgres-dump.js';
import { type Answer, answersOf, type Scene } from './scene.js';
import { type Seeded, seed } from './seed.js';

interface Recording {
  readonly checkout: string;
  readonly folder: string;
  /** Path or URL. */
  readonly database: string;
  /** Runs a statement on the stopped database. */
  readonly execute: (sql: string) => Promise<void>;
}

const DROPPED = { table: 'part', column: 'notes' };
const PASSWORDS = { root: 'battery staple', ada: 'correct horse' };

async function record(checkout: string): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
  const to = join(ROOT, 'tests', 'upgrade', commit);
  rmSync(to, { recursive: true, force: true });
  await recordSqlite(checkout, join(to, 'sqlite'));
  await recordPostgres(checkout, join(to, 'postgres'));
}

async function recordSqlite(checkout: string, to: string): Promise<void> {
  const folder = temporaryFolder('record');
  const database = join(folder, 'punchboard.db');
  const onFile = (sql: string) => {
    const db = new Database(database);
    db.exec(sql);
    db.close();
    return Promise.resolve();
  };
  const scene = await makeScene({ checkout, folder, database, execute: onFile });
  // The log of the killed server is merged into the file.
  await onFile('PRAGMA wal_checkpoint(TRUNCATE)');
  write(to, scene, folder);
  writeFileSync(join(to, 'punchboard.db.gz'), packed(readFileSync(database)));
}

async function recordPostgres(checkout: string, to: string): Promise<void> {
  const folder = temporaryFolder('record');
  const postgres = await startPostgres();
  const database = await postgres.createDatabase();
  const execute = (sql: string) => withClient(database, async (client) => void (await client.query(sql)));
  const scene = await makeScene({ checkout, folder, database, execute });
  const noted = readFileSync(join(folder, 'ddl'), 'utf8').trim().split('\n');
  const dumped = await dump(
    database,
    noted.map((line) => JSON.parse(line) as string),
  );
  const copy = await postgres.createDatabase();
  await restore(copy, dumped);
  const [before, after] = [await shapeOf(database), await shapeOf(copy)];
  if (before.join('\n') !== after.join('\n')) throw new Error('the dump does not restore the shape of the database');
  write(to, scene, folder);
  writeFileSync(join(to, 'dump.json.gz'), packed(JSON.stringify(dumped)));
  await postgres.stop();
}

function write(to: string, scene: Scene, folder: string): void {
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'scene.json.gz'), packed(JSON.stringify(scene)));
  cpSync(join(folder, 'files'), join(to, 'files'), { recursive: true });
}

function packed(content: string | Buffer): Buffer {
  return gzipSync(content, { level: 9 });
}

async function makeScene(recording: Recording): Promise<Scene> {
  const { checkout, folder, database } = recording;
  const program = [process.execPath, join(checkout, 'dist', 'generator', 'bin.js')] as const;
  const env = {
    DATABASE: database,
    GENERATED: join(checkout, 'generated'),
    FILES: join(folder, 'files'),
    NOTE_DDL: join(folder, 'ddl'),
    NODE_OPTIONS: `--require ${join(__dirname, 'note-ddl.js')}`,
  };
  const command = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await runIn(args, folder, { env, program, input });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  };
  const add = (username: string, more: readonly string[] = []) =>
    command(['user', 'add', '--username', username, ...more, '--password-stdin'], `${PASSWORDS[username as 'ada']}\n`);
  await add('root', ['--admin']);
  await add('ada');
  const receiver = await startHttpReceiver();
  const options = ['--port', '0', '--rate-limit', '0', '--log-level', 'error'];
  const server = await serveIn([...options, '--webhook-allow-cidrs', '127.0.0.0/8'], folder, { env, program });
  const people = {
    root: { username: 'root', password: PASSWORDS.root },
    ada: { username: 'ada', password: PASSWORDS.ada },
  };
  const seeded = await seed(server.address, people, receiver);
  const send = clientOf(server.address);
  await send('PUT', `/api/${DROPPED.table}/${seeded.records[DROPPED.table]}`, {
    session: seeded.root.session,
    parameters: { [DROPPED.column]: 'kept aside' },
  });
  // The time is taken now, since the recorded responses must not be older.
  const answers = await answersOf(send, seeded);
  const now = Date.now();
  await server.end();
  await receiver.close();
  await keepAside(recording, command);
  return { now, seeded, dropped: { ...DROPPED, value: 'kept aside' }, answers: withoutDropped(answers, seeded) };
}

/** Sets the dropped column to null in the responses. */
function withoutDropped(answers: readonly Answer[], { records }: Seeded): readonly Answer[] {
  const path = `/api/${DROPPED.table}/${records[DROPPED.table]}`;
  return answers.map((answer) =>
    answer.path.startsWith(path) ? { ...answer, body: { ...answer.body, [DROPPED.column]: null } } : answer,
  );
}

/** Drops the column, whose values the database keeps aside, and adds it again, empty. */
async function keepAside(
  { checkout, folder }: Recording,
  command: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const generated = join(checkout, 'dist', 'generated-without');
  mkdirSync(generated, { recursive: true });
  const code = JSON.stringify(join(checkout, 'dist', 'generated', 'index.js'));
  writeFileSync(join(generated, 'index.js'), `module.exports = require(${code});`);
  writeFileSync(join(generated, 'openapi.json'), '{}');
  const schema = readSchema(readFileSync(join(checkout, 'generated', 'schema.json'), 'utf8'));
  const tables = schema.tables.map((table) =>
    table.name === DROPPED.table
      ? { ...table, columns: table.columns.filter(({ name }) => name !== DROPPED.column) }
      : table,
  );
  writeFileSync(join(generated, 'schema.json'), JSON.stringify({ ...schema, tables }));
  const allowed = ['--allow', `drop:${DROPPED.table}.${DROPPED.column}`];
  await command(['migrate', 'apply', '--generated', generated, ...allowed]);
  await command(['migrate', 'apply']);
  rmSync(generated, { recursive: true });
  if (!existsSync(folder)) throw new Error('nothing was recorded');
}

void record(resolve(process.argv[2] ?? ROOT)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
