// `npm run readme`: runs every command of the README, as printed, in a fresh clone. The project is cloned as committed, so that
// what works here works for everyone who clones it. The short form copies what is installed and compiled here instead of
// running `npm ci`, which CI has just done; the compiler recompiles only what differs.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { count } from '../support/counts.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { difference, type Step, steps } from './console.js';

const LONG = count(0, 1) === 1;

async function main(): Promise<void> {
  const place = temporaryFolder('readme');
  const folder = join(place, 'punchboard');
  spawnSync('git', ['clone', '--quiet', ROOT, folder], { stdio: 'inherit' });
  const [port, callbacks] = [await freePort(), await freePort()];
  const shell = new Shell(folder, port);
  const all = steps(readFileSync(join(folder, 'README.md'), 'utf8'));
  let failures = 0;
  for (const step of all) {
    const begun = Date.now();
    const wrong = await shell.run(withPorts(step, port, callbacks));
    if (wrong !== null) failures++;
    const seconds = Math.round((Date.now() - begun) / 1000);
    process.stdout.write(
      `${wrong === null ? 'ok  ' : 'FAIL'} ${seconds} s  ${step.command.split('\n')[0]}\n${wrong === null ? '' : `${wrong}\n`}`,
    );
  }
  const wrong = await shell.heard();
  if (wrong !== null) failures++;
  process.stdout.write(`${wrong === null ? 'ok   what listen showed' : `FAIL listen\n${wrong}`}\n`);
  await shell.end();
  rmSync(place, { recursive: true, force: true });
  process.stdout.write(`${all.length - failures} passed, ${failures} failed\n`);
  process.exitCode = failures === 0 && all.length > 0 ? 0 : 1;
}

/** Replaces the ports that the README names, since they may be in use. */
function withPorts({ command, expected }: Step, port: number, callbacks: number): Step {
  const replace = (text: string): string =>
    text
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${callbacks}`)
      .replace('punchboard listen', `punchboard listen --port ${callbacks}`);
  return { command: replace(command), expected: expected.map(replace) };
}

/** One bash for all commands, as a person uses one terminal, with a second one for the server and a third one for `listen`. */
class Shell {
  private variables = '';
  private server: ChildProcess | null = null;
  private listener: { readonly ended: Promise<string>; readonly expected: readonly string[] } | null = null;

  constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** @returns null if it went as the README says, otherwise the difference */
  async run({ command, expected }: Step): Promise<string | null> {
    if (command.startsWith('npm start')) return this.serve(command, expected);
    if (command.startsWith('npx punchboard listen')) return this.listen(command, expected);
    if (/^\w+\(\) \{/.test(command)) {
      this.variables += `\n${command}`;
      return null;
    }
    if (command.startsWith('npm ci') && !LONG) return this.install();
    const assigned = /^([A-Z]+)=/.exec(command)?.[1];
    const script = `${this.variables}\n${command}\n${assigned ? `echo "$${assigned}"` : ''}`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: this.folder,
      encoding: 'utf8',
      env: this.environment(),
    });
    if (assigned) {
      this.variables += `\n${assigned}='${stdout.trim()}'`;
      return /^\S{20,}$/.test(stdout.trim()) ? null : `${assigned} is no id: ${stdout}${stderr}`;
    }
    // Messages of npm about itself are not part of the README.
    if (command.startsWith('npm ci')) return stderr.includes('npm error') ? stderr : null;
    return difference(expected, `${stdout}${command.includes(' gen') ? stderr.replace(/^npm warn.*\n/gm, '') : ''}`);
  }

  /**
   * Copies the packages installed here, as links where possible, and the compiled files; then runs the scripts that `npm ci`
   * runs after an installation.
   */
  private install(): string | null {
    const [packages, compiled] = [join(ROOT, 'node_modules'), join(ROOT, 'dist')];
    if (spawnSync('cp', ['-al', packages, this.folder]).status !== 0) spawnSync('cp', ['-a', packages, this.folder]);
    // A suite may delete a folder of its own meanwhile.
    if (spawnSync('cp', ['-a', compiled, this.folder]).status !== 0)
      rmSync(join(this.folder, 'dist'), { recursive: true });
    const built = spawnSync('npm', ['run', 'prepare'], { cwd: this.folder, encoding: 'utf8', env: this.environment() });
    return built.status === 0 ? null : `${built.stdout}${built.stderr}`;
  }

  private async serve(command: string, expected: readonly string[]): Promise<string | null> {
    await this.end();
    // The group lets npm and the server below it be stopped together.
    const server = spawn('bash', ['-c', command], { cwd: this.folder, env: this.environment(), detached: true });
    this.server = server;
    let output = '';
    return new Promise((resolve) => {
      server.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('>'));
        if (lines.length >= expected.length) resolve(difference(expected, lines.join('\n')));
      });
      server.once('close', () => {
        this.server = null;
        resolve(`the server ended: ${output}`);
      });
    });
  }

  /** The output of `listen` is complete only after later commands have caused the callbacks. */
  private listen(command: string, expected: readonly string[]): Promise<string | null> {
    const script = `${this.variables}\n${command}`;
    const child = spawn('timeout', ['60', 'bash', '-c', script], { cwd: this.folder, env: this.environment() });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise<string>((resolve) => child.once('close', () => resolve(output)));
    this.listener = { ended, expected };
    const begun = new Promise<null>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        resolve(null);
      });
    });
    return Promise.race([begun, ended]);
  }

  /** @returns null if `listen` showed what the README shows, otherwise the difference */
  async heard(): Promise<string | null> {
    return this.listener === null ? 'nothing listened' : difference(this.listener.expected, await this.listener.ended);
  }

  /** Stops the server as an operator would. */
  async end(): Promise<void> {
    const server = this.server;
    this.server = null;
    if (server?.pid === undefined) return;
    const closed = new Promise((resolve) => server.once('close', resolve));
    process.kill(-server.pid, 'SIGTERM');
    await closed;
  }

  private environment(): Record<string, string> {
    const { PUNCHBOARD_BUILT: _, ...given } = process.env as Record<string, string>;
    return { ...given, PORT: String(this.port), LOG_LEVEL: 'silent' };
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

void main();
