// The laboratory of faults: a server answers every feature; then each place from which it calls the system fails once while the
// feature that reaches it is asked for. What is answered meanwhile has to be true, afterwards everything as before, and
// whatever was acknowledged has to be there.

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chance } from '../../support/chance.js';
import { temporaryFolder } from '../../support/paths.js';
import { differences, problemsDuring, recovered } from './answer-checks.js';
import { type Controls, createControls, withSeam } from './controls.js';
import { type Answer, type Answers, ask, askAll, create, FEATURE_NAMES, lost, update } from './features.js';
import { type Places, populated, restart, startServer, stopWorld, type World } from './world.js';

/** A call that is to fail, and when. */
export interface Fault {
  readonly place: string;
  /** While this is asked for. */
  readonly feature: string;
  /** Only the first time after a start. */
  readonly first: boolean;
}

export interface Outcome {
  /** All that were found. */
  readonly places: number;
  /** Those that failed. */
  readonly failed: number;
  /** What is not as it should be. */
  readonly findings: readonly string[];
}

export interface Experiment {
  /** How many places of each kind are tried: those that are reached each time, and those that only the first time. */
  readonly sample: { readonly usual: number; readonly first: number };
  readonly chance: Chance;
  /** Scripts that plant a mistake. */
  readonly planted?: readonly string[];
  /** Environment of the server besides that of the seam. */
  readonly env?: Readonly<Record<string, string>>;
  readonly isWanted?: (fault: Fault) => boolean;
  /** Names of the features that are asked for; all by default. */
  readonly features?: readonly string[];
  /** Whether the clock is changed at the end; true by default. */
  readonly clock?: boolean;
}

export async function experiment(places: Places, options: Experiment): Promise<Outcome> {
  const { sample, chance, planted = [], env = {}, isWanted = () => true, clock = true } = options;
  const { features = FEATURE_NAMES } = options;
  const file = join(temporaryFolder('faults-commands'), 'command.json');
  const controls = createControls(file);
  const world = await populated(await startServer(places, { env: { ...env, ...withSeam(file, ...planted) } }));
  try {
    const { usual, ...surveyed } = await survey(world, controls, { features, withFirst: sample.first > 0 });
    const faults = surveyed.faults.filter(isWanted);
    const chosen = [false, true].flatMap((first) => {
      const of = faults.filter((one) => one.first === first);
      return drawn(of, first ? sample.first : sample.usual, chance);
    });
    const findings: string[] = [];
    let failed = 0;
    for (const fault of chosen) {
      const tried = await tryFault({ world, controls, usual }, fault);
      failed += tried.failed;
      findings.push(...tried.findings);
    }
    if (clock) findings.push(...(await clockSteps({ world, controls, usual })));
    if (world.server.process.exitCode !== null) findings.push('the server has ended');
    // What was acknowledged is there even after a crash.
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
  /** Whether places that are reached only at the first time after a start are wanted, for which the server starts again. */
  readonly withFirst: boolean;
}

/** From where the features call the system: at their first time after a start, and later. */
async function survey(world: World, controls: Controls, { features, withFirst }: SurveyOptions): Promise<Survey> {
  if (withFirst) await restart(world);
  const faults = new Map<string, Fault>();
  const usual: Record<string, Answer> = {};
  for (const first of [true, false]) {
    await controls.next(world, null);
    for (const feature of features) {
      usual[feature] = await ask(world, feature);
      // Those that are reached again are not only reached first.
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
  const wrong = [...problemsDuring(during, expected), ...(await recovered(world, feature, expected))];
  return { failed, findings: wrong.map((one) => `${place}: ${feature}: ${one}`) };
}

const HOURS = 5 * 3_600_000;

/** The clock goes ahead and back again: everything answers as before, and no record becomes older than itself (N09). */
async function clockSteps({ world, controls, usual }: FaultTrial): Promise<readonly string[]> {
  const findings: string[] = [];
  let made = '';
  for (const ahead of [HOURS, 0]) {
    await controls.clock(world, ahead);
    findings.push(...differences(usual, await askAll(world)));
    if (made === '') made = await create(world);
  }
  const { date_created, date_updated } = await update(world, made);
  if (date_updated < date_created) findings.push(`${made} was made at ${date_created} and changed at ${date_updated}`);
  return findings;
}

/** Some of all, without repetition. */
export function drawn<T>(all: readonly T[], many: number, chance: Chance): readonly T[] {
  const left = [...all];
  return Array.from({ length: Math.min(many, all.length) }, () => left.splice(chance.below(left.length), 1)[0] as T);
}
