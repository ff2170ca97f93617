// An administrator starts a backup on the operators' pages; the command makes a complete backup while the service runs.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../cli/processes.js';
import { makeWorld } from '../service/world.js';
import { runSql } from '../support/database.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { shared } from '../support/shared.js';
import { visitorOf } from './visitor.js';

const folder = join(temporaryFolder('backups'), 'made');

const world = shared(() =>
  makeWorld('plain', { console: true, backups: { folder, program: [process.execPath, BIN] } }),
);

test('a backup is made, listed and logged in the audit log, and can be restored', async () => {
  const admin = visitorOf(world.address, world.admin.session);
  const page = () => admin.get('/console/backups');
  expect((await page()).text).toContain('There are no backups in the folder.');
  const { id } = await world.file();
  const token = await admin.token();
  expect((await admin.post('/console/backups', {}, token)).headers.get('location')).toMatch(
    /^\/console\/backups\?done=/,
  );
  const second = await admin.post('/console/backups', {}, token);
  expect([second.status, second.text]).toEqual([409, expect.stringContaining('A backup is under way.')]);
  let { text } = await page();
  while (text.includes('under way')) ({ text } = await page());
  expect(text).toMatch(/>made<[\s\S]*holds everything until/);
  const [name = '', ...others] = readdirSync(folder);
  expect([others, text.includes(join(folder, name))]).toEqual([[], true]);
  expect((await admin.get('/console/audit')).text).toMatch(new RegExp(`made a backup[\\s\\S]*${name}`));
  const archive = join(temporaryFolder('downloads'), 'backup.tar');
  const headers = { cookie: `punchboard_console=${world.admin.session}`, origin: world.address };
  const body = new URLSearchParams({ _csrf: token });
  const path = `${world.address}/console/backups/${name}/download`;
  const downloaded = await fetch(path, { method: 'POST', headers, body });
  writeFileSync(archive, Buffer.from(await downloaded.arrayBuffer()));
  execFileSync('tar', ['xf', archive, '-C', dirname(archive)]);
  const unpacked = join(dirname(archive), name);
  const [original, received] = [join(folder, name), unpacked].map((one) => {
    const paths = readdirSync(one, { recursive: true, encoding: 'utf8' }).sort();
    const files = paths.filter((inner) => statSync(join(one, inner)).isFile());
    return files.map((inner) => [inner, readFileSync(join(one, inner), 'hex')]);
  });
  expect([original?.length, received]).toEqual([3, original]);
  expect((await admin.post('/console/backups/%2e%2e/download', {}, token)).status).toBe(404);
  await runSql(world.service.service, 'UPDATE session SET created = created - ?', 15 * 60_000 + 1000);
  expect((await admin.post(`/console/backups/${name}/download`, {}, token)).text).toContain('Your password');
  const [database, files] = [join(folder, 'restored.db'), join(folder, 'files')];
  const options = ['--database', database, '--files', files, '--format', 'json'];
  const restored = await run(['restore', unpacked, ...options], folder);
  expect([restored.code, JSON.parse(restored.stdout)]).toMatchObject([0, { database, files: 1, missing: 0 }]);
  const { stdout } = await run(['user', 'list', '--database', database, '--format', 'json'], folder);
  expect([id, JSON.parse(stdout).map(({ username }: { username: string }) => username)]).toEqual([
    id,
    expect.arrayContaining(['administrator']),
  ]);
  // By now the folder also holds a file and another folder. Neither is a backup, and neither can be read as one.
  symlinkSync('manifest.json', join(files, 'manifest.json'));
  expect((await page()).text).toContain(join(folder, name));
});

test('the command reports its progress to the process that started it', async () => {
  await world.file();
  const [database, files] = ['punchboard.db', 'files'].map((name) => join(world.service.folder, name));
  const target = join(temporaryFolder('backups'), 'told');
  const child = spawn(process.execPath, [BIN, 'backup', target, '--database', `${database}`, '--files', `${files}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const reports: { readonly label: string; readonly value: number; readonly max: number }[] = [];
  child.on('message', (message) => reports.push(message as (typeof reports)[number]));
  expect(await once(child, 'close')).toEqual([0, null]);
  const ratios = (label: string) => reports.filter((one) => one.label === label).map(({ value, max }) => value / max);
  expect(ratios('files')).toEqual([0, 1]);
  // Progress is counted in whole MiB, the last of which may be incomplete.
  expect(ratios('MiB of the database')[0]).toBe(0);
  expect(ratios('MiB of the database').at(-1)).toBeGreaterThanOrEqual(0.5);
});

test('a server that stops removes the backup that it was making', async () => {
  const elsewhere = join(temporaryFolder('backups'), 'cut');
  // A program that begins a backup and never ends.
  const begin = `fs.mkdirSync(process.argv[2] + '.part', { recursive: true }); setInterval(() => {}, 1000);
    process.send({ label: 'files', value: 300, max: 1200 });`;
  const program = [process.execPath, '-e', begin];
  const other = await makeWorld('plain', { console: true, backups: { folder: elsewhere, program } });
  const admin = visitorOf(other.address, other.admin.session);
  await admin.post('/console/backups', {}, await admin.token());
  while (readdirSync(join(elsewhere, '..')).length === 0) await new Promise((resolve) => setImmediate(resolve));
  let text = '';
  while (!/<progress|>failed</.test(text)) ({ text } = await admin.get('/console/backups'));
  expect(text).toContain('300 of 1,200 files.</p>\n<progress aria-label="300 of 1,200 files" value="300" max="1200">');
  expect(text).toContain('hx-trigger="every 1s"');
  await other.stop();
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a service without a folder for backups has no page for them', async () => {
  const without = await makeWorld('plain', { console: true });
  const admin = visitorOf(without.address, without.admin.session);
  expect((await admin.get('/console')).text).not.toContain('/console/backups');
  expect((await admin.get('/console/backups')).status).toBe(404);
  await without.stop();
});
