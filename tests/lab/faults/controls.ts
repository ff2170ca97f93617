// Sends the processes of a server with the seam the command which call fails next, and collects their reports.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerPids } from '../../processes/connections.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../../support/preload.js';
import type { Command, Report } from './seam.js';
import type { EmptyWorld } from './world.js';

export interface Controls {
  /** Makes the next call at a place fail; null: no further call. @returns the report since the last command */
  next(world: EmptyWorld, place: string | null): Promise<Report>;
  /** Moves the wall clock of all processes. */
  clock(world: EmptyWorld, ahead: number): Promise<void>;
}

/** The environment that loads the seam into a server. @param file path of the command file */
export function withSeam(file: string, ...more: readonly string[]): Readonly<Record<string, string>> {
  const scripts = [CHEAP_PASSWORDS_SCRIPT, join(__dirname, 'seam.js'), ...more];
  return { NODE_OPTIONS: preloading(...scripts), FAULTS_FILE: file };
}

export function createControls(file: string): Controls {
  let number = 0;
  let ahead = 0;
  const send = async ({ server }: EmptyWorld, place: string | null): Promise<Report> => {
    number += 1;
    writeFileSync(file, JSON.stringify({ number, place, clock: ahead } satisfies Command));
    const primary = server.process.pid ?? 0;
    const reports = [primary, ...workerPids(primary)].map(async (pid) => {
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
    next: send,
    async clock(world, milliseconds) {
      ahead = milliseconds;
      await send(world, null);
    },
  };
}
