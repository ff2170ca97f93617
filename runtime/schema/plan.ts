// How a database gets from one schema to another, as data: changes for people, steps for an engine. Types only.

/**
 * How much a change asks of stored rows. online: nothing is read or written. backfill: values are written where there
 * are none. rebuild: the table is copied, every value stays. destructive: values go (to a side table, until purged).
 */
export type ChangeClass = 'online' | 'backfill' | 'rebuild' | 'destructive';

/** From mild to hard. */
export const CHANGE_CLASSES: readonly ChangeClass[] = ['online', 'backfill', 'rebuild', 'destructive'];

/** One difference between two schemas, free of any engine. Tables and columns are told apart by their numbers. */
export interface Change {
  readonly class: ChangeClass;
  readonly kind: ChangeKind;
  /** Name of the table, as it is afterwards; of one that goes, as it was. */
  readonly table: string;
  /** Null where the change is of the table itself. Its name afterwards, several with commas; of one that goes, as it was. */
  readonly column: string | null;
  /** One clause for people, behind the name: `was previously called top`. */
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
  | 'unique_added'
  | 'unique_dropped'
  | 'index_added'
  | 'index_dropped';

/** Rows that a plan cannot carry over as they are. Counted on the database before anything changes; any row refuses it. */
export interface Risk {
  /** As it is called now, so is the column; of a new column the name it gets. */
  readonly table: string;
  readonly column: string | null;
  /** What such rows break: `has no value`, `does not fit the limit 1 to 9`, `is not unique`. */
  readonly says: string;
  /** SQL that selects the ids of the rows, over the database as it is now. */
  readonly rows: string;
  /** What the maintainer can do: `give a default`. */
  readonly remedy: string;
  /** What `--allow` has to name for the plan to go on in spite of them, `fill:box.size`; null: nothing does. */
  readonly allow: string | null;
}

/** A step of one engine, done whole or not at all. */
export interface Step {
  readonly class: ChangeClass;
  /** `boxtop: rebuilt, since quantity has another limit`. */
  readonly says: string;
  readonly sql: readonly string[];
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly risks: readonly Risk[];
  readonly steps: readonly Step[];
  /** What `--allow drop:<name>` has to name: `boxtop` or `boxtop.top_id`, the table of a column as it is afterwards. */
  readonly drops: readonly string[];
}
