// How long the commands take, seen from outside: from the start of the process to its first answer, or to its end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { median } from './throughput.js';

/** Median milliseconds from spawn to the first byte of the first answer; each time on the same, existing database. */
export async function firstAnswer(args: readonly string[], path: string, times: number): Promise<number> {
  const all: number[] = [];
  // The first one makes the database, and has the files read from disk.
  for (let time = 0; time <= times; time += 1) {
    const started = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH },
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

/** Median milliseconds of `punchboard gen`: with nothing to do, and into an empty folder, compilation included. */
export async function genTimes(times: number): Promise<{ readonly nothing: number; readonly everything: number }> {
  const [nothing, everything]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    nothing.push(await timed([BIN, 'gen']));
    const out = join(temporaryFolder('bench'), 'generated');
    everything.push(await timed([BIN, 'gen', '--out', out]));
    rmSync(join(out, '..'), { recursive: true });
  }
  return { nothing: median(nothing), everything: median(everything) };
}

async function timed(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}
