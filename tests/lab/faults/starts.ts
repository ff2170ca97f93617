// Starts a server while a call to the system fails: it ends with the reason, or serves as usual. The next start always succeeds.

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serveIn } from '../../cli/processes.js';
import type { Chance } from '../../support/chance.js';
import { temporaryFolder } from '../../support/paths.js';
import { problemsAfter } from './answer-checks.js';
import { createControls, withSeam } from './controls.js';
import { type Answer, ask, lost } from './features.js';
import { type Experiment, type Outcome, sampleOf } from './lab.js';
import { killServer, type Places, populate, startServer, stopWorld, type World } from './world.js';

/** The feature that is requested after each start: it reads the database and the stored bytes. */
const FEATURE = 'an image';

export interface StartExperiment extends Pick<Experiment, 'env'> {
  /** How many places are tried. */
  readonly sample: number;
  readonly chance: Chance;
}

export async function startExperiment(places: Places, { sample, chance, env }: StartExperiment): Promise<Outcome> {
  const file = join(temporaryFolder('faults-commands'), 'command.json');
  const world = await populate(await startServer(places, { env: { ...env, ...withSeam(file) } }));
  try {
    const expected = await ask(world, FEATURE);
    await killServer(world);
    await start(world);
    const { places: reached } = await createControls(file).next(world, null);
    // A start that cannot load a module of its own is reported by Node itself.
    const all = reached.filter((place) => !/^load |\/code-cache\//.test(place));
    const chosen = sampleOf(all, sample, chance);
    const findings: string[] = [];
    for (const place of chosen) findings.push(...(await tryStart({ world, file, expected }, place)));
    return { places: all.length, failed: chosen.length, findings };
  } finally {
    await stopWorld(world);
    rmSync(dirname(file), { recursive: true });
  }
}

interface StartTrial {
  readonly world: World;
  /** The command file of the seam. */
  readonly file: string;
  readonly expected: Answer;
}

async function tryStart({ world, file, expected }: StartTrial, place: string): Promise<readonly string[]> {
  await killServer(world);
  rmSync(`${file}.start`, { force: true });
  const findings: string[] = [];
  try {
    await start(world, { FAULTS_START: place });
  } catch (error) {
    findings.push(...problemsOf((error as Error).message));
    await start(world);
  }
  findings.push(...(await problemsAfter(world, FEATURE, expected)), ...(await lost(world)));
  return findings.map((finding) => `a start, ${place}: ${finding}`);
}

/** Rejects with the output of the server if it ends. */
async function start(world: World, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const { env, ...others } = world.circumstances;
  world.server = await serveIn(world.args, world.folder, { ...others, env: { ...env, ...more } });
}

/** The problems of the output of a failed start: an operator reads the reason, not a stack. */
function problemsOf(output: string): readonly string[] {
  if (!REASON.test(output)) return [`it ends without the reason: ${output}`];
  return /^ {4}at /m.test(output) ? [`it ends with a stack: ${output}`] : [];
}

const REASON = /a fault that a test makes|in use|a worker process ended before it listened/;
