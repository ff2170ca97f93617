// Brings mutants of the descriptors to what a service can start from: generated, compiled, one folder each.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generate, type Source } from '../../../generator/generate.js';
import { readSpec } from '../../../generator/io.js';
import type { Output } from '../../../generator/render.js';
import { ROOT, temporaryFolder } from '../../support/paths.js';
import { ok, SPEC } from '../project.js';
import type { DescriptorMutant } from './descriptors.js';
import type { Job, Verdict } from './mutant.js';

const KIT = '../runtime/kit.js';
const COMPILED = join(ROOT, 'dist', 'generated');

/** Jobs for those that gen takes, and verdicts for those that it refuses, which is as good as found. */
export function build(mutants: readonly DescriptorMutant[]): {
  readonly jobs: readonly Job[];
  readonly refused: readonly Verdict[];
} {
  const folder = temporaryFolder('mutants');
  symlinkSync(join(ROOT, 'dist', 'runtime'), join(folder, 'runtime'));
  const base = new Map(outputsOf(readSpec(SPEC)).map(({ path, text }) => [path, text]));
  const jobs: Job[] = [];
  const refused: Verdict[] = [];
  const sources: string[] = [];
  for (const [index, { name, source }] of mutants.entries()) {
    const made = generate(source, KIT);
    if (!made.ok) {
      const codes = made.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      refused.push({ name, probes: 0, found: [`gen refuses it: ${[...new Set(codes)].join(', ')}`] });
      continue;
    }
    const generated = join(folder, String(index));
    // The tests of a mutant are nobody's business: it is judged from outside.
    const changed = made.outputs.filter(({ path, text }) => base.get(path) !== text && !path.startsWith('tests/'));
    sources.push(...writeMutant(generated, changed));
    const model = join(generated, 'model.json');
    writeFileSync(model, JSON.stringify(made.model));
    jobs.push({ name, edits: [], generated, model });
  }
  compile(sources);
  return { jobs, refused };
}

/** The model of the project's own spec, as a file; for mutants of the code. */
export function ownModel(): string {
  const file = join(temporaryFolder('model'), 'model.json');
  writeFileSync(file, JSON.stringify(ok(generate(readSpec(SPEC), KIT)).model));
  return file;
}

function outputsOf(source: Source): readonly Output[] {
  return ok(generate(source, KIT)).outputs;
}

/** What differs is written, the rest is the project's own. Returns what is to be compiled. */
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
  for (const { path, text } of changed) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return changed.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(folder, path));
}

/** All at once, and without checking types: that the generated code is sound, other suites show. */
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
