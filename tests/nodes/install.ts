// A Node of another major version, and the driver built for it, from the package registry into a cache: `npm run nodes`.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

export interface InstalledNode {
  readonly version: string;
  /** The program. */
  readonly node: string;
  /** Folder of better-sqlite3, built for it. */
  readonly driver: string;
}

/** Longest time that an install may take. */
const PATIENCE = 600_000;
const PLATFORM = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @returns the newest of a major version, from the cache or installed there; or why it cannot be had */
export function installNode(major: number): InstalledNode | { readonly reason: string } {
  const driverVersion = versionOf(join(ROOT, 'node_modules', 'better-sqlite3'));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'punchboard', `node-${major}-${process.arch}-sqlite-${driverVersion}`);
  if (!existsSync(folder)) {
    const reason = install(`${folder}.${process.pid}`, major, driverVersion);
    if (reason !== undefined) return { reason };
    renameSync(`${folder}.${process.pid}`, folder);
  }
  const home = join(folder, 'node_modules', PLATFORM);
  return {
    version: versionOf(home),
    node: join(home, 'bin', 'node'),
    driver: join(folder, 'node_modules', 'better-sqlite3'),
  };
}

/** @returns why not; undefined when both are there */
function install(folder: string, major: number, driverVersion: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const home = join(folder, 'node_modules', PLATFORM);
  // The package of the program brings the headers that the driver is compiled with where no build of it can be fetched.
  const env = { ...process.env, PATH: `${join(home, 'bin')}:${process.env.PATH}`, npm_config_nodedir: home };
  const failed =
    npm(folder, [`${PLATFORM}@${major}`], process.env) ?? npm(folder, [`better-sqlite3@${driverVersion}`], env);
  if (failed !== undefined) rmSync(folder, { recursive: true, force: true });
  return failed;
}

function npm(folder: string, packages: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8', timeout: PATIENCE });
  if (status === 0) return undefined;
  const said = `${error?.message ?? ''}${stderr}`.trim().split('\n');
  return `npm install ${packages.join(' ')}: ${said.at(0) ?? `ended with ${status}`}`;
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
