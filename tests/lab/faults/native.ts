// Faults in the calls that SQLite itself makes on its files: a C library that is preloaded into the server makes one fail.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../../support/chance.js';
import { ROOT, temporaryFolder } from '../../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../../support/preload.js';
import { differences, problemsAfter, problemsDuring } from './answer-checks.js';
import { type Answer, ask, askAll, lost } from './features.js';
import { restart, startWorld, stopWorld, type World } from './world.js';

export const hasCompiler = spawnSync('cc', ['--version']).status === 0;

/** The numbers of native.c. */
const CALLS = { write: 1, sync: 2, truncate: 3 } as const;
type Call = keyof typeof CALLS;

/** The features that write to the database. */
const WRITING = ['a record', 'a record with a key', 'a form', 'an image', 'bulk creation', 'a copy', 'a sale', 'login'];
/** The number of calls of a kind that succeed before one fails is below this. */
const MAX_SUCCESSES = 12;

export interface NativeOutcome {
  readonly failed: number;
  readonly findings: readonly string[];
}

/** @param trials number of calls that fail @param planted scripts that plant a bug */
export async function nativeExperiment(
  processes: number,
  trials: number,
  chance: Chance,
  planted: readonly string[] = [],
): Promise<NativeOutcome> {
  const folder = temporaryFolder('native');
  const [library, control] = [join(folder, 'native.so'), join(folder, 'control')];
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(ROOT, 'tests', 'lab', 'faults', 'native.c'), '-ldl']);
  writeFileSync(control, Buffer.alloc(12));
  const env = {
    NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT, ...planted),
    LD_PRELOAD: library,
    FAULTS_NATIVE: control,
  };
  const world = await startWorld({ processes }, { env });
  try {
    await askAll(world);
    const usual = await askAll(world);
    const findings: string[] = [];
    let failed = 0;
    for (let at = 0; at < trials; at += 1) {
      const fault = { call: chance.one(Object.keys(CALLS) as Call[]), left: chance.below(MAX_SUCCESSES) };
      const feature = chance.one(WRITING);
      const trial = await tryCall(world, control, { ...fault, feature, expected: usual[feature] as Answer });
      failed += trial.failed;
      findings.push(...trial.findings);
    }
    findings.push(...differences(usual, await askAll(world)));
    // Everything that was acknowledged exists even after a crash.
    await restart(world);
    findings.push(...(await lost(world)));
    return { failed, findings };
  } finally {
    await stopWorld(world);
    rmSync(folder, { recursive: true });
  }
}

interface TriedCall {
  readonly call: Call;
  readonly left: number;
  readonly feature: string;
  readonly expected: Answer;
}

async function tryCall(
  world: World,
  control: string,
  { call, left, feature, expected }: TriedCall,
): Promise<NativeOutcome> {
  command(control, CALLS[call], left);
  const during = await ask(world, feature);
  const failed = readFileSync(control).readInt32LE(8);
  command(control, 0, 0);
  const wrong = [...problemsDuring(during, expected), ...(await problemsAfter(world, feature, expected))];
  return { failed, findings: wrong.map((one) => `${call} after ${left}: ${feature}: ${one}`) };
}

/** Writes in place, since the server maps the file into memory. */
function command(control: string, kind: number, left: number): void {
  const bytes = Buffer.alloc(12);
  bytes.writeInt32LE(kind, 0);
  bytes.writeInt32LE(left, 4);
  writeFileSync(control, bytes, { flag: 'r+' });
}
