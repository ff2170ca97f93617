// Rehearses a migration on a copy: measures everything before and after, and reports unexpected differences. The database itself
// is only read.
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Schema } from '../../../schema/schema.js';
import { literal } from '../../../schema/sql-text.js';
import { rehearseOn } from '../../migrate/measure.js';
import { type Progress, withSingleStepProgress } from '../../progress.js';
import type { Rehearsal } from '../../schema-migrator.js';
import { NOTHING, runSync } from '../../unit.js';
import { openDatabase } from '../open.js';
import { sessionOf } from '../session.js';
import { createMeasureDialect } from './measure.js';
import { readStoredSchema } from './metadata.js';

export interface SqliteRehearsal {
  readonly schema: Schema;
  /** A path used only by this rehearsal, on a disk with space for the copy; an existing file is deleted. */
  readonly copy: string;
  /** Migrates the copy to the schema. */
  readonly apply: (db: Database.Database) => void;
  /** Undefined: nobody watches. */
  readonly progress?: Progress | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly tick: () => number;
}

/** The copy is made while others may write, and is removed afterwards. */
export function rehearse(db: Database.Database, rehearsing: SqliteRehearsal): Rehearsal {
  const { schema, copy, apply, progress, tick } = rehearsing;
  // A killed rehearsal with the same process id may have left a copy, as happens in containers.
  remove(copy);
  try {
    withSingleStepProgress(progress, 'copy of the database', () => db.exec(`VACUUM INTO ${literal(copy)}`));
    const opened = openDatabase(copy, { owner: false });
    try {
      const session = sessionOf(opened.db);
      const rehearsed = runSync(
        rehearseOn({
          ...{
            session,
            measureDialect: createMeasureDialect(session),
            from: readStoredSchema(opened.db),
            schema,
            progress,
            tick,
          },
          apply() {
            apply(opened.db);
            return NOTHING;
          },
        }),
      );
      return { ...rehearsed, findings: [...rehearsed.findings, ...faults(opened.db)] };
    } finally {
      opened.close();
    }
  } finally {
    remove(copy);
  }
}

function remove(copy: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(copy + end, { force: true });
}

function faults(db: Database.Database): readonly string[] {
  const broken = db.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check').all();
  const integrity = db.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  return [
    ...broken.map(({ table, parent }) => `${table}: a row refers to a ${parent} that does not exist`),
    ...integrity.filter((line) => line !== 'ok').map((line) => `integrity: ${line}`),
  ];
}
