// Copies a database while a server writes to it, with SQLite's own backup from a connection whose transaction sees one moment.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type Database from 'better-sqlite3';
import { quoted } from '../../schema/sql-text.js';
import type { Snapshot } from '../commands.js';
import { StartError } from '../start-error.js';
import { connectTo } from './driver.js';
import { BACKUP_KEY } from './file-index.js';
import { explainError, openDatabase, openForReading } from './open.js';

/** Bytes that are hashed at a time; each piece has its own sum. */
const CHUNK = 1024 * 1024;
/** Pages that are copied at a time. */
const PAGES = 256;
/** Milliseconds after which the lease that pauses the sweep of files ends, and after which it is extended. */
const LEASE = 120_000;
const EXTENSION = 30_000;

/** Shows the database as it is when `work` begins. No server deletes bytes of files until `work` is done. */
export async function withSnapshot<T>(file: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const live = openDatabase(file, { owner: false });
  const pinned = openForReading(file);
  // The lease precedes the snapshot: the bytes of its files must exist until they are copied.
  const stopLease = keepLease(live.db);
  try {
    pinned.db.exec('BEGIN');
    const pages = Number(pinned.db.prepare('PRAGMA page_count').pluck().get());
    return await work({
      bytes: pages * Number(pinned.db.prepare('PRAGMA page_size').pluck().get()),
      copyTo: (to, advance) => copyTo(pinned.db, to, advance),
    });
  } catch (error) {
    throw explainError(error, file);
  } finally {
    stopLease();
    pinned.close();
    live.close();
  }
}

/** The lease ends by itself if this process is killed. */
function keepLease(db: Database.Database): () => void {
  const put = db.prepare(`INSERT OR REPLACE INTO _punchboard (key, value) VALUES ('${BACKUP_KEY}', ?)`);
  const extend = (): void => void put.run(String(Date.now() + LEASE));
  extend();
  const timer = setInterval(() => {
    try {
      extend();
    } catch {
      // The next extension is in time.
    }
  }, EXTENSION);
  return () => clearInterval(timer);
}

async function copyTo(db: Database.Database, to: string, advance: (share: number) => void): Promise<void> {
  let before = 1;
  await db.backup(to, {
    progress({ totalPages, remainingPages }) {
      const left = totalPages === 0 ? 1 : remainingPages / totalPages;
      advance(before - left);
      before = left;
      return PAGES;
    },
  });
}

/** Makes a file durable, and returns its size and checksum. */
export async function sumOfFile(path: string): Promise<{ readonly bytes: number; readonly sum: string }> {
  const handle = await open(path, 'r+');
  try {
    const sums: string[] = [];
    const buffer = Buffer.alloc(CHUNK);
    for (let bytes = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, bytes);
      if (bytesRead === 0) {
        await handle.sync();
        return { bytes, sum: digestOf(sums.join('\n')) };
      }
      sums.push(digestOf(buffer.subarray(0, bytesRead)));
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Throws StartError for a damaged copy.
 * @param uploads names of the tables whose records hold bytes of files
 * @returns the hash of every file that a record holds
 */
export function checkCopy(file: string, uploads: readonly string[]): readonly string[] {
  const db = connectTo(file, { fileMustExist: true });
  try {
    const [found] = db.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all();
    const [broken] = db.prepare<[], { readonly table: string }>('PRAGMA foreign_key_check').all();
    if (found !== 'ok') throw new StartError(`the copy of the database is damaged (${found}): check the disk`);
    if (broken !== undefined) throw new StartError(`a row of ${broken.table} refers to a record that does not exist`);
    const hashes = uploads.flatMap((table) =>
      db
        .prepare<[], string>(`SELECT "content_hash" FROM ${quoted(table)} WHERE "content_hash" IS NOT NULL`)
        .pluck()
        .all(),
    );
    return [...new Set(hashes)].sort();
  } catch (error) {
    throw explainError(error, file);
  } finally {
    db.close();
  }
}
