// Plays a script against the real store, outbox, worker and policy in virtual time, which jumps from one moment at which
// something happens to the next.

import type { Attempt, Decision, Outcome } from '../../rules/delivery.js';
import { messageIn } from '../../rules/message.js';
import { decide } from '../../rules/policy.js';
import type { GeneratedService } from '../../server/load-generated.js';
import type { DeliveryObserver } from '../../webhooks/deliver/settlement.js';
import { createWorker, type Worker } from '../../webhooks/deliver/worker.js';
import type { Script } from './script.js';
import { openSimulatedService, SERVER } from './service.js';
import {
  createReceiver,
  createTests,
  playEvent,
  type Receiver,
  repeatable,
  START,
  subscribe,
  type World,
} from './world.js';

/** The end of one attempt and what followed. */
export interface SimulatedAttempt {
  /** Milliseconds since START. */
  readonly at: number;
  /** What the hook subscribed to; a simulation has one hook for each event of its script. */
  readonly event: string;
  readonly type: Attempt['type'];
  /** Deliveries are numbered in the order of their first answers, from 1. */
  readonly delivery: number;
  /** Number of the attempt within its delivery, from 1; an uncounted attempt has the number of the next one. */
  readonly attempt: number;
  readonly outcome: Outcome;
  /** The hook's count before it. */
  readonly before: number;
  readonly decision: Decision;
}

export interface SimulationEnd {
  /** Milliseconds since the start. */
  readonly at: number;
  /** Hooks that still exist. */
  readonly hooks: readonly { readonly event: string; readonly failures: number; readonly held: number }[];
  /** Deliveries that are still waiting. */
  readonly waiting: number;
}

const CAPACITY = 64;
const DEADLINE = 10_000;

/**
 * Resolves when there is nothing left to wait for, or at the script's end. The same script gives the same steps.
 * @param unit milliseconds of one step of the retry delay
 */
export async function playScript(
  script: Script,
  { loaded, unit }: { readonly loaded: GeneratedService; readonly unit: number },
  report: (step: SimulatedAttempt) => void,
): Promise<SimulationEnd> {
  const clock = { now: START };
  const decisions = createDecisions(clock);
  const service = await openSimulatedService(loaded, { decide: decisions.decide, unit, random: repeatable() }, START);
  const { outbox } = service;
  const receiver = createReceiver(script, clock);
  let fault: unknown = null;
  const observer: DeliveryObserver = {
    attempted: (attempt, outcome) => report(decisions.step(attempt, outcome)),
    failed(error) {
      fault ??= error;
    },
  };
  const sending = { send: receiver.send, clock: () => clock.now };
  const worker = createWorker({
    ...sending,
    outbox,
    server: SERVER,
    observer,
    capacity: CAPACITY,
    deadline: DEADLINE,
  });
  outbox.onDue({ due: worker.add, passedOver: () => undefined });
  const throwFault = () => {
    if (fault !== null) throw fault;
  };
  const tests = createTests(service, sending, observer);
  try {
    const world = { service, tests, ...(await subscribe(service, script)) };
    await run({ script, clock, worker, receiver, world, throwFault });
    const { waiting, due } = await outbox.statistics(clock.now);
    const hooks = (await outbox.hooks()).map(({ event, failures_since_last_success: failures, held }) => {
      return { event, failures, held };
    });
    return { at: clock.now - START, hooks, waiting: waiting + due };
  } finally {
    await service.engine.close();
  }
}

interface SimulatedClock {
  now: number;
}

interface Simulation {
  readonly script: Script;
  readonly clock: SimulatedClock;
  readonly worker: Worker;
  readonly receiver: Receiver;
  readonly world: World;
  /** Throws the error that the worker met, if any. */
  throwFault(): void;
}

async function run({ script, clock, worker, receiver, world, throwFault }: Simulation): Promise<void> {
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
      await playEvent(world, coming[0], clock.now);
    }
    while (worker.inFlight + world.tests.open() > receiver.open()) await turn();
    throwFault();
  }
}

/** Commits happen between two turns of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Keeps what the policy decided about an attempt until it is reported. */
function createDecisions(clock: SimulatedClock) {
  const decided = new Map<string, Pick<SimulatedAttempt, 'before' | 'decision'>>();
  const numbers = new Map<string, number>();
  const recording: typeof decide = (hook, attempt, outcome, when) => {
    const decision = decide(hook, attempt, outcome, when);
    decided.set((attempt as Attempt).id, { before: hook.failures, decision });
    return decision;
  };
  return {
    decide: recording,
    step({ id, delivery, type, failed, message }: Attempt, outcome: Outcome): SimulatedAttempt {
      const { event } = messageIn(message);
      if (!numbers.has(delivery)) numbers.set(delivery, numbers.size + 1);
      const consequence = decided.get(id) as Pick<SimulatedAttempt, 'before' | 'decision'>;
      decided.delete(id);
      const number = numbers.get(delivery) as number;
      return { at: clock.now - START, event, type, delivery: number, attempt: failed + 1, outcome, ...consequence };
    },
  };
}
