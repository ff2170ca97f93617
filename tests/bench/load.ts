// The load, in a process of its own, and on a processor of its own where there is one: keeps connections busy for a while, or
// holds a rate, and counts answers. Not wrk, which holds no rate, and sends requests that can be sent only once (deletes, uploads)
// by a program in Lua; nor autocannon, which took 38 microseconds of processor time for a request where this takes 15.

import { fork } from 'node:child_process';
import net from 'node:net';
import { pinned } from './processors.js';

export interface Job {
  readonly port: number;
  /** Whole requests as text, sent in turn. */
  readonly requests: readonly string[];
  /** Each of them is sent once; absent: they begin again until the time is over. */
  readonly once?: boolean;
  readonly connections: number;
  readonly milliseconds: number;
  /** How many are sent a second; absent: as many as are answered. */
  readonly perSecond?: number;
}

export interface Done {
  readonly answers: number;
  /** Answers of 300 and above. */
  readonly failures: number;
  readonly milliseconds: number;
  /** Seconds of processor time that the load itself took. */
  readonly cpu: number;
  /** Milliseconds until the answer, of half of the requests, and of 99 of 100. With a rate they count from when a request was due. */
  readonly p50: number;
  readonly p99: number;
}

export interface LoadGenerator {
  /** One job at a time. */
  run(job: Job): Promise<Done>;
  stop(): void;
}

/** Starts a child process. */
export function startLoad(isPinned: boolean): LoadGenerator {
  const [command, ...args] = isPinned ? pinned('load', [process.execPath]) : [process.execPath];
  const child = fork(__filename, { execPath: command, execArgv: args });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const fail = (code: number | null): void => reject(new Error(`the load has ended with ${code}`));
        child.once('exit', fail);
        child.once('message', (done) => {
          child.off('exit', fail);
          resolve(done as Done);
        });
        child.send(job);
      }),
    stop: () => child.disconnect(),
  };
}

interface Tally {
  failures: number;
  /** Milliseconds of each answer. */
  readonly times: number[];
}

async function run(job: Job): Promise<Done> {
  if (job.requests.length === 0) throw new Error('nothing is asked');
  const connections = await Promise.all(Array.from({ length: job.connections }, () => connect(job.port)));
  const requests = job.requests.map((text) => Buffer.from(text));
  const tally: Tally = { failures: 0, times: [] };
  const before = process.cpuUsage();
  const started = performance.now();
  await (job.perSecond === undefined ? keepBusy : holdRate)(connections, requests, { job, started, tally });
  const taken = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  for (const { end } of connections) end();
  const times = tally.times.sort((one, other) => one - other);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const { failures } = tally;
  return {
    answers: times.length,
    failures,
    milliseconds: taken,
    cpu: (user + system) / 1e6,
    p50: at(0.5),
    p99: at(0.99),
  };
}

interface Round {
  readonly job: Job;
  readonly started: number;
  readonly tally: Tally;
}

/** Each connection: a request, its answer, the next. */
async function keepBusy(
  connections: readonly Connection[],
  requests: readonly Buffer[],
  { job, started, tally }: Round,
): Promise<void> {
  let turn = 0;
  const isOver = (): boolean =>
    performance.now() - started > job.milliseconds || (job.once === true && turn >= requests.length);
  const converse = ({ ask }: Connection): Promise<void> =>
    new Promise((resolve) => {
      const next = (): void => {
        const request = requests[turn++ % requests.length];
        if (request === undefined) return;
        const since = performance.now();
        ask(request, (isFailure) => {
          count(tally, since, isFailure);
          if (isOver()) resolve();
          else next();
        });
      };
      if (isOver()) resolve();
      else next();
    });
  await Promise.all(connections.map(converse));
}

/** A request that is due while all connections are busy waits, and its time with it. */
function holdRate(
  connections: readonly Connection[],
  requests: readonly Buffer[],
  { job: { perSecond = 1, milliseconds }, started, tally }: Round,
): Promise<void> {
  const free = [...connections];
  let turn = 0;
  return new Promise((resolve) => {
    const tick = (): void => {
      const due = started + (turn * 1000) / perSecond;
      const isOver = due - started > milliseconds;
      const connection = isOver || due > performance.now() ? undefined : free.pop();
      if (isOver && free.length === connections.length) resolve();
      else if (connection === undefined) wait(due - performance.now());
      else {
        connection.ask(requests[turn % requests.length] ?? Buffer.alloc(0), (isFailure) => {
          count(tally, due, isFailure);
          free.push(connection);
        });
        turn += 1;
        tick();
      }
    };
    // A timer may be early or late by a millisecond, which is more than an answer takes.
    const wait = (rest: number): void => void (rest > 2 ? setTimeout(tick, rest - 1.5) : setImmediate(tick));
    tick();
  });
}

function count(tally: Tally, since: number, isFailure: boolean): void {
  tally.times.push(performance.now() - since);
  if (isFailure) tally.failures += 1;
}

interface Connection {
  /** One at a time. */
  ask(request: Buffer, answered: (isFailure: boolean) => void): void;
  end(): void;
}

/** Reads as little of an answer as counting takes. A broken connection ends the process. */
function connect(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(65_536);
    let [missing, isFailure] = [0, false];
    let answered: (isFailure: boolean) => void = () => undefined;
    const callback = (length: number): boolean => {
      if (missing > 0) missing -= length;
      else {
        isFailure = (buffer[9] ?? 0) > 0x32;
        missing = sizeOf(buffer, length) - length;
      }
      if (missing === 0) answered(isFailure);
      return true;
    };
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    const ask: Connection['ask'] = (request, then) => {
      answered = then;
      socket.write(request);
    };
    socket.once('connect', () => resolve({ ask, end: () => socket.destroy() }));
    socket.once('error', reject);
    socket.once('end', () => reject(new Error('the server has closed a connection')));
  });
}

/** Bytes of the whole answer whose head the buffer holds. */
function sizeOf(buffer: Buffer, length: number): number {
  const head = buffer.toString('latin1', 0, Math.min(length, 2048));
  const end = head.indexOf('\r\n\r\n');
  const body = /^content-length: (\d+)/im.exec(head)?.[1];
  if (end < 0 || body === undefined) throw new Error(`not a head with Content-Length: ${head}`);
  return end + 4 + Number(body);
}

if (require.main === module) {
  process.on('message', (job) => void run(job as Job).then((done) => process.send?.(done)));
}
