// `serve --watch`: a parent process that runs the server as its child, and starts it again whenever gen has compiled. The next
// server stands by meanwhile, since most of a start is loading the program.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { compiledMarker } from '../../server/load-generated.js';
import type { Io } from './command.js';
import { type BeginMessage, messageToBegin, OUTDATED } from './standby.js';

/** The options that matter here; the server is run with all of them but `--watch`. */
export interface WatchOptions {
  readonly generated?: string;
  readonly standby?: boolean;
}

/** The message of a server to the process that started it, once it listens. */
export interface ListeningMessage {
  readonly port: number;
}

/**
 * Starts the server; the process ends with it at the first signal. A server that ends by itself is started again when gen
 * has compiled, unless it never listened: then the process ends as it did.
 */
export function watchServer(
  { generated, standby }: WatchOptions,
  { stdout }: Pick<Io, 'stdout'>,
  exit: (code: number) => void,
): void {
  const marker = compiledMarker(generated ?? null);
  const log = (line: string): void => void stdout.write(`${line}\n`);
  const args = process.argv.slice(1).filter((one) => !['--watch', '--standby'].includes(one));
  const command = [process.execPath, ...args, '--standby'];
  let compiled = '';
  let next = spawnServer(command);
  let server: ChildProcess | null = null;
  /** Whether the running server is to end, and why. */
  let ending: 'no' | 'restart' | 'stop' = 'no';
  let port: number | null = null;

  const start = (standby: ChildProcess | null): void => {
    ending = 'no';
    compiled = read(marker);
    server = standby?.connected ? standby : spawnServer(command);
    server.send({ port, hasWaited: server === standby } satisfies BeginMessage);
    server.once('message', ({ port: taken }: ListeningMessage) => {
      if (port === null) watch(dirname(marker), look);
      port = taken;
      next = spawnServer(command);
      look();
    });
    server.once('exit', (code) => {
      server = null;
      if (ending !== 'stop' && code === OUTDATED) start(null);
      else if (ending === 'stop' || port === null) exit(code ?? 1);
      else if (ending === 'restart') start(next);
      else log('punchboard: the server has ended; it is started again when gen has compiled');
    });
  };
  /** One write may be reported several times, and before it is complete. */
  const look = (_event?: string, name: string | null = basename(marker)): void => {
    const now = name === basename(marker) ? read(marker) : '';
    if (now === '' || now === compiled) return;
    compiled = now;
    if (server === null) start(next);
    else if (ending === 'no') {
      log('gen has compiled: the server is started again');
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
  // The process that started this one has ended.
  process.on('disconnect', () => stop('SIGTERM'));
  void (standby ? messageToBegin(exit) : Promise.resolve()).then(() => start(next));
}

/** In a process group of its own, so that a signal from the terminal reaches it once, through its parent. */
function spawnServer([program = '', ...args]: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
}

/** Empty if the file does not exist. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
