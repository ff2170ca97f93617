// Tells the processes of a server, in which the seam is loaded, what is to fail next, and asks them what they have done.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerPids } from '../../processes/connections.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../../support/preload.js';
import type { Command, Report } from './seam.js';
import type { Empty } from './world.js';

export interface Controls {
  /** Makes the next call from that place fail; null: none any more. @returns what has happened since the last call */
  next(world: Empty, place: string | null): Promise<Report>;
  /** Moves the wall clock of all processes. */
  clock(world: Empty, ahead: number): Promise<void>;
}

/** What a server with the seam is started with. @param file that commands are given in */
export function withSeam(file: string, ...more: readonly string[]): Readonly<Record<string, string>> {
  const scripts = [CHEAP_PASSWORDS_SCRIPT, join(__dirname, 'seam.js'), ...more];
  return { NODE_OPTIONS: preloading(...scripts), FAULTS_FILE: file };
}

export function createControls(file: string): Controls {
  let number = 0;
  let ahead = 0;
  const ask = async ({ server }: Empty, place: string | null): Promise<Report> => {
    number += 1;
    writeFileSync(file, JSON.stringify({ number, place, clock: ahead } satisfies Command));
    const first = server.process.pid ?? 0;
    const reports = [first, ...workerPids(first)].map(async (pid) => {
      process.kill(pid, 'SIGUSR2');
      await server.line(new RegExp(`^faults ${pid} ${number}$`));
      const answer = `${file}.${pid}.${number}`;
      const report = JSON.parse(readFileSync(answer, 'utf8')) as Report;
      rmSync(answer);
      return report;
    });
    const all = await Promise.all(reports);
    return {
      places: [...new Set(all.flatMap(({ places }) => places))].sort(),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
    };
  };
  return {
    next: ask,
    async clock(world, milliseconds) {
      ahead = milliseconds;
      await ask(world, null);
    },
  };
}
