// Writes a mutant as a folder that a service can start from: changed files are written, the others are linked.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Output } from '../../generator/emit/output.js';
import { ROOT } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';

/** Where the files that a mutant does not change come from. */
export interface UnchangedFiles {
  readonly compiled: string;
  readonly plain: string;
}

export const OWN_FILES: UnchangedFiles = { compiled: join(ROOT, 'dist', 'generated'), plain: join(ROOT, 'generated') };

/** Writes and compiles all outputs of a spec. */
export function writeAll(folder: string, outputs: readonly Output[]): UnchangedFiles {
  writeFiles(folder, outputs);
  compile(sourcesOf(folder, outputs).filter((path) => !path.startsWith(join(folder, 'tests'))));
  return { compiled: folder, plain: folder };
}

/** @returns the paths of the TypeScript files that have to be compiled */
export function writeMutant(
  folder: string,
  changed: readonly Output[],
  { compiled: from, plain }: UnchangedFiles,
): readonly string[] {
  const compiled = new Set(changed.map(({ path }) => path.replace(/\.ts$/, '.js')));
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js') || compiled.has(file) || file.startsWith('tests')) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    // A linked file resolves imports from its real path; only validators import nothing from this folder.
    if (file.startsWith('validators')) symlinkSync(join(from, file), join(folder, file));
    else copyFileSync(join(from, file), join(folder, file));
  }
  for (const file of ['schema.json', 'openapi.json'].filter((one) => !compiled.has(one))) {
    symlinkSync(join(plain, file), join(folder, file));
  }
  // Mutants are tested against the facts of the original descriptors.
  mkdirSync(join(folder, 'tests'));
  symlinkSync(join(plain, 'tests', 'facts.json'), join(folder, 'tests', 'facts.json'));
  writeFiles(folder, changed);
  return sourcesOf(folder, changed);
}

function sourcesOf(folder: string, outputs: readonly Output[]): readonly string[] {
  return outputs.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(folder, path));
}

/** Compiles all files together, without type checks, since other suites cover these. */
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
