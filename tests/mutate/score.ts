// Which share of the slips in descriptors some generated test catches: a sample, or all of them.
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
  /** Every mutant there is, and those of this run. */
  readonly of: number;
  readonly run: number;
  /** Refused by gen: they never reach a test. */
  readonly refused: number;
  /** Names with the reason why nobody can tell them from the project. */
  readonly equivalent: readonly string[];
  readonly caught: readonly string[];
  /** Those of `caught` that no comparison gave away: the service did not start, or a record could not be made. */
  readonly broken: readonly string[];
  /** Those of `caught` that a rule calls equivalent: the rule is wrong. */
  readonly misjudged: readonly string[];
  readonly survivors: readonly string[];
  readonly probes: number;
}

/** Mutants that are on the disk at a time. */
const BATCH = 50;
const WORKER = join(__dirname, 'worker.js');

/** @param size how many to run, drawn by `seed`; all where there are no more */
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
    const one = await batch(chosen.slice(at, at + BATCH), spec);
    total.refused += one.refused;
    total.probes += one.probes;
    total.equivalent.push(...one.equivalent);
    total.caught.push(...one.caught);
    total.broken.push(...one.broken);
    total.misjudged.push(...one.misjudged);
    total.survivors.push(...one.survivors);
    told(
      `${Math.min(at + BATCH, chosen.length)} of ${chosen.length}: ${total.caught.length} caught, ${total.survivors.length} not`,
    );
  }
  return { of: all.length, run: chosen.length, ...total };
}

/** @returns caught of those that could be, 0 to 1 */
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

/** `size` of them in their order. */
function draw(all: readonly SpecMutant[], size: number, seed: number): readonly SpecMutant[] {
  if (size >= all.length) return all;
  const chance = chanceOf(seed);
  const order = all.map((mutant, at) => ({ at, mutant, draw: chance.unit() })).sort((a, b) => a.draw - b.draw);
  return order
    .slice(0, size)
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant);
}
