// The tables of a service, independent of the engine: the content of generated/schema.json, which databases also store.

import type { FillFunction } from '../contract/behaviour.js';

export interface Schema {
  /** The revision of the ledger, raised whenever a number gets a name: a database with a higher one has a newer schema. */
  readonly revision: number;
  /** A hash of which number has which name at that revision, since another branch may have reached it too; absent in older schemas. */
  readonly content?: string;
  readonly tables: readonly Table[];
}

export interface Table {
  /** The ledger's number, which identifies the table under any name. */
  readonly number: number;
  readonly name: string;
  /** Every earlier name: under any other name, the number belonged to something else. */
  readonly formerly?: readonly string[];
  readonly columns: readonly Column[];
  /** The constraint is `<table>_<columns joined by _>_key`. */
  readonly uniques: readonly (readonly string[])[];
  /** The index is `<table>_<columns joined by _>_idx`, `_desc` after those that descend. */
  readonly indexes: readonly Index[];
  /** Absent: its rows are not found by words. */
  readonly search?: Search;
}

/** The words of these columns, in their order, are in a table of their own, from which they can be made again. */
export interface Search {
  readonly columns: readonly string[];
  /** The rule by which the words were made; absent: the first. Only databases store it. */
  readonly rule?: number;
  /** The values of those rows that anyone may find. */
  readonly listed: Readonly<Record<string, string | number | null>>;
}

/** What the values of a column are, which decides what they convert to. Each kind of field names one of these. */
export type Kind =
  | 'text'
  | 'url'
  | 'enum'
  | 'decimal'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'day'
  | 'json'
  | 'password'
  | 'token'
  | 'reference'
  | 'image'
  | 'file';

export interface Column {
  /** The ledger's number, which identifies the column under any name. */
  readonly number: number;
  readonly name: string;
  /** Every earlier name: under any other name, the number belonged to something else. */
  readonly formerly?: readonly string[];
  readonly type: 'text' | 'integer';
  /** What its values mean; absent in schemas stored before kinds were. */
  readonly kind?: Kind;
  readonly nullable: boolean;
  /** Value for rows from before the column; null if there is none. */
  readonly default: string | number | null;
  /** The columns that such rows get their value from: of the row itself, or of the one to which it refers by `through`. */
  readonly fill?: Fill;
  readonly check: Check | null;
  readonly references: {
    readonly table: string;
    readonly onDelete: 'cascade' | 'set_null' | 'restrict';
    readonly inside: boolean;
    /** The target is made with the row and refers back to it, so that neither can have a foreign key to the other first. */
    readonly made?: true;
  } | null;
}

export type Fill = CopyFill | JoinFill | FunctionFill;

export interface CopyFill {
  readonly column: string;
  /** A reference within a placement. */
  readonly through?: { readonly column: string; readonly table: string };
  /** The first word of the text, or all that follows it; absent: the whole value. */
  readonly part?: 'first' | 'rest';
}

/** Texts of the row that are not empty, one after the other. */
export interface JoinFill {
  readonly join: readonly string[];
  readonly with: string;
}

/** The value that a hand-written function computes for a row. */
export interface FunctionFill {
  /** Its name among those of the table. */
  readonly function: string;
  /** JSON Schema of the value in the form of a request. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The function itself; absent in a stored schema, which has only its name. */
  readonly call?: FillFunction;
}

/** A limit as data, so that each dialect writes its own CHECK (named `<table>_<column>_check`). */
export type Check =
  | { readonly rule: 'range'; readonly min: number | null; readonly max: number | null; readonly step?: number }
  /** A JSON Schema is added for texts whose form a CHECK cannot express: only the validator enforces it. */
  | {
      readonly rule: 'length';
      readonly min: number;
      readonly max: number | null;
      readonly schema?: Readonly<Record<string, unknown>>;
    }
  | { readonly rule: 'one_of'; readonly values: readonly (string | number)[] }
  /** One of a list that may grow and shrink: the service knows the names, a CHECK only what every name looks like (D45). */
  | { readonly rule: 'choice'; readonly names: readonly ChoiceName[] }
  /** Exact decimal text without sign or leading zeros, at most `scale` digits after the point. */
  | { readonly rule: 'decimal'; readonly min: number; readonly max: number; readonly scale: number }
  | { readonly rule: 'url'; readonly max: number }
  /** The JSON Schema is only enforced by the validator, not by a CHECK; absent in schemas stored before it was. */
  | { readonly rule: 'json'; readonly schema?: Readonly<Record<string, unknown>> };

/** A name that a value may be, with the ledger's number and every earlier name. */
export interface ChoiceName {
  readonly number: number;
  readonly name: string;
  readonly formerly?: readonly string[];
  /** The earlier names that other values gave up before it did. */
  readonly latest?: readonly string[];
}

export interface Index {
  readonly columns: readonly string[];
  /** True: rows where the first column is null are left out (indexes that serve foreign keys of images). */
  readonly partial: boolean;
  /** Its last columns as terms of the order that lists are read in; absent: none. */
  readonly order?: readonly string[];
  /** True: for lists of all rows, wherever they are placed; absent: of one placement. */
  readonly whole?: true;
  /**
   * No two rows with these values may have the same values in its columns; absent: they may. Such an index is
   * `<table>_<columns joined by _>_key`.
   */
  readonly unique?: Readonly<Record<string, string | number | null>>;
}
