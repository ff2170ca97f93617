// Builds mutants of a spec that a service can start from, and determines the resources that each mutant affects.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SpecSource } from '../../generator/check/project.js';
import type { Output } from '../../generator/emit/output.js';
import { generate } from '../../generator/generate.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ok, SPEC } from '../access/project.js';
import { type Facts, type ProjectFacts, projectFacts } from '../properties/facts.js';
import { withoutIdentity } from '../support/identified.js';
import { ROOT } from '../support/paths.js';
import { createMemory } from '../support/remember.js';
import { sourceFile } from '../support/source-files.js';
import type { SpecMutant } from './edits.js';
import { equivalence } from './equivalent.js';
import { compile, OWN_FILES, writeAll, writeMutant } from './mutant-folder.js';

const KIT = 'punchboard/kit';

/** A mutant as a job of a worker. */
export interface SpecJob {
  readonly name: string;
  /** The spec whose tests are run. */
  readonly spec: string;
  /** The output folder; empty for the project's own. */
  readonly generated: string;
  /** The resources whose tests are run, edited ones first. */
  readonly resources: readonly string[];
  /** Why no caller can distinguish the mutant from the project; null if one should. */
  readonly equivalent: string | null;
}

export interface Built {
  readonly jobs: readonly SpecJob[];
  /** Names of the mutants that gen refuses; they can never ship. */
  readonly refused: readonly string[];
  /** Names of the mutants with the same output as the project, which nobody can distinguish. */
  readonly same: readonly string[];
}

/**
 * @param folder an empty folder, which gets one folder for each mutant
 * @param spec the folder of the spec before the edits
 */
export function buildMutants(mutants: readonly SpecMutant[], folder: string, spec = SPEC): Built {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'punchboard'));
  const remember = createMemory();
  const original = ok(generate(withKnownFiles(readSpec(spec)), KIT, remember));
  const base = texts(withoutIdentity(original));
  const before = projectFacts(original.model);
  const unchanged = spec === SPEC ? OWN_FILES : writeAll(join(folder, 'unchanged'), original.outputs);
  const built = { jobs: [] as SpecJob[], refused: [] as string[], same: [] as string[] };
  const sources: string[] = [];
  for (const [index, { name, source }] of mutants.entries()) {
    const generation = generate(withKnownFiles(source), KIT, remember);
    if (!generation.ok) {
      built.refused.push(name);
      continue;
    }
    // The build identity is ignored; so are tests, since the project's own tests are run.
    const relevant = withoutIdentity(generation).filter(
      ({ path, text }) => base.get(path) !== text && !path.startsWith('tests/'),
    );
    if (relevant.length === 0) {
      built.same.push(name);
      continue;
    }
    const paths = new Set([...relevant.map(({ path }) => path), 'build.ts', 'schema.json']);
    const changed = generation.outputs.filter(({ path }) => paths.has(path));
    const generated = join(folder, String(index));
    mkdirSync(generated);
    sources.push(...writeMutant(generated, changed, unchanged));
    const after = projectFacts(generation.model);
    built.jobs.push({
      ...{ name, spec },
      generated,
      resources: affectedResources(before, after),
      equivalent: equivalence(name, before, after),
    });
  }
  compile(sources);
  return built;
}

/** The same file is the same object in every spec, so that only what an edit changes is generated again. */
function withKnownFiles(source: SpecSource): SpecSource {
  return { ...source, files: source.files.map(({ path, text }) => sourceFile(path, text)) };
}

function texts(outputs: readonly Output[]): ReadonlyMap<string, string> {
  return new Map(outputs.map(({ path, text }) => [path, text]));
}

/** The resources that the mutant changes, then those that refer to them or are referred to. */
function affectedResources({ resources: all }: ProjectFacts, mutant: ProjectFacts): readonly string[] {
  const after = new Map(mutant.resources.map((facts) => [facts.resource, JSON.stringify(facts)]));
  const touched = all.filter((facts) => after.get(facts.resource) !== JSON.stringify(facts));
  const names = new Set(touched.map(({ resource }) => resource));
  const near = all
    .filter(({ resource }) => !names.has(resource))
    .filter((facts) => touched.some((one) => isRelated(one, facts)));
  return [...names, ...near.map(({ resource }) => resource)];
}

function isRelated(one: Facts, other: Facts): boolean {
  const refers = (from: Facts, to: Facts) =>
    Object.values(from.fields).some(
      (field) => field.to === to.resource || (to.upload !== undefined && ['image', 'file'].includes(field.kind)),
    );
  return refers(other, one) || JSON.stringify(other.access).includes(`"member":"${one.resource}"`);
}
