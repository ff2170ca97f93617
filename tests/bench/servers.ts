// Starts the servers that are measured and reads how much processor time they have used.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';
import { BIN } from '../support/paths.js';
import { PEER_ENV } from './peers.js';
import { processorTime, residentMemory } from './processor-time.js';

export interface Server {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Seconds of processor time so far, of all its processes. */
  cpu(): number;
  /** Bytes that all its processes hold. */
  memory(): number;
  stop(): Promise<void>;
}

/** @param script file of this folder, or a path of its own, or null for the service itself */
export async function startServer(
  name: string,
  script: string | null,
  args: readonly string[],
  preload: string | null = null,
): Promise<Server> {
  const node = preload === null ? [] : ['--require', join(__dirname, preload)];
  const program =
    script === null
      ? [BIN, 'serve', '--port', '0', '--metrics-token', 'bench', ...args]
      : [isAbsolute(script) ? script : join(__dirname, script), ...args];
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...PEER_ENV };
  const child = spawn(process.execPath, [...node, ...program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const address = /http:\/\/\S+/.exec(String(line))?.[0] ?? '';
  return {
    name,
    address,
    port: Number(new URL(address).port),
    cpu: () => processorTime(child.pid ?? 0),
    memory: () => residentMemory(child.pid ?? 0),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
