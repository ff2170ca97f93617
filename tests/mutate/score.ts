// The share of slips in descriptors that the generated tests catch, in a sample or among all slips.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSpec } from '../../generator/write/read-spec.js';
import { SPEC } from '../access/project.js';
import { chanceOf } from '../support/chance.js';
import { temporaryFolder } from '../support/paths.js';
import { buildMutants } from './build.js';
import { type SpecMutant, specMutants } from './edits.js';
import { runMutants, type Verdict } from './run.js';

export interface Score {
  /** The number of all mutants, and of those in this run. */
  readonly all: number;
  readonly tried: number;
  /** Mutants that gen refuses, so that they never reach a test. */
  readonly refused: number;
  /** Names of the mutants that nobody can distinguish from the project, with the reason. */
  readonly equivalent: readonly string[];
  readonly caught: readonly string[];
  /** Caught mutants without a differing comparison: the service did not start, or a record could not be created. */
  readonly broken: readonly string[];
  /** Caught mutants that a rule calls equivalent, so the rule is wrong. */
  readonly disproved: readonly string[];
  readonly survivors: readonly string[];
  readonly probes: number;
}

/** The number of mutants on disk at a time. */
const BATCH = 50;
const WORKER = join(__dirname, 'worker.js');

/** @param size how many mutants to run, drawn by `seed`; all if there are fewer */
export async function score(
  size: number,
  seed: number,
  report: (line: string) => void = () => undefined,
  spec = SPEC,
): Promise<Score> {
  const all = specMutants(readSpec(spec));
  const chosen = draw(all, size, seed);
  const total = {
    refused: 0,
    probes: 0,
    equivalent: [] as string[],
    caught: [] as string[],
    broken: [] as string[],
    disproved: [] as string[],
    survivors: [] as string[],
  };
  for (let at = 0; at < chosen.length; at += BATCH) {
    const result = await batch(chosen.slice(at, at + BATCH), spec);
    total.refused += result.refused;
    total.probes += result.probes;
    total.equivalent.push(...result.equivalent);
    total.caught.push(...result.caught);
    total.broken.push(...result.broken);
    total.disproved.push(...result.disproved);
    total.survivors.push(...result.survivors);
    report(
      `${Math.min(at + BATCH, chosen.length)} of ${chosen.length}: ${total.caught.length} caught, ${total.survivors.length} not`,
    );
  }
  return { all: all.length, tried: chosen.length, ...total };
}

/** @returns the share of detectable mutants that were caught, from 0 to 1 */
export function share({ caught, survivors }: Pick<Score, 'caught' | 'survivors'>): number {
  return caught.length / Math.max(1, caught.length + survivors.length);
}

async function batch(mutants: readonly SpecMutant[], spec: string): Promise<Omit<Score, 'all' | 'tried'>> {
  const folder = temporaryFolder('spec-mutants');
  try {
    const { jobs, refused, same } = buildMutants(mutants, folder, spec);
    const verdicts = await runMutants(jobs, WORKER);
    const why = new Map(jobs.map(({ name, equivalent }) => [name, equivalent]));
    const caught = verdicts.filter(({ differences }) => differences.length > 0);
    const uncaught = verdicts.filter(({ differences }) => differences.length === 0).map(({ name }) => name);
    return {
      refused: refused.length,
      equivalent: [
        ...same.map((name) => `${name}: gen makes the same of it`),
        ...uncaught.flatMap((name) => explained(name, why)),
      ].sort(),
      caught: caught.map(sentence).sort(),
      broken: caught
        .filter(({ broken }) => broken)
        .map(sentence)
        .sort(),
      disproved: caught
        .filter(({ name }) => (why.get(name) ?? null) !== null)
        .map(sentence)
        .sort(),
      survivors: uncaught.filter((name) => (why.get(name) ?? null) === null).sort(),
      probes: verdicts.reduce((sum, { probes }) => sum + probes, 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sentence({ name, differences }: Verdict): string {
  return `${name}: ${differences[0]}`;
}

function explained(name: string, why: ReadonlyMap<string, string | null>): readonly string[] {
  const reason = why.get(name) ?? null;
  return reason === null ? [] : [`${name}: ${reason}`];
}

/** Draws `size` mutants and keeps their order. */
function draw(all: readonly SpecMutant[], size: number, seed: number): readonly SpecMutant[] {
  if (size >= all.length) return all;
  const chance = chanceOf(seed);
  const order = all.map((mutant, at) => ({ at, mutant, draw: chance.unit() })).sort((a, b) => a.draw - b.draw);
  return order
    .slice(0, size)
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant);
}
