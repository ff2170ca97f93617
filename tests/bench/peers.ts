// The servers of `peers/`, whose packages are installed into a cache the first time the benchmark runs.

import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ROOT } from '../support/paths.js';

const SOURCE = join(ROOT, 'tests', 'bench', 'peers');
/** Milliseconds. */
const PATIENCE = 300_000;

/** @returns the folder with the peers and their packages; throws an Error if these cannot be installed */
export function installPeers(): string {
  const files = ['package-lock.json', 'schema.prisma'].map((name) => readFileSync(join(SOURCE, name), 'utf8'));
  const folder = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    ...['punchboard', `peers-${hash('sha256', files.join(''), 'hex').slice(0, 16)}`],
  );
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    cpSync(SOURCE, fresh, { recursive: true });
    run(fresh, 'npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts']);
    // All servers use the project's own driver; the installed one was not compiled.
    rmSync(join(fresh, 'node_modules', 'better-sqlite3'), { recursive: true, force: true });
    run(fresh, join('node_modules', '.bin', 'prisma'), ['generate']);
    renameSync(fresh, folder);
  }
  // The servers may have been edited since.
  cpSync(SOURCE, folder, { recursive: true });
  return folder;
}

function run(cwd: string, command: string, args: readonly string[]): void {
  // Prisma would download a program that only migrations need; it accepts any other program in its place.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const { status, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: PATIENCE });
  if (status !== 0) throw new Error(`the peers cannot be installed: ${stderr}`);
}

/** The environment of the servers: packages that this project has too are taken from it. */
export const PEER_ENV = { NODE_PATH: join(ROOT, 'node_modules') };

const PACKAGES = ['fastify', 'express', 'drizzle-orm', '@prisma/client', 'json-server', 'better-sqlite3'];

/** Names and versions, such as `fastify 5.12.8, express 5.3.0`. */
export function versionsOf(peers: string): string {
  const packages = PACKAGES.map((name) => {
    const places = [peers, ROOT].map((folder) => join(folder, 'node_modules', name, 'package.json'));
    const file = places.find(existsSync) ?? '';
    return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
  });
  const db = new Database(':memory:');
  const sqlite = db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
  db.close();
  return [...packages, `SQLite ${sqlite}`].join(', ');
}
