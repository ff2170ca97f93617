// A migration that is killed at a step, run again, and compared with one that was not killed.

import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Schema } from '../../runtime/schema/schema.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { clearTheWay, fill } from './fill.js';
import { dump, migrate, NOW, temporary } from './schemas.js';

export interface Job {
  readonly schema: Schema;
  readonly now: number;
  readonly extraDdl: readonly string[];
}

export interface PreparedDatabase {
  readonly name: string;
  /** The database before the migration, closed. */
  readonly file: string;
  readonly job: Job;
  /** Path of the job as JSON. */
  readonly path: string;
  /** How many steps the run without a kill reported. */
  readonly steps: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** A database of `from` with rows, and its contents before and after an undisturbed migration to `to`. */
export function prepare(name: string, from: Schema, to: Schema, extraDdl: readonly string[]): PreparedDatabase {
  const file = temporary('data.db');
  const job = { schema: to, now: NOW + 1000, extraDdl };
  const path = `${file}.json`;
  writeFileSync(path, JSON.stringify(job));
  const before = within(file, (db) => {
    migrate(db, from, { extraDdl });
    fill(db, from, 4);
    // Rows that one rule deletes may be parents of another's.
    while (clearTheWay(db, to) > 0);
    return dump(db);
  });
  let steps = 0;
  const after = within(copyOf(file, 'whole'), (db) => {
    migrate(db, to, { ...job, onStep: () => steps++ });
    return dump(db);
  });
  return { name, file, job, path, steps, before, after };
}

/** The contents that a run killed at `step` leaves, and those after the next run, with its integrity. */
export async function killAndContinue({ file, job, path }: PreparedDatabase, step: number) {
  const copy = copyOf(file, `killed-${step}`);
  const signal = await runTo(copy, path, step);
  return within(copy, (db) => {
    const left = dump(db);
    migrate(db, job.schema, job);
    return { signal, left, next: dump(db), sound: db.prepare('PRAGMA integrity_check').pluck().get() };
  });
}

function runTo(database: string, job: string, step: number): Promise<string | null> {
  const child = spawn(process.execPath, [join(__dirname, 'kill-child.js'), database, job, String(step)], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
}

function copyOf(file: string, name: string): string {
  const copy = `${file}-${name}`;
  copyFileSync(file, copy);
  return copy;
}

function within<T>(file: string, work: (db: Database.Database) => T): T {
  const { db, close } = openDatabase(file, { owner: false });
  try {
    return work(db);
  } finally {
    close();
  }
}
