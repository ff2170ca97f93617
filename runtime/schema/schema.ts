// The tables of a service, free of any engine: what generated/schema.json holds and a database remembers of itself.

export interface Schema {
  /** Last number the ledger has given, one for each rename too: a database with a higher one was made by a newer schema. */
  readonly revision: number;
  readonly tables: readonly Table[];
}

export interface Table {
  /** The ledger's number: the table for life, whatever its name. */
  readonly number: number;
  readonly name: string;
  /** Every earlier name: under any other the number was somebody else's. */
  readonly formerly?: readonly string[];
  readonly columns: readonly Column[];
  /** The constraint is `<table>_<columns joined by _>_key`. */
  readonly uniques: readonly (readonly string[])[];
  /** The index is `<table>_<columns joined by _>_idx`. */
  readonly indexes: readonly Index[];
}

export interface Column {
  /** The ledger's number: the column for life, whatever its name. */
  readonly number: number;
  readonly name: string;
  /** Every earlier name: under any other the number was somebody else's. */
  readonly formerly?: readonly string[];
  readonly type: 'text' | 'integer';
  readonly nullable: boolean;
  /** Value for rows from before the column; null where there is none. */
  readonly default: string | number | null;
  readonly check: Check | null;
  readonly references: {
    readonly table: string;
    readonly onDelete: 'cascade' | 'set_null' | 'restrict';
    readonly inside: boolean;
  } | null;
}

/** A limit as data, so that each dialect writes its own CHECK (named `<table>_<column>_check`). */
export type Check =
  | { readonly rule: 'range'; readonly min: number | null; readonly max: number | null }
  | { readonly rule: 'length'; readonly min: number; readonly max: number | null }
  | { readonly rule: 'one_of'; readonly values: readonly (string | number)[] }
  /** Exact decimal text without sign or leading zeros, at most `scale` digits behind the point. */
  | { readonly rule: 'decimal'; readonly min: number; readonly max: number; readonly scale: number }
  | { readonly rule: 'url'; readonly max: number }
  | { readonly rule: 'json' };

export interface Index {
  readonly columns: readonly string[];
  /** True: rows where the first column is null are left out (indexes that serve foreign keys of images). */
  readonly partial: boolean;
}
