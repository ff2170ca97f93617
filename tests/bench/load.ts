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
}

export interface Done {
  readonly answers: number;
  /** Answers of 300 and above. */
  readonly failures: number;
  readonly milliseconds: number;
}

/** Runs the job in a child process. */
export async function load(job: Job): Promise<Done> {
  const child = fork(__filename);
  child.send(job);
  const [done] = (await once(child, 'message')) as [Done];
  child.disconnect();
  return done;
}

async function run({ port, requests, connections, milliseconds }: Job): Promise<Done> {
  const started = performance.now();
  const count = { answers: 0, failures: 0 };
  let turn = 0;
  const next = (): string | null =>
    performance.now() - started > milliseconds ? null : (requests[turn++ % requests.length] ?? null);
  await Promise.all(Array.from({ length: connections }, () => converse(port, next, count)));
  return { ...count, milliseconds: performance.now() - started };
}

/** One connection: a request, its answer, the next. */
function converse(
  port: number,
  next: () => string | null,
  count: { answers: number; failures: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let unread = '';
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    const ask = (): void => {
      const request = next();
      if (request === null) socket.end();
      else socket.write(request);
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
      count.answers += 1;
      if (unread.charCodeAt(9) > 0x32) count.failures += 1;
      unread = '';
      ask();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

if (require.main === module)
  process.once('message', (job) => void run(job as Job).then((done) => process.send?.(done)));
