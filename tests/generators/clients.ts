// Clients that third-party generators create from the API document compile in strict TypeScript and work.

import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/paths.js';
import { run } from './tools.js';
import type { WalkInput } from './walks/given.js';

/**
 * Each generator writes `client` into a folder of its own name, beside the program in `walks` that uses it. The generators run
 * in parallel, each with types of its own.
 */
const GENERATORS: Readonly<Record<string, readonly string[]>> = {
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript/client.ts'],
  'hey-api': ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api/client', '--no-log-file'],
  orval: ['orval', '-c', 'orval.config.cjs'],
};

const STRICT = {
  ...{ strict: true, skipLibCheck: true, target: 'es2022', module: 'commonjs', moduleResolution: 'bundler' },
  ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] },
};

/** @param folder a folder below the tools that contains `openapi.json` */
export async function useClients(tools: string, folder: string, given: WalkInput): Promise<void> {
  const output = { target: 'orval/client.ts', client: 'fetch', baseUrl: given.baseUrl };
  const orval = { punchboard: { input: 'openapi.json', output } };
  writeFileSync(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(orval)};\n`);
  const names = Object.keys(GENERATORS);
  for (const name of names) prepare(folder, name);
  await Promise.all(Object.values(GENERATORS).map((command) => run({ home: tools, command }, folder)));
  const settings = { compilerOptions: { ...STRICT, rootDir: '.', outDir: 'out' }, include: ['*/walk.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  await run({ home: ROOT, command: ['tsc', '-p', '.'] }, folder);
  await Promise.all(
    names.map((name) =>
      promisify(execFile)(process.execPath, [join(folder, 'out', name, 'walk.js'), JSON.stringify(given)]),
    ),
  );
}

function prepare(folder: string, name: string): void {
  const walks = join(ROOT, 'tests', 'generators', 'walks');
  mkdirSync(join(folder, name));
  copyFileSync(join(walks, 'given.ts'), join(folder, name, 'given.ts'));
  copyFileSync(join(walks, `${name}.ts`), join(folder, name, 'walk.ts'));
}
