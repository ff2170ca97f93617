// The worker over an outbox in memory: which attempts it starts and when, how it shares its capacity, how it handles faults.

import type { Outcome, Post } from '../../../runtime/rules/delivery.js';
import type { DeliveryObserver } from '../../../runtime/webhooks/deliver/settlement.js';
import { createWorker } from '../../../runtime/webhooks/deliver/worker.js';
import { type MemoryOutbox, memoryOutbox } from './memory-outbox.js';

const SUCCESS: Outcome = { class: 'success' };
const START = 1_000_000;

/** A sender that leaves every post open until a test answers it. */
function openPosts() {
  const open = new Map<string, (outcome: Outcome) => void>();
  const sent: Post[] = [];
  return {
    sent,
    hosts: () => [...open.keys()],
    send: (post: Post) => {
      sent.push(post);
      return new Promise<Outcome>((resolve) => open.set(hostOf(post), resolve));
    },
    answer(host: string, outcome: Outcome = SUCCESS) {
      const resolve = open.get(host);
      if (resolve === undefined) throw new Error(`nothing is sent to ${host}`);
      open.delete(host);
      resolve(outcome);
    },
  };
}

const hostOf = ({ uri }: Post) => new URL(uri).hostname;

function make(outbox: MemoryOutbox, capacity = 400, observer: DeliveryObserver = {}) {
  const time = { now: START };
  const posts = openPosts();
  let woken = 0;
  const worker = createWorker({
    outbox,
    server: 'here',
    send: posts.send,
    clock: () => time.now,
    capacity,
    deadline: 10_000,
    wake: () => (woken += 1),
    observer,
  });
  const run = (now: number) => {
    time.now = now;
    return worker.runOnce(now);
  };
  return { worker, posts, woken: () => woken, run };
}

/** Lets outcomes that are resolved be settled. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const hooks = (count: number, prefix = 'h') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('S30: each hook with overdue deliveries gets one attempt at the start', async () => {
  const outbox = memoryOutbox();
  for (const hook of ['a', 'b', 'a']) outbox.put(hook, 5);
  outbox.put('later', START + 7);
  const { run, posts, worker } = make(outbox);
  expect(await run(START)).toBe(START + 7);
  expect(posts.hosts()).toEqual(['a', 'b']);
  expect(worker.inFlight).toBe(2);
  posts.answer('a');
  await turn();
  await run(START);
  expect(posts.hosts()).toEqual(['b', 'a']);
  expect(outbox.scans[0]).toEqual([-1, START]);
});

test('S29: a hook has one attempt at a time', async () => {
  const outbox = memoryOutbox();
  const { run, posts, worker } = make(outbox);
  outbox.put('a', START);
  outbox.put('a', START);
  await run(START);
  worker.add(['a']);
  for (const later of [1, 1_000, 60_000]) await run(START + later);
  expect(posts.sent).toHaveLength(1);
  posts.answer('a');
  await turn();
  await run(START + 60_000);
  expect(posts.sent).toHaveLength(2);
});

test('S29: a hook with more deliveries goes to the back of the queue', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox, 4); // one place for untried hooks, one for failing, two for good ones
  for (const hook of ['a', 'b', 'a', 'c']) outbox.put(hook, START);
  await run(START);
  expect(posts.hosts()).toEqual(['a']);
  posts.answer('a', { class: 'status', status: 500 });
  await turn();
  await run(START);
  expect(posts.hosts().sort()).toEqual(['a', 'b']); // a among the failing hooks, b in its old place
  posts.answer('b');
  await turn();
  await run(START);
  expect(posts.hosts().sort()).toEqual(['a', 'c']);
});

test('I12: receivers that hang take no capacity from others', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox, 40);
  const [hanging, healthy] = [hooks(100, 'hang'), hooks(10, 'good')];
  for (const hook of [...hanging, ...healthy]) outbox.put(hook, START);
  let now = START;
  // In the first round each hook has one attempt; hooks that answer well are queued separately from then on.
  while (posts.sent.length < 110) {
    await run(++now);
    for (const host of posts.hosts()) posts.answer(host, host.startsWith('hang') ? { class: 'timeout' } : SUCCESS);
    await turn();
  }
  for (const hook of [...hanging, ...healthy]) outbox.put(hook, now);
  await run(now + 1_000);
  const open = posts.hosts();
  expect(open.filter((host) => host.startsWith('good'))).toHaveLength(10);
  expect(open.filter((host) => host.startsWith('hang'))).toHaveLength(10);
});

test('S24: leases outlast the deadline', async () => {
  const outbox = memoryOutbox();
  const { run } = make(outbox);
  outbox.put('a', START);
  await run(START);
  expect(outbox.leases[0]).toBeGreaterThan(START + 10_000);
});

test('S15: nothing is sent without a key', async () => {
  const outbox = memoryOutbox();
  const { run, posts, worker } = make(outbox);
  outbox.put('none', START, null);
  outbox.put('empty', START, '');
  await run(START);
  await worker.idle();
  expect(posts.sent).toEqual([]);
  expect(outbox.settled.map(({ outcome }) => outcome)).toEqual([{ class: 'no_key' }, { class: 'no_key' }]);
});

test('S25: the form is signed with the time at which it is sent', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox);
  outbox.put('a', START);
  await run(1_700_000_000_999);
  const form = new URLSearchParams(posts.sent[0]?.body);
  // printf '1700000000.{}' | openssl dgst -sha256 -hmac key
  expect(Object.fromEntries(form)).toEqual({
    epoch: '1700000000',
    message: '{}',
    hmac: '9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae',
  });
  expect(posts.sent[0]?.delivery).toBe('a-0');
});

test('S19: a fault of our own is settled as internal and tried again a second later', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox);
  outbox.put('a', START);
  await run(START);
  posts.answer('a', { class: 'internal' });
  await turn();
  expect(await run(START + 1)).toBe(START + 1 + 1_000);
  expect(posts.sent).toHaveLength(1);
  await run(START + 1_001);
  expect(posts.sent).toHaveLength(2);
});

test('S19: an outcome that cannot be written is written later', async () => {
  const outbox = memoryOutbox();
  const faults: unknown[] = [];
  const { run, posts, worker, woken } = make(outbox, 400, { failed: (error) => faults.push(error) });
  outbox.put('a', START);
  await run(START);
  outbox.broken = true;
  posts.answer('a');
  await worker.idle();
  expect([outbox.settled.length, faults.length, woken()]).toEqual([0, 1, 1]);
  expect(await run(START + 5)).toBe(START + 5 + 1_000);
  await worker.idle();
  outbox.broken = false;
  await run(START + 1_005);
  await worker.idle();
  expect(outbox.settled).toEqual([{ delivery: 'a-0', outcome: SUCCESS, ended: START }]);
  expect(posts.sent).toHaveLength(1);
});

test('S19: a delivery that cannot be claimed is claimed later', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox);
  outbox.put('a', START);
  outbox.broken = true;
  expect(await run(START)).toBe(START + 1_000);
  outbox.broken = false;
  await run(START + 1_000);
  expect(posts.hosts()).toEqual(['a']);
});

test('rows of other processes are found within a second', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox);
  await run(START);
  await run(START + 500);
  // Written by a process that had to wait for the lock: due before the last scan.
  outbox.put('a', START - 3_000);
  await run(START + 999);
  expect(posts.hosts()).toEqual([]);
  await run(START + 1_000);
  expect(posts.hosts()).toEqual(['a']);
});

test('waiting deliveries are not read again while no other process writes', async () => {
  const outbox = memoryOutbox();
  let hasForeignWrites = false;
  outbox.hasForeignWrites = () => hasForeignWrites;
  const { run } = make(outbox);
  await run(START);
  await run(START + 1_000);
  hasForeignWrites = true;
  await run(START + 2_000);
  expect(outbox.scans).toEqual([
    [-1, START],
    [START, START + 1_000],
    [START - 9_000, START + 2_000],
  ]);
});

test('a hook that is added wakes the worker, and is claimed without a scan', async () => {
  const outbox = memoryOutbox();
  const { run, posts, worker, woken } = make(outbox);
  await run(START);
  outbox.put('a', START + 1);
  worker.add(['a', 'gone']);
  expect(woken()).toBe(1);
  await run(START + 1);
  expect(posts.hosts()).toEqual(['a']);
  expect(outbox.scans).toHaveLength(1);
});

test('scans cover a window, and everything once a minute', async () => {
  const outbox = memoryOutbox();
  const { run } = make(outbox);
  for (const later of [0, 1_000, 59_999, 60_000]) await run(START + later);
  expect(outbox.scans).toEqual([
    [-1, START],
    [START - 10_000, START + 1_000],
    [START - 9_000, START + 59_999],
    [-1, START + 60_000],
  ]);
});

test('S31: a clock that goes back causes a full scan', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox);
  await run(START);
  outbox.put('a', START - 900_000);
  await run(START - 800_000);
  expect(posts.hosts()).toEqual(['a']);
});

test('S32: a due time is kept to the millisecond', async () => {
  const outbox = memoryOutbox();
  const { run, posts } = make(outbox);
  outbox.put('a', START + 250);
  expect(await run(START)).toBe(START + 250);
  await run(START + 249);
  expect(posts.hosts()).toEqual([]);
  await run(START + 250);
  expect(posts.hosts()).toEqual(['a']);
});

test('after stop nothing is claimed and outcomes are settled', async () => {
  const outbox = memoryOutbox();
  const { run, posts, worker } = make(outbox);
  outbox.put('a', START);
  await run(START);
  worker.stop();
  outbox.put('b', START);
  expect(await run(START + 1_000)).toBeNull();
  posts.answer('a', { class: 'internal' });
  await worker.idle();
  expect(posts.sent).toHaveLength(1);
  expect(outbox.settled).toHaveLength(1);
});

test('stale outcomes are reported', async () => {
  const outbox = memoryOutbox();
  const stale: string[] = [];
  const { run, posts, worker } = make(outbox, 400, { stale: ({ hook }) => stale.push(hook) });
  outbox.put('a', START);
  await run(START);
  outbox.settle = async (batch) => batch.map(() => false);
  posts.answer('a');
  await worker.idle();
  expect(stale).toEqual(['a']);
});

test('an outcome that cannot be written does not hold back the others of its batch', async () => {
  const outbox = memoryOutbox();
  const faults: unknown[] = [];
  const { run, posts, worker } = make(outbox, 400, { failed: (error) => faults.push(error) });
  for (const hook of ['a', 'b', 'c']) outbox.put(hook, START);
  await run(START);
  const { settle } = outbox;
  const batches: number[] = [];
  outbox.settle = async (batch) => {
    batches.push(batch.length);
    if (batch.some(({ attempt }) => attempt.hook === 'b')) throw new Error('this row cannot be written');
    return settle(batch);
  };
  for (const hook of ['a', 'b', 'c']) posts.answer(hook);
  await worker.idle();
  expect([batches, faults.length]).toEqual([[3, 1, 1, 1], 1]);
  expect(outbox.settled.map(({ delivery }) => delivery)).toEqual(['a-0', 'c-2']);
  outbox.settle = settle;
  await run(START + 1_000);
  await worker.idle();
  expect(outbox.settled.map(({ delivery }) => delivery)).toEqual(['a-0', 'c-2', 'b-1']);
});
