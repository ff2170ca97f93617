// Turns random domains into services: those that `check` accepts are generated, compiled together and tested.
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fillsOf, handwrittenCode } from '../../generator/emit/behaviour.js';
import { generate } from '../../generator/generate.js';
import type { SourceFile } from '../../generator/load/load.js';
import type { Model } from '../../generator/model/model.js';
import { examine } from '../properties/examine.js';
import { type ProjectFacts, projectFacts } from '../properties/facts.js';
import { ROOT } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { domainOf } from './domain.js';

export interface Domain {
  readonly seed: number;
  readonly project: ProjectFacts;
  readonly generated: string;
  readonly sources: readonly string[];
}

const KIT = '../runtime/contract/kit.js';

/** Prepares a folder in which outputs resolve their imports. */
export function prepare(folder: string): void {
  for (const name of ['runtime', 'tests']) symlinkSync(join(ROOT, 'dist', name), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** Writes the domain of the seed below the folder; null if `check` reports mistakes. */
export function makeDomain(seed: number, folder: string, files: readonly SourceFile[] = domainOf(seed)): Domain | null {
  const generation = generate({ files, ledger: null }, KIT, undefined, './functions.js');
  if (!generation.ok) return null;
  const generated = join(folder, `domain${seed}`);
  const outputs = [...generation.outputs, { path: 'functions.ts', text: functionsOf(generation.model) }];
  writeFiles(generated, outputs);
  const sources = outputs.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(generated, path));
  return { seed, project: projectFacts(generation.model), generated, sources };
}

/** The hand-written functions of the domain, each of which fills a text. */
function functionsOf({ resources }: Model): string {
  const fills = handwrittenCode({ resources }).map((code) => {
    const functions = fillsOf(code).map(([by]) => [by, "({ id }) => 'told of ' + id"]);
    return `  ${code.name}: { ${[...new Map(functions as [string, string][])].map((pair) => pair.join(': '))} },\n`;
  });
  return `import type { Fills } from './behaviour.js';\n\nexport const fills: Fills = {\n${fills.join('')}};\n`;
}

/** Compiles all domains together, with the type checks of `gen`. @returns the errors of the compiler */
export function compileAll(domains: readonly Pick<Domain, 'sources'>[]): string {
  const compiler = join(dirname(require.resolve('typescript/package.json', { paths: [ROOT] })), 'bin', 'tsc');
  const options = [
    ...['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck'],
    ...['--typeRoots', join(ROOT, 'node_modules', '@types')],
    ...['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
  ];
  const sources = domains.flatMap((domain) => domain.sources);
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, ...sources], { cwd: ROOT, encoding: 'utf8' });
  return stdout;
}

/** The differences that the generated tests of a resource report, one sentence each, with the seed. */
export async function wrongIn({ seed, project, generated }: Domain, resource: string): Promise<readonly string[]> {
  const { findings } = await examine({ resource, project, generated, seed });
  return findings.differences.map(
    ({ probe, expected, got }) => `seed ${seed}, ${resource}: ${probe}\n  expected: ${expected}\n  came: ${got}`,
  );
}
