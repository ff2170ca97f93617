// Permissions of what the service stores (D66): only its own account may read it, whatever the umask of the process, or with
// `--file-mode 0640` the group too.

import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { isFolder } from '../files/files-place.js';
import { isServerUrl } from '../store/database-url.js';

/** The permissions that neither files nor folders may have, by the mode of files. */
const DENIED: Readonly<Record<string, number>> = { '0600': 0o077, '0640': 0o027 };
const OWNER_ALONE = '0600';

/** The modes that can be chosen, the default first. */
export const FILE_MODES: readonly string[] = Object.keys(DENIED);

/**
 * Every file and folder that a command of this program creates, or that SQLite and child processes create for it, has the mode
 * of its option.
 */
export function restrictNewFiles(program: Command): void {
  program.hook('preAction', (_program, command) => {
    process.umask(deniedBy(command.getOptionValue('fileMode')));
  });
}

function deniedBy(mode: string | undefined): number {
  return DENIED[mode ?? OWNER_ALONE] ?? 0o077;
}

export interface StoredPlaces {
  readonly database: string;
  readonly files: string;
  readonly backups: string | undefined;
  /** Where mail is saved as files. */
  readonly mails: string;
  readonly fileMode: string | undefined;
}

/**
 * Takes from existing files the permissions that new files do not have: earlier versions left them to the umask.
 * @returns a line about it; null: nothing had to be changed
 */
export function narrowStored(places: StoredPlaces): string | null {
  const denied = deniedBy(places.fileMode);
  const narrowed = storedIn(places).filter((path) => narrow(path, denied));
  const [first, ...others] = narrowed;
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `Others on this machine could read ${first}${more}: the permissions are narrowed now (--file-mode)`;
}

/** The files of the database, and folders that hold nothing but what the service has stored there. */
function storedIn({ database, files, backups, mails }: StoredPlaces): readonly string[] {
  const ofDatabase = isServerUrl(database) ? [] : DATABASE_FILES.map((end) => database + end);
  const ofFiles = isFolder(files) ? uploadFolders(files) : [];
  const ofMails = mailFiles(mails);
  const ofBackups = backups === undefined ? [] : namesIn(backups).map((name) => join(backups, name));
  return [
    ...ofDatabase,
    ...ofFiles,
    ...ofMails,
    ...ofBackups.filter((path) => namesIn(path).includes('manifest.json')),
  ];
}

const DATABASE_FILES = ['', '-wal', '-shm', '-journal', '-server'];
/** What a folder of uploads holds: a folder for each beginning of a hash, and the temporary folders. */
const UPLOADS = /^([0-9a-f]{2}|tmp|trash)$/;

/** The whole folder, unless it also holds something else. */
function uploadFolders(folder: string): readonly string[] {
  const names = namesIn(folder);
  const ours = names.filter((name) => UPLOADS.test(name));
  if (!ours.includes('tmp')) return [];
  return ours.length === names.length ? [folder] : ours.map((name) => join(folder, name));
}

/** The same for saved mails: they hold names and addresses. */
function mailFiles(folder: string): readonly string[] {
  const names = namesIn(folder);
  const ours = names.filter((name) => MAILS.test(name));
  const paths = ours.map((name) => join(folder, name));
  return ours.length > 0 && ours.length === names.length ? [folder, ...paths] : paths;
}

const MAILS = /\.eml(\.part)?$/;

function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

/** Ignores files of other users. @returns whether it had to be changed */
function narrow(path: string, denied: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & denied) === 0 || stats.uid !== process.geteuid?.()) return false;
  chmodSync(resolve(path), stats.mode & 0o7777 & ~denied);
  return true;
}
