// What only some projects and options need: a server without the cache of modules has loaded it by the time it listens.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Generated } from '../../runtime/contract/definition.js';
import { rolesFor } from '../../runtime/server/later-modules.js';
import { type Server, serve } from '../cli/processes.js';
import { workerPids } from '../processes/connections.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { quietly } from '../support/quiet-service.js';

const RUNTIME = join(ROOT, 'dist', 'runtime');
const COMPILED = join(ROOT, 'dist', 'generated');
const LOADED = join(__dirname, '..', 'support', 'loaded-modules.js');

type ListingProcess = Pick<Server, 'line'> & { readonly process: { kill(signal: NodeJS.Signals): boolean } };

async function loadedIn({ process, line }: ListingProcess, time: number): Promise<readonly string[]> {
  process.kill('SIGUSR2');
  const modules = await line(new RegExp(`^loaded \\d+ ${time} .*\\]$`));
  return JSON.parse(modules.slice(modules.indexOf('[')));
}

test.each([
  [['--wire', 'wing'], '/openapi.json', 'This document describes the profile `wing`', 'http/wing-document.js'],
  [['--portal'], '/portal', 'Your web hooks', 'admin/console/templates/login.js'],
])('a server with %j loads nothing for %s while it serves', async (options, path, content, module) => {
  const folder = temporaryFolder('later-modules');
  const server = await serve(['--port', '0', ...options], folder, { NODE_OPTIONS: `--require ${LOADED}` });
  const before = await loadedIn(server, 1);
  const text = await (await fetch(server.address + path)).text();
  const after = await loadedIn(server, 2);
  await server.end();
  expect(text).toContain(content);
  expect(before).toContain(`dist/runtime/${module}`);
  expect(after.filter((one) => !before.includes(one))).toEqual([]);
});

test('a standby server has loaded every module that a start needs, whatever its options', async () => {
  const folder = temporaryFolder('standby');
  const pages = { console: true, portal: true, backups: { folder, program: [] } };
  const limits = { rateLimit: 60, quotaBytes: 1, metricsPort: 0, corsOrigins: ['https://example.com'] };
  const options = { ...quietly(folder), wire: 'wing', ...pages, ...limits };
  // As in `serve`, main.ts is loaded before the server stands by.
  const script = `
    const { start } = require('${RUNTIME}/server/main.js');
    const options = ${JSON.stringify(options)};
    const waiting = require('${RUNTIME}/admin/commands/standby.js').standBy(options, process.exit);
    const before = Object.keys(require.cache);
    process.emit('message', { port: null, hasWaited: false });
    waiting
      .then(() => start(options))
      .then((server) => server.stop())
      .then(() => console.log(Object.keys(require.cache).filter((path) => !before.includes(path)).join('\\n')));`;
  const loaded = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(loaded).toContain(COMPILED);
  expect(loaded.split('\n').filter((path) => !path.startsWith(COMPILED) && !OF_DRIVER.test(path))).toEqual(['']);
});

/** The modules that better-sqlite3 loads when it opens a database. */
const OF_DRIVER = /node_modules\/(better-sqlite3|bindings|file-uri-to-path)\//;

test.each([
  [[], false],
  [['--console'], true],
])('a worker of a server with %j watches the errors that it logs: %j', async (options, watches) => {
  const folder = temporaryFolder('worker');
  const server = await serve(['--port', '0', '--processes', '2', ...options], folder, {
    NODE_OPTIONS: `--require ${LOADED}`,
  });
  const [worker = 0] = workerPids(server.process.pid ?? 0);
  const loaded = await loadedIn({ ...server, process: { kill: () => process.kill(worker, 'SIGUSR2') } }, 1);
  await server.end();
  expect(loaded).toContain('dist/runtime/server/processes/worker.js');
  expect(loaded.includes('dist/runtime/admin/console/recent-errors.js')).toBe(watches);
});

const NOTHING = { definitions: [{}] };
const DEPRECATED = { definitions: [{}, { deprecations: [{ field: null, names: [] }] }] };

test.each([
  [NOTHING, 'plain', []],
  [{ ...NOTHING, versions: {} }, 'plain', []],
  [{ ...NOTHING, versions: { '2026-01-31': {} } }, 'plain', ['versions']],
  [DEPRECATED, 'plain', ['deprecations']],
  [{ ...DEPRECATED, versions: { '2026-01-31': {} } }, 'wing', ['deprecations', 'versions', 'wing']],
] as const)('%j needs in the profile %s: %j', (generated, wire, roles) => {
  expect(rolesFor(generated as unknown as Generated, wire)).toEqual(roles);
});
