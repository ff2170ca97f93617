// `serve --watch`: a parent process that runs the server as its child, and starts it again whenever gen has compiled.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

export interface WatchedServer {
  /** The file that gen writes last. */
  readonly marker: string;
  /** Program and arguments of a server that does not watch. */
  readonly command: readonly string[];
  say(line: string): void;
  exit(code: number): void;
}

/** What a server tells the process that started it, once it listens. */
export interface ListeningMessage {
  readonly port: number;
}

/**
 * Starts the server; the process ends with it at the first signal. A server that ends by itself is started again when gen
 * has compiled, unless it never listened: then the process ends as it did.
 */
export function serveWatched({ marker, command, say, exit }: WatchedServer): void {
  let compiled = read(marker);
  let server: ChildProcess | null = null;
  /** The server under way is to end, and why. */
  let ending: 'no' | 'restart' | 'stop' = 'no';
  let port: number | null = null;

  const start = (): void => {
    ending = 'no';
    server = spawnServer(command, port);
    server.once('message', ({ port: taken }: ListeningMessage) => {
      if (port === null) watch(dirname(marker), look);
      port = taken;
      look();
    });
    server.once('exit', (code) => {
      server = null;
      if (ending === 'stop' || port === null) exit(code ?? 1);
      else if (ending === 'restart') start();
      else say('punchboard: the server has ended; it is started again when gen has compiled');
    });
  };
  /** One write may be reported several times, and before it is whole. */
  const look = (_event?: string, name: string | null = basename(marker)): void => {
    const now = name === basename(marker) ? read(marker) : '';
    if (now === '' || now === compiled) return;
    compiled = now;
    if (server === null) start();
    else if (ending === 'no') {
      say('gen has compiled: the server is started again');
      ending = 'restart';
      server.kill('SIGTERM');
    }
  };
  const stop = (signal: NodeJS.Signals): void => {
    ending = 'stop';
    if (server === null) exit(0);
    else server.kill(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The process that started this one has gone.
  process.on('disconnect', () => stop('SIGTERM'));
  start();
}

/** In a process group of its own, so that a signal from the terminal reaches it once, through its parent. */
function spawnServer([program = '', ...args]: readonly string[], port: number | null): ChildProcess {
  const where = port === null ? [] : ['--port', String(port)];
  return spawn(program, [...args, ...where], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
}

/** Empty if the file does not exist. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
