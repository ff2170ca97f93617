// I1 to I12 over random histories: the real store, outbox, worker and policy against the model of tests/webhooks/model.

import fc from 'fast-check';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { databaseOf } from '../support/database.js';
import { HOUR, type Model } from './model/bookkeeping.js';
import { histories, publishTo, sendTest, subscribeTo } from './model/commands.js';
import { compareLog } from './model/compare.js';
import { openShared, type Shared, World } from './model/world.js';

const seed = seedOfRun();
const numRuns = count(150, 20_000);

let shared: Shared;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared.service.engine.close());

test(`I1 to I12 over ${numRuns} histories (seed ${seed}, PUNCHBOARD_SEED repeats it)`, async () => {
  const property = fc.asyncProperty(histories, async ([first, commands]) => {
    const model: Model = { hooks: new Map() };
    const real = await World.open(shared, model);
    for (const subscribe of first) await subscribe.run(model, real);
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await recover(real, model);
    compareLog(databaseOf(shared.service), model);
  });
  await fc.assert(property, { seed, numRuns });
  console.log(`model: ${numRuns} histories, 0 differences, seed ${seed}; ${JSON.stringify(shared.seen)}`);
  // Histories that never reached a rare case would prove nothing about it.
  const unreached = Object.entries(shared.seen).filter(([, times]) => times <= numRuns / 1000);
  expect(unreached).toEqual([]);
}, 1_800_000);

/** Once every receiver works again, all deliveries of hooks that have a key arrive within an hour, as nothing was lost. */
async function recover(world: World, model: Model): Promise<void> {
  await world.crash(0);
  for (const hook of model.hooks.values()) {
    world.manners.set(hook.id, 'success');
    if (hook.exists && hook.key !== null) await sendTest(world, hook, 'success');
  }
  await world.run(HOUR + 60_000);
  for (const hook of model.hooks.values()) {
    if (hook.key !== null) expect(hook.deliveries).toEqual([]);
  }
}

test('S4, S24: a retry that a crash interrupts is held if the count has reached 100 meanwhile', async () => {
  const model: Model = { hooks: new Map() };
  const world = await World.open(shared, model);
  await subscribeTo(world, model, { byBoss: false, event: 'ItemSold', answers: 'success' });
  world.compare();
  await world.run(1_000);
  const [hook] = model.hooks.values();
  if (hook === undefined) throw new Error('no hook');
  world.manners.set(hook.id, 'status');
  await publishTo(world, model, { event: 'ItemSold', burst: 99, undone: false });
  world.compare();
  await world.run(60_000);
  expect(hook.count).toBe(99);
  world.manners.set(hook.id, 'silent');
  await world.run(HOUR);
  expect(world.hung.size).toBe(1);
  await sendTest(world, hook, 'status');
  await world.crash(0);
  world.manners.set(hook.id, 'success');
  await world.run(200 * HOUR);
  expect(hook.deliveries).toHaveLength(99);
  await sendTest(world, hook, 'success');
  await world.run(60_000);
  expect(hook.deliveries).toEqual([]);
});
