// Runs maintainers' commands in this process, since a separate process takes half a second each. `cli/examples`
// runs every command as a process.

import { registerCheck } from '../../generator/commands/check.js';
import type { Io, Register } from '../../generator/commands/command.js';
import { registerExplain } from '../../generator/commands/explain.js';
import { registerGen } from '../../generator/commands/gen.js';
import { registerGraph } from '../../generator/commands/graph.js';
import { registerImpact } from '../../generator/commands/impact.js';
import { registerInit } from '../../generator/commands/init.js';
import { registerList } from '../../generator/commands/list.js';
import { registerNew } from '../../generator/commands/new.js';
import { StrictCommand } from '../../generator/commands/usage.js';
import { registerVersion } from '../../generator/commands/version.js';
import { commandsOnFile } from '../../runtime/store/open-engine.js';
import type { CommandResult } from '../cli/processes.js';

/** Runs `punchboard version` or `check`. @param today YYYY-MM-DD */
export function runHere(words: readonly string[], today: string): CommandResult {
  return runAmong([registerVersion(() => today), registerCheck], words);
}

/** Runs a command that needs no database as if called in the folder. @param agent how the package manager names itself */
export function runMaintainers(words: readonly string[], folder: string, agent = ''): CommandResult {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return runAmong([...COMMANDS, registerInit(() => [], agent)], words);
  } finally {
    process.chdir(before);
  }
}

/** Runs `punchboard impact` as if called in the folder. */
export async function runImpactHere(options: readonly string[], folder: string): Promise<CommandResult> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const openRows = async (path: string) => commandsOnFile(path).rows();
    const { program, output } = programOf([registerImpact({ today, openRows })]);
    await program.parseAsync(['impact', ...options], { from: 'user' });
    return output;
  } finally {
    process.chdir(before);
  }
}

const COMMANDS: readonly Register[] = [
  ...[registerGen, registerCheck, registerNew, registerExplain, registerList, registerGraph],
  registerVersion(today),
];

/** The day in UTC, as YYYY-MM-DD. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function runAmong(commands: readonly Register[], words: readonly string[]): CommandResult {
  const { program, output } = programOf(commands);
  program.parse([...words], { from: 'user' });
  return output;
}

/** A program with the commands, and the result that a run of it fills in. */
function programOf(commands: readonly Register[]): { readonly program: StrictCommand; readonly output: CommandResult } {
  const output = { code: 0, stdout: '', stderr: '' };
  const io: Io = {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    exit(code) {
      output.code = code;
    },
    colour: false,
  };
  const program = new StrictCommand('punchboard');
  for (const register of commands) register(program, io);
  return { program, output };
}
