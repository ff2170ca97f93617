// Runs `punchboard serve` as a child process, which ends with this one. It loads the program before there is anything to serve.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './compile.js';

export interface ServerBeside {
  /** Has an effect only once. */
  start(): void;
}

/** @param ended called with the exit code of the server */
export function serveBeside(options: readonly string[], ended: (code: number) => void): ServerBeside {
  const program = join(ROOT, 'dist', 'generator', 'bin.js');
  // In a separate process group, since the terminal's signal, followed by ours, would end requests under way. The server also
  // stops if this process disappears without a signal.
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const args = [program, 'serve', '--standby', ...options];
  const server = spawn(process.execPath, args, { stdio: [...stdio], detached: true });
  server.once('exit', (code) => ended(code ?? 0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
  let hasBegun = false;
  return {
    start() {
      // A `BeginMessage` of `serve --standby`.
      if (!hasBegun) server.send({ port: null, hasWaited: false });
      hasBegun = true;
    },
  };
}
