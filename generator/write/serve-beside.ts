// Runs `punchboard serve` as a child of this process, which ends with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './compile.js';

export interface ServerBeside {
  /** Once; later calls do nothing. */
  start(): void;
}

/** @param ended called with the exit code of the server */
export function serveBeside(options: readonly string[], ended: (code: number) => void): ServerBeside {
  let server: ChildProcess | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (server === null) ended(0);
      else server.kill(signal);
    });
  }
  return {
    start() {
      if (server !== null) return;
      const program = join(ROOT, 'dist', 'generator', 'bin.js');
      // In a process group of its own: a second signal, besides the one of the terminal, would end requests under way. It stops
      // when this process has gone without telling it.
      const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
      server = spawn(process.execPath, [program, 'serve', ...options], { stdio: [...stdio], detached: true });
      server.once('exit', (code) => ended(code ?? 0));
    },
  };
}
