// Loaded into a process before its program: records the places at which the program calls the system (files, sockets, name
// look-ups, other processes, modules), and makes the next call at one place fail. It wraps the public functions of Node, so that
// it works for any program. At SIGUSR2 it reads the next command.

import childProcess from 'node:child_process';
import cluster from 'node:cluster';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import { relative } from 'node:path';
import { ROOT } from '../../support/paths.js';

/** The content of the command file. */
export interface Command {
  readonly number: number;
  /** The place whose next call fails; null: no call fails. */
  readonly place: string | null;
  /** Milliseconds by which the wall clock is ahead. */
  readonly clock: number;
}

/** What a process writes to its own report file. */
export interface Report {
  /** The places of the calls since the last report. */
  readonly places: readonly string[];
  /** How many of these calls have failed. */
  readonly failed: number;
}

type AnyFunction = (this: unknown, ...parameters: unknown[]) => unknown;

const FILE = process.env.FAULTS_FILE ?? '';
const { readFileSync, writeFileSync } = fs;
const wallClock = Date.now;
/** The place that fails while the server starts, in the first of its processes that reaches it. */
const { FAULTS_START = null } = process.env;
const state = { places: new Set<string>(), place: FAULTS_START, starting: FAULTS_START !== null, failed: 0, ahead: 0 };

/** The error code of the system by the name of the call; EIO for all others. */
const CODES: Readonly<Record<string, string>> = {
  open: 'EMFILE',
  readFile: 'EMFILE',
  readdir: 'EMFILE',
  write: 'ENOSPC',
  writeFile: 'ENOSPC',
  fsync: 'EIO',
  fdatasync: 'EIO',
  sync: 'EIO',
  mkdir: 'ENOSPC',
  rename: 'ENOSPC',
  connect: 'ECONNREFUSED',
  listen: 'EADDRINUSE',
  fork: 'EAGAIN',
  lookup: 'EAI_AGAIN',
};

function failureOf(name: string): NodeJS.ErrnoException {
  const code = CODES[name] ?? 'EIO';
  return Object.assign(new Error(`${code}: a fault that a test makes, ${name}`), { code, syscall: name, errno: -5 });
}

/** The error of the call; null if it proceeds. */
function faultAt(name: string): NodeJS.ErrnoException | null {
  const place = placeOf(name);
  if (place === null) return null;
  state.places.add(place);
  if (place !== state.place) return null;
  state.place = null;
  if (state.starting && !isFirstProcess()) return null;
  state.failed += 1;
  return failureOf(name);
}

/** A worker that is restarted after the fault must not fail again. */
function isFirstProcess(): boolean {
  try {
    writeFileSync(`${FILE}.start`, '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** The call, or `load` of a module, and the two nearest positions of a program in the stack; null if Node itself calls. */
function placeOf(name: string): string | null {
  const positions: string[] = [];
  let isLoading = false;
  for (const site of callSites()) {
    const file = site.getFileName() ?? '';
    if (file.startsWith('/') && file !== __filename) positions.push(`${relative(ROOT, file)}:${site.getLineNumber()}`);
    else if (positions.length === 0) isLoading ||= file.startsWith('node:internal/modules/');
    if (positions.length === 2) break;
  }
  return positions.length === 0 ? null : `${isLoading ? 'load' : name} ${positions.join(' < ')}`;
}

/** The stack, not as text, since a start makes thousands of calls and most of their frames are not needed. */
function callSites(): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (_, sites) => sites;
  const { stack } = new Error() as unknown as { readonly stack?: readonly NodeJS.CallSite[] };
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return stack ?? [];
}

/** @param fail reports an error as a function of that kind does */
function wrap(
  target: object,
  method: string,
  name: string,
  fail: (error: Error, parameters: unknown[], self: unknown) => unknown,
): void {
  const functions = target as Record<string, AnyFunction | undefined>;
  const original = functions[method];
  if (original === undefined) return;
  functions[method] = Object.assign(function (this: unknown, ...parameters: unknown[]) {
    const error = faultAt(name);
    return error === null ? original.apply(this, parameters) : fail(error, parameters, this);
  }, original);
}

const throwError = (error: Error): never => {
  throw error;
};
const rejectWith = (error: Error): Promise<never> => Promise.reject(error);
const callBackWith = (error: Error, parameters: unknown[]): void =>
  process.nextTick(parameters.findLast((one) => typeof one === 'function') as AnyFunction, error);

const FILES = [
  'open',
  'read',
  'write',
  'fsync',
  'fdatasync',
  'rename',
  'unlink',
  'rm',
  'stat',
  'readdir',
  'mkdir',
  'statfs',
  'utimes',
];
for (const name of [...FILES, 'readFile', 'writeFile', 'copyFile', 'chmod']) {
  wrap(fs, `${name}Sync`, name, throwError);
  wrap(fs, name, name, callBackWith);
  wrap(fs.promises, name, name, rejectWith);
}
wrap(dns, 'lookup', 'lookup', callBackWith);
for (const name of ['lookup', 'resolve4', 'resolve6']) wrap(dns.promises, name, 'lookup', rejectWith);
wrap(childProcess, 'spawn', 'spawn', (_, [, ...more]) =>
  childProcess.execFile('/nowhere', more[0] as string[], () => undefined),
);

wrap(cluster, 'fork', 'fork', throwError);
wrap(net.Server.prototype, 'listen', 'listen', (error, _, self) => {
  process.nextTick(() => (self as net.Server).emit('error', error));
  return self;
});

/** Sockets that the process itself connects, in contrast to those that it accepts. */
const ownSockets = new WeakSet<object>();
const destroySocket = (error: Error, _: unknown[], self: unknown): unknown => {
  process.nextTick(() => (self as net.Socket).destroy(error));
  return self;
};
const { connect, write } = net.Socket.prototype as unknown as Record<'connect' | 'write', AnyFunction>;
Object.assign(net.Socket.prototype, {
  connect(this: net.Socket, ...parameters: unknown[]) {
    ownSockets.add(this);
    const error = faultAt('connect');
    return error === null ? connect.apply(this, parameters) : destroySocket(error, parameters, this);
  },
  write(this: net.Socket, ...parameters: unknown[]) {
    const error = ownSockets.has(this) ? faultAt('send') : null;
    if (error !== null) this.destroy(Object.assign(error, { code: 'ECONNRESET' }));
    return error === null ? write.apply(this, parameters) : false;
  },
});

void fs.promises.open(__filename).then(async (handle) => {
  const methods = Object.getPrototypeOf(handle) as object;
  for (const name of ['read', 'write', 'writeFile', 'sync', 'stat']) wrap(methods, name, name, rejectWith);
  await handle.close();
});

Date.now = () => wallClock() + state.ahead;

process.on('SIGUSR2', () => {
  const { number, place, clock } = JSON.parse(readFileSync(FILE, 'utf8')) as Command;
  const report: Report = { places: [...state.places], failed: state.failed };
  Object.assign(state, { places: new Set(), place, starting: false, failed: 0, ahead: clock });
  writeFileSync(`${FILE}.${process.pid}.${number}`, JSON.stringify(report));
  process.stdout.write(`faults ${process.pid} ${number}\n`);
});
