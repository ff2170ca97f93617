#!/usr/bin/env node
// The `punchboard` command. It knows both the generator and the server, and loads only what the command needs.

import { Command } from 'commander';
import type { Io, Register } from './commands/command.js';
import { expectShortRun } from './commands/short-run.js';

/** The maintainers' commands in the order of the help; each is loaded only when it is run. */
const COMMANDS: Readonly<Record<string, () => Promise<Register>>> = {
  gen: async () => (await import('./commands/gen.js')).registerGen,
  check: async () => (await import('./commands/check.js')).registerCheck,
  explain: async () => (await import('./commands/explain.js')).registerExplain,
  list: async () => (await import('./commands/list.js')).registerList,
  graph: async () => (await import('./commands/graph.js')).registerGraph,
  new: async () => (await import('./commands/new.js')).registerNew,
  impact: async () => (await import('./commands/impact.js')).registerImpact({ today, openRows }),
};

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
  const name = process.argv[2] ?? '';
  if (Object.hasOwn(COMMANDS, name)) expectShortRun();
  const selected = await programWith(
    Object.keys(COMMANDS).filter((command) => command === name),
    io,
  );
  const isKnown = selected.commands.some((command) => command.name() === name);
  // The help and the message about an unknown command list all of them.
  const program = isKnown ? selected : await programWith(Object.keys(COMMANDS), io);
  await program.parseAsync();
}

/** A program with the operators' commands and the named maintainers' commands. */
async function programWith(names: readonly string[], io: Io): Promise<Command> {
  const program = new Command('punchboard')
    .description('Generates an API service from YAML descriptors, and runs it.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .addHelpText('after', '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.');
  for (const name of names) (await COMMANDS[name]?.())?.(program, io);
  const { registerOperatorCommands } = await import('../runtime/server/cli.js');
  const { stdin, stdout, stderr, env } = process;
  registerOperatorCommands(program, { env, stdin, stdout, stderr });
  return program;
}

void main();
