// Claims what is due, sends it in the background and settles each outcome. Holds no truth of its own: what is due, claimed
// and counted stands in the outbox. No timers and no wall clock: `runOnce` is told the time and says when to come again.

import type { Attempt, Outbox, Outcome, Send } from './delivery.js';
import { createLanes } from './lanes.js';
import { createLook, POLL } from './look.js';
import { createSettling, type Watch } from './settling.js';
import { signedForm } from './sign.js';

export interface WorkerParts {
  readonly outbox: Pick<Outbox, 'dueHooks' | 'claim' | 'settle' | 'nextDue' | 'othersWrote' | 'hostOf'>;
  readonly send: Send;
  /** Epoch milliseconds, for what happens between two runs: when an attempt is sent and when it ends. */
  readonly clock: () => number;
  /** Attempts under way at most. */
  readonly capacity: number;
  /** The sender's total deadline, milliseconds; leases outlast it. */
  readonly deadline: number;
  /** Called when something can be done before the time that `runOnce` gave. */
  readonly wake?: () => void;
  readonly watch?: Watch;
}

export type { Watch } from './settling.js';

export interface Worker {
  /**
   * Starts every attempt that is due and has room; resolves once these are claimed, durably. Not to be called again
   * before that. Rejects when the outbox cannot be read.
   * @param now epoch milliseconds
   * @returns when to come again, epoch milliseconds; null: nothing is waiting. What other processes write is found
   *   by coming every second all the same.
   */
  runOnce(now: number): Promise<number | null>;
  /** Hooks that have something due now: the next run claims it without looking for it. */
  add(hooks: Iterable<string>): void;
  /** Resolves when nothing is under way and every outcome is settled, or could not be. */
  idle(): Promise<void>;
  /** From now on nothing is claimed. */
  stop(): void;
  /** Attempts that are not settled yet. */
  readonly inFlight: number;
}

/** Milliseconds that a lease outlasts the deadline, so that no attempt under way is taken for lost. */
const LEASE_MARGIN = 30_000;

export function createWorker(parts: WorkerParts): Worker {
  const { outbox, clock, deadline, watch = {}, wake = () => undefined } = parts;
  const lanes = createLanes({ capacity: parts.capacity, hostOf: (hook) => outbox.hostOf?.(hook) ?? null });
  const look = createLook(outbox);
  const settling = createSettling({ outbox, lanes, wake, watch });
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  const inBackground = (work: Promise<void>): void => {
    const watched = work.finally(() => underWay.delete(watched));
    underWay.add(watched);
  };
  const claim = async (hooks: readonly string[], now: number): Promise<void> => {
    const attempts = await outbox.claim(hooks, now, now + deadline + LEASE_MARGIN);
    const claimed = new Set(attempts.map(({ hook }) => hook));
    for (const hook of hooks) if (!claimed.has(hook)) lanes.end(hook, null);
    for (const attempt of attempts) {
      inBackground(attemptOnce(parts, attempt).then((outcome) => settling.settle({ attempt, outcome, at: clock() })));
    }
  };

  return {
    async runOnce(now) {
      settling.flush();
      const found = stopped ? [] : look.at(now);
      const faulty = settling.waiting();
      if (stopped || look.polled()) {
        for (const work of settling.again()) inBackground(work);
        lanes.add(settling.resume());
      }
      if (stopped) return null;
      lanes.add(found);
      const hooks = lanes.take();
      try {
        if (hooks.length > 0) await claim(hooks, now);
      } catch (error) {
        watch.failed?.(error);
        for (const hook of hooks) settling.pause(hook);
      }
      if (lanes.ready()) return now;
      const due = look.next(now);
      return faulty || settling.waiting() ? Math.min(due ?? Number.POSITIVE_INFINITY, now + POLL) : due;
    },
    add: lanes.add,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop() {
      stopped = true;
    },
    get inFlight() {
      return underWay.size;
    },
  };
}

/**
 * Signs for the moment it is sent, and sends; never rejects. What goes wrong on our side before the sender has it is our
 * own fault (S19).
 */
export async function attemptOnce(
  { send, clock }: Pick<WorkerParts, 'send' | 'clock'>,
  attempt: Attempt,
): Promise<Outcome> {
  const { key, message, uri, delivery } = attempt;
  // An empty key signs nothing either (S14, S15).
  if (key === null || key === '') return { class: 'no_key' };
  try {
    return await send({ uri, delivery, body: signedForm({ message, key }, clock()) });
  } catch {
    return { class: 'internal' };
  }
}
