// Jest's global setup. A run has one folder for everything temporary, which is deleted afterwards; it is in memory if Linux
// offers enough, since creating files costs a tenth of the CPU. It also has one PostgreSQL server that suites share. With
// PUNCHBOARD_BUSY=1, two processes that only count run beside the suites until they have ended.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres, startShared } from './postgres.js';
import { WORKER_OPTIONS } from './worker-options.js';

const COUNTERS = 2;

const MEMORY = '/dev/shm';
/** Several times the space that the suites of a run need. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** Counts in slices, and ends with the process that started it, however that ends. */
const COUNT = `
  let counted = 0;
  const slice = () => {
    for (const end = counted + 1e8; counted < end; counted += 1);
    setImmediate(slice);
  };
  process.on('disconnect', () => process.exit());
  slice();
`;

/** Runs in this process, whose variables and options the workers inherit. */
export default async function setup(): Promise<void> {
  // The compiler is a Go program that would spend a third of its CPU on garbage: it collects only when memory runs short.
  process.env.GOGC ??= 'off';
  process.env.GOMEMLIMIT ??= '2GiB';
  process.execArgv.push(...WORKER_OPTIONS);
  ownTemporaryFolder();
  if (hasPostgres) process.prependListener('exit', await startShared());
  if (process.env.PUNCHBOARD_BUSY !== '1') return;
  for (let each = 0; each < COUNTERS; each += 1) unreferenced(spawnCounter());
}

/** The name is short because it is part of the paths of sockets, which may not be long. */
function ownTemporaryFolder(): void {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'punch-'));
  // A database server runs as another user.
  chmodSync(folder, 0o755);
  process.env.PUNCHBOARD_KEPT = tmpdir();
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

/** A folder named by the user takes precedence. A container usually has far less memory. */
function hasMemory(): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}

function spawnCounter(): ChildProcess {
  return spawn(process.execPath, ['-e', COUNT], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Lets this process end before the child does. */
function unreferenced(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
