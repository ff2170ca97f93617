// Requests a second of several servers, measured in turns within one run, so that a noisy moment meets them all.

import { load } from './load.js';
import type { Server } from './servers.js';

export interface Rate {
  readonly name: string;
  /** Medians over the turns. */
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

export interface Plan {
  /** The requests for one server, as text. */
  readonly requests: readonly string[];
  readonly turns: number;
  readonly milliseconds: number;
  /** 32 by default. */
  readonly connections?: number;
}

const CONNECTIONS = 32;

/** What `work` returns; then the servers are stopped. */
export async function stopped<T>(
  servers: readonly Server[],
  work: (servers: readonly Server[]) => Promise<T>,
): Promise<T> {
  try {
    return await work(servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** A first turn, of half the time, warms them up and is not counted. Throws when a request fails. */
export async function compareRates(servers: readonly Server[], plan: Plan): Promise<readonly Rate[]> {
  const slices = new Map(servers.map(({ name }) => [name, [] as { perSecond: number; perCpuSecond: number }[]]));
  for (let turn = 0; turn <= plan.turns; turn += 1) {
    for (const server of servers) {
      const slice = await measure(server, plan, turn === 0 ? plan.milliseconds / 2 : plan.milliseconds);
      if (turn > 0) slices.get(server.name)?.push(slice);
    }
  }
  return [...slices].map(([name, all]) => ({
    name,
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(all.map(({ perCpuSecond }) => perCpuSecond)),
  }));
}

async function measure(server: Server, { requests, connections = CONNECTIONS }: Plan, milliseconds: number) {
  const before = server.cpu();
  const done = await load({ port: server.port, requests, connections, milliseconds });
  const used = server.cpu() - before;
  if (done.failures > 0) throw new Error(`${server.name}: ${done.failures} of ${done.answers} requests failed`);
  return { perSecond: done.answers / (done.milliseconds / 1000), perCpuSecond: done.answers / used };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
