// Runs the programs that package.json beside this file pins; they are installed into a cache for this purpose.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached, npm } from '../support/packages.js';
import { ROOT } from '../support/paths.js';

const HERE = join(ROOT, 'tests', 'generators');
const FILES = ['package.json', 'package-lock.json'];

/** @returns the folder with their `node_modules`; throws if they cannot be installed */
export function installTools(): string {
  const lock = createHash('sha256')
    .update(readFileSync(join(HERE, 'package-lock.json')))
    .digest('hex');
  const tools = cached(`generators-${lock.slice(0, 12)}`, (folder) => {
    for (const file of FILES) copyFileSync(join(HERE, file), join(folder, file));
    return npm(folder, ['ci', '--ignore-scripts']);
  });
  if ('reason' in tools) throw new Error(tools.reason);
  return tools.folder;
}

export interface Program {
  /** The folder that contains its node_modules. */
  readonly home: string;
  /** The name of the program and its first arguments. */
  readonly command: readonly string[];
}

/** Runs a program to its end, and throws its output if it fails. */
export async function run({ home, command }: Program, folder: string, ...more: readonly string[]): Promise<string> {
  const [name = '', ...args] = command;
  const path = join(home, 'node_modules', '.bin', name);
  const env = { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    const { stdout } = await promisify(execFile)(path, [...args, ...more], { cwd: folder, env, maxBuffer: 2 ** 27 });
    return stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error([message.split('\n')[0], stdout, stderr].join('\n').slice(0, 4000));
  }
}
