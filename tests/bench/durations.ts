// How long servers take to start, seen from outside: from the start of the process to its first answer.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { ROOT } from '../support/paths.js';
import { PEER_ENV } from './peers.js';
import { median } from './throughput.js';

export interface Starting {
  /** Options of Node. */
  readonly args: readonly string[];
  /** The path of the first request. */
  readonly path: string;
}

/** Medians from the start of the process to the first byte of the first answer. */
export interface Duration {
  readonly milliseconds: number;
  /** Milliseconds of processor time, which hardly depends on what else the machine does. */
  readonly cpu: number;
}

/** Starts the servers in turns, each time on the same, existing database. */
export async function firstAnswers(servers: readonly Starting[], times: number): Promise<readonly Duration[]> {
  const all = servers.map((): Duration[] => []);
  // The first starts create the database, and have the files read from disk.
  for (let time = 0; time <= times; time += 1) {
    for (const [at, server] of servers.entries()) {
      const duration = await firstAnswer(server);
      if (time > 0) all[at]?.push(duration);
    }
  }
  return all.map((durations) => ({
    milliseconds: median(durations.map(({ milliseconds }) => milliseconds)),
    cpu: median(durations.map(({ cpu }) => cpu)),
  }));
}

async function firstAnswer({ args, path }: Starting): Promise<Duration> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...PEER_ENV },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  await answered(`${/http:\/\/\S+/.exec(String(line))?.[0]}${path}`);
  const duration = { milliseconds: performance.now() - started, cpu: processorMilliseconds(child) };
  child.kill('SIGKILL');
  await once(child, 'close');
  return duration;
}

function answered(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const req = http.get(address, { agent: false }, (res) => {
      res.once('data', () => {
        resolve();
        res.destroy();
      });
    });
    req.once('error', reject);
  });
}

/** The time of all threads so far; the kernel's other account counts in hundredths of a second, too coarse for a start. */
function processorMilliseconds({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
  );
  return nanoseconds.reduce((sum, one) => sum + Number(one), 0) / 1e6;
}
