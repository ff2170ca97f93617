// Where the log is written: standard error, which may be a pipe that nobody reads. A full disk is in tests/processes/ends.test.ts.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openLogDestination } from '../../runtime/http/log-destination.js';
import { temporaryFolder } from '../support/paths.js';

const folder = temporaryFolder('log-destination');
const NOW = 1_700_000_000_000;
const screenOf = (fd: number) => ({ fd, write: () => undefined });

/** A pipe that takes nothing once 64 KiB wait in it, instead of blocking. */
function openPipe(): { readonly fd: number; read(): string } {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const bytes = Buffer.alloc(1 << 20);
  const read = () => {
    try {
      return bytes.toString('utf8', 0, readSync(fd, bytes));
    } catch {
      return '';
    }
  };
  return { fd, read };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

test('lines that cannot be written wait up to 4 MiB; further ones are lost, and a line says how many', async () => {
  const { fd, read } = openPipe();
  const log = openLogDestination(screenOf(fd), () => NOW, 1000);
  let sent = 0;
  const send = () => log.write(`${JSON.stringify({ number: sent++, text: 'x'.repeat(1000) })}\n`);
  while (sent < 6000) send();
  const chunks: string[] = [];
  const receive = async (text: () => string) => {
    for (let end = ''; !end.includes(text()); ) {
      await new Promise(setImmediate);
      const chunk = read();
      if (chunk === '') {
        // What waits is tried again, and the next line says how many were lost.
        jest.advanceTimersByTime(200);
        send();
      }
      chunks.push(chunk);
      end = `${end.slice(-20)}${chunk}`;
    }
  };
  await receive(() => '"lines":');
  await receive(() => `"number":${sent - 1},`);
  closeSync(fd);
  const lines = chunks
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.find(({ number }) => number === undefined)).toEqual({
    level: 40,
    time: NOW,
    lines: expect.any(Number),
    msg: 'lines of this log were lost because they could not be written',
  });
  expect(lines.findIndex(({ number }) => number === undefined)).toBeGreaterThan(4000);
  let next = 0;
  for (const { number, lines: lost } of lines) {
    if (number === undefined) next += lost as number;
    else expect(number).toBe(next++);
  }
  expect(next).toBe(sent);
});
