// The load, in a process of its own: keeps a number of connections busy for a while and counts answers.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';

export interface Job {
  readonly port: number;
  /** Whole requests as text, sent in turn. */
  readonly requests: readonly string[];
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
  /** Milliseconds until the answer, of half of the requests, and of 99 of 100. */
  readonly p50: number;
  readonly p99: number;
}

/** Runs the job in a child process. */
export async function load(job: Job): Promise<Done> {
  const child = fork(__filename);
  child.send(job);
  const [done] = (await once(child, 'message')) as [Done];
  child.disconnect();
  return done;
}

async function run({ port, requests, connections, milliseconds, perSecond = 0 }: Job): Promise<Done> {
  const started = performance.now();
  const load: Load = { port, failures: 0, times: [], next: () => null };
  let turn = 0;
  load.next = () => {
    const at = turn++;
    // With a rate, a request that is sent late has waited since it was due.
    const due = perSecond === 0 ? performance.now() : started + (at * 1000) / perSecond;
    return due - started > milliseconds ? null : { text: requests[at % requests.length] ?? '', due };
  };
  await Promise.all(Array.from({ length: connections }, () => converse(load)));
  const { failures, times } = load;
  times.sort((one, other) => one - other);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const taken = performance.now() - started;
  return { answers: times.length, failures, milliseconds: taken, p50: at(0.5), p99: at(0.99) };
}

interface Load {
  readonly port: number;
  failures: number;
  /** Milliseconds of each answer. */
  readonly times: number[];
  /** The next request, and when it is due; null: enough. */
  next(): { readonly text: string; readonly due: number } | null;
}

/** One connection: a request, its answer, the next. */
function converse(load: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    let [unread, since] = ['', 0];
    const socket = net.connect({ port: load.port, host: '127.0.0.1', noDelay: true });
    const ask = (): void => {
      const request = load.next();
      if (request === null) socket.end();
      else if (request.due <= performance.now()) send(request);
      else setTimeout(send, request.due - performance.now(), request);
    };
    const send = ({ text, due }: { readonly text: string; readonly due: number }): void => {
      since = due;
      socket.write(text);
    };
    socket.setEncoding('latin1');
    socket.on('connect', ask);
    socket.on('data', (text) => {
      unread += text;
      const end = unread.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = /^content-length: (\d+)/im.exec(unread.slice(0, end))?.[1];
      if (length === undefined) reject(new Error(`no Content-Length: ${unread}`));
      if (unread.length < end + 4 + Number(length)) return;
      load.times.push(performance.now() - since);
      if (unread.charCodeAt(9) > 0x32) load.failures += 1;
      unread = '';
      ask();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

if (require.main === module)
  process.once('message', (job) => void run(job as Job).then((done) => process.send?.(done)));
