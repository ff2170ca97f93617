// Opens the database file of a service with explicit settings. It does not know the tables.
import fs from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { StartError } from '../start-error.js';
import { connectTo } from './driver.js';
import { sqliteCode } from './engine-error.js';

export interface OpenOptions {
  /** True: this is the only server of the database, and a second is refused. Commands that write pass false. */
  readonly owner: boolean;
}

export interface OpenedDatabase {
  readonly db: Database.Database;
  /** Closes the database and releases the ownership. */
  close(): void;
}

// Before this version, a database in WAL mode could be damaged if two connections checkpoint at the same time.
const OLDEST_SQLITE = '3.51.3';
const BUSY_TIMEOUT = 5000;

/**
 * Opens or creates the database at `file`, with its folder. Throws StartError if it is not a database, is damaged,
 * cannot be written, or belongs to another running server.
 */
export function openDatabase(file: string, options: OpenOptions): OpenedDatabase {
  const target = path.resolve(file);
  makeFolder(target);
  refuseTwoNames(target);
  const owned = options.owner ? lockServer(target) : null;
  try {
    const db = connect(target);
    return {
      db,
      close() {
        db.close();
        owned?.close();
      },
    };
  } catch (error) {
    owned?.close();
    throw explainError(error, target);
  }
}

/** Opens the database at `file` read-only: nothing is created, migrated or changed. Throws StartError. */
export function openForReading(file: string): OpenedDatabase {
  let db: Database.Database | null = null;
  try {
    const opened = connectTo(path.resolve(file), { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT });
    db = opened;
    opened.prepare('SELECT count(*) FROM sqlite_schema').get();
    setForReading(opened);
    return { db: opened, close: () => void opened.close() };
  } catch (error) {
    db?.close();
    throw explainError(error, file);
  }
}

/** Throws StartError if `version` of SQLite is older than the oldest safe one. */
export function checkVersion(version: string): void {
  if (versionNumber(version) < versionNumber(OLDEST_SQLITE))
    throw new StartError(`SQLite ${version} is too old: install better-sqlite3 with SQLite ${OLDEST_SQLITE} or newer`);
}

/** SQLite's own number for a version. A numeric comparison of texts would load a collation, which takes some milliseconds. */
function versionNumber(version: string): number {
  return version.split('.').reduce((number, part) => number * 1000 + Number(part), 0);
}

function makeFolder(file: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw new StartError(
      `cannot create the folder of ${file} (${(error as Error).message}): choose another path for the database`,
    );
  }
}

/** SQLite keeps the log beside the name of the file; with two names, two logs would damage the file. */
function refuseTwoNames(file: string): void {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.nlink < 2) return;
  throw new StartError(`${file} is one of ${stats.nlink} names (hard links) of a file: keep one name, or make a copy`);
}

/** The real path of a file behind all links that lead to it, even if it does not exist yet. */
function realPath(file: string): string {
  const target = linkTarget(file);
  if (target !== null) return realPath(path.resolve(path.dirname(file), target));
  return path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
}

function linkTarget(file: string): string | null {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? fs.readlinkSync(file) : null;
}

/**
 * Takes the lock that keeps a second server out: an exclusive transaction on a small file beside the database, at its real path,
 * so that links lead to the same lock. It ends with the process, so that a killed server leaves no lock. Throws StartError.
 */
export function lockServer(file: string): { close(): void } {
  let lock: Database.Database | null = null;
  try {
    lock = connectTo(`${realPath(file)}-server`, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (!hasCode(error, 'SQLITE_BUSY')) throw explainError(error, `${file}-server`);
    throw new StartError(`another server is running on ${file}: stop it first, or choose another database`);
  }
}

function connect(file: string): Database.Database {
  const db = connectTo(file, { timeout: BUSY_TIMEOUT });
  try {
    checkVersion(db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0');
    // This reads the header and the whole schema, and fails if the file is not a database.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    settle(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function settle(db: Database.Database, file: string): void {
  const mode = db.prepare<[], string>('PRAGMA journal_mode = WAL').pluck().get();
  if (mode !== 'wal') throw new StartError(`${file} cannot use a write-ahead log (${mode}): put it on a local disk`);
  // better-sqlite3 is built to use NORMAL in WAL mode by default, which may lose acknowledged writes in a power cut.
  db.exec('PRAGMA synchronous = FULL');
  db.exec('PRAGMA foreign_keys = ON');
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  setForReading(db);
}

function setForReading(db: Database.Database): void {
  db.exec('PRAGMA trusted_schema = OFF');
  // The pages that a transaction of many writes changes stay in memory, and so do the journals of their savepoints.
  db.exec('PRAGMA cache_size = -65536');
  db.exec('PRAGMA temp_store = MEMORY');
}

const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  ['SQLITE_NOTADB', 'is not a SQLite database: choose another path, or restore a backup'],
  ['SQLITE_CORRUPT', 'is damaged: restore a backup'],
  ['SQLITE_CANTOPEN', 'cannot be opened: check that it is a file and its permissions'],
  ['SQLITE_READONLY', 'cannot be written: check the permissions of the file and its folder'],
  ['SQLITE_PERM', 'cannot be opened: check its permissions'],
  ['SQLITE_BUSY', 'is locked by another program: stop that program first'],
  ['SQLITE_FULL', 'is on a full disk: free some space first'],
  ['SQLITE_IOERR', 'cannot be read from its disk: check the disk'],
];

/** Turns an SQLite error that an operator can fix into a StartError; returns any other error unchanged. */
export function explainError(error: unknown, file: string): unknown {
  const row = ADVICE.find(([code]) => hasCode(error, code));
  return row ? new StartError(`${file} ${row[1]}`) : error;
}

function hasCode(error: unknown, code: string): boolean {
  return sqliteCode(error).startsWith(code);
}
