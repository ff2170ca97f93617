// How a database gets from one schema to another, as data: changes for people, steps for an engine. Types only.

import type { Column } from './schema.js';

/**
 * What a change does to stored rows. online: nothing is read or written. backfill: values are written where there
 * are none. rebuild: the table is copied, every value is kept. destructive: values are dropped (to a side table, until purged).
 */
export type ChangeClass = 'online' | 'backfill' | 'rebuild' | 'destructive';

/** From least to most severe. */
export const CHANGE_CLASSES: readonly ChangeClass[] = ['online', 'backfill', 'rebuild', 'destructive'];

/** One difference between two schemas, independent of the engine. Tables and columns are identified by their numbers. */
export interface Change {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /** New name of the table; of a dropped one, its old name. */
  readonly table: string;
  /** New name of the column, several with commas; of a dropped one, its old name. Null: the change is of the table itself. */
  readonly column: string | null;
  /** A clause for people that follows the name: `was previously called top`. */
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

/** Rows that a plan cannot keep as they are. Counted on the database before anything changes; a single row refuses the plan. */
export interface Risk {
  /** Current name of the table, as for the column; of a new column, its new name. */
  readonly table: string;
  readonly column: string | null;
  /** What is wrong with such rows: `has no value`, `does not fit the limit 1 to 9`, `is not unique`. */
  readonly says: string;
  /** What the maintainer can do: `give a default`. */
  readonly remedy: string;
  /** True: the rows keep the value all the same, and are only counted. */
  readonly harmless?: true;
  /** The argument of `--allow` that lets the plan continue despite them, `fill:box.size`; null: nothing does. */
  readonly allow: string | null;
}

/** A step of one engine, done completely or not at all. */
export interface SchemaStep {
  readonly class: ChangeClass;
  /** `boxtop: rebuilt, since quantity has another limit`. */
  readonly says: string;
  /** Servers of the previous version continue during it and afterwards, although it is not online. */
  readonly beside?: true;
}

/** Each engine adds its SQL to the risks and steps of its plans. */
export interface Plan {
  readonly changes: readonly Change[];
  readonly risks: readonly Risk[];
  readonly steps: readonly SchemaStep[];
  /** The name for `--allow drop:<name>`: `boxtop` or `boxtop.top_id`, with the new name of a column's table. */
  readonly drops: readonly string[];
}

/** Values that a step drops, or nulls that a default replaces. */
export interface Keep {
  /** Its name when the step is applied, and its number. */
  readonly table: { readonly name: string; readonly number: number };
  /** `boxtop`, or `boxtop.top_id` for a column; the name that allows the drop. */
  readonly name: string;
  /** As they were; besides the id. */
  readonly columns: readonly Column[];
  /** The column that is dropped; null for a whole table. */
  readonly column: Column | null;
  /** SQL condition on the rows; null: all of them. */
  readonly where: string | null;
  /** What takes the place of nulls: then it is the nulls that are kept; null: the values are. */
  readonly filler: string | number | null;
}
