// The same history on both engines leaves the same deliveries, counts, mails and log: SQLite is the model.

import type { Attempt, Outcome } from '../../runtime/rules/delivery.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../support/postgres.js';
import { fixtureOnSqlite, fixturesOnPostgres, type PostgresFixtures, type StoredOutboxRow } from './outbox-fixture.js';
import { HOUR, LEASE, type OutboxScene, outboxScene, REFUSED, SERVER, SUCCESS } from './outbox-scene.js';

const HISTORIES = 4;
const STEPS = 100;
const OUTCOMES: readonly Outcome[] = [SUCCESS, REFUSED, REFUSED, REFUSED, { class: 'timeout' }, { class: 'internal' }];
/** Counts at which the next failure has an effect. */
const COUNTS = [3, 4, 99, 99, 99, 99, 100, 999];

/** One engine's side of a history. */
interface EngineSide {
  readonly scene: OutboxScene;
  /** The claimed attempts, including stale ones; the same on both sides, in the same order. */
  readonly attempts: Attempt[];
  readonly hooks: string[];
}

/** One step, drawn before it is applied to both sides; it returns the outbox's answer. */
type Step = (side: EngineSide) => Promise<unknown>;

const pick = (hooks: readonly string[], index: number) => hooks[index % hooks.length] ?? '';

function draw(chance: Chance): Step {
  const [index, outcomes] = [chance.below(100), [0, 1, 2].map(() => chance.one(OUTCOMES))];
  const [jump, count] = [chance.one([1_000, LEASE, HOUR, 3 * HOUR, 30 * HOUR]), chance.one(COUNTS)];
  const steps: readonly (readonly [number, Step])[] = [
    [14, ({ scene }) => scene.sell()],
    [1, async ({ scene, hooks }) => void hooks.push(await scene.subscribe())],
    [16, (side) => claimAll(side)],
    [24, (side) => settleSome(side, outcomes)],
    [6, (side) => testOne(side, pick(side.hooks, index), outcomes[0] as Outcome)],
    [6, async ({ scene }) => void Object.assign(scene, { now: scene.now + jump })],
    [2, async ({ scene }) => scene.outbox.recover(SERVER, scene.now)],
    [
      1,
      async ({ scene }) =>
        scene.outbox.clockChanged({ now: scene.now - HOUR, by: -HOUR, lease: scene.now - HOUR + LEASE }),
    ],
    [6, ({ scene, hooks }) => scene.change('webhook', pick(hooks, index), { failures_since_last_success: count })],
    [2, (side) => sendMails(side, index % 2 === 0)],
    [1, (side) => unsubscribe(side, pick(side.hooks, index))],
  ];
  return chance.weighted(steps);
}

async function claimAll({ scene, attempts, hooks }: EngineSide): Promise<unknown> {
  const claimed = await scene.outbox.claim(hooks, scene.now, scene.now + LEASE, SERVER);
  const inOrder = [...claimed].sort((a, b) => (a.hook < b.hook ? -1 : 1));
  attempts.push(...inOrder);
  return inOrder.map(({ id, delivery, ...attempt }) => attempt);
}

async function settleSome({ scene, attempts }: EngineSide, outcomes: readonly Outcome[]): Promise<unknown> {
  const ended = attempts.splice(0, outcomes.length);
  const batch = ended.map((attempt, n) => ({ attempt, outcome: outcomes[n] as Outcome, ended: scene.now }));
  return batch.length === 0 ? [] : scene.outbox.settle(batch);
}

async function testOne({ scene }: EngineSide, hook: string, outcome: Outcome): Promise<unknown> {
  if ((await scene.hook(hook)) === undefined) return null;
  const attempt = await scene.outbox.test(hook, { payload: '{"a":1}', now: scene.now, server: SERVER });
  return scene.outbox.settle([{ attempt, outcome, ended: scene.now }]);
}

async function sendMails({ scene }: EngineSide, sent: boolean): Promise<unknown> {
  const mails = await scene.outbox.dueMails(scene.now, 10);
  for (const { id } of mails) await scene.outbox.settleMail(id, sent, scene.now);
  return mails.map(({ id, ...mail }) => mail);
}

async function unsubscribe({ scene }: EngineSide, hook: string): Promise<void> {
  const row = await scene.hook(hook);
  if (row === undefined) return;
  await scene.drop('webhook', hook);
  await scene.publishWithin([{ kind: 'unsubscribed', row }], scene.now);
}

/** Everything except ids, which each engine draws by itself. */
async function stateOf({ scene, hooks }: EngineSide): Promise<unknown> {
  const { outbox, now } = scene;
  const without = (rows: readonly StoredOutboxRow[]) =>
    rows.map(({ id, attempt_id, ...row }) => ({ ...row, inFlight: attempt_id !== null }));
  const logs = await Promise.all(hooks.map((hook) => outbox.log(hook)));
  const leased = (await scene.rows('webhook_lease')).filter(({ until }) => Number(until) > now);
  const flying = new Set(leased.map(({ subject }) => subject));
  return {
    now,
    deliveries: without(await scene.rows('webhook_delivery')),
    hooks: await scene.rows('webhook'),
    mails: without(await scene.rows('webhook_mail')),
    // Attempts that ended in the same millisecond have no order.
    logs: logs.map((log) => log.map(({ id, delivery, ...attempt }) => JSON.stringify(attempt)).sort()),
    flying: hooks.filter((hook) => flying.has(hook)),
    due: [...(await outbox.due(-1, now))].filter((hook) => !flying.has(hook)).sort(),
    nextDue: await outbox.nextDue(now),
    statistics: await outbox.statistics(now),
    woken: [...scene.woken].sort(),
  };
}

(hasPostgres ? describe : describe.skip)('SQLite and PostgreSQL', () => {
  let postgres: SharedPostgres;
  let fixtures: PostgresFixtures;
  beforeAll(async () => {
    postgres = await sharePostgres();
    fixtures = await fixturesOnPostgres(postgres);
  });
  afterAll(async () => {
    await fixtures.close();
    await postgres.stop();
  });

  test.each(Array.from({ length: HISTORIES }, (_, seed) => seed))(
    'a random history leaves the same: seed %i',
    async (seed) => {
      const chance = chanceOf(seed);
      const sides: EngineSide[] = [];
      for (const fixture of [await fixtureOnSqlite(), await fixtures.open()]) {
        const scene = await outboxScene(fixture);
        sides.push({ scene, attempts: [], hooks: [await scene.subscribe()] });
      }
      const [model, tested] = sides as [EngineSide, EngineSide];
      for (let step = 0; step < STEPS; step += 1) {
        const take = draw(chance);
        const answer = await take(model);
        expect({ step, answer: await take(tested) }).toEqual({ step, answer });
        expect({ step, state: await stateOf(tested) }).toEqual({ step, state: await stateOf(model) });
      }
      await model.scene.end();
    },
  );
});
