// The laboratory of faults: a server answers every feature; then each place at which it calls the system fails once, while the
// feature that reaches it is requested. The answers during the fault must be truthful, those after it must be as before, and
// everything that was acknowledged must exist.

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chance } from '../../support/chance.js';
import { temporaryFolder } from '../../support/paths.js';
import { differences, problemsAfter, problemsDuring } from './answer-checks.js';
import { type Controls, createControls, withSeam } from './controls.js';
import { type Answer, type Answers, ask, askAll, create, FEATURE_NAMES, lost, update } from './features.js';
import { type Places, populate, restart, startServer, stopWorld, type World } from './world.js';

/** A call that fails, and when. */
export interface Fault {
  readonly place: string;
  /** The feature during which it fails. */
  readonly feature: string;
  /** Whether the feature reaches the place only the first time after a start. */
  readonly first: boolean;
}

export interface Outcome {
  /** The number of places that could be tried. */
  readonly places: number;
  /** The number of places that failed. */
  readonly failed: number;
  /** A description of everything that went wrong. */
  readonly findings: readonly string[];
}

export interface Experiment {
  /** How many places of each kind are tried: those that are reached every time, and those reached only the first time. */
  readonly sample: { readonly usual: number; readonly first: number };
  readonly chance: Chance;
  /** Scripts that plant a bug. */
  readonly planted?: readonly string[];
  /** Environment of the server in addition to that of the seam. */
  readonly env?: Readonly<Record<string, string>>;
  readonly isWanted?: (fault: Fault) => boolean;
  /** Names of the features that are requested; all by default. */
  readonly features?: readonly string[];
  /** Whether the clock is changed at the end; true by default. */
  readonly clock?: boolean;
}

export async function experiment(places: Places, options: Experiment): Promise<Outcome> {
  const { sample, chance, planted = [], env = {}, isWanted = () => true, clock = true } = options;
  const { features = FEATURE_NAMES } = options;
  const file = join(temporaryFolder('faults-commands'), 'command.json');
  const controls = createControls(file);
  const world = await populate(await startServer(places, { env: { ...env, ...withSeam(file, ...planted) } }));
  try {
    const { usual, ...surveyed } = await survey(world, controls, { features, withFirst: sample.first > 0 });
    const faults = surveyed.faults.filter(isWanted);
    const chosen = [false, true].flatMap((first) => {
      const candidates = faults.filter((one) => one.first === first);
      return sampleOf(candidates, first ? sample.first : sample.usual, chance);
    });
    const findings: string[] = [];
    let failed = 0;
    for (const fault of chosen) {
      const trial = await tryFault({ world, controls, usual }, fault);
      failed += trial.failed;
      findings.push(...trial.findings);
    }
    if (clock) findings.push(...(await clockSteps({ world, controls, usual })));
    if (world.server.process.exitCode !== null) findings.push('the server has ended');
    // Everything that was acknowledged exists even after a crash.
    await restart(world);
    findings.push(...(await lost(world)));
    return { places: faults.length, failed, findings };
  } finally {
    await stopWorld(world);
    rmSync(dirname(file), { recursive: true });
  }
}

interface Survey {
  readonly faults: readonly Fault[];
  /** Answers without a fault. */
  readonly usual: Answers;
}

interface SurveyOptions {
  readonly features: readonly string[];
  /** Whether to include places that are reached only the first time after a start, for which the server is restarted. */
  readonly withFirst: boolean;
}

/** Finds the places at which the features call the system, the first time after a start and later. */
async function survey(world: World, controls: Controls, { features, withFirst }: SurveyOptions): Promise<Survey> {
  if (withFirst) await restart(world);
  const faults = new Map<string, Fault>();
  const usual: Record<string, Answer> = {};
  for (const first of [true, false]) {
    await controls.next(world, null);
    for (const feature of features) {
      usual[feature] = await ask(world, feature);
      // A place that is reached again is not one that is reached only the first time.
      for (const place of (await controls.next(world, null)).places) faults.set(place, { place, feature, first });
    }
  }
  return { faults: [...faults.values()].sort((one, other) => (one.place < other.place ? -1 : 1)), usual };
}

interface FaultTrial {
  readonly world: World;
  readonly controls: Controls;
  readonly usual: Answers;
}

async function tryFault(
  { world, controls, usual }: FaultTrial,
  fault: Fault,
): Promise<Pick<Outcome, 'failed' | 'findings'>> {
  const { place, feature, first } = fault;
  const expected = usual[feature] as Answer;
  if (first) await restart(world);
  await controls.next(world, place);
  const during = await ask(world, feature);
  const { failed } = await controls.next(world, null);
  const problems = [...problemsDuring(during, expected), ...(await problemsAfter(world, feature, expected))];
  return { failed, findings: problems.map((one) => `${place}: ${feature}: ${one}`) };
}

const HOURS = 5 * 3_600_000;

/** Moves the clock forward and back: everything answers as before, and no record is updated before it was created (N09). */
async function clockSteps({ world, controls, usual }: FaultTrial): Promise<readonly string[]> {
  const findings: string[] = [];
  let path = '';
  for (const ahead of [HOURS, 0]) {
    await controls.clock(world, ahead);
    findings.push(...differences(usual, await askAll(world)));
    if (path === '') path = await create(world);
  }
  const { date_created, date_updated } = await update(world, path);
  if (date_updated < date_created) findings.push(`${path} was made at ${date_created} and changed at ${date_updated}`);
  return findings;
}

/** A random sample, without repetition. */
export function sampleOf<T>(all: readonly T[], count: number, chance: Chance): readonly T[] {
  const left = [...all];
  return Array.from({ length: Math.min(count, all.length) }, () => left.splice(chance.below(left.length), 1)[0] as T);
}
