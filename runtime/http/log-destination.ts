// Where the log is written: lines for people on a terminal; otherwise JSON, which is buffered and written beside requests.

import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import { HTTP_PARTS } from './optional-parts.js';

/** Bytes of lines in memory before they are written together. */
const BYTES = 8 * 1024;
/** Milliseconds until they are written anyway, and until lines that could not be written are tried again. */
const DELAY = 200;
/** Bytes of lines that wait while they cannot be written; further ones are lost. */
const MOST_WAITING = 4 * 1024 * 1024;
/** While a process ends: how often it tries again to write to a full pipe, and the milliseconds between two tries. */
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
 * Writes lines in order, without blocking requests. If the log cannot be written, for example because the disk is full, the
 * server keeps running: the lines wait and are tried again, and a line says how many were lost meanwhile. Pino's destination
 * would throw the error, which ends the process, and then retry forever, so that it never ends.
 */
function createLogWriter(fd: number, now: () => number): LogDestination {
  const waiting: Buffer[] = [];
  let isWriting = false;
  let retry: NodeJS.Timeout | null = null;
  let lost = 0;
  const writeNext = (): void => {
    const [first] = waiting;
    if (first === undefined) process.off('exit', flushSync);
    if (first === undefined || isWriting || retry !== null) return;
    isWriting = true;
    write(fd, first, (error, bytes) => {
      isWriting = false;
      if (error !== null) {
        retry = setTimeout(again, DELAY).unref();
        return;
      }
      waiting.splice(0, 1, ...(bytes < first.length ? [first.subarray(bytes)] : []));
      writeNext();
    });
  };
  const again = (): void => {
    retry = null;
    writeNext();
  };
  // A write in flight completes in its thread before the process ends.
  const flushSync = (): void => writeRest(fd, Buffer.concat(waiting.splice(isWriting ? 1 : 0)));
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
  return `${JSON.stringify({ level: 40, time, lines, msg: 'lines of this log were lost because they could not be written' })}\n`;
}

/** Writes while the process ends, and gives up if that is not possible. */
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
