// Bytes are deleted from the disk when no record holds them and nobody has stored them for an hour, and never before.

import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { blobPath } from '../../runtime/files/folder.js';
import { createSweep, type Sweep } from '../../runtime/files/sweep.js';
import type { Release } from '../../runtime/store/engine.js';
import { createDatabase } from '../../runtime/store/sqlite/database.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { createSqliteFiles } from '../../runtime/store/sqlite/file-index.js';
import { createGroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { engineTables } from '../../runtime/store/sqlite/tables.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';

const HOUR = 3_600_000;

let service: TestService;
let session: string;
let sweep: Sweep;
const folder = temporaryFolder('swept');
let count = 0;
beforeAll(async () => {
  const leftover = join(folder, blobPath('0'.repeat(64)));
  mkdirSync(join(leftover, '..'));
  writeFileSync(leftover, 'x');
  service = await startService({ files: folder });
  session = (await service.user('owner')).session;
  // The service walks its store once, soon after its start; afterwards only the tests do.
  while (waiting().length === 0) await fetch(`${service.address}/healthz`);
  sweep = createSweep(service.blobs.store, service.service.engine.files);
  await sweepAll(2 * HOUR);
});
beforeEach(() => {
  sweep = createSweep(service.blobs.store, service.service.engine.files);
});
afterAll(() => service.stop());

/** Content that no other test stores. */
const fresh = () => Buffer.from(`content ${++count}`);

async function upload(bytes: Buffer, fields: Readonly<Record<string, string>> = {}, as: string | null = session) {
  const form = new FormData();
  if (as !== null) form.set('session_id', as);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.txt');
  const response = await fetch(`${service.address}/api/file`, { method: 'POST', body: form });
  return { status: response.status, body: (await response.json()) as { readonly id: string } };
}
const remove = (id: string) => clientOf(service.address)('DELETE', `/api/file/${id}`, { session });

/** Names of all bytes on disk, temporary ones too. */
function onDisk(): readonly string[] {
  return readdirSync(folder).flatMap((part) => readdirSync(join(folder, part)));
}

/** Runs every step of the sweep, `later` milliseconds from now. */
async function sweepAll(later: number): Promise<void> {
  while (await sweep.sweep(Date.now() + later));
}

async function walkAll(later: number): Promise<void> {
  while (await sweep.walk(Date.now() + later));
}

/** SQLite answers immediately. */
const waiting = () => service.service.engine.files.listReleases(0, 1000) as readonly Release[];

test('F09: the bytes of a file are deleted after the last record that holds them, without a restart', async () => {
  const before = onDisk();
  const bytes = fresh();
  const [one, other] = [await upload(bytes), await upload(bytes)];
  expect((await remove(one.body.id)).status).toBe(200);
  await sweepAll(2 * HOUR);
  expect(onDisk()).toHaveLength(before.length + 1);
  expect((await remove(other.body.id)).status).toBe(200);
  await sweepAll(0);
  // The bytes were stored less than an hour ago.
  expect([onDisk().length, waiting().length]).toEqual([before.length + 1, 1]);
  await sweepAll(2 * HOUR);
  expect([onDisk(), waiting()]).toEqual([before, []]);
});

test('F09: a refused upload leaves nothing, whatever refuses it', async () => {
  const before = onDisk();
  const admin = (await service.user('boss', true)).session;
  const { body: other } = await clientOf(service.address)('POST', '/api/folder', {
    session: admin,
    parameters: { name: 'x' },
  });
  const refused = [
    await upload(fresh(), {}, null),
    await upload(fresh(), { folder_id: 'nowhere' }),
    await upload(fresh(), { folder_id: other.id }),
    await upload(fresh(), { name: 'x'.repeat(300) }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 422, 403, 422]);
  await sweepAll(2 * HOUR);
  expect([onDisk(), waiting()]).toEqual([before, []]);
});

test('F09: a refused upload does not delete bytes that somebody else stores too', async () => {
  const bytes = fresh();
  const { body } = await upload(bytes);
  expect((await upload(bytes, { folder_id: 'nowhere' })).status).toBe(422);
  await sweepAll(2 * HOUR);
  expect(waiting()).toEqual([]);
  const { body: file } = await clientOf(service.address)('GET', `/api/file/${body.id}`, { session });
  expect(await (await fetch(`${service.address}${file.file_uri}`)).text()).toBe(bytes.toString());
});

test('F09: an upload that meets the sweep keeps its bytes, whichever comes first', async () => {
  const { blobs } = service;
  const { files: fileIndex } = service.service.engine;
  for (let turns = 0; turns < 12; turns += 1) {
    const bytes = fresh();
    const receive = () => blobs.receive(Readable.from([bytes]), { name: 'a.txt', maxBytes: 1000 });
    const { hash } = await blobs.keep(await receive());
    const path = join(folder, blobPath(hash));
    utimesSync(path, 0, 0);
    await fileIndex.release([hash]);
    const again = await receive();
    const late = async () => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await sweepAll(0);
    };
    await Promise.all([blobs.keep(again), late()]);
    expect(existsSync(path)).toBe(true);
    await fileIndex.release([hash]);
    await sweepAll(2 * HOUR);
    expect(existsSync(path)).toBe(false);
  }
});

test('F09: leftovers of a crash are deleted, but nothing that is young, in use or foreign', async () => {
  const { body } = await upload(fresh());
  const [old, young] = ['a'.repeat(64), 'b'.repeat(64)];
  const leftovers: readonly (readonly [path: string, age: number])[] = [
    [blobPath(old), 2 * HOUR],
    [blobPath(young), 0],
    ['tmp/old', 2 * HOUR],
    ['tmp/young', 0],
    ['notes.txt', 2 * HOUR],
    ['aa/notes.txt', 2 * HOUR],
  ];
  for (const [name, age] of leftovers) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, name), new Date(Date.now() - age), new Date(Date.now() - age));
  }
  await walkAll(0);
  await sweepAll(0);
  const left = () => leftovers.map(([name]) => name).filter((name) => existsSync(join(folder, name)));
  // A first walk deletes no temporary files: after a leap of the clock, an upload that is being received looks as old.
  expect(left()).toEqual([blobPath(young), 'tmp/old', 'tmp/young', 'notes.txt', 'aa/notes.txt']);
  await walkAll(0);
  expect(left()).toEqual([blobPath(young), 'tmp/young', 'notes.txt', 'aa/notes.txt']);
  await walkAll(2 * HOUR);
  await sweepAll(2 * HOUR);
  expect(left()).toEqual(['notes.txt', 'aa/notes.txt']);
  const { body: file } = await clientOf(service.address)('GET', `/api/file/${body.id}`, { session });
  expect((await fetch(`${service.address}${file.file_uri}`)).status).toBe(200);
});

test('F09: while the sweep is paused nothing is deleted; afterwards it continues', async () => {
  const before = waiting().length;
  const { body } = await upload(fresh());
  await remove(body.id);
  const resume = [await sweep.pause(), await sweep.pause()];
  await sweepAll(2 * HOUR);
  resume[0]?.();
  resume[0]?.();
  await sweepAll(2 * HOUR);
  expect(waiting()).toHaveLength(before + 1);
  resume[1]?.();
  await sweepAll(2 * HOUR);
  expect(waiting()).toHaveLength(before);
});

test('F09: a release whose bytes a crash has already deleted is completed', async () => {
  await service.service.engine.files.release(['c'.repeat(64)]);
  await sweepAll(0);
  expect(waiting()).toEqual([]);
});

test('F09: a cascade releases the files it deletes, in the transaction of the change', async () => {
  const db = connectTo(':memory:');
  const definitions = [{ name: 'scan', upload: { part: 'file', maxBytes: 1 } }] as unknown as readonly AnyDefinition[];
  db.exec(`PRAGMA foreign_keys = ON;
    CREATE TABLE owner (id TEXT PRIMARY KEY);
    CREATE TABLE scan (id TEXT PRIMARY KEY, owner TEXT REFERENCES owner ON DELETE CASCADE, content_hash TEXT);
    INSERT INTO owner VALUES ('o'); INSERT INTO scan VALUES ('a', 'o', 'one'), ('b', 'o', 'two'), ('c', 'o', NULL);`);
  for (const sql of engineTables(definitions)) db.exec(sql);
  const commits = createGroupCommit(db);
  const index = createSqliteFiles({ db, database: createDatabase(db, commits.submit), definitions });
  const all = async () => (await index.listReleases(0, 10)).map(({ hash }) => hash);
  const drop = db.prepare('DELETE FROM owner');
  const undone = commits.submit(() => {
    drop.run();
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(await all()).toEqual([]);
  await commits.submit(() => drop.run());
  expect(await all()).toEqual(['one', 'two']);
  expect(index.isHeld('one')).toBe(false);
});

test('F09: more releases than fit into one step are all handled, except those that are too young', async () => {
  const { files: fileIndex } = service.service.engine;
  const young = Array.from({ length: 150 }, (_, at) => `${at}`.padStart(64, 'd'));
  for (const hash of young) {
    mkdirSync(join(folder, blobPath(hash), '..'), { recursive: true });
    writeFileSync(join(folder, blobPath(hash)), 'x');
  }
  await fileIndex.release([...young, 'e'.repeat(64)]);
  await sweepAll(0);
  expect(waiting()).toHaveLength(150);
  await sweepAll(2 * HOUR);
  expect(waiting()).toEqual([]);
});
