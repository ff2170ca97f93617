// Starts of a server while a call to the system fails: it ends and says why, or it serves as usual; the next start does.

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serveIn } from '../../cli/processes.js';
import type { Chance } from '../../support/chance.js';
import { temporaryFolder } from '../../support/paths.js';
import { recovered } from './answer-checks.js';
import { createControls, withSeam } from './controls.js';
import { type Answer, ask, lost } from './features.js';
import { drawn, type Experiment, type Outcome } from './lab.js';
import { type Places, populated, startServer, stopped, stopWorld, type World } from './world.js';

/** What a server is asked after each start: it reads the database and the stored bytes. */
const FEATURE = 'an image';

export interface StartExperiment extends Pick<Experiment, 'env'> {
  /** How many places are tried. */
  readonly sample: number;
  readonly chance: Chance;
}

export async function startExperiment(places: Places, { sample, chance, env }: StartExperiment): Promise<Outcome> {
  const file = join(temporaryFolder('faults-commands'), 'command.json');
  const world = await populated(await startServer(places, { env: { ...env, ...withSeam(file) } }));
  try {
    const expected = await ask(world, FEATURE);
    await stopped(world);
    await start(world);
    const { places: reached } = await createControls(file).next(world, null);
    // A start that cannot load a module of its own is reported by Node itself.
    const all = reached.filter((place) => !/^load |\/code-cache\//.test(place));
    const chosen = drawn(all, sample, chance);
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
  /** Of the commands to the seam. */
  readonly file: string;
  readonly expected: Answer;
}

async function tryStart({ world, file, expected }: StartTrial, place: string): Promise<readonly string[]> {
  await stopped(world);
  rmSync(`${file}.start`, { force: true });
  const findings: string[] = [];
  try {
    await start(world, { FAULTS_START: place });
  } catch (error) {
    findings.push(...unclear((error as Error).message));
    await start(world);
  }
  findings.push(...(await recovered(world, FEATURE, expected)), ...(await lost(world)));
  return findings.map((finding) => `a start, ${place}: ${finding}`);
}

/** Rejects with what the server says if it ends. */
async function start(world: World, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const { env, ...others } = world.circumstances;
  world.server = await serveIn(world.args, world.folder, { ...others, env: { ...env, ...more } });
}

/** What is wrong about the last words of a start: an operator reads the reason, not where the program was. */
function unclear(said: string): readonly string[] {
  if (!REASON.test(said)) return [`it ends without the reason: ${said}`];
  return /^ {4}at /m.test(said) ? [`it ends with a stack: ${said}`] : [];
}

const REASON = /a fault that a test makes|in use|a worker process ended before it listened/;
