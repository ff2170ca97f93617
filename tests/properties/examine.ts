// The test of one resource without a test runner: every section, against a service of its own. Jest and the mutants use it.
import { Findings } from '../access/findings.js';
import { access } from './access.js';
import { boundaries } from './boundaries.js';
import { catalogue } from './catalogue.js';
import { actions, uploads } from './extras.js';
import type { ProjectFacts } from './facts.js';
import { counts, lists, whole } from './lists.js';
import { madeRecords } from './made.js';
import { oldNames } from './old-names.js';
import { bulks, cursors, keys, queries, statuses } from './promises.js';
import { deletions, references } from './references.js';
import { relationships } from './relationships.js';
import { search } from './search.js';
import { sequences } from './sequences.js';
import { startService } from './service.js';
import { newRecords } from './shown.js';
import { tags } from './tags.js';
import type { PropertyTrial, Section } from './trial.js';
import { lookups, options, paths, uniques } from './uniques.js';
import { openWorld, Scarce } from './world.js';

/** Every section, by its subject. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  'limits and rules': boundaries,
  'new records': newRecords,
  'made records': madeRecords,
  'unique values': uniques,
  'paths by unique values': lookups,
  'allowed values': options,
  paths,
  'old names': oldNames,
  catalogue,
  references,
  'related objects and relationships': relationships,
  deletions,
  access,
  tags,
  lists,
  whole,
  search,
  counts,
  uploads,
  actions,
  sequences,
  'idempotency keys': keys,
  cursors,
  'limits of queries': queries,
  'limits of bulk creates': bulks,
  'declared statuses': statuses,
};

export interface Examination extends PropertyTrial {
  /** What was left out, each as `what: reason`. */
  readonly left: ReadonlySet<string>;
  stop(): Promise<void>;
}

export interface Subject {
  readonly resource: string;
  readonly project: ProjectFacts;
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  readonly seed: number;
  /** True: ends with the first difference. */
  readonly first?: boolean;
}

/** Starts a service and puts the resource on trial in it. Rejects when it does not start. */
export async function openTrial({ resource, project, generated, seed, first = false }: Subject): Promise<Examination> {
  const service = await startService(generated);
  try {
    const world = await openWorld(service, project);
    const left = new Set<string>();
    return {
      world,
      facts: world.facts(resource),
      findings: new Findings(first),
      seed,
      left,
      untested: (what, reason) => void left.add(`${what}: ${reason}`),
      stop: () => service.stop(),
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Runs every section in order; a failure to create the records that a section needs is a difference too. */
export async function examine(subject: Subject): Promise<Examination> {
  const trial = await openTrial(subject);
  try {
    for (const [name, section] of Object.entries(SECTIONS)) {
      if (trial.findings.done) break;
      await runSection(trial, name, section);
    }
  } finally {
    await trial.stop();
  }
  return trial;
}

/** Runs one section, as far as there are values for it. */
export async function attempt(trial: PropertyTrial, name: string, section: Section): Promise<void> {
  try {
    await section(trial);
  } catch (error) {
    if (!(error instanceof Scarce)) throw error;
    trial.untested(`the rest of "${name}"`, error.message);
  }
}

async function runSection(trial: PropertyTrial, name: string, section: Section): Promise<void> {
  try {
    await attempt(trial, name, section);
  } catch (error) {
    trial.findings.broken(`${trial.facts.resource}: all of "${name}"`, (error as Error).stack ?? String(error));
  }
}
