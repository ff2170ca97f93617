// What a server leaves unloaded until it is needed. The modules that it loads determine how long a start takes, so that what
// the first answer does not need is loaded later; the process itself reports what it has loaded.

import { join } from 'node:path';
import { serve } from '../cli/processes.js';
import { temporaryFolder } from '../support/paths.js';
import { preloading } from '../support/preload.js';
import { shared } from '../support/shared.js';

/** Packages and folders, by the features that need them. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  metrics: ['node_modules/prom-client/', 'node_modules/@opentelemetry/'],
  uploads: ['node_modules/busboy/', 'node_modules/image-size/', 'node_modules/@aws-sdk/'],
  "operators' pages": [
    'dist/runtime/pages/files/',
    'dist/runtime/admin/console/pages/',
    'dist/runtime/server/console.js',
  ],
  'pages of owners': ['dist/runtime/admin/portal/', 'dist/runtime/server/portal.js'],
  'other databases': ['node_modules/pg/', 'dist/runtime/store/postgres/', 'dist/runtime/schema/postgres/'],
  'web hooks': ['node_modules/undici/', 'node_modules/nodemailer/', 'dist/runtime/webhooks/send/connections.js'],
  'other commands': ['dist/runtime/admin/commands/user-commands.js', 'dist/runtime/admin/webhooks/commands.js'],
  'the generator': ['node_modules/yaml/', 'dist/generator/model/', 'dist/generator/language/', 'dist/generator/write/'],
  processes: ['dist/runtime/server/processes/'],
  'other projects': ['dist/runtime/http/versions/version.js', 'dist/runtime/http/deprecations.js'],
  'other options': [
    ...['dist/runtime/http/wing-document.js', 'dist/runtime/http/cors.js', 'dist/runtime/http/metrics-access.js'],
    ...[
      'dist/runtime/admin/console/figures.js',
      'dist/runtime/server/quota.js',
      'dist/runtime/files/bucket-address.js',
    ],
  ],
};

const folder = temporaryFolder('first-answer');
const preload = join(__dirname, '..', 'support', 'loaded-modules.js');
const server = shared(() => serve(['--port', '0'], folder, { NODE_OPTIONS: preloading(preload) }));

let times = 0;

/** The packages and folders of which something is loaded. */
async function loadedOf(names: readonly string[]): Promise<readonly string[]> {
  times += 1;
  server.process.kill('SIGUSR2');
  const line = await server.line(new RegExp(`^loaded \\d+ ${times} .*\\]$`));
  const loaded = JSON.parse(line.slice(line.indexOf('['))) as readonly string[];
  return names.filter((name) => loaded.some((path) => path.startsWith(name)));
}

test('the first answer loads nothing that only other requests and commands need', async () => {
  expect((await fetch(`${server.address}/api/boxtop/none`)).status).toBe(404);
  expect(await loadedOf(Object.values(LATER).flat())).toEqual([]);
});

test('loaded modules are reported', async () => {
  expect(
    await loadedOf([
      'node_modules/better-sqlite3/',
      'node_modules/express/',
      'dist/generated/',
      'dist/runtime/store/sqlite/',
    ]),
  ).toHaveLength(4);
  expect((await fetch(`${server.address}/docs`)).status).toBe(200);
  expect(await loadedOf(['dist/runtime/pages/files/'])).toHaveLength(1);
});
