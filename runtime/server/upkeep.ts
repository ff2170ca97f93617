// Work that a running service does for itself now and then, in bounded steps with everything else in between.

import type { MaybePromise } from '../maybe-promise.js';

/** Something to be done again and again. */
export interface Job {
  /** For the log. */
  readonly name: string;
  /** Milliseconds between two runs. */
  readonly every: number;
  /** A bounded part of it. @param now epoch milliseconds @returns true: there is more to do now */
  step(now: number): MaybePromise<boolean>;
}

export interface Upkeep {
  /** Does what is due. Never rejects. @param now epoch milliseconds */
  runOnce(now: number): Promise<void>;
  /** Begins no further step; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/** @param failed told of a job that rejected; it is tried again when it is next due */
export function createUpkeep(jobs: readonly Job[], failed: (job: string, error: unknown) => void): Upkeep {
  const last = new Map<Job, number>();
  let stopped = false;
  let running: Promise<void> | null = null;
  const isDue = (job: Job, now: number): boolean => {
    const before = last.get(job);
    // A clock that was set back must not keep anything waiting.
    return before === undefined || now - before >= job.every || now < before;
  };
  const run = async (now: number): Promise<void> => {
    for (const job of jobs.filter((one) => isDue(one, now))) {
      last.set(job, now);
      try {
        while (!stopped && (await job.step(now))) await turn();
      } catch (error) {
        failed(job.name, error);
      }
    }
  };
  return {
    async runOnce(now) {
      running ??= run(now).finally(() => {
        running = null;
      });
      return running;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Looks every second for what is due. @returns stops it */
export function startUpkeep(upkeep: Upkeep, now: () => number): () => Promise<void> {
  const timer = setInterval(() => void upkeep.runOnce(now()), 1_000).unref();
  return () => {
    clearInterval(timer);
    return upkeep.stop();
  };
}

/** Lets requests through between two steps. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
