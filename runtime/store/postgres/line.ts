// One connection of a pool, with what it has been given and not answered.
import type { Client } from 'pg';
import { type ConnectionOptions, configuration, connectToPrimary, translated } from './client.js';

/** Work for a connection. */
export interface Job<T = unknown> {
  /** The table that it is about; empty: none. */
  readonly subject: string;
  carryOut(client: Client): Promise<T>;
  /** What came of it. @param now when the answer came, in milliseconds of the clock */
  accept(result: T, now: number): void;
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
  /** @param ended called once the job has ended, in any way */
  give(job: Job, now: number, ended: () => void): void;
  close(): Promise<void>;
}

/** @param clock milliseconds; nobody sets it */
export function createLine(options: ConnectionOptions, clock: () => number): Line {
  let opened: Promise<Client> | null = null;
  let client: Client | null = null;
  let since = 0;
  const jobs: Job[] = [];
  const forget = (): void => {
    opened = null;
    client = null;
  };
  const open = (): Promise<Client> => {
    opened ??= connectToPrimary(options, configuration(options), forget).then(
      (connected) => {
        client = connected;
        return connected;
      },
      (error: unknown) => {
        forget();
        throw translated(error);
      },
    );
    return opened;
  };
  const remove = (job: Job): void => {
    jobs.splice(jobs.indexOf(job), 1);
    since = clock();
  };
  return {
    jobs,
    get since() {
      return since;
    },
    get isOpen() {
      return client !== null;
    },
    give(job, now, ended) {
      if (jobs.length === 0) since = now;
      jobs.push(job);
      job.sent += 1;
      // An open one without a further turn: this is done for every statement.
      const work = client === null ? open().then(job.carryOut) : job.carryOut(client);
      work.then(
        (result) => {
          // Before the waiting caller goes on: what it sends next is cheapest here.
          remove(job);
          job.accept(result, since);
          ended();
        },
        (error: unknown) => {
          remove(job);
          job.failed += 1;
          if (job.failed === job.sent) job.refuse(error);
          ended();
        },
      );
    },
    async close() {
      const connected = await opened?.catch(() => null);
      await connected?.end();
    },
  };
}
