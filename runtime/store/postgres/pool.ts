// A pool of connections for one kind of work: gives each job to a connection, or lets it wait for a limited time.
import type { Client } from 'pg';
import type { PoolFigures } from '../database-server.js';
import { type ConnectionOptions, unavailable } from './client.js';
import { choose, holds, isStalled, type PoolUse, STALL, USES } from './dispatch.js';
import { createLine, type Job, type Line } from './line.js';

export interface Pool {
  /** Carries out work on one of the connections. @param subject the table of the statement */
  run<T>(subject: string, work: (client: Client) => Promise<T>): Promise<T>;
  figures(): PoolFigures;
  /** Carries out waiting jobs, and closes. */
  close(): Promise<void>;
}

/** Milliseconds between two checks of waiting jobs. */
const LOOK = 20;

/** @param use the kind of work */
export function createPool(options: ConnectionOptions & { readonly use: keyof typeof USES }): Pool {
  const state = stateOf(options);
  const { lines, queue, counts } = state;
  const watch = createWatch(() => lookAt(state, options.wait ?? options.timeout));
  return {
    run<T>(subject: string, work: (client: Client) => Promise<T>) {
      const now = clock();
      watch.begin();
      return new Promise<T>((resolve, reject) => {
        const accept = (result: T, at: number): void => {
          resolve(result);
          state.answered.set(subject, at);
        };
        const job: Job<T> = { subject, carryOut: work, accept, refuse: reject, since: now, sent: 0, failed: 0 };
        if (queue.first(subject) === undefined && place(state, job, now)) return;
        queue.add(job);
        counts.waits += 1;
      });
    },
    figures: () => ({
      open: lines.filter(({ isOpen }) => isOpen).length,
      busy: lines.filter(({ jobs }) => jobs.length > 0).length,
      stalled: lines.filter((line) => isStalled(line, clock())).length,
      waiting: queue.size(),
      ...counts,
      waited: counts.waited / 1000,
    }),
    async close() {
      while (queue.size() > 0) await new Promise((resolve) => setTimeout(resolve, LOOK));
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}

/** Milliseconds of a monotonic clock. */
function clock(): number {
  return performance.now();
}

interface State {
  readonly use: PoolUse;
  readonly lines: readonly Line[];
  readonly queue: ReturnType<typeof createQueue>;
  /** When work about each subject was last answered. */
  readonly answered: Map<string, number>;
  readonly counts: { waits: number; refusals: number; repeats: number; waited: number };
  serve(): void;
}

function stateOf(options: ConnectionOptions & { readonly use: keyof typeof USES }): State {
  const use: PoolUse = USES[options.use];
  const state: State = {
    use,
    serve: () => serve(state),
    lines: Array.from({ length: use.share * options.size }, () => createLine(options, clock)),
    queue: createQueue(),
    answered: new Map<string, number>(),
    counts: { waits: 0, refusals: 0, repeats: 0, waited: 0 },
  };
  return state;
}

/** False: no connection is free for the job. */
function place(state: State, job: Job, now: number): boolean {
  const { use, lines, answered } = state;
  const yields = !use.mixes && state.queue.size() > 0 && isPressed(state, job, now);
  const line = choose(lines, use, { subject: job.subject, now, answered, yields });
  if (line === null) return false;
  line.give(job, now, state.serve);
  return true;
}

/** Whether work about another table has waited long without any connection. */
function isPressed({ lines, queue }: State, { subject }: Job, now: number): boolean {
  const isLate = (first: Job): boolean => first.subject !== subject && now - first.since > STALL;
  return queue.firsts().some((first) => isLate(first) && !lines.some((line) => holds(line, first.subject)));
}

/** Places waiting jobs as far as connections are free. */
function serve(state: State): void {
  const { queue, counts } = state;
  if (queue.size() === 0) return;
  const now = clock();
  for (const first of queue.firsts()) {
    for (
      let job: Job | undefined = first;
      job !== undefined && place(state, job, now);
      job = queue.first(job.subject)
    ) {
      queue.remove(job);
      counts.waited += now - job.since;
    }
  }
}

/** @param wait milliseconds after which a waiting job is refused @returns whether there is anything left to check */
function lookAt(state: State, wait: number): boolean {
  const { use, lines, queue, counts } = state;
  const now = clock();
  for (const job of queue.expired(now - wait)) {
    counts.refusals += 1;
    counts.waited += now - job.since;
    job.refuse(unavailable(new Error(`no connection became free for "${job.subject}"`)));
  }
  if (use.mixes) for (const line of lines) if (isStalled(line, now)) repeatBehind(state, line, now);
  serve(state);
  return queue.size() > 0 || lines.some(({ jobs }) => jobs.length > 0);
}

/** Jobs behind a stalled statement are also sent elsewhere: the answer that comes first counts. */
function repeatBehind(state: State, { jobs }: Line, now: number): void {
  for (const job of jobs.slice(1)) if (job.sent === 1 && place(state, job, now)) state.counts.repeats += 1;
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

/** The waiting jobs in the order of arrival, by subject, since a wait for one table says nothing about another. */
function createQueue() {
  const waiting = new Map<string, Set<Job>>();
  let size = 0;
  const first = (subject: string): Job | undefined => waiting.get(subject)?.values().next().value;
  const remove = (job: Job): void => {
    const same = waiting.get(job.subject);
    if (same?.delete(job)) size -= 1;
    if (same?.size === 0) waiting.delete(job.subject);
  };
  return {
    first,
    remove,
    add(job: Job): void {
      const same = waiting.get(job.subject) ?? new Set<Job>();
      waiting.set(job.subject, same.add(job));
      size += 1;
    },
    /** The first job of each subject, the longest wait first. */
    firsts(): readonly Job[] {
      const all = [...waiting.keys()].flatMap((subject) => first(subject) ?? []);
      return all.sort((one, other) => one.since - other.since);
    },
    /** Takes out jobs that have waited since before that time. */
    expired(before: number): readonly Job[] {
      const all = [...waiting.values()].flatMap((same) => [...same].filter(({ since }) => since < before));
      for (const job of all) remove(job);
      return all;
    },
    size: () => size,
  };
}
