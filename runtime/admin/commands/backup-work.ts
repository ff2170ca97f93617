// Carries out `punchboard backup` and `punchboard restore`. A backup is a folder with the database, the files that its records
// hold, and a manifest that lists them.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../contract/command-error.js';
import type { BlobStore } from '../../files/blob-store.js';
import { copyFile } from '../../files/copy-files.js';
import { openBlobStore } from '../../files/open-store.js';
import type { Clock } from '../../http/exchange.js';
import {
  FORMAT,
  isPlainFile,
  type Manifest,
  manifestPath,
  readManifest,
  writeManifest,
} from '../../server/backup-manifest.js';
import { loadGenerated } from '../../server/load-generated.js';
import { isServerUrl } from '../../store/database-url.js';
import { commandsOnFile } from '../../store/open-engine.js';
import { type Progress, withProgress } from '../../store/progress.js';
import { type Format, formatOutput, refuseMissing } from './command.js';

export interface BackupOptions {
  /** Path of the database file. */
  readonly database: string;
  /** Place of the files. */
  readonly files: string;
  readonly generated?: string;
  readonly format: Format;
}

const [DATABASE, FILES] = ['punchboard.db', 'files'];

/**
 * The backup holds the state of the moment at which the copy of the database begins: everything that was acknowledged before.
 * @returns what was backed up, in one line
 */
export async function backup(
  to: string,
  options: BackupOptions,
  { progress, clock }: { readonly progress: Progress; readonly clock: Clock },
): Promise<string> {
  const started = clock.tick();
  refuseServer(options.database, 'backup');
  refuseMissing(options.database);
  const target = resolve(to);
  if (existsSync(target))
    throw new CommandError(`${to} exists already: a backup overwrites nothing, so choose another name`);
  const part = `${target}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(join(part, FILES), { recursive: true });
  const taken = new Date(clock.now()).toISOString();
  try {
    const content = await copyInto(part, options, progress);
    writeManifest(part, { format: FORMAT, taken, ...content });
    renameSync(part, target);
    const result = { folder: to, ...summary({ taken, ...content }, clock.tick() - started) };
    return formatOutput(options.format, result, () => backupText(result, content.missing));
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

type Content = Pick<Manifest, 'database' | 'files' | 'missing'>;

function copyInto(part: string, options: BackupOptions, progress: Progress): Promise<Content> {
  const copy = join(part, DATABASE);
  const copied = commandsOnFile(copy);
  return commandsOnFile(options.database).snapshot(async (snapshot) => {
    const mebibytes = snapshot.bytes / 2 ** 20;
    await withProgress(progress, { label: 'MiB of the database', total: Math.ceil(mebibytes) }, () =>
      snapshot.copyTo(copy, (share) => progress.advance(Math.round(share * mebibytes))),
    );
    const files = copied.check(uploadsOf(options));
    const missing = await copyFiles(files, { from: options.files, to: join(part, FILES) }, progress);
    return { database: await copied.sum(), files, missing };
  });
}

/** @returns the hashes without bytes */
async function copyFiles(
  hashes: readonly string[],
  places: { readonly from: string; readonly to: string },
  progress: Progress,
): Promise<readonly string[]> {
  const missing: string[] = [];
  await withStores(places, (stores) =>
    withProgress(progress, { label: 'files', total: hashes.length }, () =>
      inTurns(hashes, async (hash) => {
        if (!(await copyFile(stores, hash))) missing.push(hash);
        progress.advance(1);
      }),
    ),
  );
  return missing.sort();
}

async function withStores<T>(
  { from, to }: { readonly from: string; readonly to: string },
  work: (stores: { readonly from: BlobStore; readonly to: BlobStore }) => Promise<T>,
): Promise<T> {
  const stores = { from: await openBlobStore(from), to: await openBlobStore(to) };
  try {
    return await work(stores);
  } finally {
    for (const store of [stores.from, stores.to]) store.close();
  }
}

/** Files that are copied concurrently, since each copy waits for the disk. */
const TOGETHER = 16;

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const turn = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: TOGETHER }, turn));
}

interface BackupSummary {
  /** The moment whose state the backup holds. */
  readonly taken: string;
  /** How many there are, and how many have no bytes. */
  readonly files: number;
  readonly missing: number;
  readonly seconds: number;
}

function summary(
  { taken, files, missing }: Pick<Manifest, 'taken' | 'files' | 'missing'>,
  milliseconds: number,
): BackupSummary {
  const seconds = Math.round(milliseconds / 100) / 10;
  return { taken, files: files.length - missing.length, missing: missing.length, seconds };
}

function backupText(
  { folder, ...done }: BackupSummary & { readonly folder: string },
  missing: readonly string[],
): string {
  const [first] = missing;
  const lost =
    first === undefined ? '' : `${missing.length} files have no bytes in the source either, such as ${first}.\n`;
  return `${lost}${folder} holds everything until ${done.taken}: ${wholeText(done)}`;
}

function wholeText({ files, seconds }: BackupSummary): string {
  return `the database and ${files} files, in ${seconds.toFixed(1)} s.\n`;
}

/**
 * Everything is verified before anything is written. The database comes last, so that a restored service is complete.
 * @returns what was restored, in one line
 */
export async function restore(
  from: string,
  options: BackupOptions,
  { progress, clock }: { readonly progress: Progress; readonly clock: Clock },
): Promise<string> {
  const started = clock.tick();
  const { database, files: filesPlace } = options;
  refuseServer(database, 'restore');
  if (existsSync(database)) {
    throw new CommandError(
      `${database} exists already: a restore overwrites nothing, so move it away or choose another with --database`,
    );
  }
  const uploads = uploadsOf(options);
  const manifest = manifestOf(from);
  const copy = `${resolve(database)}.restoring-${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  try {
    await verify(from, { manifest, copy, uploads, progress });
    await copyFiles(filesIn(manifest), { from: join(from, FILES), to: filesPlace }, progress);
    await giveName(copy, resolve(database));
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(copy + end, { force: true });
  }
  const result = { database, ...summary(manifest, clock.tick() - started) };
  return formatOutput(options.format, result, () => `Restored everything until ${result.taken}: ${wholeText(result)}`);
}

function manifestOf(from: string): Manifest {
  const path = manifestPath(from);
  if (!existsSync(path)) throw new CommandError(`${from} is not a backup: ${path} is missing`);
  const manifest = readManifest(from);
  if (manifest === null) throw damaged(path);
  if (manifest.format === FORMAT) return manifest;
  throw new CommandError(
    `${from} is a backup of format ${manifest.format}, and this version of Punchboard knows ${FORMAT}: restore it with the version that made it`,
  );
}

interface Verification {
  readonly manifest: Manifest;
  /** Where the database is copied to before it is checked; the copy is kept. */
  readonly copy: string;
  readonly uploads: readonly string[];
  readonly progress: Progress;
}

async function verify(from: string, { manifest, copy, uploads, progress }: Verification): Promise<void> {
  const path = join(from, DATABASE);
  if (!isPlainFile(path)) throw damaged(path);
  // `copyFile` would give the copy the mode of the backup, which others may be able to read.
  await pipeline(createReadStream(path), createWriteStream(copy));
  const copied = commandsOnFile(copy);
  const { bytes, sum } = await copied.sum();
  if (bytes !== manifest.database.bytes || sum !== manifest.database.sum) throw damaged(path);
  const listed = new Set(manifest.files);
  if (!copied.check(uploads).every((hash) => listed.has(hash))) throw damaged(manifestPath(from));
  if (!existsSync(join(from, FILES))) throw damaged(join(from, FILES));
  const store = await openBlobStore(join(from, FILES));
  try {
    const hashes = filesIn(manifest);
    await withProgress(progress, { label: 'files verified', total: hashes.length }, async () => {
      for (const hash of hashes) {
        if ((await hashIn(store, hash)) !== hash) throw damaged(`the file ${hash} in ${from}`);
        progress.advance(1);
      }
    });
  } finally {
    store.close();
  }
}

async function hashIn(store: BlobStore, hash: string): Promise<string | null> {
  const blob = await store.find(hash);
  if (blob === null) return null;
  const digest = createHash('sha256');
  for await (const chunk of await blob.read(null)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/** The files whose bytes are in the backup. */
function filesIn({ files, missing }: Manifest): readonly string[] {
  const lost = new Set(missing);
  return files.filter((hash) => !lost.has(hash));
}

/** Gives the complete copy its name in one step, and only if nothing else has taken that name by now. */
async function giveName(copy: string, database: string): Promise<void> {
  const handle = await open(copy, 'r+');
  await handle.sync();
  await handle.close();
  linkSync(copy, database);
}

function damaged(where: string): CommandError {
  return new CommandError(`the backup is damaged (${where}): nothing was restored`);
}

/** The resources whose records hold files. */
function uploadsOf({ generated }: BackupOptions): readonly string[] {
  const { definitions } = loadGenerated(generated ?? null).generated;
  return definitions.filter(({ upload }) => upload !== null).map(({ name }) => name);
}

/** A server's own tools do this better, and know its replicas. */
function refuseServer(database: string, command: 'backup' | 'restore'): void {
  if (!isServerUrl(database)) return;
  const [how, then] =
    command === 'backup'
      ? ['pg_dump --format=custom --file=punchboard.dump', 'then copy the files folder or bucket, in this order']
      : ['pg_restore --dbname=NEW_DATABASE punchboard.dump', 'after copying the files to where the server finds them'];
  throw new CommandError(`punchboard ${command} is for SQLite; on PostgreSQL use its own tools: ${how}, ${then}`);
}
