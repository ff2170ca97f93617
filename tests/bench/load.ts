// The load, in a process of its own, and on a processor of its own where there is one: keeps connections busy for a while, or
// holds a rate, and counts answers. Not wrk, which holds no rate, and sends requests that can be sent only once (deletes, uploads)
// by a program in Lua; nor autocannon, which took 38 microseconds of processor time for a request where this takes 15.

import { fork } from 'node:child_process';
import { type Clock, type HeldLoad, holdRate } from './hold-rate.js';
import { type Connection, connect } from './load-connection.js';
import { pinned } from './processors.js';

export interface Job {
  readonly port: number;
  /** Whole requests as text, sent in turn. */
  readonly requests: readonly string[];
  /** True: each request is sent once; absent: they are repeated until the time is over. */
  readonly once?: boolean;
  readonly connections: number;
  readonly milliseconds: number;
  /** Requests a second; absent: as many as are answered. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly answers: number;
  /** Answers with a status of 300 and above. */
  readonly failures: number;
  readonly milliseconds: number;
  /** Seconds of processor time that the load itself took. */
  readonly cpu: number;
  /** Milliseconds until the answer, of half of the requests, of 95 and of 99 of 100. With a rate they count from when a request was due. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** With a rate: the answers that are left out because the load stalled, p99 with them, and how long the load stalled. */
  readonly leftOut: number;
  readonly p99OfAll: number;
  /** The same without the answers that came in stalls. */
  readonly longest: number;
  readonly stalled: number;
}

export interface LoadGenerator {
  /** Runs one job at a time. */
  run(job: Job): Promise<LoadResult>;
  stop(): void;
}

/** The message that the child process gets. */
interface OwnJob extends Job {
  readonly isAlone: boolean;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  soon: (then) => void setImmediate(then),
  later: (then, milliseconds) => void setTimeout(then, milliseconds),
};

/**
 * Garbage is collected rarely, and without threads that would share the load's processor with it: at 10,000 fetches a second for
 * 11 ms of each second instead of 51.
 */
const FLAGS = ['--single-threaded-gc', '--min-semi-space-size=16', '--max-semi-space-size=16'];

/** Starts a child process. @param isPinned whether it has a processor of its own */
export function startLoad(isPinned: boolean): LoadGenerator {
  const node = [process.execPath, ...FLAGS] as const;
  const [command, ...args] = isPinned ? pinned('load', node) : node;
  const child = fork(__filename, { execPath: command, execArgv: args });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const fail = (code: number | null): void => reject(new Error(`the load has ended with ${code}`));
        child.once('exit', fail);
        child.once('message', (done) => {
          child.off('exit', fail);
          resolve(done as LoadResult);
        });
        child.send({ ...job, isAlone: command !== process.execPath });
      }),
    stop: () => child.disconnect(),
  };
}

async function run(job: OwnJob): Promise<LoadResult> {
  if (job.requests.length === 0) throw new Error('nothing is asked');
  const connections = await Promise.all(Array.from({ length: job.connections }, () => connect(job.port)));
  const requests = job.requests.map((text) => Buffer.from(text));
  const before = process.cpuUsage();
  const started = performance.now();
  const { perSecond } = job;
  const { times, leftOut, stalled, failures } = await (perSecond === undefined
    ? keepBusy(connections, requests, { job, started })
    : holdRate(connections, requests, { ...job, perSecond }, CLOCK));
  const taken = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  for (const { end } of connections) end();
  return {
    answers: times.length + leftOut.length,
    failures,
    milliseconds: taken,
    cpu: (user + system) / 1e6,
    p50: within(times, 0.5),
    p95: within(times, 0.95),
    p99: within(times, 0.99),
    leftOut: leftOut.length,
    p99OfAll: within([...times, ...leftOut], 0.99),
    longest: within(times, 1),
    stalled,
  };
}

/** Milliseconds within which that share of the answers came. */
function within(times: readonly number[], part: number): number {
  return Float64Array.from(times).sort()[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}

interface Round {
  readonly job: Job;
  readonly started: number;
}

/** Each connection sends a request, waits for its answer, and sends the next. */
async function keepBusy(
  connections: readonly Connection[],
  requests: readonly Buffer[],
  { job, started }: Round,
): Promise<HeldLoad> {
  const times: number[] = [];
  let [turn, failures] = [0, 0];
  const isOver = (now: number): boolean =>
    now - started > job.milliseconds || (job.once === true && turn >= requests.length);
  const converse = ({ ask }: Connection): Promise<void> =>
    new Promise((resolve) => {
      let since = 0;
      const next = (now: number): void => {
        const request = isOver(now) ? undefined : requests[turn++ % requests.length];
        since = now;
        if (request === undefined) resolve();
        else ask(request, answered);
      };
      const answered = (isFailure: boolean): void => {
        const now = performance.now();
        times.push(now - since);
        if (isFailure) failures += 1;
        next(now);
      };
      next(performance.now());
    });
  await Promise.all(connections.map(converse));
  return { times, leftOut: [], stalled: 0, failures };
}

if (require.main === module) {
  process.on('message', (job) => void run(job as OwnJob).then((done) => process.send?.(done)));
}
