// Decides when to look for work: a scan of the outbox for what is due, and the loop that runs worker and notifier in real time.

import { DELIVERIES } from '../../contract/defaults.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import type { Deliveries } from '../../store/outbox.js';

/**
 * Finds hooks with something due, no more often than needed, and in windows of time, so that overdue deliveries that wait for
 * room are not read again and again.
 */
export interface DueScan {
  /** Hooks that became due since the last scan if it is time for another, else none. @param now epoch milliseconds */
  run(now: number): Promise<readonly string[]>;
  /** When to scan next, epoch milliseconds; null: nothing is waiting except what other processes may write. */
  next(now: number): Promise<number | null>;
  /** True when the last scan was one that also finds what other processes wrote. */
  polled(): boolean;
}

const NOTHING: readonly string[] = [];

/** What a scan reads; without `hasForeignWrites`, others are always assumed to have written. */
export type DueQueries = Pick<Deliveries, 'due' | 'nextDue'> & Partial<Pick<Deliveries, 'hasForeignWrites'>>;

export function createDueScan(outbox: DueQueries): DueScan {
  const never = Number.NEGATIVE_INFINITY;
  let lastScan = never;
  let lastPoll = never;
  let lastFull = never;
  let due: number | null = null;
  let polled = false;
  const startOfWindow = async (now: number): Promise<number | null> => {
    // If the clock has gone back (S31), deliveries may have become due at another time.
    if (now < lastScan || now - lastFull >= DELIVERIES.fullScan) {
      lastFull = now;
      lastPoll = now;
      return -1;
    }
    if (now - lastPoll >= DELIVERIES.poll) {
      const from = lastPoll - DELIVERIES.overlap;
      lastPoll = now;
      // If others have written nothing, going back would only find what is already queued.
      return ((await outbox.hasForeignWrites?.()) ?? true) ? from : lastScan;
    }
    return due !== null && now >= due ? lastScan : null;
  };
  return {
    async run(now) {
      const after = await startOfWindow(now);
      polled = lastPoll === now;
      if (after === null) return NOTHING;
      lastScan = now;
      return outbox.due(after, now);
    },
    async next(now) {
      due = await outbox.nextDue(now);
      return due;
    },
    polled: () => polled,
  };
}

/** Resolves to when to run next, epoch milliseconds; null: when woken. */
export type RunOnce = (now: number) => Promise<number | null>;

export interface LoopOptions {
  readonly clock: LoopClock;
  /** Called when a run rejects; the next is a second later. */
  readonly failed: (error: unknown) => void;
  /**
   * Called when the wall clock was changed, with the milliseconds by which it went ahead or back. The run waits for it; if it
   * rejects, so does the run, and the next one begins with it again.
   */
  readonly clockChanged?: (milliseconds: number) => MaybePromise<void>;
}

export interface LoopClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some fixed moment; unlike `now`, nobody can set it. */
  tick(): number;
}

export interface Loop {
  start(runOnce: RunOnce): void;
  /** Once started, runs at the end of this turn of the event loop, or as soon as the run under way has ended. */
  wake(): void;
  /** No further runs; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/**
 * Once started, runs `runOnce` at the end of that turn of the event loop, whenever woken, at the time it asked for, and at least
 * every second. No timer is longer, so that neither a sleeping machine nor a changed clock makes it miss a time (S31, S32).
 */
export function createLoop(options: LoopOptions): Loop {
  const { clock, failed } = options;
  let checkClock: (() => Promise<void>) | undefined;
  let runOnce: RunOnce | undefined;
  let timer: NodeJS.Timeout | null = null;
  let soon: NodeJS.Immediate | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = true;

  const run = async (): Promise<void> => {
    let next: number | null = null;
    try {
      await checkClock?.();
      next = (await runOnce?.(clock.now())) ?? null;
    } catch (error) {
      failed(error);
    }
    running = null;
    if (stopped) return;
    const wait = next === null ? DELIVERIES.sleep : Math.min(DELIVERIES.sleep, next - clock.now());
    if (again || wait <= 0) return wake();
    timer = setTimeout(begin, Math.ceil(wait));
  };
  const begin = (): void => {
    soon = null;
    again = false;
    running = run();
  };
  const wake = (): void => {
    if (stopped || soon !== null) return;
    if (running !== null) {
      again = true;
      return;
    }
    if (timer !== null) clearTimeout(timer);
    timer = null;
    soon = setImmediate(begin);
  };
  return {
    start(work) {
      runOnce = work;
      checkClock = createClockCheck(options);
      stopped = false;
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      if (soon !== null) clearImmediate(soon);
      await running;
    },
  };
}

function createClockCheck({ clock, clockChanged = () => undefined }: LoopOptions): () => Promise<void> {
  let wall = clock.now();
  let passed = clock.tick();
  return async () => {
    const [now, tick] = [clock.now(), clock.tick()];
    const drift = Math.round(now - wall - (tick - passed));
    if (Math.abs(drift) > DELIVERIES.drift) await clockChanged(drift);
    wall = now;
    passed = tick;
  };
}
