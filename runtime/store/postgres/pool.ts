// A pool of connections for one kind of work: gives each job to a connection, or lets it wait for a limited time.
import type { Client } from 'pg';
import type { PoolMetrics } from '../database-server.js';
import { type ConnectionOptions, configuration, connectToPrimary, translateError, unavailableError } from './client.js';
import { chooseConnection, hasWorkOn, isStalled, type PoolUse, STALL, USES } from './dispatch.js';

export interface Pool {
  /** Carries out work on one of the connections. @param table the table of the statement */
  run<T>(table: string, work: (client: Client) => Promise<T>): Promise<T>;
  metrics(): PoolMetrics;
  /** Carries out waiting jobs, and closes. */
  close(): Promise<void>;
}

/** Milliseconds between two checks of waiting jobs. */
const LOOK = 20;

/** @param use the kind of work */
export function createPool(options: ConnectionOptions & { readonly use: keyof typeof USES }): Pool {
  const state = stateOf(options);
  const { connections, queue, counts } = state;
  const watch = createWatch(() => checkWaiting(state, options.wait ?? options.timeout));
  return {
    run<T>(table: string, work: (client: Client) => Promise<T>) {
      const now = clock();
      watch.begin();
      return new Promise<T>((resolve, reject) => {
        const accept = (result: T, at: number): void => {
          resolve(result);
          state.answered.set(table, at);
        };
        const job: PoolJob<T> = { table, run: work, resolve: accept, reject, since: now, sent: 0, failed: 0 };
        if (queue.first(table) === undefined && dispatch(state, job, now)) return;
        queue.add(job);
        counts.waits += 1;
      });
    },
    metrics: () => ({
      open: connections.filter(({ isOpen }) => isOpen).length,
      busy: connections.filter(({ jobs }) => jobs.length > 0).length,
      stalled: connections.filter((connection) => isStalled(connection, clock())).length,
      waiting: queue.size(),
      ...counts,
      waited: counts.waited / 1000,
    }),
    async close() {
      while (queue.size() > 0) await new Promise((resolve) => setTimeout(resolve, LOOK));
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** Milliseconds of a monotonic clock. */
function clock(): number {
  return performance.now();
}

interface State {
  readonly use: PoolUse;
  readonly connections: readonly PoolConnection[];
  readonly queue: ReturnType<typeof createQueue>;
  /** When work about each table was last answered. */
  readonly answered: Map<string, number>;
  readonly counts: { waits: number; refusals: number; repeats: number; waited: number };
  serve(): void;
}

function stateOf(options: ConnectionOptions & { readonly use: keyof typeof USES }): State {
  const use: PoolUse = USES[options.use];
  const state: State = {
    use,
    serve: () => serve(state),
    connections: Array.from({ length: use.share * options.size }, () => createPoolConnection(options, clock)),
    queue: createQueue(),
    answered: new Map<string, number>(),
    counts: { waits: 0, refusals: 0, repeats: 0, waited: 0 },
  };
  return state;
}

/** False: no connection is free for the job. */
function dispatch(state: State, job: PoolJob, now: number): boolean {
  const { use, connections, answered } = state;
  const yields = !use.mixes && state.queue.size() > 0 && isPressed(state, job, now);
  const connection = chooseConnection(connections, use, { table: job.table, now, answered, yields });
  if (connection === null) return false;
  connection.submit(job, now, state.serve);
  return true;
}

/** Whether work about another table has waited long without any connection. */
function isPressed({ connections, queue }: State, { table }: PoolJob, now: number): boolean {
  const isLate = (first: PoolJob): boolean => first.table !== table && now - first.since > STALL;
  return queue
    .firsts()
    .some((first) => isLate(first) && !connections.some((connection) => hasWorkOn(connection, first.table)));
}

/** Places waiting jobs as far as connections are free. */
function serve(state: State): void {
  const { queue, counts } = state;
  if (queue.size() === 0) return;
  const now = clock();
  for (const first of queue.firsts()) {
    for (
      let job: PoolJob | undefined = first;
      job !== undefined && dispatch(state, job, now);
      job = queue.first(job.table)
    ) {
      queue.remove(job);
      counts.waited += now - job.since;
    }
  }
}

/** @param wait milliseconds after which a waiting job is refused @returns whether there is anything left to check */
function checkWaiting(state: State, wait: number): boolean {
  const { use, connections, queue, counts } = state;
  const now = clock();
  for (const job of queue.expired(now - wait)) {
    counts.refusals += 1;
    counts.waited += now - job.since;
    job.reject(unavailableError(new Error(`no connection became free for "${job.table}"`)));
  }
  if (use.mixes)
    for (const connection of connections) if (isStalled(connection, now)) repeatBehind(state, connection, now);
  serve(state);
  return queue.size() > 0 || connections.some(({ jobs }) => jobs.length > 0);
}

/** Jobs behind a stalled statement are also sent elsewhere: the answer that comes first counts. */
function repeatBehind(state: State, { jobs }: PoolConnection, now: number): void {
  for (const job of jobs.slice(1)) if (job.sent === 1 && dispatch(state, job, now)) state.counts.repeats += 1;
}

/** @param look returns whether to look again */
function createWatch(look: () => boolean) {
  let timer: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  return {
    begin(): void {
      // setImmediate lets pending answers be read first: an answer that this process was too busy to read is not late.
      timer ??= setInterval(() => setImmediate(() => void (look() || end())), LOOK).unref();
    },
  };
}

/** The waiting jobs in the order of arrival, by table, since a wait for one table says nothing about another. */
function createQueue() {
  const waiting = new Map<string, Set<PoolJob>>();
  let size = 0;
  const first = (table: string): PoolJob | undefined => waiting.get(table)?.values().next().value;
  const remove = (job: PoolJob): void => {
    const same = waiting.get(job.table);
    if (same?.delete(job)) size -= 1;
    if (same?.size === 0) waiting.delete(job.table);
  };
  return {
    first,
    remove,
    add(job: PoolJob): void {
      const same = waiting.get(job.table) ?? new Set<PoolJob>();
      waiting.set(job.table, same.add(job));
      size += 1;
    },
    /** The first job of each table, the longest wait first. */
    firsts(): readonly PoolJob[] {
      const all = [...waiting.keys()].flatMap((table) => first(table) ?? []);
      return all.sort((one, other) => one.since - other.since);
    },
    /** Takes out jobs that have waited since before that time. */
    expired(before: number): readonly PoolJob[] {
      const all = [...waiting.values()].flatMap((same) => [...same].filter(({ since }) => since < before));
      for (const job of all) remove(job);
      return all;
    },
    size: () => size,
  };
}

/** Work for a connection. */
interface PoolJob<T = unknown> {
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
interface PoolConnection {
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
function createPoolConnection(options: ConnectionOptions, clock: () => number): PoolConnection {
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
