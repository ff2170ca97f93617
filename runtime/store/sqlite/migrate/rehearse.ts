// Rehearses a migration on a copy: everything is measured before and after, and unexpected differences are reported.
// The database itself is only read.
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { matchSchemas, type TablePair } from '../../../schema/match.js';
import type { Schema } from '../../../schema/schema.js';
import { literal } from '../../../schema/sql-text.js';
import { carried } from '../../../schema/sqlite/risks.js';
import { wordsTable } from '../../../schema/sqlite/words.js';
import { compare, convertedColumns, type Measured, type Measures } from '../../compare-measures.js';
import { type Progress, showing, showingWhole } from '../../progress.js';
import type { Rehearsal } from '../../schema-keeper.js';
import { openDatabase } from '../open.js';
import { listDropped, sideTable } from './dropped.js';
import { firstColumn, measureTable, otherTables } from './measure.js';
import { rememberedSchema } from './memory.js';

export interface Rehearsing {
  readonly schema: Schema;
  /** A path used only by this rehearsal, on a disk with space for the copy; an existing file is deleted. */
  readonly copy: string;
  /** Brings the copy to the schema. */
  readonly apply: (db: Database.Database) => void;
  /** Left out: nobody watches. */
  readonly progress?: Progress | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly tick: () => number;
}

/** The copy is made while others may write, and is removed afterwards. */
export function rehearse(db: Database.Database, rehearsing: Rehearsing): Rehearsal {
  const { schema, copy, apply, progress, tick } = rehearsing;
  // A killed rehearsal with the same process id may have left one, as happens in containers.
  remove(copy);
  try {
    showingWhole(progress, 'copy of the database', () => db.exec(`VACUUM INTO ${literal(copy)}`));
    const opened = openDatabase(copy, { owner: false });
    try {
      const match = matchSchemas(rememberedSchema(opened.db) ?? schema, schema);
      const before = measure(opened.db, match.from, progress, match.kept);
      const started = tick();
      apply(opened.db);
      const took = tick() - started;
      const after = measure(opened.db, schema, progress);
      const rows = [...before.values()].reduce((sum, one) => sum + one.rows, 0);
      const kept = (name: string): number | null => keptRows(opened.db, name);
      const findings = [...compare({ match, before, after, kept }), ...faults(opened.db)];
      return { rows, tables: before.size, took, findings };
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

/** @param kept pairs of columns; values that another kind stores differently are measured as they are stored afterwards */
function measure(
  db: Database.Database,
  { tables }: Schema,
  progress: Progress | undefined,
  kept: readonly TablePair[] = [],
): Measures {
  const names = tables.map(({ name }) => name);
  // Words change with the schema.
  const others = otherTables(db, [...names, ...tables.map(wordsTable)]);
  const converted = new Map(kept.map((pair) => [pair.from.name, convertedColumns(pair, carried)]));
  const ordered = [
    ...names.map((name) => [name, 'id'] as const),
    ...others.map((name) => [name, firstColumn(db, name)] as const),
  ];
  const measures = new Map<string, Measured>();
  showing(progress, { what: 'tables measured', total: ordered.length }, () => {
    for (const [name, order] of ordered) {
      measures.set(name, measureTable(db, name, order, converted.get(name)));
      progress?.advance(1);
    }
  });
  return measures;
}

function keptRows(db: Database.Database, name: string): number | null {
  const drop = listDropped(db).find((one) => one.name === name);
  if (drop === undefined) return null;
  const count = db.prepare<[], number>(`SELECT count(*) FROM ${sideTable(drop.number)}`);
  return count.pluck().get() ?? 0;
}

function faults(db: Database.Database): readonly string[] {
  const broken = db.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check').all();
  const integrity = db.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  return [
    ...broken.map(({ table, parent }) => `${table}: a row refers to a ${parent} that does not exist`),
    ...integrity.filter((line) => line !== 'ok').map((line) => `integrity: ${line}`),
  ];
}
