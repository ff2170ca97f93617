// What `punchboard backup` and `punchboard restore` do: a folder with the database, the files that its records hold, and a
// manifest that says what must be there.

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
import type { DatabaseCopy } from '../../store/backup.js';
import { isServerUrl } from '../../store/database-url.js';
import { backupParts } from '../../store/open-engine.js';
import { type Progress, showing } from '../../store/progress.js';
import { type Format, printed, refuseMissing } from './command.js';

export interface BackupOptions {
  /** Path of the database file. */
  readonly database: string;
  /** Place of the files. */
  readonly files: string;
  readonly generated?: string;
  readonly format: Format;
}

const [DATABASE, FILES] = ['punchboard.db', 'files'];

/** Rounds in which the copy catches up before others have to wait, and bytes and files below which they hardly do. */
const ROUNDS = 20;
const LITTLE = 1024 * 1024;
const FEW = 50;

/**
 * Everything that was acknowledged before it prints its last line is in the backup: until then nobody can write.
 * @param print called with that line
 */
export async function backup(
  to: string,
  options: BackupOptions,
  {
    progress,
    clock,
    print,
  }: { readonly progress: Progress; readonly clock: Clock; readonly print: (line: string) => void },
): Promise<void> {
  const started = clock.tick();
  refuseServer(options.database, 'backup');
  refuseMissing(options.database);
  const target = resolve(to);
  if (existsSync(target))
    throw new CommandError(`${to} exists already: a backup overwrites nothing, so choose another name`);
  const uploads = uploadsOf(options);
  const part = `${target}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(join(part, FILES), { recursive: true });
  const [from, into] = [await openBlobStore(options.files), await openBlobStore(join(part, FILES))];
  const source = { file: options.database, to: join(part, DATABASE), uploads };
  try {
    await backupParts().withSqliteBackup(source, async (copy) => {
      const files = createFileCopies({ from, to: into }, progress);
      await copyDatabase(copy, progress);
      copy.check();
      for (let round = 0; round < ROUNDS; round++) {
        const added = await files.copy(copy.hashes());
        if ((await copy.catchUp()) < LITTLE && added < FEW) break;
      }
      await copy.sum();
      await copy.alone(async () => {
        const taken = new Date(clock.now()).toISOString();
        await copy.catchUp();
        await files.copy(copy.hashes());
        const database = await copy.sum();
        writeManifest(part, { format: FORMAT, taken, database, ...files.all() });
        rmSync(join(part, FILES, 'incoming'), { recursive: true, force: true });
        renameSync(part, target);
        const done = { folder: to, ...summary({ taken, ...files.all() }, clock.tick() - started) };
        print(printed(options.format, done, () => backupText(done, files.all().missing)));
      });
    });
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  } finally {
    for (const store of [from, into]) store.close();
  }
}

async function copyDatabase(copy: DatabaseCopy, progress: Progress): Promise<void> {
  const mebibytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  await showing(progress, { what: 'MiB of the database', total: mebibytes(await copy.bytes()) }, async () => {
    await copy.copyFile((bytes) => progress.advance(mebibytes(bytes)));
    await copy.catchUp();
  });
}

/** Copies the bytes of files, each once. */
function createFileCopies(stores: { readonly from: BlobStore; readonly to: BlobStore }, progress: Progress) {
  const done = new Set<string>();
  const missing = new Set<string>();
  return {
    /** @returns how many were new */
    async copy(hashes: readonly string[]): Promise<number> {
      const added = hashes.filter((hash) => !done.has(hash));
      if (added.length === 0) return 0;
      await showing(progress, { what: 'files', total: added.length }, async () => {
        await inTurns(added, async (hash) => {
          if (!(await copyFile(stores, hash))) missing.add(hash);
          done.add(hash);
          progress.advance(1);
        });
      });
      return added.length;
    },
    all: () => ({ files: [...done].sort(), missing: [...missing].sort() }),
  };
}

/** Files that are copied together: each waits for the disk. */
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
    const stores = { from: await openBlobStore(join(from, FILES)), to: await openBlobStore(filesPlace) };
    try {
      await copyListed(manifest, stores, progress);
    } finally {
      for (const store of [stores.from, stores.to]) store.close();
    }
    await giveName(copy, resolve(database));
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(copy + end, { force: true });
  }
  const done = { database, ...summary(manifest, clock.tick() - started) };
  return printed(options.format, done, () => `Restored everything until ${done.taken}: ${wholeText(done)}`);
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
  /** Where the database is copied to, and stays. */
  readonly copy: string;
  readonly uploads: readonly string[];
  readonly progress: Progress;
}

async function verify(from: string, { manifest, copy, uploads, progress }: Verification): Promise<void> {
  const { sumOfFile, check, hashesOf } = backupParts();
  const path = join(from, DATABASE);
  if (!isPlainFile(path)) throw damaged(path);
  // Not with `copyFile`, which gives the copy the mode of a backup that others may read.
  await pipeline(createReadStream(path), createWriteStream(copy));
  const { bytes, sum } = await sumOfFile(copy);
  if (bytes !== manifest.database.bytes || sum !== manifest.database.sum) throw damaged(path);
  check(copy);
  const listed = new Set(manifest.files);
  if (!hashesOf(copy, uploads).every((hash) => listed.has(hash))) throw damaged(manifestPath(from));
  if (!existsSync(join(from, FILES))) throw damaged(join(from, FILES));
  const store = await openBlobStore(join(from, FILES));
  try {
    const there = filesIn(manifest);
    await showing(progress, { what: 'files verified', total: there.length }, async () => {
      for (const hash of there) {
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

/** Those whose bytes are in the backup. */
function filesIn({ files, missing }: Manifest): readonly string[] {
  const lost = new Set(missing);
  return files.filter((hash) => !lost.has(hash));
}

async function copyListed(
  manifest: Manifest,
  stores: { readonly from: BlobStore; readonly to: BlobStore },
  progress: Progress,
): Promise<void> {
  const there = filesIn(manifest);
  await showing(progress, { what: 'files', total: there.length }, async () => {
    await inTurns(there, async (hash) => {
      await copyFile(stores, hash);
      progress.advance(1);
    });
  });
}

/** Gives the complete copy its name in one step, and only if nothing else has that name by now. */
async function giveName(copy: string, database: string): Promise<void> {
  const handle = await open(copy, 'r+');
  await handle.sync();
  await handle.close();
  linkSync(copy, database);
}

function damaged(what: string): CommandError {
  return new CommandError(`the backup is damaged (${what}): nothing was restored`);
}

/** The resources whose records hold files. */
function uploadsOf({ generated }: BackupOptions): readonly string[] {
  const { definitions } = loadGenerated(generated ?? null).generated;
  return definitions.filter(({ upload }) => upload !== null).map(({ name }) => name);
}

/** Its own tools do it better, and know its replicas. */
function refuseServer(database: string, command: 'backup' | 'restore'): void {
  if (!isServerUrl(database)) return;
  const [how, then] =
    command === 'backup'
      ? ['pg_dump --format=custom --file=punchboard.dump', 'then copy the files folder or bucket, in this order']
      : ['pg_restore --dbname=NEW_DATABASE punchboard.dump', 'after copying the files to where the server finds them'];
  throw new CommandError(`punchboard ${command} is for SQLite; on PostgreSQL use its own tools: ${how}, ${then}`);
}
