// `npm run bench:webhooks`: what hanging receivers cost healthy ones, and what the outbox costs compared with a bare loop that
// sends and keeps nothing. Figures are for people to judge; nothing here fails because of one.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Agent, request } from 'undici';
import { signedForm } from '../../runtime/rules/signature.js';
import { temporaryFolder } from '../support/paths.js';
import { median } from './throughput.js';
import { type Receiver, startFixture, startReceiver, type WebhookFixture } from './webhook-fixture.js';

const HEALTHY = 20;
const HANGING = 50;
/** The number of sales of a slice, and the milliseconds between them. */
const SALES = 200;
const GAP = 20;
const ROUNDS = 7;

const HOOKS_EACH = 4;
const DESIGNERS = 64;
const DELIVERIES = 16_000;
const AT_ONCE = HOOKS_EACH * DESIGNERS;
/** The most callbacks that are published and not yet settled: longer waits would measure the backlog. */
const BACKLOG = 2 * AT_ONCE;

async function main(): Promise<void> {
  const receiver = await startReceiver();
  try {
    const only = process.argv[2];
    if (only !== 'fairness') await withFixture(receiver, throughput);
    if (only !== 'throughput') await withFixture(receiver, fairness);
  } finally {
    receiver.close();
  }
}

async function withFixture(receiver: Receiver, work: (fixture: WebhookFixture, receiver: Receiver) => Promise<void>) {
  const folder = temporaryFolder('bench-webhooks');
  const fixture = await startFixture(folder, receiver.address);
  try {
    await work(fixture, receiver);
  } finally {
    await fixture.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Slices with and without sales of the hanging hooks' designer, in turns, so that noisy moments affect both. */
async function fairness(fixture: WebhookFixture, receiver: Receiver): Promise<void> {
  const healthy = await fixture.designer(names('healthy', HEALTHY));
  const hanging = await fixture.designer(names('hang', HANGING));
  await slice(fixture, receiver, { healthy, hanging: null });
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await slice(fixture, receiver, { healthy, hanging: null })));
    beside.push(...(await slice(fixture, receiver, { healthy, hanging })));
  }
  say(`commit to POST of ${HEALTHY} healthy hooks, ${alone.length} callbacks each, ${1000 / GAP} sales/s, ms`);
  say(row('', 'p50', 'p99'));
  say(row('alone', ms(quantile(alone, 0.5)), ms(quantile(alone, 0.99))));
  say(row(`beside ${HANGING} that hang`, ms(quantile(beside, 0.5)), ms(quantile(beside, 0.99))));
  say(row('ratio (aim: p99 below 2)', ratio(beside, alone, 0.5), ratio(beside, alone, 0.99)));
}

interface Designers {
  readonly healthy: string;
  readonly hanging: string | null;
}

/** Milliseconds from each commit to each POST. */
async function slice(
  fixture: WebhookFixture,
  receiver: Receiver,
  { healthy, hanging }: Designers,
): Promise<readonly number[]> {
  const committed = new Map<string, number>();
  const arrived = receiver.expect(SALES * HEALTHY);
  await Promise.all(
    Array.from({ length: SALES }, async (_, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * GAP));
      const sku = randomBytes(6).toString('hex');
      const other = hanging === null ? null : fixture.sell(hanging, 'hanging');
      await fixture.sell(healthy, sku);
      committed.set(sku, performance.timeOrigin + performance.now());
      await other;
    }),
  );
  await arrived;
  return [...(await receiver.arrivals())].map(([name, at]) => at - (committed.get(name.split(' ')[1] ?? '') ?? 0));
}

/** The same callbacks through the outbox, published while they are sent, and in a loop that only posts. */
async function throughput(fixture: WebhookFixture, receiver: Receiver): Promise<void> {
  const designers = await Promise.all(
    Array.from({ length: DESIGNERS }, (_, at) => fixture.designer(names(`d${at}-`, HOOKS_EACH))),
  );
  await outboxRate(fixture, receiver, designers);
  await bareRate(receiver);
  const outbox: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    outbox.push(await outboxRate(fixture, receiver, designers));
    bare.push(await bareRate(receiver));
  }
  say(`${DELIVERIES} callbacks to ${AT_ONCE} hooks, medians of ${ROUNDS}, callbacks/s`);
  say(row('signed undici.request, not kept', Math.round(median(bare)).toString()));
  say(row('outbox, synchronous=FULL', Math.round(median(outbox)).toString()));
  say(row('ratio (aim: above 0.5)', median(outbox.map((rate, at) => rate / (bare[at] as number))).toFixed(2)));
}

async function outboxRate(fixture: WebhookFixture, receiver: Receiver, designers: readonly string[]): Promise<number> {
  const arrived = receiver.expect(DELIVERIES);
  const started = performance.now();
  const sales = DELIVERIES / HOOKS_EACH;
  let sold = 0;
  const before = fixture.settled();
  const clerk = async (): Promise<void> => {
    while (sold < sales) {
      if (sold * HOOKS_EACH - (fixture.settled() - before) > BACKLOG) await fixture.nextSettled();
      else await fixture.sell(designers[sold++ % DESIGNERS] as string, 'uncounted');
    }
  };
  await Promise.all(Array.from({ length: 64 }, clerk));
  await arrived;
  return DELIVERIES / ((performance.now() - started) / 1000);
}

async function bareRate(receiver: Receiver): Promise<number> {
  const dispatcher = new Agent({ connections: AT_ONCE, pipelining: 1 });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const arrived = receiver.expect(DELIVERIES);
  const started = performance.now();
  let sent = 0;
  const loop = async (): Promise<void> => {
    while (sent++ < DELIVERIES) {
      const body = signedForm({ message: MESSAGE, key: 'key' }, Date.now());
      const answer = await request(`${receiver.address}/bare`, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  await arrived;
  const rate = DELIVERIES / ((performance.now() - started) / 1000);
  await dispatcher.close();
  return rate;
}

/** A payload as long as a real one. */
const MESSAGE = JSON.stringify({
  id: 'ab01m7xyznraebxs4ef0zqpb95',
  owner_class: 'Designer',
  owner_id: 'ab01m7xyznqn2qw2phqqza9ck1',
  event: 'ItemSold',
  type: 'data',
  payload: {
    item: { quantity: 1, name: 'Harbour Lights', price_each: '19.99', shop_uri: '/games/h', sku_id: 'uncounted' },
    shipping_address: { city: 'Madison', state: 'WI', country: 'US' },
  },
});

function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function ratio(values: readonly number[], others: readonly number[], part: number): string {
  return (quantile(values, part) / quantile(others, part)).toFixed(2);
}

const ms = (value: number): string => value.toFixed(2);
const row = (first: string, ...rest: readonly string[]): string =>
  `  ${first.padEnd(32)}${rest.map((cell) => cell.padStart(10)).join('')}`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

void main();
