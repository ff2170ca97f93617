#!/usr/bin/env node
// The one `punchboard` command. It alone knows both sides, and loads only the one that is asked for.

import { Command } from 'commander';
import type { Io, Register } from './commands/command.js';
import { registerGen } from './commands/gen.js';

/** The maintainers' commands, in the order of the help. */
const COMMANDS: readonly Register[] = [registerGen];

async function main(): Promise<void> {
  const program = new Command('punchboard')
    .description('Makes an API service from YAML descriptors, and runs it.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .addHelpText('after', '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.');
  const { stdout, stderr } = process;
  const io: Io = {
    stdout,
    stderr,
    exit(code) {
      process.exitCode = code;
    },
  };
  for (const register of COMMANDS) register(program, io);
  const { registerOperatorCommands } = await import('../runtime/cli.js');
  registerOperatorCommands(program, { env: process.env, stdout, stderr });
  await program.parseAsync();
}

void main();
