// How long a server takes to start, seen from outside: from the start of the process to its first answer.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { ROOT } from '../support/paths.js';
import { PEER_ENV } from './peers.js';
import { median } from './throughput.js';

/** Median milliseconds from spawn to the first byte of the first answer; each time on the same, existing database. */
export async function firstAnswer(args: readonly string[], path: string, times: number): Promise<number> {
  const all: number[] = [];
  // The first one makes the database, and has the files read from disk.
  for (let time = 0; time <= times; time += 1) {
    const started = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...PEER_ENV },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    await answered(`${/http:\/\/\S+/.exec(String(line))?.[0]}${path}`);
    if (time > 0) all.push(performance.now() - started);
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  return median(all);
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
