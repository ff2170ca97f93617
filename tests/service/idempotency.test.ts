// D50, D60: a POST with a key is carried out once, however often it is sent and wherever the connection is cut.

import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { chanceOf, seedOfRun } from '../support/chance.js';
import { clientOf, type Reply, upload } from '../support/client.js';
import { count } from '../support/counts.js';
import { runSql } from '../support/database.js';
import { exchange, multipart } from '../support/exchange.js';
import { shared } from '../support/shared.js';
import { makeWorld, type ShownRecord } from './world.js';

const KEYS = count(60, 1000);

const world = shared(makeWorld);

const post = (
  key: string,
  parameters: object,
  { session, path = '/api/designer' } = { session: world.owner.session },
) =>
  clientOf(world.address)('POST', path, {
    session,
    parameters: { ...parameters },
    headers: { 'idempotency-key': key },
  }) as Promise<Reply>;
const mine = (path = '/api/designer') => ({ session: world.owner.session, path });
const named = async (name: string): Promise<number> => {
  const path = `/api/user/${world.owner.id}/designers?_items_per_page=100`;
  let count = 0;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await clientOf(world.address)('GET', `${path}&_page_number=${page}`, {
      session: world.owner.session,
    });
    count += body.items.filter((one: { name: string }) => one.name === name).length;
    pages = body.paging.total_pages;
  }
  return count;
};

test('the first answer is repeated, even if the order and encoding of the parameters differ', async () => {
  const first = await post('k-1', { name: 'Once', owner: '1' });
  expect(first.status).toBe(201);
  const again = await post('k-1', { owner: '1', name: 'Once' });
  expect([again.status, again.text, again.headers.get('location')]).toEqual([
    ...[201, first.text, first.headers.get('location')],
  ]);
  const form = await exchange(`${world.address}/api/designer`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.owner.session}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': 'k-1',
    },
    body: 'name=Once&owner=1',
  });
  expect([form.status, form.text]).toEqual([201, first.text]);
  expect(await named('Once')).toBe(1);
});

test('D60: a key with another body is refused; keys of different users are independent', async () => {
  expect((await post('k-2', { name: 'One' })).status).toBe(201);
  expect(await post('k-2', { name: 'Two' })).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect((await post('k-2', { name: 'Two' }, { session: world.stranger.session, path: '/api/designer' })).status).toBe(
    201,
  );
});

test('a refused request is carried out again: only answers of writes are stored', async () => {
  expect((await post('k-3', { name: '' })).status).toBe(422);
  expect((await post('k-3', { name: 'Third' })).status).toBe(201);
});

test('a key that is too long, or has spaces, is malformed', async () => {
  for (const key of ['a b', 'x'.repeat(256)]) expect((await post(key, { name: 'x' })).status).toBe(400);
});

test('N42: quotes around a key do not count', async () => {
  const first = await post('"k-q"', { name: 'Quoted' });
  expect(first.status).toBe(201);
  for (const key of ['k-q', '"k-q"']) expect((await post(key, { name: 'Quoted' })).text).toBe(first.text);
  const bare = await post('k-r', { name: 'Quoted' });
  expect((await post('"k-r"', { name: 'Quoted' })).text).toBe(bare.text);
  expect((await post('"k-r"', { name: 'Other' })).body.code).toBe('idempotency_key_reused');
  for (const key of ['""', '"a b"', `"${'x'.repeat(256)}"`]) expect((await post(key, { name: 'x' })).status).toBe(400);
});

test('D60: an answer that an earlier version stored under a quoted key is repeated', async () => {
  const first = await post('k-old', { name: 'Stored before' });
  const stored = (key: string) => hash('sha256', `${world.owner.id} ${key}`, 'hex');
  await runSql(
    world.service.service,
    'UPDATE once_answer SET id = ? WHERE id = ?',
    ...[stored('"k-old"'), stored('k-old')],
  );
  expect((await post('"k-old"', { name: 'Stored before' })).text).toBe(first.text);
  expect((await post('"k-old"', { name: 'Other' })).status).toBe(422);
});

test('D64: a repeated answer that is stored under another form of its key is stored without a mark', async () => {
  const first = await post('k-mark', { name: 'Marked' });
  expect((await post('"k-mark"', { name: 'Marked' })).text).toBe(first.text);
  const id = hash('sha256', `${world.owner.id} "k-mark"`, 'hex');
  // Fails the request below unless the answer is stored, and unmarked.
  const moved = 'UPDATE once_answer SET body_hash = ? WHERE id = ? AND answer NOT LIKE ?';
  await runSql(world.service.service, moved, ...['another', id, '%isReplay%']);
  expect((await post('"k-mark"', { name: 'Marked' })).body.code).toBe('idempotency_key_reused');
});

describe('an action with a key', () => {
  let path: string;
  beforeAll(async () => {
    path = `/api/game/${(await world.make('game')).id}/public`;
  });
  const stored = (key: string) => hash('sha256', `${world.owner.id} ${key}`, 'hex');

  test('D57: repeats the text and the tag of the first answer', async () => {
    const first = await post('a-1', {}, mine(path));
    await world.send('DELETE', path, { session: world.owner.session });
    const again = await post('a-1', {}, mine(path));
    expect([first.status, again.text, again.headers.get('etag')]).toEqual([200, first.text, first.headers.get('etag')]);
    expect(first.headers.get('etag')).toMatch(/^"\d+"$/);
    expect(first.text).not.toContain('_version');
  });

  test('is stored as a text, so that servers from before versions can repeat it', async () => {
    await post('a-2', {}, mine(path));
    // Fails the request below unless the answer is the JSON of a text: engines read a backslash in LIKE differently.
    const moved = 'UPDATE once_answer SET body_hash = ? WHERE id = ? AND answer LIKE ?';
    await runSql(world.service.service, moved, 'another', stored('a-2'), '"{_"id_":%');
    expect((await post('a-2', {}, mine(path))).status).toBe(422);
  });

  test('an answer of a server from before versions is repeated, without a tag', async () => {
    await post('a-3', {}, mine(path));
    const put = 'UPDATE once_answer SET answer = ? WHERE id = ?';
    await runSql(world.service.service, put, JSON.stringify('{"id":"x","extra":{"_version":3}}'), stored('a-3'));
    const { status, text, headers } = await post('a-3', {}, mine(path));
    expect([status, text, headers.get('etag')]).toEqual([200, '{"id":"x","extra":{"_version":3}}', null]);
  });

  test.each(['{}', 'null', '[3]', '{"text":1}', '{"since":2}', 'no JSON', ''])(
    'D60: what another version has stored, %j, is refused until that one gives it again',
    async (answer) => {
      const key = `a-4-${hash('md5', answer, 'hex')}`;
      for (const at of [path, '/api/designer']) {
        await post(`${key}${at}`, { name: 'Later' }, mine(at));
        const put = 'UPDATE once_answer SET answer = ? WHERE id = ?';
        await runSql(world.service.service, put, answer, stored(`${key}${at}`));
        const { status, body, headers } = await post(`${key}${at}`, { name: 'Later' }, mine(at));
        expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'conflict', '1']);
      }
    },
  );
});

describe('N01: a bulk create', () => {
  let set: ShownRecord;
  let path: string;
  beforeAll(async () => {
    set = await world.make('onesidedsluggedset');
    path = `/api/onesidedsluggedset/${set.id}/bulk-members`;
  });
  const members = (...names: readonly string[]) => ({ members: names.map((name) => ({ name })) });
  const total = async () => (await world.send('GET', path.replace('bulk-', ''))).body.paging.total_items;

  test('with a key is carried out once, even if sent 20 times concurrently', async () => {
    const first = await post('b-1', members('a', 'b'), mine(path));
    expect([first.status, first.body.members.length, await total()]).toEqual([201, 2, 2]);
    expect((await post('b-1', members('a', 'b'), mine(path))).text).toBe(first.text);
    expect((await post('b-1', members('a'), mine(path))).body.code).toBe('idempotency_key_reused');
    const all = await Promise.all(Array.from({ length: 20 }, () => post('b-2', members('c'), mine(path))));
    const again = all.filter(({ status }) => status === 409);
    for (const { headers } of again) expect(headers.get('retry-after')).toBe('1');
    const made = all.filter(({ status }) => status === 201);
    expect([again.length + made.length, new Set(made.map(({ text }) => text)).size, await total()]).toEqual([20, 1, 3]);
  });

  test('that was refused is carried out again, and one whose parent was deleted since is repeated', async () => {
    expect((await post('b-3', members(''), mine(path))).status).toBe(422);
    const stranger = { session: world.stranger.session, path };
    expect((await post('b-3', members('d'), stranger)).status).toBe(403);
    const first = await post('b-3', members('d'), mine(path));
    expect(first.status).toBe(201);
    await world.send('DELETE', `/api/onesidedsluggedset/${set.id}`, { session: world.owner.session });
    expect((await post('b-3', members('d'), mine(path))).text).toBe(first.text);
    expect((await post('b-4', members('d'), mine(path))).status).toBe(404);
  });

  test('D52: without a key answers 201, in wing 200', async () => {
    const wing = await makeWorld('wing');
    const other = await wing.make('onesidedsluggedset');
    const to = `/api/onesidedsluggedset/${other.id}/bulk-members`;
    const { status, body } = await wing.send('POST', to, { session: wing.owner.session, parameters: members('a') });
    await wing.stop();
    expect([status, body.result.members.length, body.result.errors]).toEqual([200, 1, 0]);
  });
});

test('N01: a test callback takes no key, and ignores malformed and used ones', async () => {
  const hook = await world.make('webhook');
  const test = (key: string) => post(key, { payload: {} }, mine(`/api/webhook/${hook.id}/test`));
  for (const key of ['a b', 'k-1', 'k-1']) expect([key, (await test(key)).status]).toEqual([key, 200]);
});

test('an upload is stored once', async () => {
  const form = () =>
    multipart([['session_id', world.owner.session]], { part: 'file', name: 'a.bin', bytes: Buffer.from('abc') });
  const send = async () => {
    const { headers, body } = form();
    return exchange(`${world.address}/api/file`, {
      method: 'POST',
      body,
      headers: { ...headers, 'idempotency-key': 'k-4' },
    });
  };
  const [first, second] = [await send(), await send()];
  expect([first.status, second.text]).toEqual([201, first.text]);
  expect(await upload(world.address, world.owner.session, { name: 'a.bin', bytes: Buffer.from('abc') })).not.toBe(
    JSON.parse(first.text).id,
  );
});

test('requests that are sent together are carried out once: the others get the answer, or an error to retry', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => post('k-5', { name: 'Together' })));
  for (const { status, headers } of all) {
    expect([201, 409]).toContain(status);
    if (status === 409) expect(headers.get('retry-after')).toBe('1');
  }
  expect(all.some(({ status }) => status === 201)).toBe(true);
  expect(await named('Together')).toBe(1);
});

test(`over ${KEYS} cut connections each key creates one record`, async () => {
  const seed = seedOfRun();
  const chance = chanceOf(seed);
  const ids = new Set<string>();
  for (let at = 0; at < KEYS; at++) {
    const body = JSON.stringify({ name: `Cut ${at}` });
    await cut(world.address, requestText(world.owner.session, `cut-${at}`, body), chance.below(40));
    for (;;) {
      const { status, body: answer } = await post(`cut-${at}`, { name: `Cut ${at}` }, mine());
      if (status !== 409) {
        ids.add(answer.id);
        expect([status, seed]).toEqual([201, seed]);
        break;
      }
    }
  }
  const made = await Promise.all([0, KEYS - 1].map((at) => named(`Cut ${at}`)));
  expect([ids.size, made, seed]).toEqual([KEYS, [1, 1], seed]);
});

function requestText(session: string, key: string, body: string): string {
  return [
    'POST /api/designer HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${session}`,
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Sends a request and cuts the connection some turns of the event loop later, whether it was answered or not. */
function cut(address: string, text: string, turns: number): Promise<void> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      const wait = (remaining: number): void => {
        if (remaining > 0) setImmediate(wait, remaining - 1);
        else socket.destroy();
      };
      wait(turns);
    });
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}
