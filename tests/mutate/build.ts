// Mutants of a spec brought to what a service can start from, and which resources each of them is about.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../../generator/emit/output.js';
import { generate } from '../../generator/generate.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ok, SPEC } from '../access/project.js';
import { type Facts, type ProjectFacts, projectFacts } from '../properties/facts.js';
import { withoutIdentity } from '../support/identified.js';
import { ROOT } from '../support/paths.js';
import { createMemory } from '../support/remember.js';
import type { SpecMutant } from './edits.js';
import { equivalence } from './equivalent.js';
import { compile, OWN_FILES, writeAll, writeMutant } from './mutant-folder.js';

const KIT = 'punchboard/kit';

/** A mutant as a worker takes it. */
export interface SpecJob {
  readonly name: string;
  /** The spec whose tests are run. */
  readonly spec: string;
  /** Output folder; empty: the project's own. */
  readonly generated: string;
  /** Resources whose tests are run, those that the edit is in first. */
  readonly resources: readonly string[];
  /** Why nobody can tell it from the project; null: somebody should. */
  readonly equivalent: string | null;
}

export interface Built {
  readonly jobs: readonly SpecJob[];
  /** Names of those that gen refuses: they can never ship. */
  readonly refused: readonly string[];
  /** Names of those of which gen makes the same as of the project: nobody can tell them apart. */
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
  const own = ok(generate(readSpec(spec), KIT, remember));
  const base = texts(withoutIdentity(own));
  const before = projectFacts(own.model);
  const unchanged = spec === SPEC ? OWN_FILES : writeAll(join(folder, 'unchanged'), own.outputs);
  const built = { jobs: [] as SpecJob[], refused: [] as string[], same: [] as string[] };
  const sources: string[] = [];
  for (const [index, { name, source }] of mutants.entries()) {
    const made = generate(source, KIT, remember);
    if (!made.ok) {
      built.refused.push(name);
      continue;
    }
    // What is written for people, and tests, which are judged by the project's own.
    const meant = withoutIdentity(made).filter(
      ({ path, text }) => base.get(path) !== text && !path.startsWith('tests/'),
    );
    if (meant.length === 0) {
      built.same.push(name);
      continue;
    }
    const paths = new Set([...meant.map(({ path }) => path), 'build.ts', 'schema.json']);
    const changed = made.outputs.filter(({ path }) => paths.has(path));
    const generated = join(folder, String(index));
    mkdirSync(generated);
    sources.push(...writeMutant(generated, changed, unchanged));
    const after = projectFacts(made.model);
    built.jobs.push({
      ...{ name, spec },
      generated,
      resources: concerned(before, after),
      equivalent: equivalence(name, before, after),
    });
  }
  compile(sources);
  return built;
}

function texts(outputs: readonly Output[]): ReadonlyMap<string, string> {
  return new Map(outputs.map(({ path, text }) => [path, text]));
}

/** Resources of the project that the mutant changes, then those that refer to them or are referred to. */
function concerned({ resources: all }: ProjectFacts, mutant: ProjectFacts): readonly string[] {
  const after = new Map(mutant.resources.map((facts) => [facts.resource, JSON.stringify(facts)]));
  const touched = all.filter((facts) => after.get(facts.resource) !== JSON.stringify(facts));
  const names = new Set(touched.map(({ resource }) => resource));
  const near = all
    .filter(({ resource }) => !names.has(resource))
    .filter((facts) => touched.some((one) => tied(one, facts)));
  return [...names, ...near.map(({ resource }) => resource)];
}

function tied(one: Facts, other: Facts): boolean {
  const refers = (from: Facts, to: Facts) =>
    Object.values(from.fields).some(
      (field) => field.to === to.resource || (to.upload !== undefined && ['image', 'file'].includes(field.kind)),
    );
  return refers(other, one) || JSON.stringify(other.access).includes(`"member":"${one.resource}"`);
}
