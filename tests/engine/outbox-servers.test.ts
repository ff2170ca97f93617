// Several servers on one PostgreSQL: a hook is in flight once in the whole system, nothing is lost, and no server frees what a
// living server has claimed.

import type { Attempt } from '../../runtime/rules/delivery.js';
import { type Connections, createConnections } from '../../runtime/store/postgres/connections.js';
import { chanceOf } from '../support/chance.js';
import { count } from '../support/counts.js';
import { describeOnServers } from '../support/servers.js';
import { fixturesOnPostgres, type PostgresFixtures, type PublishingOutbox } from './outbox-fixture.js';
import { LEASE, type OutboxScene, outboxScene, REFUSED, SUCCESS } from './outbox-scene.js';

const [A, B] = ['server a', 'server b'] as const;

describeOnServers((server) => {
  let fixtures: PostgresFixtures;
  let servers: readonly Connections[];
  let outboxes: readonly [PublishingOutbox, PublishingOutbox];
  let s: OutboxScene;
  beforeAll(async () => {
    fixtures = await fixturesOnPostgres(server());
    servers = [1, 2].map(() => createConnections({ url: fixtures.url, size: 4, timeout: 60_000 }));
    outboxes = servers.map((server, index) => fixtures.outbox(server, 100 + index)) as [
      PublishingOutbox,
      PublishingOutbox,
    ];
  });
  afterAll(async () => {
    await Promise.all([...(servers ?? []), fixtures].map((one) => one.close()));
  });
  beforeEach(async () => {
    s = await outboxScene(await fixtures.open());
  });

  /** Inserts due deliveries of new hooks of many users; resolves with the hooks' ids. */
  const fill = async (hooks: number, deliveries: number): Promise<readonly string[]> => {
    const about = { owner_class: 'User', event: 'ReceiptShipped', callback_uri: 'https://x.example/' };
    const ids = Array.from({ length: hooks }, async (_, n) => {
      const placement = `h${(n % 8).toString()}`;
      const user_id = await s.make('user', placement, { username: `u${n}`, password: '-' });
      const hook = await s.make('webhook', placement, { ...about, user_id, owner_id: user_id, format: 'form' });
      const due = { webhook_id: hook, type: 'data', message: '{}', created: s.now, due: s.now, ready: s.now };
      const rows = Array.from({ length: deliveries }, () => ({ id: s.ids.next(placement, s.now), ...due }));
      await s.putAll('webhook_delivery', rows);
      return hook;
    });
    return Promise.all(ids);
  };
  const claim = (outbox: PublishingOutbox, hooks: readonly string[], server: string) =>
    outbox.claim(hooks, s.now, s.now + LEASE, server);

  test('S29: eight claimers of two servers share all deliveries: each is settled once, and no hook is in flight twice', async () => {
    const each = count(5, 20);
    await fill(200, each);
    const flights = watchFlights();
    const delivered = new Map<string, number>();
    const shares = [0, 0];
    const claimer = async (index: number): Promise<void> => {
      const [outbox, chance] = [outboxes[index % 2] as PublishingOutbox, chanceOf(index)];
      for (let hooks = await outbox.due(-1, s.now); ; hooks = await outbox.due(-1, s.now)) {
        const wanted = hooks.filter(() => chance.happens(0.5));
        if (hooks.length === 0 && (await s.rows('webhook_delivery')).length === 0) return;
        const attempts = await claim(outbox, wanted, index % 2 === 0 ? A : B);
        flights.start(attempts);
        // The work of other servers must not touch these hooks during a flight.
        await outbox.due(-1, s.now);
        flights.end(attempts);
        const current = await outbox.settle(attempts.map((attempt) => ({ attempt, outcome: SUCCESS, ended: s.now })));
        for (const [n, { delivery }] of attempts.entries()) {
          if (current[n]) delivered.set(delivery, (delivered.get(delivery) ?? 0) + 1);
        }
        shares[index % 2] = (shares[index % 2] ?? 0) + attempts.length;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => claimer(index)));
    expect(flights.doubles).toEqual([]);
    expect([delivered.size, Math.max(...delivered.values())]).toEqual([200 * each, 1]);
    expect(shares.reduce((sum, share) => sum + share)).toBe(200 * each);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(await s.rows('webhook_lease')).toEqual([]);
  });

  describe('two claimers that have both found a hook free', () => {
    let hook: string;
    beforeEach(async () => {
      [hook = ''] = await fill(1, 2);
    });
    const claimTogether = async (change: (text: string) => string): Promise<readonly Attempt[]> => {
      const gate = createGate(2);
      const held = servers.map((server, index) => fixtures.outbox(heldAt(gate, server, change), 200 + index));
      const claims = await Promise.all(held.map((outbox, index) => claim(outbox, [hook], [A, B][index] as string)));
      return claims.flat();
    };
    test('S29: one of them gets it', async () => {
      const flights = watchFlights();
      flights.start(await claimTogether((text) => text));
      expect([flights.doubles, await s.rows('webhook_lease')]).toEqual([
        [],
        [expect.objectContaining({ subject: hook })],
      ]);
    });
    // Controls: the same test reports duplicates as soon as a condition is missing.
    const withoutLeases = (text: string) => text.replace(/WHERE l\.until <= (\$\d+)/, 'WHERE $1::bigint IS NOT NULL');
    test('without leases both of them get it', async () => {
      const flights = watchFlights();
      flights.start(await claimTogether(withoutLeases));
      expect(flights.doubles).toEqual([hook]);
    });
    test('without leases and without looking again both of them get the same delivery', async () => {
      const attempts = await claimTogether((text) =>
        withoutLeases(text).replace(/(\w\.lease) IS NULL OR \1 <= (\$\d+)/g, '$2::bigint IS NOT NULL'),
      );
      expect([attempts.length, new Set(attempts.map(({ delivery }) => delivery)).size]).toEqual([2, 1]);
    });
  });

  test('S24: deliveries of a dead server are taken over when its leases end, and not before', async () => {
    const hooks = await fill(3, 1);
    const [first, second] = outboxes;
    const lost = await claim(first, hooks, A);
    expect([lost.length, await second.recover(B, s.now), await claim(second, hooks, B)]).toEqual([3, 0, []]);
    expect(await second.due(-1, s.now)).toEqual([]);
    s.now += LEASE;
    expect([...(await second.due(-1, s.now))].sort()).toEqual([...hooks].sort());
    const taken = await claim(second, hooks, B);
    expect(taken.map(({ delivery }) => delivery).sort()).toEqual(lost.map(({ delivery }) => delivery).sort());
    const late = lost.map((attempt) => ({ attempt, outcome: SUCCESS, ended: s.now }));
    expect([await first.settle(late), await first.recover(A, s.now)]).toEqual([[false, false, false], 0]);
    expect(await second.settle(taken.map((attempt) => ({ attempt, outcome: SUCCESS, ended: s.now })))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('S1, S7: no failure that two servers settle together is lost, and one mail is written', async () => {
    const [hook = ''] = await fill(1, 0);
    const tests = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        (outboxes[n % 2] as PublishingOutbox).test(hook, { payload: '{}', now: s.now, server: n % 2 === 0 ? A : B }),
      ),
    );
    const settled = tests.map((attempt, n) =>
      (outboxes[n % 2] as PublishingOutbox).settle([{ attempt, outcome: REFUSED, ended: s.now }]),
    );
    expect((await Promise.all(settled)).flat()).toEqual(tests.map(() => true));
    expect([(await s.hook(hook))?.failures_since_last_success, (await s.rows('webhook_mail')).length]).toEqual([24, 1]);
  });

  test('Batches about the same hooks in opposite orders are both settled', async () => {
    const hooks = await fill(16, 0);
    const testAll = (outbox: PublishingOutbox, server: string) =>
      Promise.all(hooks.map((hook) => outbox.test(hook, { payload: '{}', now: s.now, server })));
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await testAll(outboxes[0], A), (await testAll(outboxes[1], B)).reverse()];
      const settle = (outbox: PublishingOutbox, attempts: readonly Attempt[]) =>
        outbox.settle(attempts.map((attempt) => ({ attempt, outcome: REFUSED, ended: s.now })));
      const settled = await Promise.all([settle(outboxes[0], one), settle(outboxes[1], other)]);
      expect(settled.flat()).toEqual([...one, ...other].map(() => true));
    }
    const counts = (await s.rows('webhook')).map((row) => row.failures_since_last_success);
    expect(counts).toEqual(hooks.map(() => 10));
  });

  test('claimed deliveries are sent even if the claim of another hook failed; if all fail, the claim fails', async () => {
    const [one = '', other = ''] = await fill(2, 1);
    const broken = new Error('the connection broke');
    const outbox = fixtures.outbox(
      failingFor((values) => values.includes(other), broken, servers[0] as Connections),
      400,
    );
    expect((await claim(outbox, [one, other], A)).map(({ hook }) => hook)).toEqual([one]);
    await expect(claim(outbox, [other], A)).rejects.toBe(broken);
    expect((await claim(outboxes[1], [other], B)).map(({ hook }) => hook)).toEqual([other]);
  });

  test('Batches that are settled together do not fail together', async () => {
    const hooks = await fill(3, 1);
    const [, bad = ''] = hooks;
    const broken = new Error('the disk is full');
    const isLog = (values: readonly unknown[]) => values.includes(bad) && values.includes('success');
    const outbox = fixtures.outbox(failingFor(isLog, broken, servers[0] as Connections), 500);
    const attempts = await claim(outbox, hooks, A);
    // The first batch is under way when the others arrive.
    const settled = await Promise.allSettled(
      attempts.map((attempt) => outbox.settle([{ attempt, outcome: SUCCESS, ended: s.now }])),
    );
    const results = new Map(attempts.map(({ hook }, index) => [hook, settled[index]]));
    expect(hooks.map((hook) => results.get(hook))).toEqual([
      { status: 'fulfilled', value: [true] },
      { status: 'rejected', reason: broken },
      { status: 'fulfilled', value: [true] },
    ]);
    expect((await s.rows('webhook_delivery')).map(({ webhook_id }) => webhook_id)).toEqual([bad]);
  });

  test('S8: of two servers that ask for mails together, one gets each; the mail of one that dies is due again', async () => {
    const about = { event: 'ItemSold', callback_uri: 'https://x.example/', created: s.now, due: s.now };
    for (let n = 0; n < 10; n += 1) {
      const id = s.ids.next('m0', s.now);
      await s.put('webhook_mail', { id, webhook_id: `m0hook${n}`, user_id: s.maker, ...about });
    }
    const asked = await Promise.all([0, 1, 2, 3].map((n) => (outboxes[n % 2] as PublishingOutbox).dueMails(s.now, 10)));
    expect(asked.flat()).toHaveLength(10);
    expect(new Set(asked.flat().map(({ id }) => id)).size).toBe(10);
    s.now += 600_000;
    expect(await outboxes[1].dueMails(s.now, 20)).toHaveLength(10);
  });
});

/** Reports hooks that were claimed while they were already in flight. */
function watchFlights() {
  const flying = new Set<string>();
  const doubles: string[] = [];
  return {
    doubles,
    start(attempts: readonly Attempt[]): void {
      for (const { hook } of attempts) {
        if (flying.has(hook)) doubles.push(hook);
        flying.add(hook);
      }
    },
    end(attempts: readonly Attempt[]): void {
      for (const { hook } of attempts) flying.delete(hook);
    },
  };
}

/** Opens when this many callers wait at it. */
function createGate(count: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === count) open();
    return opened;
  };
}

/** Connections whose first transaction waits at the gate, and whose statements are changed. */
function heldAt(gate: () => Promise<void>, connections: Connections, change: (text: string) => string): Connections {
  return {
    ...connections,
    prepare: (text) => connections.prepare(change(text)),
    async transaction(calls) {
      await gate();
      return connections.transaction(calls);
    },
  };
}

/** Connections on which statements with such values fail. */
function failingFor(
  fails: (values: readonly unknown[]) => boolean,
  error: Error,
  connections: Connections,
): Connections {
  const failing =
    (query: Connections['query']): Connections['query'] =>
    async (statement, values) => {
      if (!fails(values)) return query(statement, values);
      // The transaction fails with the statement.
      await query(connections.prepare('SELECT 1 / 0'), []).catch(() => undefined);
      throw error;
    };
  return {
    ...connections,
    transaction: async (calls) => {
      if (calls.some(({ values }) => fails(values))) throw error;
      return connections.transaction(calls);
    },
    interactive: (work) => connections.interactive((query, hold, send) => work(failing(query), failing(hold), send)),
  };
}
