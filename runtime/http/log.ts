// The service's log: one line per request, and bugs with their stack. It never contains a secret, a key or a query string.

import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { UPKEEP } from '../contract/defaults.js';
import type { ErrorCode, ServiceError } from '../contract/errors.js';
import type { Exchange } from './exchange.js';
import { HTTP_PARTS } from './optional-parts.js';

const SECRETS = new Set(['password', 'session_id', 'session', 'private_key', 'access_key', 'authorization', 'cookie']);
const MAX_DEPTH = 4;

/** @param level least severe of pino's levels that is logged @param destination standard output by default */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // No secret is logged on purpose; this is for objects that are logged whole. Pino's own `redact` with
    // wildcards costs more than the rest of a request.
    formatters: { log: (object: Record<string, unknown>) => withoutSecrets(object, MAX_DEPTH) },
    serializers: { err: shownError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Bytes of lines in memory before they are written together. */
const BYTES = 8 * 1024;
/** Milliseconds until they are written anyway. */
const DELAY = 200;
/** Bytes of lines that wait while they cannot be written; further ones are lost. */
const MOST_WAITING = 4 * 1024 * 1024;
/** How often, and after how many milliseconds, a process that ends tries a log again that takes nothing at the moment. */
const LAST_TRIES = { times: 10, wait: 100 };

export interface LogDestination extends DestinationStream {
  /** Writes what is left. */
  flushSync(): void;
}

/** Where the log goes: standard error. */
export interface LogScreen {
  readonly fd: number;
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Lines for people on a terminal; otherwise JSON, which is buffered and flushed when the process exits.
 * @param now epoch milliseconds @param bytes buffered before they are written
 */
export function openLogDestination(screen: LogScreen, now: () => number, bytes = BYTES): LogDestination {
  const { fd, isTTY = false } = screen;
  if (isTTY) {
    const { readableLine } = HTTP_PARTS.readableLog();
    return { write: (line) => void screen.write(readableLine(line)), flushSync: () => undefined };
  }
  return buffered(createLogWriter(fd, now), bytes);
}

function buffered(writer: LogDestination, bytes: number): LogDestination {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (lines === '') return;
    const flushed = lines;
    lines = '';
    clearTimeout(timer);
    process.off('exit', flushSync);
    writer.write(flushed);
  };
  const flushSync = (): void => {
    flush();
    writer.flushSync();
  };
  return {
    write(line) {
      if (lines === '') {
        timer = setTimeout(flush, DELAY).unref();
        process.once('exit', flushSync);
      }
      lines += line;
      if (lines.length >= bytes) flush();
    },
    flushSync,
  };
}

/**
 * Writes lines in order, without holding up requests. A log that cannot be written, as on a full disk, is no reason to stop
 * serving: its lines wait, are tried again with the next ones, and a line says how many were lost meanwhile. Pino's destination
 * would end the process, and would not let it end before the log can be written.
 */
function createLogWriter(fd: number, now: () => number): LogDestination {
  const waiting: Buffer[] = [];
  let writing = false;
  let lost = 0;
  const writeNext = (): void => {
    const [first] = waiting;
    if (first === undefined) process.off('exit', flushSync);
    if (first === undefined || writing) return;
    writing = true;
    write(fd, first, (error, bytes) => {
      writing = false;
      if (error !== null) return;
      waiting.splice(0, 1, ...(bytes < first.length ? [first.subarray(bytes)] : []));
      writeNext();
    });
  };
  // What is being written already, the system still writes.
  const flushSync = (): void => writeRest(fd, Buffer.concat(waiting.splice(writing ? 1 : 0)));
  return {
    write(lines) {
      if (bytesOf(waiting) > MOST_WAITING) lost += lines.split('\n').length - 1;
      else {
        if (waiting.length === 0) process.once('exit', flushSync);
        waiting.push(Buffer.from(lost === 0 ? lines : `${lossOf(lost, now())}${lines}`));
        lost = 0;
      }
      writeNext();
    },
    flushSync,
  };
}

function bytesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function lossOf(lines: number, time: number): string {
  return `${JSON.stringify({ level: 40, time, lines, msg: 'lines of this log are lost: it could not be written' })}\n`;
}

/** Writes to the end of the process, and gives up if that is not possible. */
function writeRest(fd: number, rest: Buffer): void {
  let written = 0;
  for (let tries = 0; written < rest.length && tries < LAST_TRIES.times; ) {
    try {
      written += writeSync(fd, rest, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_TRIES.wait);
    }
  }
}

function withoutSecrets(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (SECRETS.has(name.toLowerCase())) safe[name] = '[secret]';
    else if (typeof value !== 'object' || value === null || value instanceof Error) safe[name] = value;
    else if (depth === 0) safe[name] = '[deep]';
    else safe[name] = withoutSecrets(value as Record<string, unknown>, depth - 1);
  }
  return safe;
}

/** Type, message and stack: other properties of an error may hold parameters. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  return { type: error.name, message: error.message, stack: error.stack };
}

export interface Response {
  readonly status: number;
  /** Time to the response. */
  readonly milliseconds: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Logs one line per request at info; null if such lines are not logged. The path is logged as its pattern, an id only if it is
 * a record's and not a session's. The line is put together here in pino's format: composing it from an object takes as long as
 * reading a record. Methods, patterns, request ids and traces hold no characters that JSON escapes.
 */
export function createRequestLog(log: Logger | null): ((exchange: Exchange, response: Response) => void) | null {
  if (log === null || !log.isLevelEnabled('info')) return null;
  const destination = (log as unknown as Readonly<Record<symbol, DestinationStream>>)[pino.symbols.streamSym];
  if (destination === undefined) return null;
  return ({ requestId, trace, method, pattern, record }, { status, milliseconds, now }) => {
    const id = record === null ? '' : `,"id":${JSON.stringify(record)}`;
    const traced = trace === undefined ? '' : `,"traceparent":"${trace}"`;
    const ms = Math.round(milliseconds * 1000) / 1000;
    destination.write(
      `{"level":30,"time":${now},"request_id":"${requestId}"${traced},"method":"${method}","route":"${pattern}"${id},` +
        `"status":${status},"ms":${ms},"msg":"request"}\n`,
    );
  };
}

/** Refusals that an operator must know about, because no client caused them, and their log levels. */
const ALERTS: ReadonlyMap<ErrorCode, 'error' | 'warn'> = new Map([
  ['storage_full', 'error'],
  ['unavailable', 'warn'],
]);

/** @returns a function that logs refusals an operator must know about; `now` in epoch milliseconds */
export function createAlertLog(log: Logger | null): (error: ServiceError, now: number) => void {
  const last = new Map<ErrorCode, number>();
  return ({ code, message }, now) => {
    const level = ALERTS.get(code);
    const before = last.get(code);
    if (log === null || level === undefined || (before !== undefined && Math.abs(now - before) < UPKEEP.alert)) return;
    last.set(code, now);
    log[level]({ code }, `requests are refused: ${message}`);
  };
}

/** Logs a thrown value that is not a ServiceError. */
export function logBug(log: Logger, exchange: Exchange, thrown: unknown): void {
  const err = thrown instanceof Error ? thrown : new Error(String(thrown));
  log.error({ request_id: exchange.requestId, route: exchange.pattern, err }, err.message);
}
