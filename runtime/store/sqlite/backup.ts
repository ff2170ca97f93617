// Copies a database while a server writes to it, up to the moment at which it is told to stop: the file as it is, then again
// and again what the write-ahead log has meanwhile, the last time while nobody can write.
//
// A connection that only reads keeps the log from being reset: what is copied of the file may be of any moment, and every page
// that has changed since is in the log. Descriptors of the database are closed last: closing one releases the locks of this
// process.

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { quoted } from '../../schema/sql-text.js';
import type { DatabaseCopy } from '../backup.js';
import { StartError } from '../start-error.js';
import { connectTo } from './driver.js';
import { BACKUP_KEY } from './file-index.js';
import { explained, openDatabase, openForReading } from './open.js';

/** Bytes that are read, written and hashed at a time. */
const CHUNK = 1024 * 1024;
/** Milliseconds for which the lease lasts that stops the sweep of files, and after which it is extended. */
const LEASE = 120_000;
const EXTENSION = 30_000;

/**
 * @param to path of a new file
 * @param uploads names of the tables whose records hold bytes of files
 */
export async function withSqliteBackup<T>(
  { file, to, uploads }: { readonly file: string; readonly to: string; readonly uploads: readonly string[] },
  work: (copy: DatabaseCopy) => Promise<T>,
): Promise<T> {
  const live = openDatabase(file, { owner: false });
  const pinned = openForReading(file);
  const stopLease = keepLease(live.db);
  const handles: FileHandle[] = [];
  const opened = async (path: string, flags: string): Promise<FileHandle> => {
    const handle = await open(path, flags);
    handles.push(handle);
    return handle;
  };
  try {
    pinned.db.exec('BEGIN');
    const size = Number(pinned.db.prepare('PRAGMA page_size').pluck().get());
    pinned.db.prepare('SELECT count(*) FROM sqlite_schema').get();
    const path = resolve(file);
    const target = await opened(to, 'wx+');
    const log = createLogReader(live.db, () => opened(`${path}-wal`, 'r'), { target, size });
    return await work({
      ...createSums(target, log.dirty),
      bytes: async () => (await (await opened(path, 'r')).stat()).size,
      copyFile: async (advance) => copyAll(await opened(path, 'r'), target, advance),
      catchUp: log.catchUp,
      check: () => check(to),
      hashes: () => hashesIn(live.db, uploads),
      alone: (last) => alone(file, last),
    });
  } catch (error) {
    throw explained(error, file);
  } finally {
    stopLease();
    pinned.close();
    live.close();
    for (const handle of handles) await handle.close();
  }
}

/** While it lasts, no server deletes bytes of files: those that the copy holds must be there until they are copied. */
function keepLease(db: Database.Database): () => void {
  const put = db.prepare(`INSERT OR REPLACE INTO _punchboard (key, value) VALUES ('${BACKUP_KEY}', ?)`);
  const extend = (): void => void put.run(String(Date.now() + LEASE));
  extend();
  const timer = setInterval(() => {
    try {
      extend();
    } catch {
      // The next one is in time.
    }
  }, EXTENSION);
  return () => clearInterval(timer);
}

async function copyAll(from: FileHandle, to: FileHandle, advance: (bytes: number) => void): Promise<void> {
  const buffer = Buffer.alloc(CHUNK);
  for (let at = 0; ; ) {
    const { bytesRead } = await from.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) return;
    await to.write(buffer, 0, bytesRead, at);
    at += bytesRead;
    advance(bytesRead);
  }
}

/** Bytes before the first frame of a log, and of a frame before its page. */
const LOG_HEAD = 32;
const FRAME_HEAD = 24;
const FRAMES = 256;

interface Applied {
  /** Head of the log, which says whether it was begun again. */
  readonly head: string;
  readonly frames: number;
}

function createLogReader(
  db: Database.Database,
  openLog: () => Promise<FileHandle>,
  { target, size }: { readonly target: FileHandle; readonly size: number },
) {
  const count = db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(PASSIVE)');
  const dirty = new Set<number>();
  let log: FileHandle | null = null;
  let applied: Applied = { head: '', frames: 0 };
  const headOf = async (from: FileHandle): Promise<string> => {
    const { buffer, bytesRead } = await from.read(Buffer.alloc(LOG_HEAD), 0, LOG_HEAD, 0);
    return buffer.toString('hex', 0, bytesRead);
  };
  const round = async (from: FileHandle): Promise<number | null> => {
    const head = await headOf(from);
    const committed = Math.max(0, count.get()?.log ?? 0);
    let at = head === applied.head ? applied.frames : 0;
    const first = at;
    let pages = 0;
    while (at < committed) {
      const frames = Math.min(FRAMES, committed - at);
      const read = await readFrames(from, at, { frames, size });
      // It was begun again meanwhile: what has been read is a mixture of two logs.
      if ((await headOf(from)) !== head) return null;
      pages = (await applyFrames(read, target, { size, dirty })) || pages;
      at += frames;
    }
    if (pages > 0) await target.truncate(pages * size);
    applied = { head, frames: committed };
    return committed - first;
  };
  return {
    dirty,
    async catchUp(): Promise<number> {
      log ??= await openLog();
      for (;;) {
        const frames = await round(log);
        if (frames !== null) return frames * size;
        applied = { head: '', frames: 0 };
      }
    },
  };
}

async function readFrames(
  from: FileHandle,
  at: number,
  { frames, size }: { readonly frames: number; readonly size: number },
): Promise<Buffer> {
  const length = frames * (FRAME_HEAD + size);
  const { buffer, bytesRead } = await from.read(Buffer.alloc(length), 0, length, LOG_HEAD + at * (FRAME_HEAD + size));
  if (bytesRead !== length) throw new StartError('the write-ahead log of the database was cut short: try again');
  return buffer;
}

/** @returns the pages of the database after the last transaction among them; 0: none ends there */
async function applyFrames(
  frames: Buffer,
  target: FileHandle,
  { size, dirty }: { readonly size: number; readonly dirty: Set<number> },
): Promise<number> {
  let pages = 0;
  for (let at = 0; at < frames.length; at += FRAME_HEAD + size) {
    const offset = (frames.readUInt32BE(at) - 1) * size;
    pages = frames.readUInt32BE(at + 4) || pages;
    await target.write(frames, at + FRAME_HEAD, size, offset);
    dirty.add(Math.floor(offset / CHUNK));
  }
  return pages;
}

/** Sums of parts, so that the last sum, for which others wait, only reads what has changed since the one before. */
function createSums(target: FileHandle, dirty: Set<number>): Pick<DatabaseCopy, 'sum'> {
  const sums: string[] = [];
  return {
    async sum() {
      const { size } = await target.stat();
      const parts = Math.ceil(size / CHUNK);
      sums.length = Math.min(sums.length, parts);
      // The last part may have been cut.
      for (const part of [...dirty, sums.length - 1]) if (part >= 0 && part < parts) delete sums[part];
      dirty.clear();
      for (let part = 0; part < parts; part++) sums[part] ??= await sumOfPart(target, part);
      await target.sync();
      return { bytes: size, sum: digestOf(sums) };
    },
  };
}

/** The sum of a file, as `sum` of its copy returned it. */
export async function sumOfFile(path: string): Promise<{ readonly bytes: number; readonly sum: string }> {
  const handle = await open(path, 'r');
  try {
    return await createSums(handle, new Set()).sum();
  } finally {
    await handle.close();
  }
}

async function sumOfPart(target: FileHandle, part: number): Promise<string> {
  const { buffer, bytesRead } = await target.read(Buffer.alloc(CHUNK), 0, CHUNK, part * CHUNK);
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
}

function digestOf(sums: readonly string[]): string {
  return createHash('sha256').update(sums.join('\n')).digest('hex');
}

/** Throws StartError for a database that is damaged. */
export function check(file: string): void {
  const db = connectTo(file, { fileMustExist: true });
  try {
    const [found] = db.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all();
    const [broken] = db.prepare<[], { readonly table: string }>('PRAGMA foreign_key_check').all();
    if (found !== 'ok') throw new StartError(`the copy of the database is damaged (${found}): check the disk`);
    if (broken !== undefined) throw new StartError(`a row of ${broken.table} refers to a record that does not exist`);
  } catch (error) {
    throw explained(error, file);
  } finally {
    db.close();
  }
}

/** The hash of every file that a record of the database holds. */
export function hashesOf(file: string, uploads: readonly string[]): readonly string[] {
  const { db, close } = openForReading(file);
  try {
    return hashesIn(db, uploads);
  } finally {
    close();
  }
}

function hashesIn(db: Database.Database, uploads: readonly string[]): readonly string[] {
  return uploads.flatMap((table) =>
    db
      .prepare<[], string>(`SELECT DISTINCT "content_hash" FROM ${quoted(table)} WHERE "content_hash" IS NOT NULL`)
      .pluck()
      .all(),
  );
}

/** Nobody writes until the work is done; servers wait for it, and go on reading. */
async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
  const { db, close } = openDatabase(file, { owner: false });
  try {
    db.exec('BEGIN IMMEDIATE');
    return await work();
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    close();
  }
}
