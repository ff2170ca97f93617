// Runs the operators' commands in this process as if called in a folder, since a separate process takes a fifth of a second
// each. `cli/examples` runs every command as a process.

import { Readable } from 'node:stream';
import { StrictCommand } from '../../generator/commands/usage.js';
import { registerOperatorCommands } from '../../runtime/admin/cli.js';
import * as passwords from '../../runtime/auth/passwords.js';
import type { CommandResult } from '../cli/processes.js';
import { CHEAP_PASSWORDS } from './quiet-service.js';

class Exit extends Error {
  constructor(readonly code: number) {
    super();
  }
}

export interface Surroundings {
  /** The text on standard input. */
  readonly input?: string;
  /** Variables of the command. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `punchboard <args>` in the folder, with passwords that are hashed cheaply. One command runs at a time. */
export async function runHere(
  args: readonly string[],
  folder: string,
  { input = '', env = {} }: Surroundings = {},
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const before = process.cwd();
  const program = new StrictCommand('punchboard').configureOutput({
    writeOut: (text) => (output.stdout += text),
    writeErr: (text) => (output.stderr += text),
  });
  registerOperatorCommands(program, {
    env,
    stdin: Readable.from([input]),
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    exit(code) {
      throw new Exit(code);
    },
  });
  const cheap = jest
    .spyOn(passwords, 'createPasswords')
    .mockImplementation((_cost, queue) => createPasswords(CHEAP_PASSWORDS, queue));
  const { env: environment } = process;
  // Commander reads defaults of options from these variables.
  process.env = { ...environment, ...env };
  process.chdir(folder);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return { code: 0, ...output };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...output };
    throw error;
  } finally {
    process.chdir(before);
    process.env = environment;
    cheap.mockRestore();
  }
}

const { createPasswords } = passwords;
