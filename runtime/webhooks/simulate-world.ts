// What there is in a simulation: a user with a designer and a key, a hook for each event, and what happens to them.

import type { Random } from '../ids.js';
import type { Attempt } from './delivery.js';
import { EMPTY_PAYLOAD } from './message.js';
import type { Happening, Script } from './simulate-script.js';
import type { SimulatedService } from './simulated-service.js';
import { attemptOnce, type Watch } from './worker.js';

/** The virtual clock's start, so that ids and epochs look like any other's. */
export const START = Date.UTC(2026, 0, 1);

export interface World {
  readonly service: SimulatedService;
  readonly tests: Tests;
  /** Ids of hooks by event. */
  readonly hooks: ReadonlyMap<string, string>;
  /** Ids of whom they belong to, by owner class. */
  readonly owners: Readonly<Record<string, string>>;
}

/** Publishes the events, or sends the test; a hook that deleted itself hears of nothing any more. */
export async function happen(world: World, { event, burst, test }: Happening, now: number): Promise<void> {
  const { service, hooks, owners, tests } = world;
  const hook = service.store.records('webhook').row(hooks.get(event) as string);
  if (hook === undefined) return;
  if (test) return tests.start(hook.id as string, now);
  const { ownerClass, owner } = service.event(event);
  const of = { resource: owner, id: owners[ownerClass] };
  const published = Array.from({ length: burst }, () => ({ event, of, payload: {} }));
  await service.commits.submit(() => void service.outbox.publish(published, now));
}

/** One user with a designer and a key, and a hook for each event of the script. */
export async function subscribe(
  service: SimulatedService,
  { events }: Script,
): Promise<Pick<World, 'hooks' | 'owners'>> {
  const made = { user: null, now: START };
  const user = await service.create('user', { username: 'simulated', password: '-' }, made);
  const own = { user, now: START };
  const designer = await service.create('designer', { name: 'Simulated' }, own);
  const api_key_id = await service.create('apikey', { name: 'Simulated' }, own);
  const owners: Readonly<Record<string, string>> = { Designer: designer, User: user };
  const hooks = new Map<string, string>();
  for (const event of new Set(events.map((each) => each.event))) {
    const { ownerClass: owner_class } = service.event(event);
    const input = { owner_class, owner_id: owners[owner_class] ?? '', event, callback_uri: RECEIVER, api_key_id };
    hooks.set(event, await service.create('webhook', input, own));
  }
  return { hooks, owners };
}

const RECEIVER = 'http://receiver.example/';

export interface Tests {
  /** Sends a test callback, which is settled when its answer comes. */
  start(hook: string, now: number): Promise<void>;
  /** Those that are not settled yet. */
  open(): number;
}

export function createTests(
  { outbox }: SimulatedService,
  sending: Parameters<typeof attemptOnce>[0],
  watch: Watch,
): Tests {
  let open = 0;
  const test = async (attempt: Attempt): Promise<void> => {
    const outcome = await attemptOnce(sending, attempt);
    if (await outbox.settle(attempt, outcome, sending.clock())) watch.attempted?.(attempt, outcome);
  };
  return {
    async start(hook, now) {
      const attempt = await outbox.openTest(hook, EMPTY_PAYLOAD, now);
      open += 1;
      test(attempt)
        .catch((error: unknown) => watch.failed?.(error))
        .finally(() => {
          open -= 1;
        });
    },
    open: () => open,
  };
}

/** The same ids in every run. */
export function repeatable(): Random {
  let state = 1;
  return (bytes) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (state >> 16) & 255;
    });
}
