// Runs maintainers' commands in this process, since a process of its own takes half a second for each.

import { registerCheck } from '../../generator/commands/check.js';
import type { Io, Register } from '../../generator/commands/command.js';
import { StrictCommand } from '../../generator/commands/usage.js';
import { registerVersion } from '../../generator/commands/version.js';
import type { CommandResult } from '../cli/processes.js';

/** Runs `punchboard version` or `check`. @param today YYYY-MM-DD */
export function runHere(words: readonly string[], today: string): CommandResult {
  const said = { code: 0, stdout: '', stderr: '' };
  const io: Io = {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    exit(code) {
      said.code = code;
    },
    colour: false,
  };
  const program = new StrictCommand('punchboard');
  const commands: readonly Register[] = [registerVersion(() => today), registerCheck];
  for (const register of commands) register(program, io);
  program.parse([...words], { from: 'user' });
  return said;
}
