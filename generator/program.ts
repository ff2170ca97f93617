// The program. It knows both the generator and the server, and loads only what the command needs.

import { join } from 'node:path';
import type { Command } from 'commander';
import type { Io, Register } from './commands/command.js';
import type { DescribedCommand } from './commands/init.js';
import { StrictCommand } from './commands/usage.js';

/**
 * The maintainers' commands in the order of the help; each is loaded only when it runs. An `import()` would also load Node's
 * loader of ES modules, which takes a tenth of a second of processor time.
 */
const COMMANDS: Readonly<Record<string, () => Register>> = {
  gen: () => (require('./commands/gen.js') as typeof import('./commands/gen.js')).registerGen,
  check: () => (require('./commands/check.js') as typeof import('./commands/check.js')).registerCheck,
  explain: () => (require('./commands/explain.js') as typeof import('./commands/explain.js')).registerExplain,
  list: () => (require('./commands/list.js') as typeof import('./commands/list.js')).registerList,
  graph: () => (require('./commands/graph.js') as typeof import('./commands/graph.js')).registerGraph,
  new: () => (require('./commands/new.js') as typeof import('./commands/new.js')).registerNew,
  init: () =>
    (require('./commands/init.js') as typeof import('./commands/init.js')).registerInit(
      describedCommands,
      process.env.npm_config_user_agent ?? '',
    ),
  dev: () => (require('./commands/dev.js') as typeof import('./commands/dev.js')).registerDev,
  test: () => (require('./commands/test.js') as typeof import('./commands/test.js')).registerTest,
  impact: () =>
    (require('./commands/impact.js') as typeof import('./commands/impact.js')).registerImpact({ today, openRows }),
  version: () => (require('./commands/version.js') as typeof import('./commands/version.js')).registerVersion(today),
};

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function openRows(path: string) {
  const store = require('../runtime/store/open-engine.js') as typeof import('../runtime/store/open-engine.js');
  return store.commandsOnFile(path).rows();
}

/**
 * The reader of the output may stop early (`gen --check | head`); the command still runs to its end and exit code. If the output
 * cannot be written for another reason, such as a full disk, the command fails, and a server continues.
 */
function outliveOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): void {
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || process.exitCode === 1) return;
    process.exitCode = 1;
    stderr.write(`punchboard: cannot write to standard output: ${message}\n`);
  });
  stderr.on('error', () => undefined);
}

/** Runs the command named by the arguments of the process. */
export async function main(): Promise<void> {
  const { stdout, stderr } = process;
  outliveOutput(stdout, stderr);
  const io: Io = {
    stdout,
    stderr,
    exit(code) {
      process.exitCode ||= code;
    },
    // https://no-color.org: any value but the empty one.
    colour: stderr.isTTY === true && !process.env.NO_COLOR,
  };
  await programFor(process.argv[2] ?? '', io).parseAsync();
}

/** A program with what the named command needs. The help and the message about an unknown command list all of them. */
function programFor(name: string, io: Io): Command {
  if (Object.hasOwn(COMMANDS, name)) return withMaintainers(newProgram(), [name], io);
  const operators = loadOperators();
  // The completion script of a shell needs all commands.
  const isKnown = name !== 'completion' && operators.OPERATOR_COMMANDS.includes(name);
  if (isKnown) return withOperators(newProgram(), [name], operators);
  return withOperators(
    withMaintainers(newProgram(), Object.keys(COMMANDS), io),
    operators.OPERATOR_COMMANDS,
    operators,
  );
}

/** Loads all commands, and returns them in the order of the help. */
export function describedCommands(): readonly DescribedCommand[] {
  const silent: Io = { stdout: SILENT, stderr: SILENT, exit: () => undefined, colour: false };
  const operators = loadOperators();
  const program = withMaintainers(newProgram(), Object.keys(COMMANDS), silent);
  return withOperators(program, operators.OPERATOR_COMMANDS, operators).commands.map((command) => [
    command.name(),
    command.description(),
  ]);
}

const SILENT = { write: () => true };

function newProgram(): Command {
  return new StrictCommand('punchboard')
    .description('Generates an API service from YAML descriptors, and runs it.')
    .version(version(), '--version', 'print the version of the program')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .addHelpText('after', '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.')
    .addHelpText('afterAll', ({ command }) => exampleOf(command));
}

/** The example at the end of a command's help; loaded on demand, since only a help text needs it. */
function exampleOf(command: Command): string {
  const { exampleText } = require('./examples.js') as typeof import('./examples.js');
  const names: string[] = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name());
  return exampleText(names.join(' '));
}

function version(): string {
  const manifest: { readonly version: string } = require(join(__dirname, '..', '..', 'package.json'));
  return manifest.version;
}

function withMaintainers(program: Command, names: readonly string[], io: Io): Command {
  for (const name of names) COMMANDS[name]?.()(program, io);
  return program;
}

function loadOperators() {
  return require('../runtime/admin/cli.js') as typeof import('../runtime/admin/cli.js');
}

function withOperators(
  program: Command,
  names: readonly string[],
  { completeEnvironment, registerOperatorCommands }: ReturnType<typeof loadOperators>,
): Command {
  const problem = completeEnvironment(process.env, process.cwd());
  if (problem !== null) program.error(`error: ${problem}`);
  // Pass the process itself: its getter opens standard input only for commands that read it, which takes 1.4 ms.
  registerOperatorCommands(program, process, names);
  return program;
}
