// The part of `npm run check` after the build: two lanes of npm scripts in parallel, since installing packages waits for the
// network while suites compute. A lane ends with its first failure; the other goes on, so that one run reports both.

import { spawn } from 'node:child_process';
import { ROOT } from '../support/paths.js';

/** The suites print as they go, the other lane when one of its scripts has ended. */
const LANES = {
  // The script `nodes` copies dist, in which suites write; what it needs is installed by then.
  suites: ['test', 'nodes'],
  elsewhere: [
    'nodes:install',
    'style',
    'readme',
    'test:generators',
    'test:examples',
    'test:postgres',
    'test:processes',
    'test:bench',
  ],
} as const;

type LaneName = keyof typeof LANES;

async function main(): Promise<void> {
  const failed = await Promise.all([runLane('suites'), runLane('elsewhere')]);
  for (const script of failed) if (script !== null) process.stdout.write(`FAIL npm run ${script}\n`);
  process.exitCode = failed.every((script) => script === null) ? 0 : 1;
}

/** @returns the script that failed; null: all passed */
async function runLane(lane: LaneName): Promise<string | null> {
  for (const script of LANES[lane]) {
    const begun = Date.now();
    const { code, output } = await runScript(script, lane === 'suites');
    process.stdout.write(
      `${output}npm run ${script}: exit code ${code}, ${Math.round((Date.now() - begun) / 1000)} s\n`,
    );
    if (code !== 0) return script;
  }
  return null;
}

interface ScriptResult {
  readonly code: number | null;
  readonly output: string;
}

function runScript(script: string, isPrinted: boolean): Promise<ScriptResult> {
  // Everything is compiled: compiling it again would write files that the other lane is reading.
  const env = { ...process.env, PUNCHBOARD_BUILT: '1' };
  const stdio = isPrinted ? 'inherit' : 'pipe';
  const child = spawn('npm', ['run', script], { cwd: ROOT, env, stdio: ['ignore', stdio, stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

void main();
