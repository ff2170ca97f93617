// Part of the build: writes the file of the cache, from a start of `serve` on a separate database, a first request and a
// maintainer's command.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENERATED, SPEC } from '../../project/find.js';
import { readDocument } from '../load-generated.js';
import { CACHE, ROOT } from './load.js';
import type { WriteRequest } from './record.js';

/** The generated code of this program's own service. */
const GENERATED_CODE = join(ROOT, GENERATED);

/** Milliseconds for everything, which usually takes one second: a build must end. */
const PATIENCE = 60_000;

/** Throws the reason if it has not been written. */
export async function writeCache(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'punchboard-'));
  const child = serveIn(folder);
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  try {
    const ended = once(child, 'exit').then(([code]) => {
      if (code !== 0) throw new Error(`a server for it has ended with ${code}`);
    });
    const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ readonly port: number }];
    await firstRequest(port);
    child.send({ file, spec: join(ROOT, SPEC) } satisfies WriteRequest);
    await ended;
  } finally {
    clearTimeout(patience);
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/** Runs without settings from the environment or from a file `.env`. */
function serveIn(folder: string): ChildProcess {
  const data = [
    '--database',
    join(folder, 'database'),
    '--files',
    join(folder, 'files'),
    '--generated',
    GENERATED_CODE,
  ];
  return fork(join(__dirname, 'record.js'), ['serve', '--port', '0', ...data], {
    cwd: folder,
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** For a record that does not exist. */
async function firstRequest(port: number): Promise<void> {
  const asked = request({ port, path: recordPath() }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
}

/** The path of a record, of the resource that comes first in the API document. */
function recordPath(): string {
  const { paths } = JSON.parse(readDocument(GENERATED_CODE).toString()) as {
    readonly paths: Readonly<Record<string, object>>;
  };
  const ofRecord = Object.keys(paths).find((path) => /^[^{]*\{\w+\}$/.test(path) && 'get' in (paths[path] ?? {}));
  return (ofRecord ?? '/').replace(/\{\w+\}/, 'none');
}

async function main(): Promise<void> {
  try {
    await writeCache(CACHE);
  } catch (error) {
    rmSync(CACHE, { force: true });
    process.stdout.write(
      `punchboard will start slower, since ${CACHE} could not be written: ${(error as Error).message}\n`,
    );
  }
}

if (require.main === module) void main();
