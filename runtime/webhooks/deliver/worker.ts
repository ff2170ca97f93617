// Claims what is due, sends it in the background and settles each outcome. The outbox alone knows what is due, claimed and
// counted. There are no timers and no wall clock here: `runOnce` receives the time and returns when to run next.

import { DELIVERIES, LEASES } from '../../contract/defaults.js';
import type { Attempt, Outcome, Send } from '../../rules/delivery.js';
import { signedPost, standardSecret } from '../../rules/signature.js';
import type { Deliveries } from '../../store/outbox.js';
import { createFairQueue } from './fair-queue.js';
import { createDueScan, type DueQueries } from './schedule.js';
import { createOutcomeBatcher, type DeliveryObserver } from './settlement.js';

export interface WorkerOptions {
  readonly outbox: DueQueries & Pick<Deliveries, 'claim' | 'settle'> & Partial<Pick<Deliveries, 'hosts' | 'extend'>>;
  /** Name of the server, which leases belong to. */
  readonly server: string;
  readonly send: Send;
  /** Epoch milliseconds, for what happens between two runs: when an attempt is sent and when it ends. */
  readonly clock: () => number;
  /** Maximum number of attempts under way. */
  readonly capacity: number;
  /** The sender's total deadline, milliseconds; leases outlast it. */
  readonly deadline: number;
  /** Called when something can be done before the time that `runOnce` returned. */
  readonly wake?: () => void;
  readonly observer?: DeliveryObserver;
}

export interface Worker {
  /**
   * Starts every attempt that is due and has room; resolves once these are claimed durably. Not to be called again
   * before that. Rejects when the outbox cannot be read.
   * @param now epoch milliseconds
   * @returns when to run next, epoch milliseconds; null: nothing is waiting. What other processes write is found only
   *   if it runs every second all the same.
   */
  runOnce(now: number): Promise<number | null>;
  /** Adds hooks that have something due now, and wakes the worker, whose next run claims it without a scan. */
  add(hooks: Iterable<string>): void;
  /** Resolves when nothing is under way and every outcome is settled, or could not be. */
  idle(): Promise<void>;
  /** Keeps the leases of attempts under way. To be called every second, also while the outbox does not answer. */
  keep(now: number): Promise<void>;
  /** The clock of `now` has been changed by that many milliseconds. */
  clockChanged(by: number): void;
  /** From now on nothing is claimed. */
  stop(): void;
  /** Attempts that are not settled yet. */
  readonly inFlight: number;
}

export function createWorker(options: WorkerOptions): Worker {
  const { outbox, observer = {}, wake = () => undefined } = options;
  const queue = createFairQueue({ capacity: options.capacity, ...(outbox.hosts && { hostsOf: outbox.hosts }) });
  const scan = createDueScan(outbox);
  const batcher = createOutcomeBatcher({ outbox, queue, wake, observer });
  const background = createBackground();
  const leases = outbox.extend === undefined ? null : createLeases(options, outbox.extend);
  const lease = leases === null ? leaseLength(options.deadline) : LEASES.extended;
  let stopped = false;
  const deliver = async (attempt: Attempt, until: number): Promise<void> => {
    const outcome = await attemptOnce(options, attempt, leases?.begin(attempt, until));
    await batcher.settle({ attempt, outcome, ended: options.clock() });
    leases?.end(attempt);
  };
  const claim = async (hooks: readonly string[], now: number): Promise<void> => {
    if (hooks.length === 0) return;
    try {
      const until = now + lease;
      const attempts = await outbox.claim(hooks, now, until, options.server);
      const unclaimed = new Set(hooks);
      for (const attempt of attempts) {
        unclaimed.delete(attempt.hook);
        background.run(deliver(attempt, until));
      }
      for (const hook of unclaimed) queue.end(hook, null);
    } catch (error) {
      observer.failed?.(error);
      for (const hook of hooks) batcher.pause(hook);
    }
  };
  return {
    async runOnce(now) {
      batcher.flush();
      const dueHooks = stopped ? [] : await scan.run(now);
      const pending = batcher.pending();
      if (stopped || scan.polled()) {
        background.run(batcher.retry());
        queue.add(batcher.resume());
      }
      if (stopped) return null;
      queue.add(dueHooks);
      await claim(await queue.take(), now);
      if (queue.ready()) return now;
      const due = await scan.next(now);
      return pending || batcher.pending() ? Math.min(due ?? Number.POSITIVE_INFINITY, now + DELIVERIES.poll) : due;
    },
    add(hooks) {
      queue.add(hooks);
      wake();
    },
    idle: background.idle,
    keep: async (now) => leases?.keep(now),
    clockChanged: (by) => leases?.clockChanged(by),
    stop() {
      stopped = true;
    },
    get inFlight() {
      return background.size;
    },
  };
}

/** Work that nobody waits for, except at the end. */
function createBackground() {
  const underWay = new Set<Promise<void>>();
  return {
    run(work: Promise<void> | null): void {
      const watched = work?.finally(() => underWay.delete(watched as Promise<void>));
      if (watched !== undefined) underWay.add(watched);
    },
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    get size() {
      return underWay.size;
    },
  };
}

/** Signs the callback for the moment it is sent, and sends it. Never rejects: what goes wrong before that is our fault (S19). */
export async function attemptOnce(
  { send, clock }: Pick<WorkerOptions, 'send' | 'clock'>,
  attempt: Attempt,
  giveUp?: AbortSignal,
): Promise<Outcome> {
  const { key, message, uri, delivery } = attempt;
  // An empty key signs nothing either (S14, S15).
  if (key === null || key === '') return { class: 'no_key' };
  const { secrets = [standardSecret(key)], trace } = attempt;
  try {
    const { body, headers } = signedPost(delivery, message, { key, secrets }, clock());
    const post = { uri, delivery, body, headers: { ...headers, ...(trace !== undefined && { traceparent: trace }) } };
    return await send(giveUp === undefined ? post : { ...post, giveUp });
  } catch {
    return { class: 'internal' };
  }
}

/**
 * The leases of a server's attempts where other servers may take over: they are short, so that the work of a killed server
 * continues soon (N26), and a living server extends them. An attempt whose lease cannot be extended is given up before the lease
 * ends, so that no other server sends it at the same time.
 */
interface Leases {
  /** @returns a signal that the attempt is to be given up */
  begin(attempt: Attempt, until: number): AbortSignal;
  end(attempt: Attempt): void;
  /** The clock was changed by that many milliseconds: the outbox keeps leases that had not ended (N09), and so do we. */
  clockChanged(by: number): void;
  /** To be called every second. Resolves when the leases that had to be extended are extended, or cannot be; never rejects. */
  keep(now: number): Promise<void>;
}

/** How long a lease lasts if nobody extends it, milliseconds. @param deadline of the sender, milliseconds */
export function leaseLength(deadline: number): number {
  return deadline + LEASES.margin;
}

interface Lease {
  readonly attempt: Attempt;
  readonly giveUp: AbortController;
  until: number;
}

function createLeases({ observer }: WorkerOptions, extend: NonNullable<Deliveries['extend']>): Leases {
  const leases = new Map<string, Lease>();
  let extending: Promise<void> | null = null;
  const extendAll = async (ending: readonly Lease[], until: number): Promise<void> => {
    try {
      const extended = await extend(
        ending.map(({ attempt }) => attempt),
        until,
      );
      for (const lease of ending) if (extended.includes(lease.attempt.id)) lease.until = until;
    } catch (error) {
      observer?.failed?.(error);
    } finally {
      extending = null;
    }
  };
  return {
    begin(attempt, until) {
      const giveUp = new AbortController();
      leases.set(attempt.id, { attempt, giveUp, until });
      return giveUp.signal;
    },
    end: ({ id }) => void leases.delete(id),
    clockChanged(by) {
      for (const lease of leases.values()) lease.until += by;
    },
    async keep(now) {
      const all = [...leases.values()];
      for (const { giveUp, until } of all) if (until - now <= LEASES.giveUpBefore) giveUp.abort();
      const ending = all.filter(({ until, giveUp }) => until - now <= LEASES.extendBefore && !giveUp.signal.aborted);
      if (ending.length > 0) extending ??= extendAll(ending, now + LEASES.extended);
      await extending;
    },
  };
}
