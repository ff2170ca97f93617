// The operators' commands: serve, user add. Words, options and signals; the work is done elsewhere.

import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ServiceError } from './errors.js';
import type { Running, StartOptions } from './main.js';
import { StartError } from './store/sqlite/start-error.js';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Ends the process; that of Node unless given. */
  readonly exit?: (code: number) => void;
}

const EXIT_CODES = '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.';
const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Adds `serve` and `user add` to the program. */
export function registerOperatorCommands(program: Command, io: Io): void {
  const exit = io.exit ?? ((code: number) => process.exit(code));
  settle(serveCommand(program), exit).action((options: ServeOptions) =>
    attempt(io, exit, () => serve(options, io, exit)),
  );
  const user = settle(program.command('user').description('work with the users of a database'), exit);
  settle(userAddCommand(user), exit).action((options: UserAddOptions) => attempt(io, exit, () => userAdd(options, io)));
}

interface ServeOptions extends Omit<StartOptions, 'generated'> {
  readonly generated?: string;
  readonly demo?: boolean;
}

function serveCommand(program: Command): Command {
  const option = (flags: string, text: string, env: string): Option => new Option(flags, text).env(env);
  return program
    .command('serve')
    .description('run the service')
    .addOption(option('--port <number>', 'port to listen on; 0 for any free one', 'PORT').default(3000).argParser(port))
    .addOption(option('--host <address>', 'address to listen on', 'HOST').default('127.0.0.1'))
    .addOption(option('--database <path>', 'SQLite database file, made when missing', 'DATABASE').default(DATABASE))
    .addOption(
      option('--files <folder>', 'folder for uploaded files, made when missing', 'FILES').default('data/files'),
    )
    .addOption(option('--wire <profile>', 'how answers look', 'WIRE').choices(['plain', 'wing']).default('plain'))
    .option('--demo', 'fill the database with a game and one of every component, and print requests (env: DEMO=1)')
    .addOption(
      option('--rate-limit <number>', 'requests a minute per session or address; 0 for no limit', 'RATE_LIMIT')
        .default(1200)
        .argParser(count),
    )
    .addOption(option('--generated <folder>', 'what `gen --out` made; the project’s own unless given', 'GENERATED'))
    .addOption(option('--log-level <level>', 'what goes to stderr', 'LOG_LEVEL').choices(LEVELS).default('info'))
    .addOption(
      option('--trust-proxy <number>', 'proxies in front whose X-Forwarded-For counts', 'TRUST_PROXY')
        .default(0)
        .argParser(count),
    );
}

interface UserAddOptions {
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly admin?: boolean;
  readonly generated?: string;
}

function userAddCommand(user: Command): Command {
  return user
    .command('add')
    .description('add a user and print it as JSON; a server may be running on the database')
    .addOption(
      new Option('--database <path>', 'SQLite database file, made when missing').env('DATABASE').default(DATABASE),
    )
    .requiredOption('--username <name>', 'name to log in with')
    .requiredOption('--password <text>', 'password to log in with')
    .option('--admin', 'make the user an administrator')
    .addOption(
      new Option('--generated <folder>', 'what `gen --out` made; the project’s own unless given').env('GENERATED'),
    );
}

const DATABASE = 'data/punchboard.db';

/** One line for wrong usage, and its own exit code. */
function settle(command: Command, exit: (code: number) => void): Command {
  return command
    .showHelpAfterError(false)
    .addHelpText('after', EXIT_CODES)
    .exitOverride((error) => exit(error.exitCode === 0 ? 0 : 2));
}

function port(text: string): number {
  return whole(text, 65_535);
}

function count(text: string): number {
  return whole(text, 1_000_000_000);
}

function whole(text: string, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= max) return number;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${max}.`);
}

async function serve(options: ServeOptions, io: Io, exit: (code: number) => void): Promise<void> {
  // Loaded when asked for: whoever runs another command does not wait for the server's libraries.
  const { start } = await import('./main.js');
  const running = await start({ ...options, generated: options.generated ?? null });
  stopOnSignal(running, exit);
  io.stdout.write(`Punchboard listens on ${running.address}\n`);
  if (options.demo !== true && !['1', 'true'].includes(io.env.DEMO ?? '')) return;
  try {
    const { demoLines, fillDemo } = await import('./resources/demo.js');
    const demo = await fillDemo(running.service, running.blobs, Date.now());
    io.stdout.write(`${demoLines(running.address, demo).join('\n')}\n`);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** A first signal stops gracefully, a second at once. */
function stopOnSignal(running: Running, exit: (code: number) => void): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) exit(1);
    stopping = true;
    running.stop().then(
      () => exit(0),
      () => exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function userAdd(options: UserAddOptions, io: Io): Promise<void> {
  const now = Date.now();
  const { database, username, password, admin = false, generated = null } = options;
  const [{ openService }, { addUser }] = await Promise.all([import('./open-service.js'), import('./auth/add-user.js')]);
  const service = openService({ database, wire: 'plain', generated, owner: false, random: randomBytes }, now);
  try {
    io.stdout.write(`${await addUser(service, { username, password, admin }, now)}\n`);
  } finally {
    service.close();
  }
}

async function attempt(io: Io, exit: (code: number) => void, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    io.stderr.write(`punchboard: ${told(error)}\n`);
    exit(1);
  }
}

/** One line for what an operator can mend; a bug is shown whole. */
function told(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (error instanceof ServiceError) return error.failures.map(({ message }) => message).join('; ') || error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
