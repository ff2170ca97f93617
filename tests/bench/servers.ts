// Starts the servers that are measured and reads how much processor time they have used.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BIN } from '../support/paths.js';

export interface Server {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Seconds of processor time so far, from its /metrics. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** @param script file of this folder, or null for the service itself */
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
      : [join(__dirname, script), ...args];
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [...node, ...program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const address = /http:\/\/\S+/.exec(String(line))?.[0] ?? '';
  return {
    name,
    address,
    port: Number(new URL(address).port),
    async cpu() {
      const text = await (await fetch(`${address}/metrics`, { headers: { Authorization: 'Bearer bench' } })).text();
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
