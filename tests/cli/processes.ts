// Runs the real `punchboard` command and waits for its output; nothing waits for time to pass.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';

const COMMAND = join(__dirname, '..', '..', 'generator', 'bin.js');

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Server {
  readonly address: string;
  readonly process: ChildProcess;
  readonly ended: Promise<CommandResult>;
  /** Sends the signal, by default SIGKILL, and resolves when the process has ended. */
  end(signal?: 'SIGKILL' | 'SIGTERM'): Promise<CommandResult>;
  /** Resolves with the first matching line of the output. */
  line(pattern: RegExp): Promise<string>;
}

/** Starts the process. */
function launch(args: readonly string[], folder: string, circumstances: Circumstances) {
  const { env = {}, input = '', program = [process.execPath, COMMAND] } = circumstances;
  const [file, ...first] = program;
  // Variables of the person who runs the tests must not reach the command.
  const { PATH = '', GOGC, GOMEMLIMIT } = process.env;
  const clean = { PATH, GOGC, GOMEMLIMIT, ...env };
  const child = spawn(file, [...first, ...args], { cwd: folder, env: clean });
  // A process that ends without reading breaks the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<CommandResult>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  return { child, output, ended };
}

export interface Circumstances {
  /** The whole environment of the process, except for PATH and the variables for garbage collection in the compiler. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program that runs instead of this project's command on this Node. */
  readonly program?: readonly [string, ...string[]];
  /** The text on standard input. */
  readonly input?: string;
}

/** Makes the project's own service the default of a command. */
export const OURS = { GENERATED: join(ROOT, 'generated') };

/** Runs a command to its end in the folder, with its data there by default. */
export function run(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return launch(args, folder, { env: { ...HERE, ...env } }).ended;
}

/** The service has to be named, since tests run outside the project (N13). */
export const DATA = { ...OURS, DATABASE: 'data/punchboard.db', FILES: 'data/files' };

/** Passwords are hashed cheaply: each hash takes a quarter of a second otherwise, as long as the whole start of a command. */
const HERE = {
  ...DATA,
  NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT),
};

/** `punchboard user <args>` with the password on standard input. */
export function runUser(args: readonly string[], folder: string, password: string): Promise<CommandResult> {
  return launch(['user', ...args, '--password-stdin'], folder, { env: HERE, input: `${password}\n` }).ended;
}

/** Runs a command without those defaults. */
export function runIn(
  args: readonly string[],
  folder: string,
  circumstances: Circumstances = {},
): Promise<CommandResult> {
  return launch(args, folder, circumstances).ended;
}

/** Starts a server; resolves when it listens, and rejects with its output if it ends before that. */
export async function serve(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return serveIn(args, folder, { env: { ...HERE, ...env } });
}

/** The same without the defaults. */
export function serveIn(args: readonly string[], folder: string, circumstances: Circumstances): Promise<Server> {
  return startIn(['serve', ...args], folder, circumstances);
}

/** The same for any command that serves. */
export async function startIn(args: readonly string[], folder: string, circumstances: Circumstances): Promise<Server> {
  const { child, output, ended } = launch(args, folder, circumstances);
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = output.stdout.split('\n').find((text) => pattern.test(text));
        if (match === undefined) return;
        child.stdout.off('data', look);
        resolve(match);
      };
      child.stdout.on('data', look);
      look();
      void ended.then(({ stdout, stderr }) => reject(new Error(`ended: ${stdout}${stderr}`)));
    });
  const first = await line(/^Punchboard listens on http:\/\/\S+$/);
  const end: Server['end'] = (signal = 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };
  return { address: first.replace('Punchboard listens on ', ''), process: child, ended, end, line };
}
