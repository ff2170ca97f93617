// Runs the real `punchboard` command and waits for what it says; nothing waits for time to pass.

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
  /** Resolves with the line that matches, once it is there. */
  line(pattern: RegExp): Promise<string>;
}

/** The process and its end, with all it wrote. */
function launch(args: readonly string[], folder: string, circumstances: Circumstances) {
  const { env = {}, input = '', program = [process.execPath, COMMAND] } = circumstances;
  const [file, ...first] = program;
  // A variable that whoever runs the tests has set must not reach the command.
  const clean = { PATH: process.env.PATH ?? '', ...env };
  const child = spawn(file, [...first, ...args], { cwd: folder, env: clean });
  // One that ends without reading it breaks the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ended = new Promise<CommandResult>((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  return { child, said, ended };
}

export interface Circumstances {
  /** Together with what finds programs, all that it sees of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What runs instead of this project's command on this Node. */
  readonly program?: readonly [string, ...string[]];
  /** What it reads on standard input. */
  readonly input?: string;
}

/** Names the project's own service where a command is told nothing else. */
export const OURS = { GENERATED: join(ROOT, 'generated') };

/** Runs a command to its end in the folder, where it finds its data without being told. */
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

/** Runs a command that is told nothing but this. */
export function runIn(
  args: readonly string[],
  folder: string,
  circumstances: Circumstances = {},
): Promise<CommandResult> {
  return launch(args, folder, circumstances).ended;
}

/** Resolves when it listens, rejects with what it said when it ends before. */
export async function serve(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return serveIn(args, folder, { env: { ...HERE, ...env } });
}

/** The same of a command that is told nothing but this. */
export function serveIn(args: readonly string[], folder: string, circumstances: Circumstances): Promise<Server> {
  return startIn(['serve', ...args], folder, circumstances);
}

/** The same of any command that serves. */
export async function startIn(args: readonly string[], folder: string, circumstances: Circumstances): Promise<Server> {
  const { child, said, ended } = launch(args, folder, circumstances);
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = said.stdout.split('\n').find((one) => pattern.test(one));
        if (found === undefined) return;
        child.stdout.off('data', look);
        resolve(found);
      };
      child.stdout.on('data', look);
      look();
      void ended.then(({ stdout, stderr }) => reject(new Error(`ended: ${stdout}${stderr}`)));
    });
  const first = await line(/^Punchboard listens on http:\/\/\S+$/);
  return { address: first.replace('Punchboard listens on ', ''), process: child, ended, line };
}
