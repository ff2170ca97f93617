// The code blocks of the module's README, as programs that run.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

const README = readFileSync(join(ROOT, 'runtime', 'webhooks', 'README.md'), 'utf8');

/** The only block of that language. */
export function snippet(language: 'ts' | 'python' | 'js' | 'py'): string {
  const [block, ...more] = snippets(language);
  if (block === undefined || more.length > 0) throw new Error(`there must be one ${language} block`);
  return block;
}

/** The blocks of that language, in their order. */
export function snippets(language: string): readonly string[] {
  const blocks = README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, block]) => block ?? '');
}

export function readme(): string {
  return README;
}

/** Whether a program can be run here. */
export function has(program: string): boolean {
  return spawnSync(program, ['--help']).error === undefined;
}

/** Writes a program to the folder. Returns the command that runs it. */
export type Program = (folder: string) => readonly [command: string, ...args: string[]];

export const python: Program = (folder) => {
  const path = join(folder, 'receiver.py');
  writeFileSync(path, snippet('python'));
  return ['python3', path];
};

/** Compiled as in a project that has this package as a dependency: a type error fails it. */
export const typescript: Program = (folder) => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'punchboard'));
  writeFileSync(join(folder, 'receiver.ts'), snippet('ts'));
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  const output = ['--outDir', join(folder, 'out'), '--rootDir', '/'];
  const modules = ['--module', 'nodenext', '--target', 'es2022', '--strict'];
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  execFileSync(compiler, [...modules, ...types, ...output, 'receiver.ts'], { cwd: folder, stdio: 'pipe' });
  return [process.execPath, join(folder, 'out', folder, 'receiver.js')];
};

export const standardPython: Program = (folder) => {
  const path = join(folder, 'standard.py');
  writeFileSync(path, snippet('py'));
  return ['python3', path];
};

export const standardLibrary: Program = (folder) => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, 'standard.mjs');
  writeFileSync(path, snippet('js'));
  return [process.execPath, path];
};

export interface RunningReceiver {
  readonly address: string;
  /** Resolves with that line of its output, from 0. */
  line(index: number): Promise<string>;
  stop(): Promise<void>;
}

/** Resolves when the receiver accepts connections. */
export async function runReceiver(program: Program, folder: string, key: string): Promise<RunningReceiver> {
  const [command, ...args] = program(folder);
  const port = await freePort();
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, PRIVATE_KEY: key, SECRET: key, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = readLines(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await connects(port))) if (child.exitCode !== null) throw new Error(`the receiver ended: ${stderr}`);
  return {
    address: `http://127.0.0.1:${port}`,
    line: lines,
    stop: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

function readLines(child: ChildProcess): (index: number) => Promise<string> {
  let text = '';
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (const check of waiting) check();
  });
  return (index) =>
    new Promise((resolve) => {
      const check = (): void => {
        const complete = text.split('\n').slice(0, -1);
        if (complete[index] !== undefined) resolve(complete[index]);
      };
      waiting.add(check);
      check();
    });
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
