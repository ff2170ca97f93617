// Measures every table column by column, so that two states of a database can be compared. Only reads.
import { createHash } from 'node:crypto';
import { type ColumnPair, matchSchemas } from '../../schema/match.js';
import type { Schema } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { compare, convertedByTable, type Measurement, type Measures } from '../compare-measures.js';
import type { Progress } from '../progress.js';
import type { Rehearsal } from '../schema-migrator.js';
import type { Pending } from '../unit.js';
import { countKeptRows } from './dropped.js';
import type { Session } from './session.js';

/** How the tables of an engine are measured. */
export interface MeasureDialect {
  /** Every table that belongs neither to the schema nor to bookkeeping, and the order of its rows, as `t`. */
  others(schema: Schema): Pending<readonly (readonly [name: string, order: string])[]>;
  columnsOf(table: string): Pending<readonly string[]>;
  /** SQL of a value converted to its new kind. */
  readonly newValueSql: (pair: ColumnPair) => string;
}

export interface RehearsalContext {
  readonly session: Session;
  readonly measureDialect: MeasureDialect;
  /** The schema to which the copy was last migrated; null: it is empty. */
  readonly from: Schema | null;
  readonly schema: Schema;
  /** Migrates the copy to the schema. */
  readonly apply: () => Pending<unknown>;
  /** Undefined: nobody watches. */
  readonly progress: Progress | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly tick: () => number;
}

/** Applies a plan to a copy, and reports unexpected differences. */
export function* rehearseOn(rehearsing: RehearsalContext): Pending<Rehearsal> {
  const { session, measureDialect, from, schema, apply, tick } = rehearsing;
  const match = matchSchemas(from ?? schema, schema);
  const old = from ?? { revision: 0, tables: [] };
  const before = yield* measure(rehearsing, old, convertedByTable(match, measureDialect.newValueSql));
  const started = tick();
  yield* apply();
  const duration = tick() - started;
  const after = yield* measure(rehearsing, schema, new Map());
  const rows = [...before.values()].reduce((sum, one) => sum + one.rows, 0);
  const kept = yield* countKeptRows(session);
  const findings = compare({ match, before, after, kept: (name) => kept.get(name) ?? null });
  return { rows, tables: before.size, duration, findings };
}

function* measure(
  { session, measureDialect, progress }: RehearsalContext,
  schema: Schema,
  converted: ReturnType<typeof convertedByTable>,
): Pending<Measures> {
  const measures = new Map<string, Measurement>();
  const ordered = [
    ...schema.tables.map(({ name }) => [name, 't."id"'] as const),
    ...(yield* measureDialect.others(schema)),
  ];
  progress?.begin('tables measured', ordered.length);
  try {
    for (const [name, order] of ordered) {
      const columns = yield* measureDialect.columnsOf(name);
      measures.set(name, yield* measureTable(session, { name, columns, order, converted: converted.get(name) }));
      progress?.advance(1);
    }
  } finally {
    progress?.end();
  }
  return measures;
}

interface MeasuredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly order: string;
  readonly converted: ReadonlyMap<string, string> | undefined;
}

/** Reads a table once. */
function* measureTable(session: Session, { name, columns, order, converted }: MeasuredTable): Pending<Measurement> {
  const counts = columns.map((column) => ({ column, filled: 0, hash: createHash('sha256') }));
  const values = columns.map((column, at) => `${converted?.get(column) ?? `t.${quoted(column)}`} AS "c${at}"`);
  let rows = 0;
  yield* session.each(`SELECT ${values.join(', ')} FROM ${quoted(name)} t ORDER BY ${order}`, (some) => {
    rows += some.length;
    for (const row of some) {
      for (const [at, count] of counts.entries()) {
        const value = row[`c${at}`] ?? null;
        const text = value === null ? '-' : String(value);
        if (value !== null) count.filled += 1;
        count.hash.update(`${value === null ? 'null' : text.length}:${text};`);
      }
    }
  });
  const measured = counts.map(({ column, filled, hash }) => [column, { filled, hash: hash.digest('hex') }] as const);
  return { rows, columns: new Map(measured) };
}
