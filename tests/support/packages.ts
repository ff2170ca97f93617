// Packages that a single check needs, installed from the registry into a cache for later runs.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The most milliseconds that an install may take. */
const PATIENCE = 600_000;

/**
 * @param name names the content; different content needs another name
 * @param fill installs into an empty folder and returns the error, or undefined if there was none
 * @returns the folder, filled by this run or an earlier one
 */
export function cached(
  name: string,
  fill: (folder: string) => string | undefined,
): { readonly folder: string } | { readonly reason: string } {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'punchboard', name);
  if (existsSync(folder)) return { folder };
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const reason = fill(partial);
  if (reason === undefined) {
    renameSync(partial, folder);
    return { folder };
  }
  rmSync(partial, { recursive: true, force: true });
  return { reason };
}

/** Runs npm in a folder. @returns why it failed; undefined if it did not */
export function npm(folder: string, command: readonly string[], env = process.env): string | undefined {
  const args = [...command, '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8', timeout: PATIENCE });
  if (status === 0) return undefined;
  const lines = `${error?.message ?? ''}${stderr}`.trim().split('\n');
  return `npm ${command.join(' ')}: ${lines.at(0) ?? `ended with ${status}`}`;
}
