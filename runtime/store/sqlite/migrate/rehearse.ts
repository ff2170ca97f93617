// Rehearses a migration on a copy: everything is measured before and after, and unexpected differences are reported.
// The database itself is only read.
import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { isFilled } from '../../../schema/changes.js';
import { keepsValues } from '../../../schema/conversions.js';
import { type Match, matchSchemas, type TablePair } from '../../../schema/match.js';
import type { Schema } from '../../../schema/schema.js';
import { literal } from '../../../schema/sql-text.js';
import { carried } from '../../../schema/sqlite/risks.js';
import type { Rehearsal } from '../../schema-keeper.js';
import { openDatabase } from '../open.js';
import { listDropped, sideTable } from './dropped.js';
import { firstColumn, type Measured, measureTable, otherTables } from './measure.js';
import { rememberedSchema } from './memory.js';

export interface Rehearsing {
  readonly schema: Schema;
  /** A path used only by this rehearsal, on a disk with space for the copy; an existing file is deleted. */
  readonly copy: string;
  /** Brings the copy to the schema. */
  readonly apply: (db: Database.Database) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly tick: () => number;
}

/** The copy is made while others may write, and is removed afterwards. */
export function rehearse(db: Database.Database, { schema, copy, apply, tick }: Rehearsing): Rehearsal {
  // A killed rehearsal with the same process id may have left one, as happens in containers.
  remove(copy);
  try {
    db.exec(`VACUUM INTO ${literal(copy)}`);
    const opened = openDatabase(copy, { owner: false });
    try {
      const match = matchSchemas(rememberedSchema(opened.db) ?? schema, schema);
      const before = measure(opened.db, match.from, match.kept);
      const started = tick();
      apply(opened.db);
      const took = tick() - started;
      const after = measure(opened.db, schema);
      const rows = [...before.values()].reduce((sum, one) => sum + one.rows, 0);
      const findings = [
        ...differences(match, before, after),
        ...unkept(opened.db, match, before),
        ...faults(opened.db),
      ];
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

type Measures = ReadonlyMap<string, Measured>;
const NONE: Measured = { rows: 0, columns: new Map() };

/** @param kept pairs of columns; values that another kind stores differently are measured as they are stored afterwards */
function measure(db: Database.Database, { tables }: Schema, kept: readonly TablePair[] = []): Measures {
  const names = tables.map(({ name }) => name);
  const others = otherTables(db, names);
  const converted = new Map(kept.map((pair) => [pair.from.name, conversions(pair)]));
  return new Map([
    ...names.map((name) => [name, measureTable(db, name, 'id', converted.get(name))] as const),
    ...others.map((name) => [name, measureTable(db, name, firstColumn(db, name))] as const),
  ]);
}

function conversions({ kept }: TablePair): ReadonlyMap<string, string> {
  const changed = kept.filter((pair) => !keepsValues(pair) && !isFilled(pair));
  return new Map(changed.map((pair) => [pair.from.name, carried(pair)]));
}

function differences(match: Match, before: Measures, after: Measures): readonly string[] {
  const named = new Set(match.from.tables.map(({ name }) => name));
  const others = [...before].filter(([name]) => !named.has(name));
  return [
    ...match.kept.flatMap((pair) =>
      tableDifferences(pair, before.get(pair.from.name) ?? NONE, after.get(pair.to.name) ?? NONE),
    ),
    ...match.added.flatMap(({ name }) => unequal(name, 'rows', 0, after.get(name)?.rows ?? 0)),
    ...others.flatMap(([name, old]) => otherDifferences(name, old, after.get(name) ?? NONE)),
  ];
}

function tableDifferences({ to, kept, added }: TablePair, before: Measured, after: Measured): readonly string[] {
  return [
    ...unequal(to.name, 'rows', before.rows, after.rows),
    ...kept.flatMap((pair) => {
      const name = `${to.name}.${pair.to.name}`;
      const [old, now] = [before.columns.get(pair.from.name), after.columns.get(pair.to.name)];
      const filled = isFilled(pair) ? before.rows : old?.filled;
      const counts = unequal(name, 'values', filled ?? 0, now?.filled ?? 0);
      return counts.length > 0 || isFilled(pair) || old?.hash === now?.hash ? counts : [`${name}: the values differ`];
    }),
    ...added.flatMap(({ name, default: value }) =>
      unequal(`${to.name}.${name}`, 'values', value === null ? 0 : before.rows, after.columns.get(name)?.filled ?? 0),
    ),
  ];
}

function otherDifferences(table: string, before: Measured, after: Measured): readonly string[] {
  const counts = unequal(table, 'rows', before.rows, after.rows);
  if (counts.length > 0) return counts;
  const changed = [...before.columns].filter(([name, { hash }]) => after.columns.get(name)?.hash !== hash);
  return changed.map(([name]) => `${table}.${name}: the values differ`);
}

function unequal(what: string, unit: string, before: number, after: number): readonly string[] {
  return before === after ? [] : [`${what}: ${after} ${unit} instead of ${before}`];
}

/** Dropped or filled values that were not kept. */
function unkept(db: Database.Database, match: Match, before: Measures): readonly string[] {
  const kept = listDropped(db);
  const missing = (name: string, unit: string, expected: number): readonly string[] => {
    if (expected === 0) return [];
    const drop = kept.find((one) => one.name === name);
    const count =
      drop &&
      db
        .prepare<[], number>(`SELECT count(*) FROM ${sideTable(drop.number)}`)
        .pluck()
        .get();
    return unequal(`${name}, kept aside`, unit, expected, count ?? 0);
  };
  return [
    ...match.dropped.flatMap(({ name }) => missing(name, 'rows', before.get(name)?.rows ?? 0)),
    ...match.kept.flatMap(({ from, to, dropped, kept: columns }) => {
      const { rows, columns: measured } = before.get(from.name) ?? NONE;
      const filled = (name: string): number => measured.get(name)?.filled ?? 0;
      return [
        ...dropped.flatMap(({ name }) => missing(`${to.name}.${name}`, 'values', filled(name))),
        ...columns
          .filter(isFilled)
          .flatMap((pair) => missing(`${to.name}.${pair.to.name}`, 'nulls', rows - filled(pair.from.name))),
      ];
    }),
  ];
}

function faults(db: Database.Database): readonly string[] {
  const broken = db.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check').all();
  const integrity = db.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  return [
    ...broken.map(({ table, parent }) => `${table}: a row refers to a ${parent} that does not exist`),
    ...integrity.filter((line) => line !== 'ok').map((line) => `integrity: ${line}`),
  ];
}
