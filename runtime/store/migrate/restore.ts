// Restores values that are kept aside, as SQL over their side table as `s`: what all engines have in common.
import type { ColumnPair } from '../../schema/match.js';
import type { Column, Table } from '../../schema/schema.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { type DroppedValues, isClearedOnDelete, sourceOf } from '../kept-values.js';
import { allOf, existsOne } from '../sql/conditions.js';
import type { Dialect } from '../sql/dialect.js';
import type { Pending } from '../unit.js';
import { countRows, sideTable } from './dropped.js';
import { ENTRY_STATE, type Session, STATE_COLUMN } from './session.js';

/** How an engine converts values. */
export interface ConversionDialect {
  readonly dialect: Dialect;
  /** Null: the values do not convert. */
  readonly conversion: (pair: ColumnPair) => {
    readonly value: (old: string) => string;
    readonly fits: ((old: string) => string) | null;
  } | null;
  /** Condition: the value is within the limit of a column. */
  readonly isWithin: (check: Column['check'], value: string) => string;
}

export interface ConvertedValue {
  readonly value: string;
  /** Condition: the value converts, and the target of a reference exists. */
  readonly fits: string;
}

export function converted(
  { dialect, conversion, isWithin }: ConversionDialect,
  old: Column,
  column: Column,
): ConvertedValue {
  const kept = `s.${quoted(old.name)}`;
  const way = conversion({ from: old, to: column });
  const value = way?.value(kept) ?? 'NULL';
  const fits = allOf([way?.fits?.(kept) ?? '1', isWithin(column.check, value), targetExists(dialect, column, value)]);
  return { value, fits: `(${kept} IS NULL OR (${dialect.where(fits)}))` };
}

function targetExists(dialect: Dialect, { references }: Column, value: string): string {
  if (references === null) return '1';
  const placement = references.inside ? dialect.placement('s') : dialect.placementOf(value);
  return existsOne(`${quoted(references.table)} r`, [dialect.placed('r', placement), `r."id" = ${value}`]);
}

/** The values of a row of a dropped table, in the order of the columns, and the conditions for restoring it. */
export function restoredRow(converting: ConversionDialect, table: Table, drop: DroppedValues) {
  const sources = table.columns.map((column) => ({
    column,
    // The target of the reference may not exist yet.
    old: isClearedOnDelete(column) ? null : sourceOf(drop, table, column),
  }));
  return {
    values: sources.map(({ column, old }) =>
      old === null ? literal(column.default) : converted(converting, old, column).value,
    ),
    conditions: sources.flatMap(({ column, old }) => {
      if (old === null) return [];
      // The foreign key checks references among the rows themselves, and of a row to itself.
      const checked = column.references?.table === table.name ? { ...column, references: null } : column;
      return [converted(converting, old, checked).fits];
    }),
  };
}

export interface ColumnDrop {
  readonly table: Table;
  readonly column: Column;
  readonly drop: DroppedValues;
}

/** The number of restored rows whose reference was kept, but could not be restored. */
export function* countUnlinked(
  session: Session,
  converting: ConversionDialect,
  { table, column, drop }: ColumnDrop,
): Pending<number> {
  const old = sourceOf(drop, table, column);
  if (old === null) return 0;
  const { value } = converted(converting, old, column);
  const isSame = session.dialect.keyColumns.map((key) => `s.${quoted(key)} = t.${quoted(key)}`).join(' AND ');
  const isOpen = `s.${STATE_COLUMN} = ${ENTRY_STATE.back} AND t.${quoted(column.name)} IS NULL AND ${value} IS NOT NULL`;
  const rows = `SELECT 1 FROM ${quoted(table.name)} t JOIN ${sideTable(drop.number)} s ON ${isSame} WHERE ${isOpen}`;
  return yield* countRows(session, rows);
}
