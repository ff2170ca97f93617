// The commands of a history. Each changes the module and the model together, and checks that both agree.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SERVER } from '../../../runtime/admin/simulate/service.js';
import { attemptOnce } from '../../../runtime/webhooks/deliver/worker.js';
import { databaseOf, insideOf } from '../../support/database.js';
import { addHook, endHook, expectDelivery, HOUR, type Model, type ModelHook } from './bookkeeping.js';
import type { Manner, World } from './world.js';

export type Command = fc.AsyncCommand<Model, World>;

interface CommandContext {
  readonly name: string;
  /** Default: always possible. */
  check?(model: Model): boolean;
  run(world: World, model: Model): Promise<void>;
}

/** A command that ends with the comparison of both sides. */
function command({ name, check = () => true, run }: CommandContext): Command {
  return {
    check,
    async run(model, world) {
      await run(world, model);
      world.compare();
    },
    toString: () => name,
  };
}

const FAILURES: readonly Manner[] = ['status', 'dns', 'connect', 'tls', 'timeout', 'blocked', 'protocol'];
const manner = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Manner>('success') },
  { weight: 8, arbitrary: fc.constantFrom(...FAILURES) },
  { weight: 2, arbitrary: fc.constantFrom<Manner>('silent', 'own_fault_once') },
);
const hookIndex = fc.nat(2);
const MOST_HOOKS = 3;
const EVENTS = ['ItemSold', 'ReceiptShipped'] as const;

const existing = (model: Model): ModelHook[] => [...model.hooks.values()].filter(({ exists }) => exists);
const hasHooks = (model: Model): boolean => existing(model).length > 0;
/** The n-th existing hook. */
function pick(model: Model, n: number): ModelHook {
  const hooks = existing(model);
  return hooks[n % hooks.length] as ModelHook;
}

const format = fc.constantFrom('form', 'standard');

export const subscribe = fc
  .tuple(fc.boolean(), fc.constantFrom(...EVENTS), manner, format)
  .map(([byBoss, event, answers, looks]) =>
    command({
      name: `subscribe(${byBoss ? 'boss' : 'ada'}, ${event}, ${answers}, ${looks})`,
      check: (model) => existing(model).length < MOST_HOOKS,
      run: (world, model) => subscribeTo(world, model, { byBoss, event, answers, format: looks }),
    }),
  );

export interface Subscription {
  readonly byBoss: boolean;
  readonly event: (typeof EVENTS)[number];
  readonly answers: Manner;
  readonly format?: string;
}

/** Does nothing if the user may not subscribe. */
export async function subscribeTo(world: World, model: Model, subscription: Subscription): Promise<void> {
  const { byBoss, event, answers, format: looks = 'form' } = subscription;
  const { service, shared, now, designer } = world;
  const user = byBoss ? shared.boss : shared.ada;
  const [ownerClass, owner] =
    event === 'ItemSold' ? (['Designer', designer] as const) : (['User', shared.ada] as const);
  if (owner === null || (byBoss && !world.bossIsAdmin)) return;
  const { id: api_key_id, secret } = await newKey(world, user);
  const uri = `http://receiver.example/${now}`;
  const input = { event, owner_class: ownerClass, owner_id: owner, callback_uri: uri, api_key_id, format: looks };
  const id = await service.create('webhook', input, { user, now });
  addHook(model, { id, event, ownerClass, owner, user, uri, key: secret }, now);
  world.manners.set(id, answers);
}

async function newKey({ service, now }: World, user: string): Promise<{ id: string; secret: string }> {
  const id = await service.create('apikey', { name: 'key' }, { user, now });
  const secret = databaseOf(service)
    .prepare<[string], string>('SELECT private_key FROM apikey WHERE id = ?')
    .pluck()
    .get(id);
  return { id, secret: secret as string };
}

/** I10: with `undone`, the change that publishes the event is refused in the end. */
const publish = fc
  .tuple(fc.constantFrom(...EVENTS), fc.integer({ min: 1, max: 7 }), fc.nat(9))
  .map(([event, burst, dice]) => {
    const undone = dice === 0;
    return command({
      name: `publish(${event}, ${burst}${undone ? ', undone' : ''})`,
      run: (world, model) => publishTo(world, model, { event, burst, undone }),
    });
  });

export interface Publication {
  readonly event: (typeof EVENTS)[number];
  readonly burst: number;
  readonly undone: boolean;
}

export async function publishTo(world: World, model: Model, { event, burst, undone }: Publication): Promise<void> {
  const { service, now, designer, shared } = world;
  const owner = event === 'ItemSold' ? designer : shared.ada;
  const of = { resource: event === 'ItemSold' ? 'designer' : 'user', id: owner ?? 'none' };
  const events = Array.from({ length: burst }, (_, n) => ({ event, of, payload: { n, name: 'Zoë 😀' } }));
  const written = insideOf(service).records.transact(function* (unit) {
    yield* unit.publish(events, now);
    if (undone) throw new Error('the change is refused');
  });
  if (undone || owner === null) return void (await assert.rejects(written));
  await written;
  for (const hook of existing(model).filter((each) => each.event === event && entitled(world, each))) {
    for (let n = 0; n < burst; n += 1) expectDelivery(hook, 'data', now);
  }
}

/** S37: the user of the hook may edit its owner at the moment of the event. */
function entitled({ shared, bossIsAdmin }: World, { user }: ModelHook): boolean {
  return user === shared.ada || bossIsAdmin;
}

const receiver = fc.tuple(hookIndex, manner).map(([n, answers]) =>
  command({
    name: `receiver(${n}, ${answers})`,
    check: hasHooks,
    async run(world, model) {
      world.manners.set(pick(model, n).id, answers);
    },
  }),
);

const advance = fc
  .oneof(
    fc.integer({ min: 0, max: 90 * 60_000 }),
    fc.integer({ min: 1, max: 40 }).map((hours) => hours * HOUR),
  )
  .map((milliseconds) => command({ name: `advance(${milliseconds})`, run: (world) => world.run(milliseconds) }));

const crash = fc
  .oneof(fc.constant(0), fc.integer({ min: 0, max: 60 * HOUR }))
  .map((milliseconds) => command({ name: `crash(${milliseconds})`, run: (world) => world.crash(milliseconds) }));

/** The process dies after a claim, before anything was sent. */
const crashAfterClaim = fc.constant(
  command({
    name: 'crashAfterClaim',
    check: hasHooks,
    async run(world, model) {
      const hooks = [...model.hooks.values()].filter(({ deliveries }) => !deliveries.some(({ inFlight }) => inFlight));
      const { outbox } = world.service;
      world.orphans.push(
        ...(await outbox.claim(
          hooks.map(({ id }) => id),
          world.now,
          world.now + 40_000,
          SERVER,
        )),
      );
      await world.crash(0);
    },
  }),
);

/** S24: the process dies during a test, for which nobody waits afterwards. */
const crashDuringTest = hookIndex.map((n) =>
  command({
    name: `crashDuringTest(${n})`,
    check: hasHooks,
    async run(world, model) {
      world.orphans.push(
        await world.service.outbox.test(pick(model, n).id, { payload: '{}', now: world.now, server: SERVER }),
      );
      await world.crash(0);
    },
  }),
);

/** S24, S22: the outcome of an attempt that is no longer the delivery's current one changes nothing. */
const late = fc.boolean().map((good) =>
  command({
    name: `late(${good})`,
    async run(world) {
      const attempt = world.orphans.pop();
      if (attempt === undefined) return;
      const outcome = { class: good ? 'success' : 'connect' } as const;
      assert.deepEqual(await world.service.outbox.settle([{ attempt, outcome, ended: world.now }]), [false]);
      world.shared.seen.stale += 1;
    },
  }),
);

/** A silent receiver answers, or the deadline passes. */
const answer = fc.constantFrom('success' as const, 'timeout' as const).map((outcome) =>
  command({
    name: `answer(${outcome})`,
    async run(world) {
      const [delivery] = world.hung.keys();
      if (delivery !== undefined) await world.answer(delivery, { class: outcome });
    },
  }),
);

const test = fc.tuple(hookIndex, fc.constantFrom<Manner>('success', 'status', 'own_fault_once')).map(([n, answers]) =>
  command({
    name: `test(${n}, ${answers})`,
    check: hasHooks,
    run: (world, model) => sendTest(world, pick(model, n), answers),
  }),
);

/** Sends one test callback, which is answered immediately. */
export async function sendTest(world: World, hook: ModelHook, answers: Manner): Promise<void> {
  const { outbox } = world.service;
  const before = world.manners.get(hook.id) ?? 'success';
  const attempt = await outbox.test(hook.id, { payload: '{"a":1}', now: world.now, server: SERVER });
  expectDelivery(hook, 'test', world.now).inFlight = true;
  world.identify(hook);
  world.manners.set(hook.id, answers);
  const outcome = await attemptOnce({ send: world.send, clock: () => world.now }, attempt);
  world.manners.set(hook.id, before);
  const [current] = await outbox.settle([{ attempt, outcome, ended: world.now }]);
  assert(current, 'the outcome of a test is recorded');
  world.ended(attempt, outcome);
}

const changeUri = hookIndex.map((n) =>
  command({
    name: `changeUri(${n})`,
    check: hasHooks,
    async run(world, model) {
      const hook = pick(model, n);
      const uri = `http://moved.example/${world.now}/${n}`;
      if (await updateHook(world, hook, { callback_uri: uri })) hook.uri = uri;
    },
  }),
);

const rotateKey = hookIndex.map((n) =>
  command({
    name: `rotateKey(${n})`,
    check: hasHooks,
    async run(world, model) {
      const hook = pick(model, n);
      const { id, secret } = await newKey(world, hook.user);
      if (await updateHook(world, hook, { api_key_id: id })) hook.key = secret;
    },
  }),
);

/** Returns false if the user may no longer edit the owner, so that the change is refused. */
async function updateHook(world: World, hook: ModelHook, change: Readonly<Record<string, string>>): Promise<boolean> {
  const { service, now } = world;
  const row = insideOf(service).records.rowsOf('webhook').row(hook.id) as Readonly<Record<string, string | null>>;
  const { event, owner_class, owner_id, callback_uri, api_key_id } = row;
  const input = { event, owner_class, owner_id, callback_uri, api_key_id, ...change } as Readonly<
    Record<string, string>
  >;
  const caller = { user: hook.user, admin: false };
  const write = service.engine.records.update(hook.id, {
    resource: 'webhook',
    caller,
    input,
    failures: [],
    now,
    upload: null,
  });
  if (entitled(world, hook)) await write;
  else await assert.rejects(Promise.resolve(write));
  return entitled(world, hook);
}

/** S15. */
const deleteKey = hookIndex.map((n) =>
  command({
    name: `deleteKey(${n})`,
    check: hasHooks,
    async run({ service, now }, model) {
      const hook = pick(model, n);
      const id = insideOf(service).records.rowsOf('webhook').row(hook.id)?.api_key_id;
      if (typeof id !== 'string') return;
      await service.engine.records.remove('apikey', id, { caller: { user: hook.user, admin: false }, now });
      hook.key = null;
    },
  }),
);

/** S22. */
const remove = hookIndex.map((n) =>
  command({
    name: `delete(${n})`,
    check: hasHooks,
    async run(world, model) {
      const hook = pick(model, n);
      world.orphan(hook);
      const caller = { user: hook.user, admin: false };
      await world.service.engine.records.remove('webhook', hook.id, { caller, now: world.now });
      endHook(hook, world.now);
    },
  }),
);

/** S37: the administrator loses the right, or gets it back. */
const access = fc.boolean().map((admin) =>
  command({
    name: `access(${admin})`,
    async run(world) {
      databaseOf(world.service)
        .prepare('UPDATE user SET admin = ? WHERE id = ?')
        .run(admin ? 1 : 0, world.shared.boss);
      world.bossIsAdmin = admin;
    },
  }),
);

const deleteDesigner = fc.constant(
  command({
    name: 'deleteDesigner',
    async run(world, model) {
      const { designer, service, shared, now } = world;
      if (designer === null) return;
      const hooks = existing(model).filter(({ ownerClass }) => ownerClass === 'Designer');
      for (const hook of hooks) world.orphan(hook);
      await service.engine.records.remove('designer', designer, { caller: { user: shared.ada, admin: false }, now });
      for (const hook of hooks) endHook(hook, now);
      world.designer = null;
    },
  }),
);

/** Writes failed callbacks up to just before a threshold, since a history is too short to reach one. */
const ordeal = fc.tuple(hookIndex, fc.integer({ min: 1, max: 4 })).map(([n, short]) =>
  command({
    name: `ordeal(${n}, ${short})`,
    check: (model) => existing(model).some(({ count }) => count >= 5),
    async run({ service, now, manners }, model) {
      const hook = pick(model, n);
      const target = (hook.count < 100 ? 100 : 1000) - short;
      if (hook.count < 5 || hook.count >= target) return;
      const failed = databaseOf(service).prepare(
        `INSERT INTO webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, status, counted)
         WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < @times)
         SELECT 'ordeal' || i, 'ordeal', @id, 'data', @now, @now, 'connect', NULL, 1 FROM n`,
      );
      failed.run({ id: hook.id, now, times: target - hook.count });
      databaseOf(service)
        .prepare('UPDATE webhook SET failures_since_last_success = ? WHERE id = ?')
        .run(target, hook.id);
      hook.count = target;
      manners.set(hook.id, 'status');
    },
  }),
);

/** Each command with its relative frequency. */
const ALL: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [1, subscribe],
  [6, publish],
  [3, receiver],
  [8, advance],
  [2, crash],
  [1, crashAfterClaim],
  [1, crashDuringTest],
  [2, late],
  [1, answer],
  [2, test],
  [1, changeUri],
  [2, rotateKey],
  [1, deleteKey],
  [1, remove],
  [1, access],
  [3, ordeal],
];

export const histories = fc.tuple(
  fc.array(subscribe, { minLength: 1, maxLength: MOST_HOOKS }),
  fc.commands([...ALL.flatMap(([times, kind]) => Array<fc.Arbitrary<Command>>(times).fill(kind)), deleteDesigner], {
    maxCommands: 50,
    size: 'max',
  }),
);
