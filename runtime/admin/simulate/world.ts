// The world of a simulation: a user with a key, the owners of the events, a hook for each event, and a receiver.

import { CommandError } from '../../contract/command-error.js';
import type { Random } from '../../contract/ids.js';
import type { Attempt, Outcome, Send } from '../../rules/delivery.js';
import { EMPTY_PAYLOAD, messageOfBody } from '../../rules/message.js';
import type { DeliveryObserver } from '../../webhooks/deliver/settlement.js';
import { attemptOnce } from '../../webhooks/deliver/worker.js';
import type { Script, ScriptedAnswer, ScriptedEvent } from './script.js';
import { SERVER, type SimulatedService } from './service.js';

/** Start of the virtual clock, so that ids and epochs look real. */
export const START = Date.UTC(2026, 0, 1);

export interface World {
  readonly service: SimulatedService;
  readonly tests: TestCallbacks;
  /** Ids of hooks by event. */
  readonly hooks: ReadonlyMap<string, string>;
  /** Ids of their owners by owner class. */
  readonly owners: Readonly<Record<string, string>>;
}

/** Publishes the events or sends the test; a hook that deleted itself no longer gets anything. */
export async function playEvent(world: World, { event, burst, test }: ScriptedEvent, now: number): Promise<void> {
  const { service, hooks, owners, tests } = world;
  const hook = hooks.get(event) as string;
  if ((await service.engine.records.locate(['webhook'], hook)) < 0) return;
  if (test) return tests.start(hook, now);
  const { ownerClass: owner_class } = service.event(event);
  const published = { event, owner_class, owner_id: owners[owner_class] ?? '', payload: {} };
  await Promise.all(Array.from({ length: burst }, () => service.outbox.publish(published, now)));
}

/** Creates a user with a key, and for each event of the script a hook, which belongs to the user or a designer of theirs. */
export async function subscribe(
  service: SimulatedService,
  { events, format }: Script,
): Promise<Pick<World, 'hooks' | 'owners'>> {
  const byAdmin = { user: null, now: START };
  const user = await service.create('user', { username: 'simulated', password: '-' }, byAdmin);
  const byUser = { user, now: START };
  const api_key_id = await service.create('apikey', { name: 'Simulated' }, byUser);
  const owners: Record<string, string> = { User: user };
  const hooks = new Map<string, string>();
  for (const event of new Set(events.map((each) => each.event))) {
    const { ownerClass: owner_class } = service.event(event);
    if (owner_class === 'Designer') owners.Designer ??= await service.create('designer', { name: 'Simulated' }, byUser);
    const owner_id = owners[owner_class];
    if (owner_id === undefined)
      throw new CommandError(
        `${event}: only events of users and designers can be simulated, not those of ${owner_class}`,
      );
    const about = { owner_class, owner_id, event };
    const input = { ...about, callback_uri: RECEIVER, api_key_id, format };
    hooks.set(event, await service.create('webhook', input, byUser));
  }
  return { hooks, owners };
}

const RECEIVER = 'http://receiver.example/';

export interface TestCallbacks {
  /** Sends a test callback, which is settled when it is answered. */
  start(hook: string, now: number): Promise<void>;
  /** How many deliveries are not settled yet. */
  open(): number;
}

export function createTests(
  { outbox }: SimulatedService,
  sending: Parameters<typeof attemptOnce>[0],
  observer: DeliveryObserver,
): TestCallbacks {
  let open = 0;
  const test = async (attempt: Attempt): Promise<void> => {
    const outcome = await attemptOnce(sending, attempt);
    const [current] = await outbox.settle([{ attempt, outcome, ended: sending.clock() }]);
    if (current) observer.attempted?.(attempt, outcome);
  };
  return {
    async start(hook, now) {
      const attempt = await outbox.test(hook, { payload: EMPTY_PAYLOAD, now, server: SERVER });
      open += 1;
      test(attempt)
        .catch((error: unknown) => observer.failed?.(error))
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

export interface Receiver {
  readonly send: Send;
  /** Epoch milliseconds of the next answer; null: none is pending. */
  next(): number | null;
  /** Sends the answers whose time has come. */
  answer(): void;
  /** Callbacks that wait for an answer. */
  open(): number;
}

/** Answers callbacks according to the script. Callbacks of type subscribe have an answer of their own. */
export function createReceiver({ answers, subscribe }: Script, clock: { readonly now: number }): Receiver {
  const next = repeatLast(answers);
  let waiting: { readonly at: number; readonly respond: () => void }[] = [];
  return {
    send({ body }) {
      const { type } = messageOfBody(body);
      const { outcome, takes } = type === 'subscribe' ? subscribe : next();
      return new Promise<Outcome>((resolve) => {
        waiting.push({ at: clock.now + takes, respond: () => resolve(outcome) });
      });
    },
    next: () => (waiting.length === 0 ? null : Math.min(...waiting.map(({ at }) => at))),
    answer() {
      const due = waiting.filter(({ at }) => at <= clock.now);
      waiting = waiting.filter(({ at }) => at > clock.now);
      for (const { respond } of due) respond();
    },
    open: () => waiting.length,
  };
}

function repeatLast(answers: readonly ScriptedAnswer[]): () => ScriptedAnswer {
  let index = 0;
  let repeats = 0;
  return () => {
    const answer = answers[index] as ScriptedAnswer;
    repeats += 1;
    if (repeats >= answer.times && index < answers.length - 1) {
      index += 1;
      repeats = 0;
    }
    return answer;
  };
}
