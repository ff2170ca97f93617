// A mutant as a folder that a service can start from: what differs from the project is written, the rest is linked.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Output } from '../../generator/emit/output.js';
import { ROOT } from '../support/paths.js';

const COMPILED = join(ROOT, 'dist', 'generated');

/** @returns the paths of the TypeScript files that have to be compiled */
export function writeMutant(folder: string, changed: readonly Output[]): readonly string[] {
  const compiled = new Set(changed.map(({ path }) => path.replace(/\.ts$/, '.js')));
  for (const file of readdirSync(COMPILED, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js') || compiled.has(file) || file.startsWith('tests')) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    // A linked file loads from where it really is; only validators load nothing that lies here.
    if (file.startsWith('validators')) symlinkSync(join(COMPILED, file), join(folder, file));
    else copyFileSync(join(COMPILED, file), join(folder, file));
  }
  for (const file of ['schema.json', 'openapi.json'].filter((one) => !compiled.has(one))) {
    symlinkSync(join(ROOT, 'generated', file), join(folder, file));
  }
  // Mutants are judged by what the project's own descriptors say.
  mkdirSync(join(folder, 'tests'));
  symlinkSync(join(ROOT, 'generated', 'tests', 'facts.json'), join(folder, 'tests', 'facts.json'));
  for (const { path, text } of changed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return changed.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(folder, path));
}

/** Compiles all files together, without checking types: other suites show that generated code is sound. */
export function compile(sources: readonly string[]): void {
  if (sources.length === 0) return;
  const compiler = join(dirname(require.resolve('typescript/package.json', { paths: [ROOT] })), 'bin', 'tsc');
  const options = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--noCheck', '--skipLibCheck'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...sources], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
}
