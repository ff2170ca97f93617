// The operators' commands in this process, as if they were called in a folder: a process of its own takes half a second each.

import { Readable } from 'node:stream';
import { StrictCommand } from '../../generator/commands/usage.js';
import { registerOperatorCommands } from '../../runtime/admin/cli.js';
import type { CommandResult } from '../cli/processes.js';

class Exit extends Error {
  constructor(readonly code: number) {
    super();
  }
}

/** Runs `punchboard <args>` in the folder. @param input what it reads on standard input */
export async function runHere(args: readonly string[], folder: string, input = ''): Promise<CommandResult> {
  const said = { stdout: '', stderr: '' };
  const before = process.cwd();
  const program = new StrictCommand('punchboard').configureOutput({ writeErr: (text) => (said.stderr += text) });
  registerOperatorCommands(program, {
    env: {},
    stdin: Readable.from([input]),
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    exit(code) {
      throw new Exit(code);
    },
  });
  process.chdir(folder);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return { code: 0, ...said };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...said };
    throw error;
  } finally {
    process.chdir(before);
  }
}
