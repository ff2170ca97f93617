// Runs maintainers' commands in this process, since a separate process takes half a second each.

import { registerCheck } from '../../generator/commands/check.js';
import type { Io, Register } from '../../generator/commands/command.js';
import { StrictCommand } from '../../generator/commands/usage.js';
import { registerVersion } from '../../generator/commands/version.js';
import type { CommandResult } from '../cli/processes.js';

/** Runs `punchboard version` or `check`. @param today YYYY-MM-DD */
export function runHere(words: readonly string[], today: string): CommandResult {
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
  const commands: readonly Register[] = [registerVersion(() => today), registerCheck];
  for (const register of commands) register(program, io);
  program.parse([...words], { from: 'user' });
  return output;
}
