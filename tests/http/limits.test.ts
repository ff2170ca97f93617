// What is checked before a body is read (D39), and what unfinished requests may take: places, disk and memory.
import net, { type Socket } from 'node:net';
import { createBufferLimits } from '../../runtime/http/buffer-limits.js';
import { requestLimit } from '../../runtime/http/rate-limit.js';
import { JSON_BODY, MULTIPART_BODY, multipart, type Service, start } from './client.js';
import { MemoryFiles, OPERATIONS } from './fixture.js';

const MIB = 1024 * 1024;
let service: Service;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.close();
});

/** Begins a request; `status` resolves when it is answered. */
function begin(bytes: string): { status: Promise<number>; socket: Socket } {
  const socket = net.connect(service.port, '127.0.0.1', () => socket.write(bytes));
  sockets.push(socket);
  socket.on('error', () => undefined);
  const status = new Promise<number>((resolve) =>
    socket.on('data', (chunk) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1]))),
  );
  return { status, socket };
}

/** The head of a request whose body of `length` bytes follows. */
const head = (type: string, length: number, more = '', path = '/api/upload') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;
const upload = (fields: readonly { name: string; value: string }[], more = '') =>
  head(MULTIPART_BODY['Content-Type'], 900, more) +
  multipart([...fields, { name: 'file', value: 'bytes', filename: 'f' }]).slice(0, -8);

/** Files that report when an upload arrives. */
class WatchedFiles extends MemoryFiles {
  private waiting: (() => void)[] = [];

  override receive(...upload: Parameters<MemoryFiles['receive']>) {
    const receiving = super.receive(...upload);
    for (const notify of this.waiting.splice(0)) notify();
    return receiving;
  }

  /** Resolves when the next upload arrives. */
  next(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

describe('F20: limits before bodies', () => {
  test('an address that has used up its limit is refused before its body is read', async () => {
    const files = new WatchedFiles();
    service = await start({ rateLimit: requestLimit(2), files });
    for (let at = 0; at < 2; at += 1) await service.send('GET', '/api/maker/m1');
    expect(await begin(head('application/json', 1000)).status).toBe(429);
    expect(await begin(upload([{ name: 'session_id', value: 'alive' }])).status).toBe(429);
    expect(files).toMatchObject({ kept: [], open: new Set() });
  });

  test('a session in the head that has used up its limit is refused before its body is read, another is not', async () => {
    service = await start({ rateLimit: requestLimit(1) });
    const bearer = (session: string) => `Authorization: Bearer ${session}\r\n`;
    expect((await service.send('GET', '/api/maker/m1?session_id=alive')).status).toBe(200);
    expect(await begin(head('application/json', 1000, bearer('alive'))).status).toBe(429);
    const other = `${head('application/json', 2, `${bearer('other')}Connection: close\r\n`)}{}`;
    expect(await service.raw(other)).toMatch(/^HTTP\/1.1 201 /);
  });

  test('a session in the body is counted, and its address too once its limit is used up', async () => {
    service = await start({ rateLimit: requestLimit(3) });
    const post = async (session: string) =>
      (await service.send('POST', '/api/maker', { headers: JSON_BODY, body: JSON.stringify({ session_id: session }) }))
        .status;
    expect([await post('alive'), await post('alive'), await post('alive'), await post('other')]).toEqual(
      Array(4).fill(201),
    );
    expect([await post('alive'), await post('alive'), await post('alive')]).toEqual(Array(3).fill(429));
    // The limit of the address is used up by now, so that the body is not read.
    expect(await post('other')).toBe(429);
    expect(await begin(head('application/json', 1000)).status).toBe(429);
    expect((await service.send('GET', '/api/maker/m1?session_id=other')).status).toBe(200);
  });

  test('bodies that cannot be read are counted', async () => {
    service = await start({ rateLimit: requestLimit(2) });
    const post = async () => (await service.send('POST', '/api/maker', { headers: JSON_BODY, body: '{' })).status;
    expect([await post(), await post(), await post()]).toEqual([400, 400, 429]);
  });

  test('a body with too large a Content-Length is refused without waiting', async () => {
    service = await start();
    expect(await begin(head('application/json', MIB + 1)).status).toBe(413);
    expect(await begin(head(MULTIPART_BODY['Content-Type'], 17 * MIB + 1001)).status).toBe(413);
  });
});

test('F25: files, the API document and unknown paths are counted', async () => {
  service = await start({ rateLimit: requestLimit(2) });
  const get = async (path: string) => (await service.send('GET', path)).status;
  expect([await get('/files/f1/key'), await get('/nothing')]).toEqual([200, 404]);
  for (const path of ['/files/f1/key', '/openapi.json', '/nothing']) {
    const refused = await service.send('GET', path);
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(refused.json?.detail).toMatch(/^Only 2 requests a minute are allowed; try again in \d+ seconds?\.$/);
    expect(refused.headers).toMatchObject({ 'retry-after': expect.any(String), 'x-request-id': expect.any(String) });
  }
  expect([await get('/healthz'), await get('/readyz')]).toEqual([200, 200]);
});

describe('F20: concurrent uploads', () => {
  let files: WatchedFiles;
  const boot = async (freeBytes = Number.POSITIVE_INFINITY) => {
    files = new WatchedFiles();
    service = await start({ files, freeBytes: async () => freeBytes });
  };
  const unfinished = async (fields: readonly { name: string; value: string }[]) => {
    const received = files.next();
    const request = begin(upload(fields));
    await received;
    return request.socket;
  };
  const session = (value: string) => [{ name: 'session_id', value }];

  test('two per address without a session, sixteen per user, and places become free again', async () => {
    await boot();
    const first = await unfinished([]);
    await unfinished([]);
    expect(await begin(upload([])).status).toBe(429);
    for (let at = 0; at < 16; at += 1) await unfinished(session('alive'));
    expect(await begin(upload(session('alive'))).status).toBe(429);
    await unfinished(session('other'));
    expect(files.open.size).toBe(19);
    first.destroy();
    // The place is free as soon as the server sees that the client went away.
    for (let status = 0; status !== 201; ) {
      const body = multipart([{ name: 'file', value: 'x', filename: 'f' }, ...session('alive')]);
      status = (await service.send('POST', '/api/upload', { headers: MULTIPART_BODY, body })).status;
    }
  });

  test('an expired session before a file is refused before any of its bytes is written', async () => {
    await boot();
    expect(await begin(upload(session('dead'))).status).toBe(401);
    expect(files).toMatchObject({ kept: [], open: new Set() });
  });

  test('unfinished uploads take a bounded share of the disk, and nobody else gets 507 for them', async () => {
    await boot(3600);
    await unfinished(session('alive'));
    expect(await begin(upload(session('alive'))).status).toBe(503);
    await unfinished(session('other'));
    expect(await begin(upload([])).status).toBe(503);
    expect(files.open.size).toBe(2);
  });

  test('a file that does not fit into the space left is storage_full, and none of it is written', async () => {
    await boot(3599);
    expect(await begin(upload(session('alive'))).status).toBe(507);
    expect(files).toMatchObject({ kept: [], open: new Set() });
  });
});

describe('F27: memory', () => {
  const page = { status: 200 as const, body: `"${'x'.repeat(100_000)}"` };

  test('a client that does not read large responses gets no more of them; others do', async () => {
    const bufferLimits = createBufferLimits({ client: 150_000, all: 250_000 });
    const fetch = () => page;
    service = await start({ bufferLimits, operations: { ...OPERATIONS, fetch } });
    // This stands for a page that the client asked for and has not read.
    const hold = bufferLimits.lease('user u1', { closed: false, once: () => undefined } as never);
    hold.hold(100_000);
    const get = async (name: string) => (await service.send('GET', `/api/maker/m1?session_id=${name}`)).status;
    expect([await get('alive'), await get('other')]).toEqual([429, 200]);
    expect(bufferLimits.most).toBeLessThanOrEqual(bufferLimits.bound);
  });

  test('unfinished bodies are counted, and released', async () => {
    const bufferLimits = createBufferLimits({ client: 2 * MIB, all: 3 * MIB });
    service = await start({ bufferLimits });
    const half = `{"a":"${'x'.repeat(700_000)}`;
    const statuses = [0, 1, 2, 3].map(() => begin(head('application/json', MIB, '', '/api/maker') + half));
    expect(await Promise.race(statuses.map(({ status }) => status))).toBe(429);
    expect(bufferLimits.most).toBeLessThanOrEqual(2 * MIB);
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    while (bufferLimits.bytes > 0) await service.send('GET', '/healthz');
    expect(bufferLimits.bytes).toBe(0);
  });

  test('the body of a request that waits for an earlier one of its connection is counted, however small', async () => {
    const bufferLimits = createBufferLimits();
    let answerFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => {
      answerFirst = resolve;
    });
    const create = async () => {
      await first;
      return { status: 201, body: '{}' } as const;
    };
    service = await start({ bufferLimits, operations: { ...OPERATIONS, create } });
    const request = `${head('application/json', 2, '', '/api/maker')}{}`;
    const { status } = begin(request + request);
    while (bufferLimits.bytes === 0) await service.send('GET', '/healthz');
    expect(bufferLimits.bytes).toBe(2);
    answerFirst();
    expect(await status).toBe(201);
  });

  test.each([
    [4096, 0],
    [4097, 4097],
  ])('of a body of %d bytes, %d are counted', async (length, counted) => {
    const bufferLimits = createBufferLimits();
    service = await start({ bufferLimits });
    const body = JSON.stringify({ name: 'x'.repeat(length - '{"name":""}'.length) });
    await service.send('POST', '/api/maker', { headers: JSON_BODY, body });
    expect(bufferLimits.most).toBe(counted);
  });
});
