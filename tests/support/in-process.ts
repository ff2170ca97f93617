// Runs the operators' commands in this process as if called in a folder, since a separate process takes half a second each.

import { Readable } from 'node:stream';
import { StrictCommand } from '../../generator/commands/usage.js';
import { registerOperatorCommands } from '../../runtime/admin/cli.js';
import type { CommandResult } from '../cli/processes.js';

class Exit extends Error {
  constructor(readonly code: number) {
    super();
  }
}

/** Runs `punchboard <args>` in the folder. @param input the text on standard input */
export async function runHere(args: readonly string[], folder: string, input = ''): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const before = process.cwd();
  const program = new StrictCommand('punchboard').configureOutput({ writeErr: (text) => (output.stderr += text) });
  registerOperatorCommands(program, {
    env: {},
    stdin: Readable.from([input]),
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    exit(code) {
      throw new Exit(code);
    },
  });
  process.chdir(folder);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return { code: 0, ...output };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...output };
    throw error;
  } finally {
    process.chdir(before);
  }
}
