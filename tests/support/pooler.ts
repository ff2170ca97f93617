// A pgbouncer in front of a test's PostgreSQL server, if the system has one (`apt-get install pgbouncer`).

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = '/usr/sbin/pgbouncer';
/** The pooler refuses to run as root. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** False if pgbouncer is not installed. */
export const hasPooler = existsSync(PROGRAM);

export interface Pooler {
  /** The URL of the same database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** @param url of a database on a unix socket @param mode of the pool: session or transaction */
export async function startPooler(url: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const host = /@([^/]*)/.exec(url)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'punchboard-pooler-'));
  chmodSync(folder, 0o777);
  const settings = [
    '[databases]',
    `* = host=${decodeURIComponent(host)} user=postgres`,
    '[pgbouncer]',
    `unix_socket_dir = ${folder}`,
    ...['listen_port = 5432', 'auth_type = any', `pool_mode = ${mode}`, 'default_pool_size = 60'],
  ];
  const file = join(folder, 'settings');
  writeFileSync(file, `${settings.join('\n')}\n`);
  // The pooler, which may run under another account, can read the file whatever the umask is.
  chmodSync(file, 0o644);
  const child = spawn(PROGRAM, [file], { ...ACCOUNT, stdio: ['ignore', 'ignore', 'pipe'] });
  await ready(child);
  return {
    url: url.replace(host, encodeURIComponent(folder)),
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${log}`)));
    child.stderr?.on('data', (chunk) => {
      log += String(chunk);
      if (log.includes('process up')) resolve();
    });
  });
}
