// Random domains made into services: those that `check` finds right are generated, compiled all at once and put on trial.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fillsOf, handwrittenCode } from '../../generator/emit/behaviour.js';
import { generate } from '../../generator/generate.js';
import type { SourceFile } from '../../generator/load/load.js';
import type { Model } from '../../generator/model/model.js';
import { examine } from '../properties/examine.js';
import { type ProjectFacts, projectFacts } from '../properties/facts.js';
import { ROOT } from '../support/paths.js';
import { domainOf } from './domain.js';

export interface Domain {
  readonly seed: number;
  readonly project: ProjectFacts;
  /** Its output folder. */
  readonly generated: string;
  readonly sources: readonly string[];
}

const KIT = '../runtime/contract/kit.js';

/** A folder in which outputs find what they import. */
export function prepare(folder: string): void {
  for (const name of ['runtime', 'tests']) symlinkSync(join(ROOT, 'dist', name), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** The domain of the seed, written below the folder; null where `check` says that it has mistakes. */
export function makeDomain(seed: number, folder: string, files: readonly SourceFile[] = domainOf(seed)): Domain | null {
  const made = generate({ files, ledger: null }, KIT, undefined, './functions.js');
  if (!made.ok) return null;
  const generated = join(folder, `domain${seed}`);
  const outputs = [...made.outputs, { path: 'functions.ts', text: functionsOf(made.model) }];
  for (const { path, text } of outputs) {
    mkdirSync(dirname(join(generated, path)), { recursive: true });
    writeFileSync(join(generated, path), text);
  }
  const sources = outputs.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(generated, path));
  return { seed, project: projectFacts(made.model), generated, sources };
}

/** The hand-written functions of the domain: each fills a text. */
function functionsOf({ resources }: Model): string {
  const fills = handwrittenCode({ resources }).map((one) => {
    const functions = fillsOf(one).map(([by]) => [by, "({ id }) => 'told of ' + id"]);
    return `  ${one.name}: { ${[...new Map(functions as [string, string][])].map((pair) => pair.join(': '))} },\n`;
  });
  return `import type { Fills } from './behaviour.js';\n\nexport const fills: Fills = {\n${fills.join('')}};\n`;
}

/** All at once, types checked as `gen` checks them. @returns what the compiler says against them */
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

/** What the generated tests of a resource say against the service, one sentence each; the seed in front. */
export async function wrongIn({ seed, project, generated }: Domain, resource: string): Promise<readonly string[]> {
  const { findings } = await examine({ resource, project, generated, seed });
  return findings.differences.map(
    ({ probe, expected, got }) => `seed ${seed}, ${resource}: ${probe}\n  expected: ${expected}\n  came: ${got}`,
  );
}
