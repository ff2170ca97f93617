// The servers of `peers/`, whose packages are installed into a cache the first time the benchmark runs.

import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

const SOURCE = join(ROOT, 'tests', 'bench', 'peers');
/** Milliseconds. */
const PATIENCE = 300_000;

/** @returns the folder with the peers and their packages; throws an Error if these cannot be installed */
export function installPeers(): string {
  const lock = hash('sha256', readFileSync(join(SOURCE, 'package-lock.json')), 'hex').slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'punchboard', `peers-${lock}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    cpSync(SOURCE, fresh, { recursive: true });
    const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
    const { status, stderr } = spawnSync('npm', args, { cwd: fresh, encoding: 'utf8', timeout: PATIENCE });
    if (status !== 0) throw new Error(`the peers cannot be installed: ${stderr}`);
    renameSync(fresh, folder);
  }
  // They may have been edited since.
  cpSync(SOURCE, folder, { recursive: true });
  return folder;
}

/** What they need of the environment: packages that this project has too are its own. */
export const PEER_ENV = { NODE_PATH: join(ROOT, 'node_modules') };
