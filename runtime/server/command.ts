// What the operators' commands share: failure handling, exit codes, and common options.

import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ServiceError } from '../errors.js';
import { StartError } from '../store/start-error.js';

/** Standard input, as far as commands read it. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Ends the process; `process.exit` by default. */
  readonly exit?: (code: number) => void;
}

/** A mistake that an operator can fix, reported in one line; the command exits with 1. */
export class CommandError extends Error {}

/** Sets up a command so that wrong usage is reported in one line, with exit code 2. */
export function settle(command: Command, { exit = process.exit }: Pick<Io, 'exit'>): Command {
  return command
    .showHelpAfterError(false)
    .addHelpText('after', EXIT_CODES)
    .exitOverride((error) => exit(error.exitCode === 0 ? 0 : 2));
}

const EXIT_CODES = '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.';

/** Runs a command's function; a failure is reported in one line and the process exits with 1. */
export async function attempt({ stderr, exit = process.exit }: Io, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    stderr.write(`punchboard: ${errorText(error)}\n`);
    exit(1);
  }
}

/** One line if an operator can fix the error; a bug is shown with its stack. */
function errorText(error: unknown): string {
  if (error instanceof StartError || error instanceof CommandError) return error.message;
  if (error instanceof ServiceError) return error.failures.map(({ message }) => message).join('; ') || error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Refuses to create data at a default path outside the project: in another folder the path, or the service, must be named
 * (F39). Existing data is used.
 */
export function namedOutsideProject(command: Command): void {
  const isNamed = (option: string): boolean => command.getOptionValueSource(option) !== 'default';
  if (command.getOptionValue('generated') !== undefined || isProject(process.cwd())) return;
  const places = DATA_PLACES.filter((option) => command.options.some(({ long }) => long === `--${option}`));
  const missing = places.filter((option) => !isNamed(option) && !existsSync(command.getOptionValue(option)));
  if (missing.length === 0) return;
  throw new CommandError(
    `this is not the project folder, and no data is created here by default: name the data with ` +
      `${missing.map((option) => `--${option}`).join(' and ')}, or the service with --generated`,
  );
}

const DATA_PLACES = ['database', 'files'];

/** Whether the folder is the one that the running program is installed in. */
function isProject(folder: string): boolean {
  return realpathSync(folder) === realpathSync(resolve(__dirname, '..', '..', '..'));
}

/** Default path of the database. */
export const DATABASE = 'data/punchboard.db';

/** The database option of a command. @param ifMissing what the help says about a file that does not exist */
export function databaseOption(ifMissing = ', created if missing'): Option {
  const option = new Option('--database <path>', `SQLite database file${ifMissing}`);
  return option.env('DATABASE').default(DATABASE);
}

export function generatedOption(): Option {
  return new Option('--generated <folder>', "output folder of gen; the project's own by default").env('GENERATED');
}

/** A whole number from 0 to `max`, for argParser. */
export function whole(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
  };
}
