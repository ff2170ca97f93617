// Permissions of the files that the service stores (D66), on a machine where the umask lets everybody read and write.

import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PNG } from '../files/samples.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { type Circumstances, type CommandResult, OURS, runIn, type Server, serveIn } from './processes.js';

const PASSWORD = 'correct horse battery';
const env = {
  ...OURS,
  DATABASE: 'data/punchboard.db',
  FILES: 'data/files',
  NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT),
};
const program: NonNullable<Circumstances['program']> = [
  'sh',
  ...['-c', 'umask 000; exec "$@"', 'sh', process.execPath, BIN],
];

let folder: string;
let server: Server | null = null;
beforeEach(() => {
  folder = temporaryFolder('modes');
});
afterEach(async () => {
  await server?.end();
  server = null;
});

async function succeeds(...args: readonly string[]): Promise<CommandResult> {
  const ended = await runIn(args, folder, { env, program, input: `${PASSWORD}\n` });
  expect([args, ended.code, ended]).toEqual([args, 0, ended]);
  return ended;
}

const started = async (...args: readonly string[]): Promise<Server> =>
  (server = await serveIn(['--port', '0', ...args], folder, { env, program }));

/** The modes of all files and folders below a folder, as in `ls`, by path. */
function modesIn(top: string): ReadonlyMap<string, string> {
  const entries = readdirSync(top, { recursive: true, withFileTypes: true });
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(top, path), `${entry.isDirectory() ? 'folder' : 'file'} ${mode(path)}`];
    }),
  );
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

async function upload({ address }: Server): Promise<void> {
  const login = JSON.stringify({ username: 'ada', password: PASSWORD });
  const json = { 'Content-Type': 'application/json' };
  const session = await fetch(`${address}/api/session`, { method: 'POST', headers: json, body: login });
  const form = new FormData();
  form.set('session_id', ((await session.json()) as { id: string }).id);
  form.set('file', new Blob([new Uint8Array(PNG)]), 'ring.png');
  expect((await fetch(`${address}/api/file`, { method: 'POST', body: form })).status).toBe(201);
}

test('N06: all that commands create is for its owner alone, whatever the umask; with --file-mode 0640 the group reads a backup', async () => {
  await succeeds('user', 'add', '--username', 'ada', '--password-stdin');
  await upload(await started());
  await succeeds('backup', 'saved/monday');
  await succeeds('backup', 'shared', '--file-mode', '0640');
  // Earlier versions created them with these modes.
  chmodSync(join(folder, 'saved/monday/punchboard.db'), 0o644);
  await succeeds('restore', 'saved/monday', '--database', 'restored/punchboard.db', '--files', 'restored/files');
  const copied = ['--from', 'restored/punchboard.db', '--to', 'copied.db'];
  await succeeds('copy', ...copied, '--files-from', 'restored/files', '--files-to', 'copied');

  const modes = modesIn(folder);
  const paths = [...modes.keys()];
  const ofLog = ['-wal', '-shm', '-server'].map((end) => `data/punchboard.db${end}`);
  expect(paths).toEqual(expect.arrayContaining([...ofLog, 'saved/monday/manifest.json', 'copied.db']));
  for (const place of ['data/files', 'saved/monday/files', 'restored/files', 'copied']) {
    expect(paths.some((path) => new RegExp(`^${place}/../[0-9a-f]{64}$`).test(path))).toBe(true);
  }
  const [shared, alone] = [true, false].map((is) => [...modes].filter(([path]) => /^shared/.test(path) === is));
  expect(new Set(shared?.map(([, text]) => text))).toEqual(new Set(['file 640', 'folder 750']));
  const wide = alone?.filter(([, text]) => text !== 'file 600' && text !== 'folder 700');
  expect(wide).toEqual([['saved/monday/punchboard.db', 'file 644']]);
});

test("N06: a start narrows what is there of the service's own, in one line, and nothing else", async () => {
  for (const name of ['data/files/tmp', 'data/outbox']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['notes.txt', 'data/punchboard.db', 'data/punchboard.db-wal', 'data/outbox/m1.eml'])
    writeFileSync(join(folder, name), '');
  for (const path of ['.', 'data', 'data/files', 'data/outbox']) chmodSync(join(folder, path), 0o755);
  const { line, process: child, ended } = await started();
  expect(await line(/narrowed/)).toMatch(/could read data\/punchboard\.db and \d more: the permissions are narrowed/);
  const modes = modesIn(folder);
  for (const name of ['data/punchboard.db', 'data/punchboard.db-wal']) expect(modes.get(name)).toBe('file 600');
  expect(modes.get('data/files')).toBe('folder 700');
  expect([modes.get('data/outbox'), modes.get('data/outbox/m1.eml')]).toEqual(['folder 700', 'file 600']);
  expect([mode(folder), modes.get('notes.txt'), modes.get('data')]).toEqual(['755', 'file 644', 'folder 755']);
  child.kill('SIGTERM');
  await ended;
  const again = await started();
  expect((await again.end('SIGTERM')).stdout).not.toContain('narrowed');
});
