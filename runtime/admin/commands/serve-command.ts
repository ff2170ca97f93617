// `punchboard serve`: its options, what it prints, and its signals.

import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../../contract/command-error.js';
import { POSTGRES_LIMITS } from '../../contract/defaults.js';
import { readReserve } from '../../files/space.js';
import { HTTP_PARTS } from '../../http/optional-parts.js';
import { narrowStored } from '../../server/file-modes.js';
import type { RunningServer, StartOptions } from '../../server/main.js';
import { isServerUrl } from '../../store/database-url.js';
import type { ExampleDocument } from '../demo/examples.js';
import {
  fileModeOption,
  filesOption,
  generatedOption,
  type Io,
  option,
  runCommand,
  setUpCommand,
  wholeNumber,
  wireOption,
  withDatabase,
} from './command.js';
import { firstUser, userCommand, userFlags } from './user-hints.js';
import type { ListeningMessage } from './watch.js';
import { webhookServeOptions } from './webhooks-options.js';

const LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Adds `serve` to the program. */
export function registerServeCommand(program: Command, io: Io): void {
  const { exit = process.exit } = io;
  const command = setUpCommand(serveCommand(program, io), io);
  command.action((options: ServeOptions) =>
    runCommand(io, () => serve(options, io, { exit, userFlags: userFlags(command) })),
  );
}

const MANY = 1_000_000_000;

interface ServeOptions extends Omit<StartOptions, 'generated' | 'backups'> {
  readonly generated?: string;
  readonly backups?: string;
  readonly watch?: boolean;
  readonly standby?: boolean;
  readonly fileMode?: string;
}

function serveCommand(program: Command, io: Io): Command {
  const serving = program.command('serve').description('run the service');
  const command = withDatabase(
    serving
      .addOption(
        option('--port <number>', 'port to listen on; 0 for any free one', 'PORT')
          .default(3000)
          .argParser(wholeNumber(65_535)),
      )
      .addOption(option('--host <address>', 'address to listen on', 'HOST').default('127.0.0.1')),
    io,
  )
    .addOption(filesOption())
    .addOption(fileModeOption())
    .addOption(wireOption())
    .addOption(
      option('--default-version <date>', 'version of the API for callers who name none', 'DEFAULT_VERSION').argParser(
        date,
      ),
    )
    .option('--demo', 'fill the database with an example of each resource, and print requests (env: DEMO=1)')
    .addOption(generatedOption())
    .option('--console', "serve the operators' pages at /console (env: CONSOLE=1)")
    .option('--portal', 'serve pages at /portal on which users manage their web hooks and API keys (env: PORTAL=1)')
    .addOption(option('--backups <folder>', "folder where the operators' pages make backups", 'BACKUPS'))
    .option('--watch', 'start the service again whenever gen has compiled')
    .addOption(new Option('--standby', 'wait until the process that started this one says to begin').hideHelp())
    .addOption(
      option('--migrate <what>', 'what a start applies to a database with an older schema', 'MIGRATE')
        .choices(['safe', 'none'])
        .default('safe'),
    )
    .addOption(
      option('--log-level <level>', 'least severe messages to log to stderr', 'LOG_LEVEL')
        .choices(LEVELS)
        .default('info'),
    )
    .addOption(
      option(
        '--processes <number>',
        'processes that serve requests; with 2 or more, another one does the writing; auto: one per core',
        'PROCESSES',
      )
        .default(1)
        .argParser(processes),
    );
  return furtherOptions().reduce((all, each) => all.addOption(each), command);
}

function furtherOptions(): readonly Option[] {
  return [...limitOptions(), ...reachOptions(), ...databaseOptions(), ...webhookServeOptions()];
}

/** The options for a PostgreSQL database. */
function databaseOptions(): readonly Option[] {
  const { connections, leastConnections, timeout, wait } = POSTGRES_LIMITS;
  return [
    option(
      '--database-connections <number>',
      'connections to PostgreSQL that each process opens',
      'DATABASE_CONNECTIONS',
    )
      .default(connections)
      .argParser(wholeNumber(MOST_CONNECTIONS, leastConnections)),
    option(
      '--database-timeout-ms <number>',
      'milliseconds that a statement on PostgreSQL may take',
      'DATABASE_TIMEOUT_MS',
    )
      .default(timeout)
      .argParser(wholeNumber(HOUR, 100)),
    option('--database-wait-ms <number>', 'milliseconds that a request waits for a connection', 'DATABASE_WAIT_MS')
      .default(wait)
      .argParser(wholeNumber(HOUR, 100)),
  ];
}

const MOST_CONNECTIONS = 10_000;
const HOUR = 3_600_000;

/** The options that limit what one client may use. */
function limitOptions(): readonly Option[] {
  const perMinute = 'requests a minute per user or address, weighted by their cost; 0 for no limit';
  const failed = 'failed logins a minute per address and name; 0 for no limit';
  return [
    option('--rate-limit <number>', perMinute, 'RATE_LIMIT').default(1200).argParser(wholeNumber(MANY)),
    option(
      '--disk-reserve <amount>',
      'disk space that uploads, copies and bulk creates leave free: a percentage (5%) or MiB; by default 5% or 256 MiB, whichever is smaller',
      'DISK_RESERVE',
    ).argParser(reserve),
    option('--quota-bytes <number>', 'bytes that the files of a user may take up; 0 for no limit', 'QUOTA_BYTES')
      .default(0)
      .argParser(wholeNumber(Number.MAX_SAFE_INTEGER)),
    option('--login-limit <number>', failed, 'LOGIN_LIMIT').default(10).argParser(wholeNumber(MANY)),
  ];
}

function reserve(text: string): string {
  if (readReserve(text) !== null) return text;
  throw new InvalidArgumentError('It must be a number of MiB, or of per cent up to 90%.');
}

/** The options for other origins, proxies, and access to the metrics. */
function reachOptions(): readonly Option[] {
  return [
    option(
      '--cors-origins <origins>',
      'origins whose scripts may call the service, separated by commas',
      'CORS_ORIGINS',
    ).argParser(origins),
    option('--trust-proxy <number>', 'number of proxies in front whose X-Forwarded-For is trusted', 'TRUST_PROXY')
      .default(0)
      .argParser(wholeNumber(MANY)),
    option('--metrics-port <number>', 'separate port for /metrics', 'METRICS_PORT').argParser(wholeNumber(65_535)),
    option('--metrics-host <address>', 'address for that port', 'METRICS_HOST').default('127.0.0.1'),
    option('--metrics-token <text>', 'bearer token that gives access to /metrics on --port', 'METRICS_TOKEN'),
  ];
}

/** Anyone who asks for more has mistyped the number. */
const MOST_PROCESSES = 256;

function processes(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_PROCESSES);
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST_PROCESSES) return number;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_PROCESSES}, or auto.`);
}

function origins(text: string): readonly string[] {
  const { originProblem } = HTTP_PARTS.cors();
  const all = text.split(/[\s,]+/).filter((one) => one !== '');
  const [problem] = all.flatMap((one) => originProblem(one) ?? []);
  if (problem !== undefined) throw new InvalidArgumentError(`${problem}.`);
  return all;
}

function date(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a date such as 2027-01-15.');
}

interface ServeEnvironment {
  exit(code: number): void;
  /** As `userFlags` returns them. */
  readonly userFlags: string;
}

async function serve(options: ServeOptions, io: Io, { exit, userFlags }: ServeEnvironment): Promise<void> {
  const isOn = (option: boolean | undefined, variable: string): boolean =>
    option === true || ['1', 'true'].includes(io.env[variable] ?? '');
  const demo = isOn(options.demo, 'DEMO');
  const console = isOn(options.console, 'CONSOLE');
  const portal = isOn(options.portal, 'PORTAL');
  if (demo) {
    refuseOtherMachines(options);
  }
  if (options.watch) return (require('./watch.js') as typeof import('./watch.js')).watchServer(options, io, exit);
  // Loaded on demand, so that other commands do not wait for the libraries of the server. A module that calls
  // `import()` could not come from the cache.
  const { start } = require('../../server/main.js') as typeof import('../../server/main.js');
  const { secureLaterModules, servingRoles } =
    require('../../server/later-modules.js') as typeof import('../../server/later-modules.js');
  secureLaterModules((options.processes ?? 1) > 1 ? ['hooks'] : [...servingRoles({ console, portal }), 'hooks']);
  const port = (options.standby && (await standBy({ ...options, demo }, exit))) || options.port;
  const { backups: folder, generated = null, fileMode, ...rest } = options;
  const backups =
    folder === undefined
      ? {}
      : { backups: { folder: backupFolder(options, console), program: ownProgram(), fileMode } };
  const running = await start({ ...rest, port, ...backups, demo, console, portal, generated });
  const demoText = demo ? await filledDemo(running, generated) : '';
  stopOnRequest(running, io, exit);
  // This comes only now, so that files that a mistaken option names are left alone.
  const { mailFolder } = require('../../webhooks/settings.js') as typeof import('../../webhooks/settings.js');
  const mails = mailFolder(options, options.database);
  const narrowed = narrowStored({ ...options, backups: folder, fileMode, mails });
  io.stdout.write(`Punchboard listens on ${running.address}\n`);
  if (narrowed !== null) io.stdout.write(`${narrowed}\n`);
  if (running.metricsAddress !== null) io.stdout.write(`Metrics are at ${running.metricsAddress}/metrics\n`);
  if (io.stdout.isTTY) io.stdout.write(`The API can be read and tried at ${running.address}/docs\n`);
  if (console) io.stdout.write(`Operators' pages are at ${running.address}/console\n`);
  else if (io.stdout.isTTY) io.stdout.write("Operators' pages are served with --console\n");
  if (portal) io.stdout.write(`Pages for owners of web hooks are at ${running.address}/portal\n`);
  if (!demo && !(await hasUsers(running))) io.stdout.write(`${firstUser(userFlags)}\n`);
  else if ((demo ? console : io.stdout.isTTY) && !(await hasAdministrator(running))) {
    const command = userCommand('admin', userFlags, demo ? 'demo' : 'NAME');
    io.stdout.write(`There is no administrator yet. To make one: ${command}\n`);
  }
  io.stdout.write(demoText);
}

/** Fills the demo, or stops the server. @returns the lines about it */
async function filledDemo(running: RunningServer, generated: string | null): Promise<string> {
  try {
    const { demoLines, fillDemo } = loadDemo();
    const { readDocument } =
      require('../../server/load-generated.js') as typeof import('../../server/load-generated.js');
    const document = JSON.parse(readDocument(generated).toString()) as ExampleDocument;
    const sources = { now: Date.now(), random: randomBytes, document };
    const filled = await fillDemo(running.service, running.blobs, sources);
    return `${demoLines(running.address, filled).join('\n')}\n`;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** Loads `standBy` when it is needed. */
function standBy(...parts: Parameters<typeof import('./standby.js').standBy>): Promise<number | null> {
  return (require('./standby.js') as typeof import('./standby.js')).standBy(...parts);
}

function loadDemo() {
  return require('../demo/demo.js') as typeof import('../demo/demo.js');
}

/** The command that started this process, without its arguments. */
function ownProgram(): readonly string[] {
  return [process.execPath, ...process.argv.slice(1, 2)];
}

/** Throws CommandError for a PostgreSQL database, which has tools of its own, and without the pages that create backups. */
function backupFolder({ backups = '', database }: ServeOptions, console: boolean): string {
  if (!console) throw new CommandError("--backups is for the operators' pages: add --console, or leave it out");
  if (!isServerUrl(database)) return backups;
  throw new CommandError('--backups is for SQLite: back up a PostgreSQL database with its own tools, such as pg_dump');
}

/** The server continues if the database has become unavailable: this only decides on a hint. */
async function hasUsers({ service }: RunningServer): Promise<boolean> {
  try {
    return await service.engine.identity.hasAccounts();
  } catch {
    return true;
  }
}

/** Checks only the first accounts: if there are more, one of them will be an administrator. */
async function hasAdministrator({ service }: RunningServer): Promise<boolean> {
  try {
    const accounts = await service.engine.identity.accounts({ after: null, limit: ACCOUNTS });
    return accounts.length === ACCOUNTS || accounts.some(({ admin }) => admin);
  } catch {
    return true;
  }
}

const ACCOUNTS = 1000;

/** The demo prints a password and a session, so nobody else may reach it. */
function refuseOtherMachines({ host }: ServeOptions): void {
  const { isLoopback } = require('../../webhooks/settings.js') as typeof import('../../webhooks/settings.js');
  if (isLoopback(host)) return;
  throw new CommandError(
    `the demo must not be reachable from other machines, and ${host} is: leave out --host, or --demo`,
  );
}

/**
 * The first signal stops gracefully, the second immediately. A server that a parent process started over a channel reports the
 * port to it, and does not outlive it.
 */
function stopOnRequest(running: RunningServer, { stdout }: Io, exit: (code: number) => void): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) exit(1);
    stopping = true;
    stdout.write('Stopping: requests under way are finished first\n');
    running.stop().then(
      () => exit(0),
      () => exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  const message: ListeningMessage = { port: Number(new URL(running.address).port) };
  process.send?.(message);
}
