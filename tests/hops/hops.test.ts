// How far a reader must follow a request: the files and functions of the project that run for it when warm. Raising a budget
// needs a reason in the commit.

import type { StartOptions } from '../../runtime/server/main.js';
import { makeWorld, type World } from '../service/world.js';
import { insideOf } from '../support/database.js';
import { onPostgres } from '../support/on-postgres.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { type Budget, type Counter, type ExecutedCode, startCounter } from './executed.js';

const BUDGETS = {
  SQLite: {
    'a fetch': { files: 24, functions: 58 },
    'an update of one field': { files: 34, functions: 135 },
    'a sale until its first failure is settled': { files: 54, functions: 298 },
    'a retry': { files: 17, functions: 146 },
  },
  // Seven functions belong to a timer that checks waiting statements and, on a busy machine, runs beside every request.
  PostgreSQL: {
    'a fetch': { files: 31, functions: 123 + 7 },
    'an update of one field': { files: 41, functions: 198 + 7 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Budget>>>>;

let counter: Counter;
beforeAll(() => {
  counter = startCounter();
});
afterAll(() => counter.close());

describe('on SQLite', () => {
  describeRecords(BUDGETS.SQLite);
  describeDeliveries(BUDGETS.SQLite);
});

onPostgres(() => describeRecords(BUDGETS.PostgreSQL));

function describeRecords(budgets: Readonly<Record<'a fetch' | 'an update of one field', Budget>>): void {
  let world: World;
  let boxTop: string;
  beforeAll(async () => {
    world = await makeWorld('plain', { processes: 1 });
    boxTop = (await world.make('boxtop')).id;
  });
  afterAll(() => world.stop());

  const fetched = async () => {
    const { status } = await world.send('GET', `/api/boxtop/${boxTop}`, { session: world.owner.session });
    expect(status).toBe(200);
  };
  let updates = 0;
  const updated = async () => {
    updates += 1;
    const { session } = world.owner;
    const parameters = { name: `Box top ${updates}` };
    const { status } = await world.send('PUT', `/api/boxtop/${boxTop}`, { session, parameters });
    expect(status).toBe(200);
  };

  test.each([
    ['a fetch', fetched],
    ['an update of one field', updated],
  ] as const)('%s', async (name, work) => {
    for (let warm = 0; warm < 50; warm += 1) await work();
    within(name, await counter.during(work, budgets[name]), budgets);
  });
}

function describeDeliveries(
  budgets: Readonly<Record<'a sale until its first failure is settled' | 'a retry', Budget>>,
): void {
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
  });
  afterAll(() => receiver.close());

  test('a sale until its first failure is settled', async () => {
    await withHook(receiver, {}, async ({ sell, settled }) => {
      receiver.answer = () => 500;
      let sales = 0;
      const sellOnce = async () => {
        await sell();
        sales += 1;
        await settled(sales);
      };
      for (let warm = 0; warm < 5; warm += 1) await sellOnce();
      const name = 'a sale until its first failure is settled';
      within(name, await counter.during(sellOnce, budgets[name]), budgets);
    });
  });

  // Measures from one attempt to the next, since the server is idle between the arrival of an attempt and its answer.
  test('a retry', async () => {
    await withHook(receiver, { webhookRetryUnitMs: 5 }, async ({ sell }) => {
      let answer = (_status: number): void => undefined;
      const arrived = () =>
        new Promise<void>((resolve) => {
          receiver.answer = () =>
            new Promise((later) => {
              answer = later;
              resolve();
            });
        });
      const retryOnce = () => {
        const next = arrived();
        answer(500);
        return next;
      };
      const first = arrived();
      await sell();
      await first;
      // After these retries, the delays are long enough for the server to become idle before a retry is due.
      for (let warm = 0; warm < 5; warm += 1) await retryOnce();
      // Each delay is longer than the last.
      within('a retry', await counter.during(retryOnce, budgets['a retry'], 10), budgets);
      receiver.answer = () => 500;
      answer(500);
    });
  });
}

interface Hook {
  /** Creates a sale for the owner of the hook. */
  sell(): Promise<unknown>;
  /** Resolves once that many attempts have failed and are settled, and all work for them has ended. */
  settled(number: number): Promise<void>;
}

/** A service with a hook that has subscribed. */
async function withHook(
  receiver: HttpReceiver,
  options: Partial<StartOptions>,
  use: (hook: Hook) => Promise<void>,
): Promise<void> {
  const world = await makeWorld('plain', { processes: 1, ...options });
  try {
    receiver.answer = () => 200;
    const owner_id = await world.home('designer');
    const hook = { event: 'ItemSold', owner_class: 'Designer', owner_id, callback_uri: `${receiver.address}/sold` };
    await world.make('webhook', hook);
    const items = [{ game_id: await world.home('game') }];
    const { db, commits } = insideOf(world.service.service);
    // The statement is prepared once, so that the wrapper of the connection does not count as part of the work.
    const count = (state: string) => {
      const text = `SELECT count(*) FROM webhook_attempt WHERE ${state}`;
      const statement = db.prepare<[], number>(text).pluck();
      return () => statement.get() ?? 0;
    };
    const reached = async (number: number, counted: () => number) => {
      while (counted() < number) await new Promise(setImmediate);
      // Once an empty write is durable, so are the outcomes, and the worker has freed their hooks.
      await commits.submit(() => undefined);
    };
    await reached(1, count('status = 200'));
    const failed = count('status = 500');
    await use({
      sell: () => world.make('receipt', { items }, world.admin),
      settled: (number) => reached(number, failed),
    });
  } finally {
    await world.stop();
  }
}

function within<N extends string>(
  name: N,
  { files, functions }: ExecutedCode,
  budgets: Readonly<Record<N, Budget>>,
): void {
  const budget = budgets[name];
  const over = {
    files: files.size > budget.files ? [...files] : [],
    functions: functions.size > budget.functions ? [...functions] : [],
  };
  expect(over).toEqual({ files: [], functions: [] });
  // An empty count would be within every budget.
  expect(files.size).toBeGreaterThan(budget.files / 2);
}
