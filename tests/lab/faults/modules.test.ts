// Everything that a server offers works with the modules that it has loaded by its start or has in the open cache: a file that it
// looked for while serving might be missing at that moment, and Node would remember that (N03).

import { join } from 'node:path';
import { workerPids } from '../../processes/connections.js';
import { hasPostgres, sharePostgres } from '../../support/postgres.js';
import { CHEAP_PASSWORDS_SCRIPT } from '../../support/preload.js';
import { ACCESS_KEY, startS3 } from '../../support/s3-server.js';
import { shared } from '../../support/shared.js';
import { askAll } from './features.js';
import { type EmptyWorld, type Places, populate, startServer, stopWorld } from './world.js';

/** Prints the loaded modules. The server runs without the cache, so that Node loads every module, and late loads are visible. */
const LOADED_MODULES_SCRIPT = join(__dirname, '..', '..', 'support', 'loaded-modules.js');
const env = {
  NODE_OPTIONS: `--require ${CHEAP_PASSWORDS_SCRIPT} --require ${LOADED_MODULES_SCRIPT}`,
  AWS_ACCESS_KEY_ID: ACCESS_KEY,
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** The modules of each process. The processes are asked in turn, since a pipe would mix their long lines. */
async function loadedIn({ server }: EmptyWorld, time: number): Promise<ReadonlySet<string>> {
  const modules = new Set<string>();
  const first = server.process.pid ?? 0;
  for (const pid of [first, ...workerPids(first)]) {
    process.kill(pid, 'SIGUSR2');
    const line = await server.line(new RegExp(`^loaded ${pid} ${time} .*\\]$`));
    for (const path of JSON.parse(line.slice(line.indexOf('['))) as readonly string[]) modules.add(`${pid} ${path}`);
  }
  return modules;
}

async function loadedLate(places: Places): Promise<readonly string[]> {
  const empty = await startServer(places, { env });
  const before = await loadedIn(empty, 1);
  const world = await populate(empty);
  try {
    const answers = await askAll(world);
    expect(Object.values(answers).flatMap(({ statuses }) => statuses.filter((status) => status >= 405))).toEqual([]);
    const after = await loadedIn(world, 2);
    return [...after].filter((path) => !before.has(path));
  } finally {
    await stopWorld(world);
  }
}

test('N03: a server with a file and a folder loads no module while it serves', async () => {
  expect(await loadedLate({})).toEqual([]);
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  const postgres = shared(sharePostgres);

  test('N03: two processes with a bucket load no module while they serve', async () => {
    const bucket = await startS3();
    const database = await postgres.createDatabase();
    expect(await loadedLate({ database, files: bucket.address(), processes: 2 })).toEqual([]);
    await bucket.stop();
  });
});
