// D50: a POST with a key is carried out once, however often it is sent and wherever the connection is cut.

import { connect } from 'node:net';
import { chanceOf, freshSeed } from '../support/chance.js';
import { clientOf, type Reply, upload } from '../support/client.js';
import { count } from '../support/counts.js';
import { exchange, multipart } from '../support/exchange.js';
import { makeWorld, type World } from './world.js';

const KEYS = count(60, 1000);

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.stop());

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
  let found = 0;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await clientOf(world.address)('GET', `${path}&_page_number=${page}`, {
      session: world.owner.session,
    });
    found += body.items.filter((one: { name: string }) => one.name === name).length;
    pages = body.paging.total_pages;
  }
  return found;
};

test('the first answer is given again, also for another order and encoding of the parameters', async () => {
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

test('the same key with another body is a conflict; of another user it is another key', async () => {
  expect((await post('k-2', { name: 'One' })).status).toBe(201);
  expect(await post('k-2', { name: 'Two' })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await post('k-2', { name: 'Two' }, { session: world.stranger.session, path: '/api/designer' })).status).toBe(
    201,
  );
});

test('what was refused is tried again: only what was written is stored', async () => {
  expect((await post('k-3', { name: '' })).status).toBe(422);
  expect((await post('k-3', { name: 'Third' })).status).toBe(201);
});

test('a key that is too long, or has spaces, is malformed', async () => {
  for (const key of ['a b', 'x'.repeat(256)]) expect((await post(key, { name: 'x' })).status).toBe(400);
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

test('requests that are sent together are carried out once: the others get the answer, or are told to try again', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => post('k-5', { name: 'Together' })));
  for (const { status, headers } of all) {
    expect([201, 409]).toContain(status);
    if (status === 409) expect(headers.get('retry-after')).toBe('1');
  }
  expect(all.some(({ status }) => status === 201)).toBe(true);
  expect(await named('Together')).toBe(1);
});

test(`over ${KEYS} cut connections each key makes one record`, async () => {
  const seed = freshSeed();
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

/** Sends a request and cuts the connection some turns of the event loop later, whether or not it was answered. */
function cut(address: string, text: string, turns: number): Promise<void> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      const wait = (left: number): void => {
        if (left > 0) setImmediate(wait, left - 1);
        else socket.destroy();
      };
      wait(turns);
    });
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}
