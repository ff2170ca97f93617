// A disk that one account fills (N02): logins, deletes and small writes still work, and deleted bytes are freed immediately.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { DiskSpace } from '../../runtime/files/space.js';
import { createSweep } from '../../runtime/files/sweep.js';
import { clientOf } from '../support/client.js';
import { temporaryFolder } from '../support/paths.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';

const MIB = 1024 * 1024;

interface Account {
  readonly session: string;
  readonly game: string;
  readonly deck: string;
}

const sendTo = (service: TestService) => clientOf(service.address);

async function accountIn(service: TestService, name: string): Promise<Account> {
  const { session } = await service.user(name);
  const send = sendTo(service);
  const make = async (resource: string, parameters: Readonly<Record<string, unknown>>): Promise<string> =>
    ((await send('POST', `/api/${resource}`, { session, parameters })).body as { id: string }).id;
  const designer_id = await make('designer', { name });
  const game = await make('game', { name: 'Chess', designer_id });
  return { session, game, deck: await make('deck', { name: 'Deck', game_id: game, identity: 'PokerDeck' }) };
}

let uploads = 0;
async function upload(service: TestService, { session }: Account, bytes: number) {
  const form = new FormData();
  form.set('session_id', session);
  form.set('file', new Blob([Buffer.alloc(bytes, String(++uploads))]), 'a.txt');
  const response = await fetch(`${service.address}/api/file`, { method: 'POST', body: form });
  return { status: response.status, body: (await response.json()) as { id: string; detail: string } };
}

const cards = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `card ${at}` }));
const copy = (service: TestService, { session, game }: Account) =>
  sendTo(service)('POST', `/api/game/${game}/copy`, { session, parameters: {} });
const bulk = (service: TestService, { session, deck }: Account) =>
  sendTo(service)('POST', `/api/deck/${deck}/bulk-cards`, { session, parameters: { cards: cards(100) } });

/** The statuses of a login, small writes and a delete. */
async function ordinary(service: TestService, name: string, { session, game }: Account): Promise<readonly number[]> {
  const send = sendTo(service);
  const login = await send('POST', '/api/session', { parameters: { username: name, password: PASSWORD } });
  const created = await send('POST', '/api/boxtop', { session, parameters: { name: 'Box', game_id: game } });
  const path = `/api/boxtop/${(created.body as { id: string }).id}`;
  const changed = await send('PUT', path, { session, parameters: { name: 'Lid' } });
  return [login.status, created.status, changed.status, (await send('DELETE', path, { session })).status];
}
const FINE = [201, 201, 200, 200];

/** How many files are stored. The marker of an upload, in `tmp`, is removed only after the answer. */
const bytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && basename(entry.parentPath) !== 'tmp',
  ).length;

describe('N02: with little space on the disk', () => {
  const disk: { -readonly [K in keyof DiskSpace]: DiskSpace[K] } = { free: 0, total: 1000 * MIB };
  let service: TestService;
  let ada: Account;
  beforeAll(async () => {
    disk.free = 900 * MIB;
    service = await startService({ processes: 1, readDiskSpace: async () => disk });
    ada = await accountIn(service, 'ada');
  });
  afterAll(() => service.stop());

  test('only uploads, copies and bulk creates are refused below the reserve', async () => {
    disk.free = 50 * MIB;
    const refused = [await upload(service, ada, 10), await copy(service, ada), await bulk(service, ada)];
    expect(refused.map(({ status }) => status)).toEqual([507, 507, 507]);
    expect(refused.map(({ body }) => (body as { detail: string }).detail)).toEqual(
      Array(3).fill(expect.stringContaining('delete files that are no longer needed, ')),
    );
    expect(await ordinary(service, 'ada', ada)).toEqual(FINE);
    disk.free = 900 * MIB;
    const accepted = [await upload(service, ada, 10), await copy(service, ada), await bulk(service, ada)];
    expect(accepted.map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test('bytes that nothing refers to are freed without waiting; with enough space they wait', async () => {
    const { blobs, folder } = service;
    const sweep = createSweep(blobs.store, service.service.engine.files);
    disk.free = 900 * MIB;
    const before = bytesIn(join(folder, 'files'));
    const { body } = await upload(service, ada, 1000);
    await sendTo(service)('DELETE', `/api/file/${body.id}`, { session: ada.session });
    await sweep.sweep(Date.now());
    expect(bytesIn(join(folder, 'files'))).toBe(before + 1);
    // From now on, the service's own upkeep frees them, within about a second.
    disk.free = 60 * MIB;
    while (bytesIn(join(folder, 'files')) > before) await fetch(`${service.address}/healthz`);
    disk.free = 900 * MIB;
  });

  test('bytes of an upload under way stay, and nothing is freed during a backup', async () => {
    const { blobs } = service;
    const { files } = service.service.engine;
    const sweep = createSweep(blobs.store, files);
    const receive = (text: string) => blobs.receive(Readable.from([Buffer.from(text)]), { name: 'a', maxBytes: 99 });
    const free = async (of = sweep) => {
      for (let steps = 0; steps < 3; steps += 1) await of.free(Date.now());
    };
    const received = await receive('in flight');
    const { hash } = await blobs.keep(received);
    await files.release([hash]);
    await free();
    expect(await blobs.store.find(hash)).not.toBeNull();
    // Even if it was moved just before the upload began.
    await blobs.store.toTrash(hash, Number.POSITIVE_INFINITY);
    await free();
    expect(await blobs.store.find(hash)).not.toBeNull();
    await blobs.settle(received);
    await free(createSweep(blobs.store, { ...files, isPaused: () => true }));
    expect(await blobs.store.find(hash)).not.toBeNull();
    await free();
    expect(await blobs.store.find(hash)).toBeNull();
  });

  test('an upload that coincides with the sweep keeps its bytes, whichever comes first', async () => {
    const sweep = createSweep(service.blobs.store, service.service.engine.files);
    for (let turns = 0; turns < 5; turns += 1) {
      const { body: first } = await upload(service, ada, 2000);
      await sendTo(service)('DELETE', `/api/file/${first.id}`, { session: ada.session });
      // Uploads the same bytes again.
      uploads -= 1;
      const again = upload(service, ada, 2000);
      for (let step = 0; step < turns; step += 1) await sweep.free(Date.now());
      const { body } = await again;
      while (await sweep.free(Date.now()));
      const file = await sendTo(service)('GET', `/api/file/${body.id}`, { session: ada.session });
      const { file_uri } = file.body as { file_uri: string };
      expect((await fetch(`${service.address}${file_uri}`)).status).toBe(200);
    }
  });
});

/** Null if this machine does not allow it. */
function mounted(size: string): string | null {
  const folder = temporaryFolder('disk');
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

const disk = mounted('300m');
afterAll(() => {
  if (disk === null) return;
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

(disk === null ? test.skip : test)(
  'N02: on a disk of 300 MB where one account takes all that it can get, nobody else’s login, delete or small write is refused',
  async () => {
    const folder = disk ?? '';
    const service = await startService({ database: join(folder, 'punchboard.db'), files: join(folder, 'files') });
    try {
      const [mallory, ada] = [await accountIn(service, 'mallory'), await accountIn(service, 'ada')];
      // Existing data.
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(200 * MIB));
      const files: string[] = [];
      for (const size of [8 * MIB, 2 * MIB, MIB / 2]) {
        for (;;) {
          const { status, body } = await upload(service, mallory, size);
          if (status !== 201) {
            expect(status).toBe(507);
            break;
          }
          files.push(body.id);
        }
      }
      while ((await bulk(service, mallory)).status === 201);
      expect((await copy(service, mallory)).status).toBe(507);
      for (let at = 0; at < 10; at += 1) expect(await ordinary(service, 'ada', ada)).toEqual(FINE);
      const [first = ''] = files;
      const send = sendTo(service);
      expect((await send('DELETE', `/api/file/${first}`, { session: mallory.session })).status).toBe(200);
      // The space can be used again as soon as the upkeep has freed it.
      while ((await upload(service, ada, MIB)).status !== 201);
    } finally {
      await service.stop();
    }
  },
);
