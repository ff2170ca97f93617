#!/usr/bin/env node
// The `punchboard` command. It knows both the generator and the server, and loads only what the command needs.

import { Command } from 'commander';
import { registerCheck } from './commands/check.js';
import type { Io, Register } from './commands/command.js';
import { registerExplain } from './commands/explain.js';
import { registerGen } from './commands/gen.js';
import { registerGraph } from './commands/graph.js';
import { registerImpact } from './commands/impact.js';
import { registerList } from './commands/list.js';
import { registerNew } from './commands/new.js';

/** The maintainers' commands, in the order of the help. */
const COMMANDS: readonly Register[] = [
  registerGen,
  registerCheck,
  registerExplain,
  registerList,
  registerGraph,
  registerNew,
  registerImpact({ today, openRows }),
];

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function openRows(path: string) {
  const store = await import('../runtime/store/sqlite/count-rows.js');
  return store.openRows(path);
}

/** The reader of the output may stop early (`gen --check | head`); the command still runs to its end and exit code. */
function outliveReaders(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

async function main(): Promise<void> {
  outliveReaders(process.stdout, process.stderr);
  const program = new Command('punchboard')
    .description('Generates an API service from YAML descriptors, and runs it.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .addHelpText('after', '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.');
  const { stdout, stderr } = process;
  const io: Io = {
    stdout,
    stderr,
    exit(code) {
      process.exitCode = code;
    },
    // https://no-color.org: any value but the empty one.
    colour: stderr.isTTY === true && !process.env.NO_COLOR,
  };
  for (const register of COMMANDS) register(program, io);
  const { registerOperatorCommands } = await import('../runtime/cli.js');
  registerOperatorCommands(program, { env: process.env, stdin: process.stdin, stdout, stderr });
  await program.parseAsync();
}

void main();
