// Runs the periodic jobs of a running service in bounded steps, so that requests are served in between.

import type { Job } from '../contract/job.js';

export interface Upkeep {
  /** Does what is due. Never rejects. @param now epoch milliseconds */
  runOnce(now: number): Promise<void>;
  /** Starts no further step; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** @param failed called for a job that rejected; it is retried when it is next due */
export function createUpkeep(jobs: readonly Job[], failed: (job: string, error: unknown) => void): Upkeep {
  const last = new Map<Job, number>();
  let stopped = false;
  let running: Promise<void> | null = null;
  const isDue = (job: Job, now: number): boolean => {
    const before = last.get(job);
    // A clock that was set back must not delay a job.
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

/** Runs the jobs that are due, every second. @returns a function that stops it */
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
