// The folder of the operators' backups: what is in it, and `punchboard backup` as a child process, one at a time.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupsPage, ListedBackup, MakingBackup } from '../admin/console/pages/backups.js';
import { ServiceError } from '../contract/errors.js';
import { readManifest } from './backup-manifest.js';

export interface BackupFolder {
  /** Where backups are made; created if missing. */
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
  /** Ends one that is under way, and leaves nothing of it. */
  stop(): Promise<void>;
}

export function createBackups(of: BackupSource): Backups {
  let last: { readonly making: MakingBackup; readonly child: ChildProcess } | null = null;
  return {
    folder: of.folder,
    list: () =>
      (existsSync(of.folder) ? readdirSync(of.folder).flatMap((name) => listed(of.folder, name)) : []).sort(byTime),
    last: () => last?.making ?? null,
    start(now) {
      if (last?.making.code === null) throw new ServiceError('conflict', 'A backup is under way.');
      const name = new Date(now)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
        .replaceAll(':', '-');
      const child = run(of, name);
      const making = { name, started: now, lines: [] as string[], code: null as number | null };
      const say = (text: unknown): void => void making.lines.push(...String(text).trimEnd().split('\n'));
      child.stdout?.on('data', say);
      child.stderr?.on('data', say);
      child.once('error', say);
      child.once('close', (code) => Object.assign(making, { code: code ?? 1 }));
      last = { making, child };
      return name;
    },
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
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function listed(folder: string, name: string): readonly ListedBackup[] {
  const path = join(folder, name);
  const manifest = readManifest(path);
  if (manifest === null) return [];
  const { taken, files, missing, database } = manifest;
  return [{ name, path, taken: Date.parse(taken), files: files.length - missing.length, bytes: database.bytes }];
}

function byTime(one: ListedBackup, other: ListedBackup): number {
  return other.taken - one.taken;
}
