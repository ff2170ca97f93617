// Plays a script against the real store, outbox, worker and policy in virtual time: from moment to moment, in between
// which nothing happens. Formats nothing.

import type { Loaded } from '../load-generated.js';
import type { Attempt, Decision, Outcome } from './delivery.js';
import { decide } from './policy.js';
import { createReceiver, type Receiver } from './simulate-receiver.js';
import type { Script } from './simulate-script.js';
import { createTests, happen, repeatable, START, subscribe, type World } from './simulate-world.js';
import { openSimulated } from './simulated-service.js';
import { createWorker, type Watch, type Worker } from './worker.js';

/** The end of one attempt and what followed. */
export interface Step {
  /** Milliseconds since START. */
  readonly at: number;
  /** What the hook subscribed to; a simulation has one hook for each event it speaks of. */
  readonly event: string;
  readonly type: Attempt['type'];
  /** Deliveries are numbered in the order of their first answers, from 1. */
  readonly delivery: number;
  /** Of the delivery, from 1; one that was not counted has the number of the next. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** The hook's count before it. */
  readonly before: number;
  readonly decision: Decision;
}

export interface End {
  /** Milliseconds since the start. */
  readonly at: number;
  /** Hooks that are left. */
  readonly hooks: readonly { readonly event: string; readonly failures: number; readonly held: number }[];
  /** Deliveries that still wait for their time. */
  readonly waiting: number;
}

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
  const { outbox } = service;
  const receiver = createReceiver(script, clock);
  let fault: unknown = null;
  const watch: Watch = {
    attempted: (attempt, outcome) => tell(decisions.step(attempt, outcome)),
    failed(error) {
      fault ??= error;
    },
  };
  const sending = { send: receiver.send, clock: () => clock.now };
  const worker = createWorker({ ...sending, outbox, watch, capacity: CAPACITY, deadline: DEADLINE });
  const broken = () => {
    if (fault !== null) throw fault;
  };
  const tests = createTests(service, sending, watch);
  try {
    const world = { service, tests, ...(await subscribe(service, script)) };
    await run({ script, clock, worker, receiver, world, broken });
    const { waiting, due } = outbox.stats(clock.now);
    const hooks = outbox.hooks().map((hook) => ({ ...hook, failures: hook.failures_since_last_success }));
    return { at: clock.now - START, hooks, waiting: waiting + due };
  } finally {
    service.close();
  }
}

interface Clock {
  now: number;
}

interface Playing {
  readonly script: Script;
  readonly clock: Clock;
  readonly worker: Worker;
  readonly receiver: Receiver;
  readonly world: World;
  /** Throws what the worker could not carry out. */
  broken(): void;
}

async function run({ script, clock, worker, receiver, world, broken }: Playing): Promise<void> {
  const end = START + script.until;
  const coming = [...script.events];
  for (;;) {
    const wake = await worker.runOnce(clock.now);
    const times = [wake, receiver.next(), coming[0] === undefined ? null : START + coming[0].at];
    const next = Math.min(...times.filter((time) => time !== null));
    if (next > end) return;
    clock.now = Math.max(clock.now, next);
    receiver.answer();
    for (; coming[0] !== undefined && START + coming[0].at <= clock.now; coming.shift()) {
      await happen(world, coming[0], clock.now);
    }
    while (worker.inFlight + world.tests.open() > receiver.open()) await turn();
    broken();
  }
}

/** Commits are made between two turns of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What policy decided of an attempt, kept until it is carried out. */
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
