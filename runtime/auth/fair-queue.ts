// Runs a fixed number of jobs at a time. Waiting jobs take turns by client, so that one client cannot block the others.

import { ServiceError } from '../contract/errors.js';

export type FairQueue = <T>(client: string, job: () => Promise<T>) => Promise<T>;

export interface QueueLimits {
  /** Jobs that run at the same time. */
  readonly running: number;
  /** Jobs that may wait, in total and for each client; further jobs are refused with `unavailable`. */
  readonly waiting: number;
  readonly each: number;
}

type StartJob = () => void;

export function createFairQueue({ running, waiting, each }: QueueLimits): FairQueue {
  // The first client has the next turn; it then moves to the end with its remaining jobs.
  const clients = new Map<string, StartJob[]>();
  let free = running;
  let count = 0;

  const turn = (client: string) =>
    new Promise<void>((start) => {
      const jobs = clients.get(client) ?? [];
      if (count >= waiting || jobs.length >= each) throw busy();
      count += 1;
      clients.set(client, jobs);
      jobs.push(start);
    });

  const next = (): StartJob | undefined => {
    for (const [client, jobs] of clients) {
      clients.delete(client);
      if (jobs.length > 1) clients.set(client, jobs);
      count -= 1;
      return jobs.shift();
    }
    return undefined;
  };

  return async (client, job) => {
    if (free > 0) free -= 1;
    else await turn(client);
    try {
      return await job();
    } finally {
      const start = next();
      if (start) start();
      else free += 1;
    }
  };
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'Too many passwords are being checked.', [], { 'Retry-After': '1' });
}
