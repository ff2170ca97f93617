#!/usr/bin/env node
// The `punchboard` command. It knows both the generator and the server, and loads only what the command needs.

import { join } from 'node:path';
import type { Command } from 'commander';
import type { Io, Register } from './commands/command.js';
import { expectShortRun } from './commands/short-run.js';
import { StrictCommand } from './commands/usage.js';

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
  const program = await programFor(process.argv[2] ?? '', io);
  await program.parseAsync();
}

/** A program with what the named command needs. The help and the message about an unknown command list all of them. */
async function programFor(name: string, io: Io): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) {
    expectShortRun();
    return withMaintainers(newProgram(), [name], io);
  }
  const operators = await withOperators(newProgram());
  // The script of a shell needs all commands.
  const isKnown = name !== 'completion' && operators.commands.some((command) => command.name() === name);
  return isKnown ? operators : withOperators(await withMaintainers(newProgram(), Object.keys(COMMANDS), io));
}

function newProgram(): Command {
  return new StrictCommand('punchboard')
    .description('Generates an API service from YAML descriptors, and runs it.')
    .version(version(), '--version', 'print the version of the program')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .addHelpText('after', '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.');
}

function version(): string {
  const manifest: { readonly version: string } = require(join(__dirname, '..', '..', 'package.json'));
  return manifest.version;
}

async function withMaintainers(program: Command, names: readonly string[], io: Io): Promise<Command> {
  for (const name of names) (await COMMANDS[name]?.())?.(program, io);
  return program;
}

async function withOperators(program: Command): Promise<Command> {
  const { completeEnvironment, registerOperatorCommands } = await import('../runtime/server/cli.js');
  const { stdin, stdout, stderr, env } = process;
  const problem = completeEnvironment(env, process.cwd());
  if (problem !== null) program.error(`error: ${problem}`);
  registerOperatorCommands(program, { env, stdin, stdout, stderr });
  return program;
}

void main();
