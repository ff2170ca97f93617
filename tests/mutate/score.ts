// The share of slips in descriptors that some generated test catches, in a sample or among all of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSpec } from '../../generator/write/read-spec.js';
import { SPEC } from '../access/project.js';
import { chanceOf } from '../support/chance.js';
import { buildMutants } from './build.js';
import { type SpecMutant, specMutants } from './edits.js';
import type { Verdict } from './run.js';
import { runMutants } from './run.js';

export interface Score {
  /** The number of all mutants, and of those in this run. */
  readonly of: number;
  readonly run: number;
  /** Mutants that gen refuses, so that they never reach a test. */
  readonly refused: number;
  /** Names, with the reason why nobody can distinguish them from the project. */
  readonly equivalent: readonly string[];
  readonly caught: readonly string[];
  /** Caught mutants without a differing comparison: the service did not start, or a record could not be created. */
  readonly broken: readonly string[];
  /** Caught mutants that a rule calls equivalent, so the rule is wrong. */
  readonly misjudged: readonly string[];
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
  told: (line: string) => void = () => undefined,
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
    misjudged: [] as string[],
    survivors: [] as string[],
  };
  for (let at = 0; at < chosen.length; at += BATCH) {
    const result = await batch(chosen.slice(at, at + BATCH), spec);
    total.refused += result.refused;
    total.probes += result.probes;
    total.equivalent.push(...result.equivalent);
    total.caught.push(...result.caught);
    total.broken.push(...result.broken);
    total.misjudged.push(...result.misjudged);
    total.survivors.push(...result.survivors);
    told(
      `${Math.min(at + BATCH, chosen.length)} of ${chosen.length}: ${total.caught.length} caught, ${total.survivors.length} not`,
    );
  }
  return { of: all.length, run: chosen.length, ...total };
}

/** @returns the share of detectable mutants that were caught, from 0 to 1 */
export function share({ caught, survivors }: Pick<Score, 'caught' | 'survivors'>): number {
  return caught.length / Math.max(1, caught.length + survivors.length);
}

async function batch(mutants: readonly SpecMutant[], spec: string): Promise<Omit<Score, 'of' | 'run'>> {
  const folder = mkdtempSync(join(tmpdir(), 'punchboard-spec-mutants-'));
  try {
    const { jobs, refused, same } = buildMutants(mutants, folder, spec);
    const verdicts = await runMutants(jobs, WORKER);
    const why = new Map(jobs.map(({ name, equivalent }) => [name, equivalent]));
    const caught = verdicts.filter(({ found }) => found.length > 0);
    const uncaught = verdicts.filter(({ found }) => found.length === 0).map(({ name }) => name);
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
      misjudged: caught
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

function sentence({ name, found }: Verdict): string {
  return `${name}: ${found[0]}`;
}

function explained(name: string, why: ReadonlyMap<string, string | null>): readonly string[] {
  const reason = why.get(name) ?? null;
  return reason === null ? [] : [`${name}: ${reason}`];
}

/** Draws `size` of them and keeps their order. */
function draw(all: readonly SpecMutant[], size: number, seed: number): readonly SpecMutant[] {
  if (size >= all.length) return all;
  const chance = chanceOf(seed);
  const order = all.map((mutant, at) => ({ at, mutant, draw: chance.unit() })).sort((a, b) => a.draw - b.draw);
  return order
    .slice(0, size)
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant);
}
