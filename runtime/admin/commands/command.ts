// What the operators' commands share: failure handling, exit codes, and common options.

import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../../contract/command-error.js';
import { ServiceError } from '../../contract/errors.js';
import { withProgramName } from '../../project/command-line.js';
import { findProject, NO_PROJECT, pathInProject } from '../../project/find.js';
import { textOf } from '../../server/environment.js';
import { FILE_MODES } from '../../server/file-modes.js';
import { hasPassword, isServerUrl, placeOf } from '../../store/database-url.js';
import { StartError } from '../../store/start-error.js';

/** The part of standard input that commands use. */
export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: InputStream;
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Sends a message to the process that started this one; absent if that process opened no channel. */
  send?(message: unknown, handle: undefined, options: object, sent: () => void): unknown;
  /** Ends the process; `process.exit` by default. */
  readonly exit?: (code: number) => void;
}

/** Sets up a command: it applies to the project, and wrong usage is reported in one line, with exit code 2. */
export function setUpCommand(command: Command, io: Pick<Io, 'exit' | 'stderr'>): Command {
  const { exit = process.exit } = io;
  return command
    .showHelpAfterError(false)
    .addHelpText('after', EXIT_CODES)
    .hook('preAction', (_, acting) => inProject(acting, io))
    .exitOverride((error) => exit(error.exitCode === 0 ? 0 : 2));
}

const EXIT_CODES = '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.';

/** Runs a command's function; a failure is reported in one line and the process exits with 1. */
export async function runCommand({ stderr, exit = process.exit }: Io, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    stderr.write(`punchboard: ${withProgramName(errorText(error))}\n`);
    exit(1);
  }
}

/** One line if an operator can fix the error, or the system has refused something; a bug is shown with its stack. */
function errorText(error: unknown): string {
  if (error instanceof StartError || error instanceof CommandError || isSystemError(error)) return error.message;
  if (error instanceof ServiceError) return error.failures.map(({ message }) => message).join('; ') || error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Its message names the call and the path. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Outside a project a command does nothing, unless the service is named (N13). In a folder within the project, the default
 * places of data are in the project's own folder.
 */
function inProject(command: Command, { stderr, exit = process.exit }: Pick<Io, 'exit' | 'stderr'>): void {
  const isAboutService = command.options.some(({ long }) => long === '--generated');
  if (!isAboutService || command.getOptionValue('generated') !== undefined) return;
  const project = findProject(process.cwd());
  if (project === null) {
    stderr.write(
      `punchboard: ${NO_PROJECT}: go to the project's folder, or name its generated code with --generated\n`,
    );
    exit(1);
    return;
  }
  for (const option of DATA_PLACES) {
    if (command.getOptionValueSource(option) !== 'default') continue;
    // The source is not 'default', because this runs for the command and for its parent.
    command.setOptionValueWithSource(option, pathInProject(project, command.getOptionValue(option)), 'config');
  }
}

const DATA_PLACES = ['database', 'files'];

/** Default path of the database. */
export const DATABASE = 'data/punchboard.db';

/**
 * Adds the database option. `DATABASE_URL`, or the file that `DATABASE_URL_FILE` names, takes precedence over `DATABASE`,
 * and the option over all of them.
 * @param ifMissing what the help says about a file that does not exist
 */
export function withDatabase(command: Command, { env }: Pick<Io, 'env'>, ifMissing = ', created if missing'): Command {
  const option = new Option('--database <place>', `SQLite database file${ifMissing}, or postgres:// URL`);
  return command.addOption(option.env('DATABASE').default(DATABASE)).hook('preAction', () => {
    takeUrl(command, env, { option: 'database', variable: 'DATABASE_URL' });
  });
}

interface DatabaseOption {
  /** Its long name. */
  readonly option: string;
  /** The environment variable with the URL; with `_FILE` after it, the variable with the path of a file that holds the URL. */
  readonly variable: string;
}

/** Adds an option for a database that must be named: a path, `sqlite:PATH`, or a URL as with `withDatabase`. */
export function withNamedDatabase(
  command: Command,
  { env }: Pick<Io, 'env'>,
  place: DatabaseOption & { readonly says: string },
): Command {
  const { option, variable, says } = place;
  const text = `${says}: SQLite database file or postgres:// URL (env: ${variable}, ${variable}_FILE)`;
  return command.option(`--${option} <place>`, text).hook('preAction', () => {
    takeUrl(command, env, place);
    const value: string | undefined = command.getOptionValue(option);
    if (value !== undefined) command.setOptionValue(option, placeOf(value));
    else command.error(`error: required option '--${option} <place>' not specified`);
  });
}

/** The option takes precedence over the variable. */
function takeUrl(command: Command, env: Io['env'], place: DatabaseOption): void {
  const { option } = place;
  if (command.getOptionValueSource(option) === 'cli') {
    refusePassword(command, place);
    return;
  }
  const url = urlIn(command, env, place.variable);
  if (url !== undefined) command.setOptionValueWithSource(option, url, 'env');
}

/** Everyone on the machine can see the arguments of a process. */
function refusePassword(command: Command, { option, variable }: DatabaseOption): void {
  if (!hasPassword(command.getOptionValue(option))) return;
  command.error(
    `error: --${option} holds a password, which everyone on this machine can see: use ${variable} or ${variable}_FILE`,
  );
}

function urlIn(command: Command, env: Io['env'], variable: string): string | undefined {
  const [value, file] = [env[variable], env[`${variable}_FILE`]];
  const name = value ? variable : `${variable}_FILE`;
  if (!value && !file) return undefined;
  // An empty file is a mistake too: the default would be another database.
  const url = value || textOf(file ?? '');
  if (typeof url === 'object') command.error(`error: ${name}: ${file} cannot be read (${url.code})`);
  else if (isServerUrl(url)) return url;
  else command.error(`error: ${name} must be a URL that starts with postgres://`);
  return undefined;
}

/** An option that an environment variable can also set. */
export function option(flags: string, text: string, variable: string): Option {
  return new Option(flags, text).env(variable);
}

export function filesOption(): Option {
  const text =
    'uploaded files: a folder, created if missing, or s3://bucket/prefix?region=…&endpoint=…&path-style=true';
  return option('--files <place>', text, 'FILES').default('data/files');
}

export function fileModeOption(): Option {
  const text = 'mode of the files that are created; 0640 lets their group read them';
  return option('--file-mode <mode>', text, 'FILE_MODE').choices(FILE_MODES).default(FILE_MODES[0]);
}

export function generatedOption(): Option {
  return option('--generated <folder>', 'output folder of gen; by default that of the project', 'GENERATED');
}

export function wireOption(): Option {
  return option('--wire <profile>', 'format of responses', 'WIRE').choices(['plain', 'wing']).default('plain');
}

/** Only serving creates a database: a mistake in the path must not look like an empty one. */
export function refuseMissing(database: string): void {
  if (isServerUrl(database) || existsSync(database)) return;
  throw new CommandError(`there is no database ${database}: choose another with --database`);
}

export type Format = 'text' | 'json';

/** The one way to ask a command for JSON. */
export function formatOption(): Option {
  return new Option('--format <format>', 'text for people, json for programs')
    .choices(['text', 'json'])
    .default('text');
}

/** The output of a command. @param text formats the value for people */
export function formatOutput<T>(format: Format, value: T, text: (value: T) => string): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : text(value);
}

/** A whole number from `min` to `max`, for argParser. */
export function wholeNumber(max: number, min = 0): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}
