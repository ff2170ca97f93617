// Plays a script against the real store, outbox, worker and policy in virtual time: from moment to moment, in between
// which nothing happens. Formats nothing.

import type { Loaded } from '../load-generated.js';
import type { Attempt, Decision, Outcome, Send } from './delivery.js';
import { decide } from './policy.js';
import { createReceiver, type Receiver } from './simulate-receiver.js';
import type { Happening, Script } from './simulate-script.js';
import { openSimulated, type SimulatedService } from './simulated-service.js';
import { createWorker, type Watch, type Worker } from './worker.js';

/** The end of one attempt and what followed. */
export interface Step {
  /** Milliseconds since the start. */
  readonly at: number;
  /** What the hook subscribed to; a simulation has one hook for each event it speaks of. */
  readonly event: string;
  readonly type: Attempt['type'];
  /** Deliveries are numbered in the order of their first attempts, from 1. */
  readonly delivery: number;
  /** Of the delivery, from 1; one that was not counted comes again. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** The hook's count before it. */
  readonly before: number;
  readonly decision: Decision;
}

export interface End {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly hooks: readonly { readonly event: string; readonly failures: number; readonly held: number }[];
  /** Deliveries that still wait for their time. */
  readonly waiting: number;
}

/** The virtual clock's zero, so that ids and epochs look like any other's. */
export const START = Date.UTC(2026, 0, 1);
const CAPACITY = 64;
const DEADLINE = 10_000;

/**
 * Resolves when nothing is left to wait for, or at the script's end. The same script gives the same steps.
 * @param unit milliseconds of one step of the retry delay
 */
export async function playScript(
  script: Script,
  { loaded, unit }: { readonly loaded: Loaded; readonly unit: number },
  tell: (step: Step) => void,
): Promise<End> {
  const clock = { now: START };
  const decisions = createDecisions(clock);
  const woken = (hooks: readonly string[]) => worker.add(hooks);
  const service = openSimulated(loaded, { decide: decisions.decide, unit, woken, random: repeatable() }, START);
  const receiver = createReceiver(script, clock);
  const watch: Watch = {
    attempted: (attempt, outcome) => tell(decisions.step(attempt, outcome)),
    failed(error) {
      throw error;
    },
  };
  const parts = { outbox: service.outbox, send: receiver.send, clock: () => clock.now };
  const worker = createWorker({ ...parts, watch, capacity: CAPACITY, deadline: DEADLINE });
  try {
    const hooks = await subscribe(service, [...new Set(script.events.map(({ event }) => event))]);
    const tests = createTests(parts, watch);
    const happen = (happening: Happening) => happened({ service, hooks, tests }, happening, clock.now);
    await run({ script, clock, worker, receiver, tests, happen });
    return ended(service, clock.now);
  } finally {
    service.close();
  }
}

interface Clock {
  now: number;
}
/** Ids of hooks by event. */
type HooksByEvent = ReadonlyMap<string, string>;

interface Playing {
  readonly script: Script;
  readonly clock: Clock;
  readonly worker: Worker;
  readonly receiver: Receiver;
  readonly tests: Tests;
  happen(happening: Happening): Promise<void>;
}

async function run({ script, clock, worker, receiver, tests, happen }: Playing): Promise<void> {
  const end = START + script.until;
  const waiting = [...script.events];
  for (;;) {
    const wake = await worker.runOnce(clock.now);
    const times = [wake, receiver.next(), waiting[0] && START + waiting[0].at];
    const next = Math.min(...times.filter((time) => typeof time === 'number'));
    if (next > end) return;
    clock.now = Math.max(clock.now, next);
    receiver.answer();
    for (; waiting[0] !== undefined && START + waiting[0].at <= clock.now; waiting.shift()) await happen(waiting[0]);
    while (worker.inFlight + tests.open() > receiver.open()) await turn();
  }
}

/** Commits are made between two turns of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What policy decided of an attempt, kept until the worker says that it is carried out. */
function createDecisions(clock: Clock) {
  const made = new Map<string, Pick<Step, 'before' | 'decision'>>();
  const numbers = new Map<string, number>();
  const kept: typeof decide = (hook, attempt, outcome, when) => {
    const decision = decide(hook, attempt, outcome, when);
    made.set((attempt as Attempt).id, { before: hook.failures, decision });
    return decision;
  };
  return {
    decide: kept,
    step({ id, delivery, type, failed, message }: Attempt, outcome: Outcome): Step {
      const { event } = JSON.parse(message) as { readonly event: string };
      if (!numbers.has(delivery)) numbers.set(delivery, numbers.size + 1);
      const followed = made.get(id) as Pick<Step, 'before' | 'decision'>;
      made.delete(id);
      const number = numbers.get(delivery) as number;
      return { at: clock.now - START, event, type, delivery: number, attempt: failed + 1, outcome, ...followed };
    },
  };
}

interface Tests {
  /** Sends a test callback; it is settled when its answer comes. */
  start(hook: string): Promise<void>;
  /** Those that are not settled yet. */
  open(): number;
}

interface TestParts {
  readonly outbox: SimulatedService['outbox'];
  readonly send: Send;
  readonly clock: () => number;
}

function createTests({ outbox, send, clock }: TestParts, watch: Watch): Tests {
  let open = 0;
  const test = async (attempt: Attempt): Promise<void> => {
    const { uri, delivery, message, key } = attempt;
    const outcome = await send({ uri, delivery, body: signedForm({ message, key: key ?? '' }, attempt.started) });
    if (await outbox.settle(attempt, outcome, clock())) watch.attempted?.(attempt, outcome);
    open -= 1;
  };
  return {
    async start(hook) {
      const attempt = await outbox.openTest(hook, EMPTY_PAYLOAD, clock());
      open += 1;
      void test(attempt);
    },
    open: () => open,
  };
}

interface World {
  readonly service: SimulatedService;
  readonly hooks: HooksByEvent;
  readonly tests: Tests;
}

async function happened({ service, hooks, tests }: World, { event, burst, test }: Happening, now: number) {
  const hook = hooks.get(event) as string;
  // A hook that deleted itself hears of nothing any more.
  if (service.store.records('webhook').row(hook) === undefined) return;
  if (test) return tests.start(hook);
  const of = { resource: service.ownerOf(event), id: service.owner };
}
