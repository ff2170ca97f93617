// Requests per second of several servers, measured in turns within one run, so that a noisy moment affects them all.

import { type BenchOptions, textOf } from './asked.js';
import type { Extent } from './extent.js';
import { type LoadGenerator, startLoad } from './load.js';
import type { Server } from './servers.js';

/** Medians over the turns. */
export interface Rate {
  readonly name: string;
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** Microseconds of processor time that the load took for each request. */
  readonly load: number;
}

/** The requests to all servers in one turn; turn 0 warms the servers up. */
export type Questions = (turn: number) => readonly BenchOptions[];

export interface Plan extends Pick<Extent, 'turns' | 'slice' | 'warmUp'> {
  readonly asked: Questions;
  /** Whether each request of a turn is sent once. */
  readonly once?: boolean;
  /** The number of connections, 32 by default. */
  readonly connections?: number;
}

const CONNECTIONS = 32;

/** Runs `work`, and then stops the servers. @returns the result of `work` */
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

/** Throws when a request fails. @returns the rates in the order of the servers */
export async function compareRates(servers: readonly Server[], plan: Plan): Promise<readonly Rate[]> {
  const slices = servers.map(() => [] as Omit<Rate, 'name'>[]);
  const load = startLoad(servers.every(({ isPinned }) => isPinned));
  try {
    for (let turn = 0; turn <= plan.turns; turn += 1) {
      const requests = plan.asked(turn).map(textOf);
      // The order alternates: it makes a difference of up to a third while the disk is busy.
      const order = turn % 2 === 0 ? [...servers.entries()] : [...servers.entries()].reverse();
      for (const [at, server] of order) {
        const slice = await measure(server, load, {
          plan,
          requests,
          milliseconds: turn === 0 ? plan.warmUp : plan.slice,
        });
        if (turn > 0) slices[at]?.push(slice);
      }
    }
  } finally {
    load.stop();
  }
  return servers.map(({ name }, at) => {
    const of = (figure: (slice: Omit<Rate, 'name'>) => number): number => median((slices[at] ?? []).map(figure));
    return {
      name,
      perSecond: of(({ perSecond }) => perSecond),
      perCpuSecond: of(({ perCpuSecond }) => perCpuSecond),
      load: of(({ load }) => load),
    };
  });
}

interface Slice {
  readonly plan: Plan;
  readonly requests: readonly string[];
  readonly milliseconds: number;
}

async function measure(server: Server, load: LoadGenerator, { plan, requests, milliseconds }: Slice) {
  const { connections = CONNECTIONS, once = false } = plan;
  const before = server.cpu();
  const done = await load.run({ port: server.port, requests, once, connections, milliseconds });
  const used = server.cpu() - before;
  if (done.failures > 0) throw new Error(`${server.name}: ${done.failures} of ${done.answers} requests failed`);
  return {
    perSecond: done.answers / (done.milliseconds / 1000),
    perCpuSecond: done.answers / used,
    load: (done.cpu / done.answers) * 1e6,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
