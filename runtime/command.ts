// What all operators' commands have in common: how they fail, how they end, and the options they share. No command itself.

import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ServiceError } from './errors.js';
import { StartError } from './store/sqlite/start-error.js';

/** Standard input, as far as commands read it. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Ends the process; that of Node unless given. */
  readonly exit?: (code: number) => void;
}

/** A mistake that an operator can mend, said in one line; the command ends with 1. */
export class CommandError extends Error {}

/** One line for wrong usage, and its own exit code. */
export function settle(command: Command, { exit = process.exit }: Pick<Io, 'exit'>): Command {
  return command
    .showHelpAfterError(false)
    .addHelpText('after', EXIT_CODES)
    .exitOverride((error) => exit(error.exitCode === 0 ? 0 : 2));
}

const EXIT_CODES = '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.';

/** Does the work of a command; what goes wrong is told in one line and ends the process with 1. */
export async function attempt({ stderr, exit = process.exit }: Io, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    stderr.write(`punchboard: ${told(error)}\n`);
    exit(1);
  }
}

/** One line for what an operator can mend; a bug is shown whole. */
function told(error: unknown): string {
  if (error instanceof StartError || error instanceof CommandError) return error.message;
  if (error instanceof ServiceError) return error.failures.map(({ message }) => message).join('; ') || error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Refuses to make data at a default place outside the project: who works in another folder says where it is to be, or
 * whose service it is (F39). What is there already is taken.
 */
export function namedOutsideProject(command: Command): void {
  const isNamed = (option: string): boolean => command.getOptionValueSource(option) !== 'default';
  if (command.getOptionValue('generated') !== undefined || isProject(process.cwd())) return;
  const places = DATA_PLACES.filter((option) => command.options.some(({ long }) => long === `--${option}`));
  const missing = places.filter((option) => !isNamed(option) && !existsSync(command.getOptionValue(option)));
  if (missing.length === 0) return;
  throw new CommandError(
    `this is not the project's folder, and nothing is made here unasked: say where the data is with ` +
      `${missing.map((option) => `--${option}`).join(' and ')}, or whose service it is with --generated`,
  );
}

const DATA_PLACES = ['database', 'files'];

/** Whether it is the folder that the running program was installed in. */
function isProject(folder: string): boolean {
  return realpathSync(folder) === realpathSync(resolve(__dirname, '..', '..'));
}

/** Where the database is unless it is named. */
export const DATABASE = 'data/punchboard.db';

/** The database of a command. @param made what it says about a file that is not there */
export function databaseOption(made = ', made when missing'): Option {
  const option = new Option('--database <path>', `SQLite database file${made}`);
  return option.env('DATABASE').default(DATABASE);
}

export function generatedOption(): Option {
  return new Option('--generated <folder>', 'what `gen --out` made; the project’s own unless given').env('GENERATED');
}

/** A whole number from 0 to `max`, for argParser. */
export function whole(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
  };
}
