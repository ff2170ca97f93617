// One connection of a pool, with what it has been given and not answered.
import type { Client } from 'pg';
import { type ConnectionOptions, configuration, connectToPrimary, translated } from './client.js';

/** Work for a connection. */
export interface Job {
  /** The table that it is about; empty: none. */
  readonly subject: string;
  /** Rejects as the work does. */
  carryOut(client: Client): Promise<void>;
  /** Why no connection carries it out. */
  refuse(error: unknown): void;
  /** Milliseconds, of a clock that nobody sets, since which it waits for a connection or an answer. */
  readonly since: number;
  /** On how many connections it was sent, and has failed. */
  sent: number;
  failed: number;
}

/** A connection is opened at the first use, and again at the next one after it broke. */
export interface Line {
  /** Oldest first: PostgreSQL answers in this order. */
  readonly jobs: readonly Job[];
  /** Since when the first of them is under way. */
  readonly since: number;
  /** Whether it is connected. */
  readonly isOpen: boolean;
  /** Resolves once the job has ended, in whatever way. */
  give(job: Job, now: number): Promise<void>;
  close(): Promise<void>;
}

/** @param clock milliseconds; nobody sets it */
export function createLine(options: ConnectionOptions, clock: () => number): Line {
  let opened: Promise<Client> | null = null;
  let isOpen = false;
  let since = 0;
  const jobs: Job[] = [];
  const forget = (): void => {
    opened = null;
    isOpen = false;
  };
  const open = (): Promise<Client> => {
    opened ??= connectToPrimary(options, configuration(options), forget).then(
      (client) => {
        isOpen = true;
        return client;
      },
      (error: unknown) => {
        forget();
        throw translated(error);
      },
    );
    return opened;
  };
  return {
    jobs,
    get since() {
      return since;
    },
    get isOpen() {
      return isOpen;
    },
    async give(job, now) {
      if (jobs.length === 0) since = now;
      jobs.push(job);
      job.sent += 1;
      try {
        await job.carryOut(await open());
      } catch (error) {
        job.failed += 1;
        if (job.failed === job.sent) job.refuse(error);
      }
      jobs.splice(jobs.indexOf(job), 1);
      since = clock();
    },
    async close() {
      const client = await opened?.catch(() => null);
      await client?.end();
    },
  };
}
