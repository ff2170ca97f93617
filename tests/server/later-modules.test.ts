// What only some projects and options need: a server without the cache of modules has loaded it by the time it listens.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Generated } from '../../runtime/contract/definition.js';
import { rolesFor } from '../../runtime/server/later-modules.js';
import { type Server, serve } from '../cli/processes.js';
import { temporaryFolder } from '../support/paths.js';

const LOADED = join(__dirname, '..', 'support', 'loaded-modules.js');

async function loadedIn({ process, line }: Server, time: number): Promise<readonly string[]> {
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
  server.process.kill('SIGKILL');
  await server.ended;
  rmSync(folder, { recursive: true });
  expect(text).toContain(content);
  expect(before).toContain(`dist/runtime/${module}`);
  expect(after.filter((one) => !before.includes(one))).toEqual([]);
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
