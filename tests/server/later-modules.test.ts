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

test('a server of the profile wing loads nothing for its API document while it serves', async () => {
  const folder = temporaryFolder('later-modules');
  const server = await serve(['--port', '0', '--wire', 'wing'], folder, { NODE_OPTIONS: `--require ${LOADED}` });
  const before = await loadedIn(server, 1);
  const answer = await fetch(`${server.address}/openapi.json`);
  const { info } = (await answer.json()) as { readonly info: { readonly description: string } };
  const after = await loadedIn(server, 2);
  server.process.kill('SIGKILL');
  await server.ended;
  rmSync(folder, { recursive: true });
  expect(info.description).toContain('This document describes the profile `wing`');
  expect(before).toContain('dist/runtime/http/wing-document.js');
  expect(after.filter((path) => !before.includes(path))).toEqual([]);
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
