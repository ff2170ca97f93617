// Starts the servers that are measured and reads how much processor time they have used.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { BIN } from '../support/paths.js';
import { PEER_ENV } from './peers.js';
import { processorTime, residentMemory } from './processor-time.js';
import { pinned } from './processors.js';

/** The limiter is on, but nobody reaches its limit. */
export const UNLIMITED = ['--rate-limit', '1000000000'];

export interface Server {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Whether the server and the load each have a processor of their own. */
  readonly isPinned: boolean;
  /** Seconds of processor time of all its processes so far. */
  cpu(): number;
  /** Bytes of memory of all its processes. */
  memory(): number;
  stop(): Promise<void>;
}

/**
 * @param script file of this folder, or a path of its own, or null for the service itself
 * @param isPinned false if it needs all processors, for several processes or for a database next to it
 * @param more environment
 */
export async function startServer(
  name: string,
  script: string | null,
  args: readonly string[],
  isPinned = true,
  more: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const program =
    script === null
      ? [BIN, 'serve', '--port', '0', '--metrics-token', 'bench', ...args]
      : [isAbsolute(script) ? script : join(__dirname, script), ...args];
  const line: readonly [string, ...string[]] = [process.execPath, ...program];
  const [command, ...rest] = isPinned ? pinned('server', line) : line;
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...PEER_ENV, ...more };
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const address = await addressOf(child.stdout);
  // Later output is dropped.
  child.stdout.resume();
  return {
    name,
    address,
    port: Number(new URL(address).port),
    isPinned,
    cpu: () => processorTime(child.pid ?? 0),
    memory: () => residentMemory(child.pid ?? 0),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/** The address in the line that the server prints when it listens. */
async function addressOf(stdout: Readable): Promise<string> {
  for await (const line of stdout.iterator({ destroyOnReturn: false })) {
    const address = /http:\/\/\S+/.exec(String(line))?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('it ended before it listened');
}
