// What a maintainer and a client do on one version of Node: gen, and with one process and with two a start from the cache of
// modules, a create, an upload, a web hook and a stop.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Circumstances, type CommandResult, runIn, type Server, serveIn } from '../cli/processes.js';
import { copyProject } from '../container/project-copy.js';
import { PNG } from '../files/samples.js';
import { clientOf, upload } from '../support/client.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, subscribe } from '../webhooks/subscriber.js';
import type { InstalledNode } from './install.js';

const PASSWORD = 'correct horse';
const SERVE = ['--port', '0', '--log-level', 'error', '--webhook-allow-cidrs', '127.0.0.0/8'];
/** The files of a compiled checkout, without those that gen writes. */
const PATHS = ['package.json', 'LICENSE', 'tsconfig.json', 'spec', 'generator', 'runtime', 'tests', 'dist'];

/** Throws what failed. */
export async function walk(installed: InstalledNode): Promise<void> {
  const folder = temporaryFolder('nodes');
  const program = [installed.node, join(folder, 'dist', 'generator', 'bin.js')] as const;
  const options: Circumstances = { program };
  try {
    const packages = readdirSync(join(ROOT, 'node_modules')).filter((name) => !name.startsWith('.'));
    copyProject(folder, {
      paths: PATHS,
      without: () => false,
      packages,
      instead: { 'better-sqlite3': installed.driver },
    });
    expectSuccess('gen', await runIn(['gen'], folder, options));
    const cache = join(folder, 'dist', 'runtime', 'server', 'code-cache', 'write.js');
    const written = await runIn([], folder, { program: [installed.node, cache] });
    expectSuccess('the cache', written);
    if (written.stdout !== '') throw new Error(written.stdout);
    for (const processes of ['1', '2']) {
      const server = await serveIn([...SERVE, '--processes', processes], folder, options);
      try {
        await use(server, { folder, options, username: `ada${processes}` });
      } finally {
        server.process.kill('SIGTERM');
      }
      expectSuccess('stop', await server.ended);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Use {
  readonly folder: string;
  readonly options: Circumstances;
  readonly username: string;
}

/** A login, creates, an upload, and a web hook that is called. */
async function use({ address }: Server, { folder, options, username }: Use): Promise<void> {
  const user = ['user', 'add', '--username', username, '--password-stdin'];
  expectSuccess('user add', await runIn(user, folder, { ...options, input: PASSWORD }));
  const login = await clientOf(address)('POST', '/api/session', {
    parameters: { username, password: PASSWORD },
  });
  const session = login.body.id as string;
  // This creates a designer, a game and a key on the way.
  const subscriber = await makeSubscriber(address, session);
  await upload(address, session, { name: 'top.png', bytes: PNG });
  const receiver = await startHttpReceiver();
  try {
    await subscribe(address, subscriber, `${receiver.address}/hook`);
    await receiver.until((posts) => posts[0]);
  } finally {
    await receiver.close();
  }
}

function expectSuccess(what: string, { code, stdout, stderr }: CommandResult): void {
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${stdout}${stderr}`);
}
