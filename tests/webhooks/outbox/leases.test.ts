// Leases belong to servers, and one delivery of a hook is in flight at a time in the whole system: what several servers on
// one outbox rely on.

import { outboxWorld, type Sale, SERVER, SUCCESS, sale, sell, settle, subscribe, type World } from './outbox-world.js';

const OTHER = 'another server';
const LEASE = 40_000;

let w: World;
let p: Sale;
let hook: string;
beforeEach(async () => {
  w = outboxWorld();
  p = await sale(w);
  hook = await subscribe(w, p);
  // Its subscribe callback, and two events.
  for (let event = 0; event < 2; event += 1) await sell(w, p);
});
afterEach(() => w.end());

const claim = async (server: string) => w.outbox.claim([hook], w.now, w.now + LEASE, server);
const claimed = async (server: string) => {
  const [attempt, ...more] = await claim(server);
  if (attempt === undefined || more.length > 0) throw new Error('not one attempt was claimed');
  return attempt;
};

test('S29: a hook that is in flight is not claimed again, by its server or by another', async () => {
  const first = await claimed(SERVER);
  expect([await claim(SERVER), await claim(OTHER)]).toEqual([[], []]);
  await settle(w, first, SUCCESS);
  const second = await claimed(OTHER);
  expect([await claim(SERVER), second.delivery === first.delivery]).toEqual([[], false]);
});

test('S29: servers that claim together get each hook once', async () => {
  const hooks = [hook, ...(await Promise.all(Array.from({ length: 20 }, () => subscribe(w, p))))];
  const servers = [SERVER, OTHER, 'a third'];
  const all = await Promise.all(servers.map((server) => w.outbox.claim(hooks, w.now, w.now + LEASE, server)));
  expect(all.flat().map((attempt) => attempt.hook)).toHaveLength(hooks.length);
  expect(new Set(all.flat().map((attempt) => attempt.hook)).size).toBe(hooks.length);
});

test('S24: a server that starts releases its own deliveries alone', async () => {
  const mine = await claimed(SERVER);
  const theirs = await subscribe(w, p);
  const [other] = await w.outbox.claim([theirs], w.now, w.now + LEASE, OTHER);
  expect(await w.outbox.recover(SERVER, w.now)).toBe(1);
  expect(await w.outbox.claim([theirs], w.now, w.now + LEASE, SERVER)).toEqual([]);
  expect((await claimed(SERVER)).delivery).toBe(mine.delivery);
  expect(await settle(w, other as NonNullable<typeof other>, SUCCESS)).toBe(true);
});

test('S24: a server that starts abandons its own tests alone', async () => {
  const mine = await w.outbox.test(hook, { payload: '{}', now: w.now, server: SERVER });
  const theirs = await w.outbox.test(hook, { payload: '{}', now: w.now, server: OTHER });
  await w.outbox.recover(SERVER, w.now);
  expect([await settle(w, mine, SUCCESS), await settle(w, theirs, SUCCESS)]).toEqual([false, true]);
});

test('S13: a test does not delay deliveries, nor a delivery a test', async () => {
  const test = await w.outbox.test(hook, { payload: '{}', now: w.now, server: SERVER });
  const attempt = await claimed(SERVER);
  expect([await settle(w, test, SUCCESS), await settle(w, attempt, SUCCESS)]).toEqual([true, true]);
});

test('S22: a hook that is deleted while it is in flight sends its unsubscribe afterwards', async () => {
  const attempt = await claimed(SERVER);
  await w.run('remove', { id: hook, caller: p.maker });
  expect(await claim(OTHER)).toEqual([]);
  expect(await settle(w, attempt, SUCCESS)).toBe(false);
  expect((await claimed(OTHER)).type).toBe('unsubscribe');
});

test('S24: an expired lease blocks nothing, and an outcome after it changes nothing', async () => {
  const late = await claimed(SERVER);
  w.now += LEASE;
  const again = await claimed(OTHER);
  expect([again.delivery, await settle(w, late, SUCCESS)]).toEqual([late.delivery, false]);
  expect([await claim(SERVER), await settle(w, again, SUCCESS)]).toEqual([[], true]);
});

test('S24: deliveries that were claimed before there were leases are released', async () => {
  await claimed(SERVER);
  w.db.exec('DELETE FROM webhook_lease');
  expect(await w.outbox.recover(SERVER, w.now)).toBe(1);
  await claimed(SERVER);
});

test('No lease stays behind', async () => {
  await settle(w, await claimed(SERVER), SUCCESS);
  await settle(w, await w.outbox.test(hook, { payload: '{}', now: w.now, server: SERVER }), SUCCESS);
  expect(w.db.prepare('SELECT * FROM webhook_lease').all()).toEqual([]);
});
