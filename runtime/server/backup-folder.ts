// The folder of the operators' backups: lists it, and runs `punchboard backup` as a child process, one at a time.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import type { BackupsPage, ListedBackup, MakingBackup } from '../admin/console/pages/backups.js';
import { ServiceError } from '../contract/errors.js';
import { metricOf } from '../http/metric.js';
import { manifestPath, readManifest } from './backup-manifest.js';

export interface BackupFolder {
  /** Where backups are written; created if missing. */
  readonly folder: string;
  /** The program `punchboard` with the arguments that precede a command. */
  readonly program: readonly string[];
  /** Mode of their files; that of the command by default. */
  readonly fileMode?: string | undefined;
}

/** What is backed up, and where to. */
export interface BackupSource extends BackupFolder {
  readonly database: string;
  readonly files: string;
  readonly generated: string | null;
}

export interface Backups extends BackupsPage {
  /** Registers the metric of the newest backup. */
  register(registry: Registry): void;
  /** Ends a backup that is under way, and leaves nothing of it. */
  stop(): Promise<void>;
}

export function createBackups(of: BackupSource): Backups {
  let last: { readonly making: MakingBackup; readonly child: ChildProcess } | null = null;
  return {
    folder: of.folder,
    list: () =>
      backupsIn(of.folder)
        .flatMap((name) => listed(of.folder, name))
        .sort(byTime),
    last: () => last?.making ?? null,
    start(now) {
      if (last?.making.code === null) throw new ServiceError('conflict', 'A backup is under way.');
      const name = new Date(now)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
        .replaceAll(':', '-');
      const child = run(of, name);
      const making = { name, started: now, lines: [] as string[], progress: null, code: null as number | null };
      const log = (text: unknown): void => void making.lines.push(...String(text).trimEnd().split('\n'));
      child.stdout?.on('data', log);
      child.stderr?.on('data', log);
      child.on('message', (progress) => Object.assign(making, { progress }));
      child.once('error', log);
      child.once('close', (code) => Object.assign(making, { code: code ?? 1 }));
      last = { making, child };
      return name;
    },
    register: metricOf(
      {
        name: 'backup_taken_timestamp_seconds',
        help: 'The moment whose state the newest backup in the folder of --backups holds; 0 if there are none.',
      },
      newestOf(of.folder),
    ),
    async stop() {
      if (last === null || last.making.code !== null) return;
      const closed = once(last.child, 'close');
      last.child.kill('SIGKILL');
      await closed;
      rmSync(join(of.folder, `${last.making.name}.part`), { recursive: true, force: true });
    },
  };
}

function run(source: BackupSource, name: string): ChildProcess {
  const { folder, program, database, files, generated, fileMode } = source;
  const [node = '', ...script] = program;
  const places = ['--database', database, '--files', files, ...(generated === null ? [] : ['--generated', generated])];
  const mode = fileMode === undefined ? [] : ['--file-mode', fileMode];
  return spawn(node, [...script, 'backup', join(folder, name), ...places, ...mode], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function listed(folder: string, name: string): readonly ListedBackup[] {
  const path = join(folder, name);
  const manifest = readable(() => readManifest(path));
  if (manifest === null) return [];
  const { taken, files, missing, database } = manifest;
  return [{ name, path, taken: Date.parse(taken), files: files.length - missing.length, bytes: database.bytes }];
}

/** @returns when the newest backup was taken, in epoch seconds; its manifest, which lists all files, is read only once */
function newestOf(folder: string): () => number {
  let known = { key: '', taken: 0 };
  return () => {
    const written = (readable(() => backupsIn(folder)) ?? []).map((name) => ({
      name,
      at: writtenAt(join(folder, name)),
    }));
    const { name, at } = written.reduce((one, other) => (other.at > one.at ? other : one), { name: '', at: 0 });
    const key = `${name} ${at}`;
    if (key !== known.key) {
      const manifest = at === 0 ? null : readable(() => readManifest(join(folder, name)));
      known = { key, taken: manifest === null ? 0 : Date.parse(manifest.taken) / 1000 };
    }
    return known.taken;
  };
}

function backupsIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** When the backup was completed, in epoch milliseconds; 0 if the folder holds no backup, or an unfinished one. */
function writtenAt(backup: string): number {
  if (backup.endsWith('.part')) return 0;
  return readable(() => statSync(manifestPath(backup), { throwIfNoEntry: false }))?.mtimeMs ?? 0;
}

/** Null for anything that cannot be read: a plain file in the folder, or a backup of another user, counts as no backup. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function byTime(one: ListedBackup, other: ListedBackup): number {
  return other.taken - one.taken;
}
