// The workers of two servers on one PostgreSQL, from a published event to its only delivery.

import type { Outcome, Post } from '../../runtime/rules/delivery.js';
import { type Connections, createConnections } from '../../runtime/store/postgres/connections.js';
import { createWorker, type Worker } from '../../runtime/webhooks/deliver/worker.js';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { fixturesOnPostgres, type PostgresFixtures, type PublishingOutbox } from './outbox-fixture.js';
import { HOUR, LEASE, type OutboxScene, outboxScene, REFUSED, SUCCESS, saleOf } from './outbox-scene.js';

(hasPostgres ? describe : describe.skip)('two servers on PostgreSQL', () => {
  let postgres: TestPostgres;
  let fixtures: PostgresFixtures;
  let connections: readonly Connections[];
  let s: OutboxScene;
  let outboxes: readonly PublishingOutbox[];
  /** Posts by server. */
  let posts: readonly Post[][];
  let answer: (post: Post) => Outcome;
  /** Responses wait for it. */
  let held: Promise<void>;
  let faults: number;
  let workers: readonly Worker[];
  beforeAll(async () => {
    postgres = await startPostgres();
    fixtures = await fixturesOnPostgres(postgres);
    connections = [0, 1].map(() => createConnections({ url: fixtures.url, size: 2, timeout: 60_000 }));
  });
  afterAll(async () => {
    await Promise.all([...(connections ?? []), fixtures].map((one) => one.close()));
    await postgres.stop();
  });
  beforeEach(async () => {
    s = await outboxScene(await fixtures.open());
    answer = () => SUCCESS;
    held = Promise.resolve();
    faults = 0;
    posts = [[], []];
    outboxes = connections.map((one, index) => fixtures.outbox(one, 300 + index));
    workers = outboxes.map((outbox, index) => workerOn(outbox, index));
  });

  const workerOn = (outbox: PublishingOutbox, index: number): Worker => {
    const send = async (post: Post): Promise<Outcome> => {
      posts[index]?.push(post);
      await held;
      return answer(post);
    };
    const options = { outbox, server: `server ${index}`, capacity: 20, deadline: 10_000 };
    const failed = (): void => {
      faults += 1;
    };
    const worker = createWorker({ ...options, send, clock: () => s.now, observer: { failed } });
    outbox.onDue({ due: (hooks) => worker.add(hooks), passedOver: () => undefined });
    return worker;
  };
  /** Runs all workers, side by side, until nothing is due. */
  const runAll = async (): Promise<void> => {
    do {
      // Each run is a poll.
      s.now += 1_000;
      await Promise.all(workers.map((worker) => worker.runOnce(s.now)));
      await Promise.all(workers.map((worker) => worker.idle()));
    } while ((await s.rows('webhook_delivery')).some(({ ready }) => ready !== null && Number(ready) <= s.now));
  };
  /** From now on, no post is answered before the returned function is called. */
  const hold = (): (() => void) => {
    let release: () => void = () => undefined;
    held = new Promise<void>((resolve) => {
      release = resolve;
    });
    return release;
  };
  const sent = () => posts.flat().map(({ delivery }) => delivery);

  test('Each event is delivered once, whoever published it, and both deliver', async () => {
    const hooks = [];
    for (let n = 0; n < 10; n += 1) hooks.push(await s.subscribe());
    for (let n = 0; n < 20; n += 1) {
      const outbox = outboxes[n % 2] as PublishingOutbox;
      await outbox.publishAll([saleOf(s.game)], s.now);
    }
    const release = hold();
    // The first has room for 5 hooks that were never tried, a quarter of its capacity; the others remain for the second.
    for (const worker of workers) await worker.runOnce(s.now);
    release();
    await runAll();
    expect([sent().length, new Set(sent()).size]).toEqual([210, 210]);
    expect(posts.map((own) => own.length >= 5)).toEqual([true, true]);
    expect(await s.rows('webhook_lease')).toEqual([]);
  });

  test('a failed delivery is retried by any server when it is due, until it succeeds', async () => {
    const hook = await s.subscribe();
    await runAll();
    for (let n = 0; n < 3; n += 1) await s.sell();
    answer = () => REFUSED;
    await runAll();
    expect([(await s.hook(hook))?.failures_since_last_success, sent().length]).toEqual([3, 4]);
    answer = () => SUCCESS;
    for (let hour = 0; hour < 4; hour += 1) {
      s.now += HOUR;
      await runAll();
    }
    expect([(await s.hook(hook))?.failures_since_last_success, await s.rows('webhook_delivery')]).toEqual([0, []]);
    expect([sent().length, new Set(sent()).size]).toEqual([7, 4]);
  });

  test('Outcomes that cannot be written while PostgreSQL is away are written when it is back, and nothing is sent twice', async () => {
    const hooks = [await s.subscribe(), await s.subscribe(), await s.subscribe()];
    const [worker] = workers as [Worker];
    const release = hold();
    worker.add(hooks);
    await worker.runOnce(s.now);
    await postgres.kill();
    release();
    await worker.idle();
    expect(faults).toBeGreaterThan(0);
    await postgres.restart();
    await runAll();
    expect([sent().length, new Set(sent()).size]).toEqual([3, 3]);
    expect([await s.rows('webhook_delivery'), (await s.rows('webhook_attempt')).length]).toEqual([[], 3]);
  });

  /** Lets a second pass, with these servers running. */
  const second = async (...running: readonly Worker[]): Promise<void> => {
    s.now += 1_000;
    for (const worker of running) {
      await worker.keep(s.now);
      await worker.runOnce(s.now);
    }
  };
  const never = new Promise<void>(() => undefined);

  test('N26: deliveries in flight on a living server are left alone; those of a killed one continue within 10 seconds', async () => {
    const [first, other] = workers as [Worker, Worker];
    const hooks = [await s.subscribe(), await s.subscribe()];
    held = never;
    first.add(hooks);
    await second(first);
    held = Promise.resolve();
    for (let passed = 0; passed < 10; passed += 1) await second(first, other);
    expect(posts.map((own) => own.length)).toEqual([2, 0]);
    // The second server is killed.
    for (let passed = 0; passed < 10; passed += 1) await second(other);
    expect(new Set(posts[1]?.map(({ delivery }) => delivery))).toEqual(
      new Set(posts[0]?.map(({ delivery }) => delivery)),
    );
    await other.idle();
    expect([await s.rows('webhook_delivery'), await s.rows('webhook_lease')]).toEqual([[], []]);
  });

  test('N26: servers that are killed every four seconds do not stop the deliveries of another', async () => {
    const [, living] = workers as [Worker, Worker];
    for (let n = 0; n < 5; n += 1) await s.subscribe();
    const counts: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await s.sell();
      // It claims all that it can, and is killed before any response arrives.
      held = never;
      await workerOn(outboxes[0] as PublishingOutbox, 0).runOnce(s.now);
      held = Promise.resolve();
      for (let passed = 0; passed < 4; passed += 1) await second(living);
      await living.idle();
      counts.push(posts[1]?.length ?? 0);
      if (round > 2) expect(counts[round]).toBeGreaterThan(counts[round - 3] ?? 0);
    }
    for (let passed = 0; passed < 10; passed += 1) await second(living);
    do {
      await living.idle();
      await second(living);
    } while (living.inFlight > 0);
    expect(await s.rows('webhook_delivery')).toEqual([]);
  });

  test('N26: an attempt is given up before its lease ends, if that cannot be extended', async () => {
    const failing: PublishingOutbox = {
      ...(outboxes[0] as PublishingOutbox),
      extend: () => Promise.reject(new Error('away')),
    };
    const cut = workerOn(failing, 0);
    held = never;
    cut.add([await s.subscribe()]);
    await second(cut);
    // The outbox keeps attempts under way when the clock changes.
    s.now += 5 * HOUR;
    cut.clockChanged(5 * HOUR);
    const extended: (boolean | undefined)[] = [];
    for (let passed = 0; passed < 7; passed += 1) {
      s.now += 1_000;
      await cut.keep(s.now);
      extended.push(posts[0]?.[0]?.giveUp?.aborted);
    }
    expect(extended).toEqual([false, false, false, false, false, true, true]);
    expect(faults).toBe(4);
  });

  test('nextDue answers from memory for a second, and includes what this server has written during that second', async () => {
    const [own, other] = outboxes as [PublishingOutbox, PublishingOutbox];
    expect(await own.nextDue(s.now)).toBeNull();
    const [first, second] = [await s.subscribe(), await s.subscribe()];
    const fail = async (outbox: PublishingOutbox, hook: string) => {
      const [attempt] = await outbox.claim([hook], s.now, s.now + 1, 'server');
      await outbox.settle([{ attempt: attempt as NonNullable<typeof attempt>, outcome: REFUSED, ended: s.now }]);
    };
    await fail(other, first);
    expect(await own.nextDue(s.now)).toBeNull();
    s.now += 500;
    await fail(own, second);
    expect(await own.nextDue(s.now)).toBe(s.now + HOUR);
    s.now += 500;
    expect(await own.nextDue(s.now)).toBe(s.now - 1_000 + HOUR);
    await own.clockChanged({ now: s.now - HOUR, by: -HOUR, lease: s.now - HOUR + LEASE });
    expect(await own.nextDue(s.now)).toBeNull();
  });
});
