// The plan of a migration, as data: changes for people, steps for an engine. Types only.

import type { Column } from './schema.js';

/**
 * The effect of a change on stored rows. online: nothing is read or written. backfill: values are written where there
 * are none. rebuild: the table is copied, every value is kept. destructive: values are dropped (kept aside until purged).
 */
export type ChangeClass = 'online' | 'backfill' | 'rebuild' | 'destructive';

/** From least to most severe. */
export const CHANGE_CLASSES: readonly ChangeClass[] = ['online', 'backfill', 'rebuild', 'destructive'];

/** One difference between two schemas, independent of the engine. Tables and columns are identified by their numbers. */
export interface Change {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /** The new name of the table, or the old name of a dropped table. */
  readonly table: string;
  /** The new names of the columns, or the old name of a dropped column. Null: the change is to the table itself. */
  readonly column: string | null;
  /** A clause that follows the name: `was previously called top`. */
  readonly says: string;
}

export type ChangeKind =
  | 'table_added'
  | 'table_renamed'
  | 'table_dropped'
  | 'column_added'
  | 'column_renamed'
  | 'column_dropped'
  | 'column_retyped'
  | 'column_required'
  | 'column_optional'
  | 'limit_changed'
  | 'reference_changed'
  | 'default_changed'
  | 'value_added'
  | 'value_removed'
  | 'value_renamed'
  | 'unique_added'
  | 'unique_dropped'
  | 'index_added'
  | 'index_dropped'
  | 'search_changed';

/** Rows that a plan cannot keep as they are. They are counted before anything changes; a single such row stops the plan. */
export interface Risk {
  /** The current names of the table and the column; the new name of a new column. */
  readonly table: string;
  readonly column: string | null;
  /** What is wrong with such rows: `has no value`, `does not fit the limit 1 to 9`, `is not unique`. */
  readonly says: string;
  /** What the maintainer can do: `give a default`. */
  readonly remedy: string;
  /** True: the rows keep the value anyway, and are only counted. */
  readonly harmless?: true;
  /** The argument of `--allow` that accepts such rows, `fill:box.size`; null: nothing does. */
  readonly allow: string | null;
}

/** A step of one engine, applied completely or not at all. */
export interface SchemaStep {
  readonly class: ChangeClass;
  /** `boxtop: rebuilt, since quantity has another limit`. */
  readonly says: string;
  /** Servers of the previous version keep running during and after the step, although it is not online. */
  readonly beside?: true;
}

/** Each engine adds its SQL to the risks and steps of its plans. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly risks: readonly Risk[];
  readonly steps: readonly SchemaStep[];
  /** The names for `--allow drop:<name>`: `boxtop`, or `boxtop.top_id` with the new name of the table. */
  readonly drops: readonly string[];
}

/** Values that a step drops, or nulls that a default replaces. */
export interface ValuesToKeep {
  /** The table's name when the step is applied, and its number. */
  readonly table: { readonly name: string; readonly number: number };
  /** The name that allows the drop: `boxtop`, or `boxtop.top_id` for a column. */
  readonly name: string;
  /** The columns that are kept besides the id, as they were. */
  readonly columns: readonly Column[];
  /** The column that is dropped; null for a whole table. */
  readonly column: Column | null;
  /** SQL condition on the rows; null: all of them. */
  readonly where: string | null;
  /** The value that replaces nulls, in which case the nulls are kept; null: the values are kept. */
  readonly filler: string | number | null;
}
