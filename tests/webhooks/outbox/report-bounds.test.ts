// Reports about a hook read a bounded number of rows, however many deliveries it has and whatever is requested.

import type { DeliveryState } from '../../../runtime/contract/delivery-states.js';
import { createReports } from '../../../runtime/store/outbox/reports.js';
import type { HookReports } from '../../../runtime/store/outbox.js';
import { createDatabase } from '../../../runtime/store/sqlite/database.js';
import { NOW, outboxWorld, sale, subscribe, type World } from './outbox-world.js';

const MANY = 30_000;
/** A page scans at most 2,000 rows of each kind, besides the rows that are shown or looked up by their ids. */
const MOST = 8_000;

let w: World;
let hook: string;
let reports: HookReports;
let read = 0;

beforeAll(async () => {
  w = outboxWorld();
  hook = await subscribe(w, await sale(w));
  const { db } = w;
  db.exec('BEGIN');
  const delivery = db.prepare(
    `INSERT INTO webhook_delivery (id, webhook_id, type, message, created, due, ready, failed)
     VALUES (?, ?, 'data', '{}', ?, ?, ?, ?)`,
  );
  const message = db.prepare(
    `INSERT INTO webhook_message (id, webhook_id, type, message, created, ended, state)
     VALUES (?, ?, 'data', '{}', ?, ?, 'delivered')`,
  );
  const attempt = db.prepare(
    `INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, status, counted)
     VALUES (?, ?, ?, 'data', ?, ?, ?, 500, 1)`,
  );
  for (let at = 0; at < MANY; at += 1) {
    const number = String(at).padStart(12, '0');
    const [waiting, over] = ['w', 'o'].map((kind) => `${hook.slice(0, 2)}${number}${kind}`.padEnd(26, '0'));
    // Only the oldest one is held; the newest retries are due first.
    const due = NOW + (at % 2 === 0 ? at : MANY - at);
    delivery.run(waiting, hook, NOW, NOW, at === 0 ? null : due, at % 2);
    message.run(over, hook, NOW, NOW);
    attempt.run(`a${number}`, waiting, hook, NOW, NOW + at, at % 4 === 0 ? 'success' : 'status');
  }
  db.exec('COMMIT');
  db.function('counted', { deterministic: false }, (_id) => {
    read += 1;
    return 1;
  });
  // A temporary view hides the table of its name.
  for (const table of ['webhook_delivery', 'webhook_message', 'webhook_attempt'])
    db.exec(`CREATE TEMP VIEW "${table}" AS SELECT * FROM main."${table}" WHERE counted(id)`);
  reports = createReports(createDatabase(db));
});
afterAll(() => w.end());

async function costOf<T>(work: () => T | Promise<T>): Promise<T> {
  read = 0;
  const result = await work();
  expect(read).toBeLessThan(MOST);
  return result;
}

test.each(['waiting', 'held', 'in_flight', 'delivered', 'cancelled', null] as const)(
  'a page of deliveries: %s',
  async (state) => {
    const states: readonly DeliveryState[] | null = state === null ? null : [state];
    const ask = (after: string | null) => costOf(() => reports.deliveries(hook, { states, after, limit: 50 }));
    let page = await ask(null);
    const isCommon = state === null || state === 'waiting' || state === 'delivered';
    expect([page.items.length, page.next === null]).toEqual([isCommon ? 50 : 0, false]);
    if (isCommon) return;
    // Rare states are found on later pages.
    const items = [...page.items];
    while (page.next !== null) {
      page = await ask(page.next);
      items.push(...page.items);
    }
    expect(items).toHaveLength(state === 'held' ? 1 : 0);
  },
);

test('waiting deliveries are counted up to the requested number, beginning with those that are due first', async () => {
  const report = await costOf(() => reports.hook(hook, 1_000));
  expect(report).toMatchObject({ deliveries: 2_000, nextDue: NOW + 1 });
  const [listed] = await costOf(() => reports.hooks({ state: null, after: null, limit: 50, most: 100 }));
  expect(listed?.deliveries).toBe(200);
  expect((await reports.hook(hook))?.deliveries).toBeGreaterThan(MANY - 1);
});

test('results of a retry are counted over the newest attempts', async () => {
  const counts = await costOf(() => reports.retried(hook, NOW, 4_000));
  expect(counts).toEqual({ tried: 4_000, delivered: 1_000 });
});
