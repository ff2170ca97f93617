// One connection of a pool, with the jobs that it has not answered yet.
import type { Client } from 'pg';
import { type ConnectionOptions, configuration, connectToPrimary, translateError } from './client.js';

/** Work for a connection. */
export interface PoolJob<T = unknown> {
  /** The table of the statement; empty: none. */
  readonly table: string;
  run(client: Client): Promise<T>;
  /** Takes the result. @param now when the answer came, in milliseconds of the clock */
  resolve(result: T, now: number): void;
  /** Takes the reason why no connection carries the job out. */
  reject(error: unknown): void;
  /** When it began to wait for a connection or an answer, in milliseconds of a monotonic clock. */
  readonly since: number;
  /** The number of connections on which it was sent, and on which it has failed. */
  sent: number;
  failed: number;
}

/** A connection that is opened at its first use, and again at the next use after it broke. */
export interface PoolConnection {
  /** Oldest first: PostgreSQL answers in this order. */
  readonly jobs: readonly PoolJob[];
  /** When the first job got under way. */
  readonly since: number;
  /** Whether it is connected. */
  readonly isOpen: boolean;
  /** @param ended called once the job has ended, in any way */
  submit(job: PoolJob, now: number, ended: () => void): void;
  close(): Promise<void>;
}

/** @param clock milliseconds of a monotonic clock */
export function createPoolConnection(options: ConnectionOptions, clock: () => number): PoolConnection {
  let opened: Promise<Client> | null = null;
  let client: Client | null = null;
  let since = 0;
  const jobs: PoolJob[] = [];
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
        throw translateError(error);
      },
    );
    return opened;
  };
  const remove = (job: PoolJob): void => {
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
    submit(job, now, ended) {
      if (jobs.length === 0) since = now;
      jobs.push(job);
      job.sent += 1;
      // An open connection is used without waiting a turn of the event loop, as this is done for every statement.
      const work = client === null ? open().then(job.run) : job.run(client);
      work.then(
        (result) => {
          // The job is removed before its caller continues, so that the caller's next statement can use this connection.
          remove(job);
          job.resolve(result, since);
          ended();
        },
        (error: unknown) => {
          remove(job);
          job.failed += 1;
          if (job.failed === job.sent) job.reject(error);
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
