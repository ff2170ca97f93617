// The tables of a service, independent of the engine: the content of generated/schema.json, which databases also store.

import type { FillFunction } from '../contract/behaviour.js';

export interface Schema {
  /** The revision of the ledger, raised whenever a number gets a name: a database with a higher revision has a newer schema. */
  readonly revision: number;
  /** A hash of the numbers and names at that revision, which another branch may have reached too; absent in older schemas. */
  readonly content?: string;
  readonly tables: readonly Table[];
}

export interface Table {
  /** The ledger's number, which identifies the table under any name. */
  readonly number: number;
  readonly name: string;
  /** Every earlier name; under any other name, the number belonged to another table. */
  readonly formerly?: readonly string[];
  readonly columns: readonly Column[];
  /** Each constraint is called `<table>_<columns joined by _>_key`. */
  readonly uniques: readonly (readonly string[])[];
  /** Each index is called `<table>_<columns joined by _>_idx`, with `_desc` after columns that descend. */
  readonly indexes: readonly Index[];
  /** Absent: the rows cannot be searched. */
  readonly search?: Search;
}

/** The words of these columns, in their order, are in a separate table, which can be rebuilt from them. */
export interface Search {
  readonly columns: readonly string[];
  /** The rule that produced the words; absent: the first. Only databases store it. */
  readonly rule?: number;
  /** The values that mark the rows that anyone may find. */
  readonly listed: Readonly<Record<string, string | number | null>>;
}

/** The meaning of a column's values, which decides how they convert. Each kind of field names one of these. */
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
  /** Every earlier name; under any other name, the number belonged to another column. */
  readonly formerly?: readonly string[];
  readonly type: 'text' | 'integer';
  /** Absent in schemas stored before kinds were. */
  readonly kind?: Kind;
  readonly nullable: boolean;
  /** The value for rows older than the column; null if there is none. */
  readonly default: string | number | null;
  /** How such rows get their value: from columns of the row, or of the row that `through` refers to, or from a function. */
  readonly fill?: Fill;
  readonly check: Check | null;
  readonly references: {
    readonly table: string;
    readonly onDelete: 'cascade' | 'set_null' | 'restrict';
    readonly inside: boolean;
    /** The target is created with the row and refers back to it, so that a foreign key to it would fail. */
    readonly made?: true;
  } | null;
}

export type Fill = CopyFill | JoinFill | FunctionFill;

export interface CopyFill {
  readonly column: string;
  /** A reference within a placement. */
  readonly through?: { readonly column: string; readonly table: string };
  /** The first word of the text, or the rest of it; absent: the whole value. */
  readonly part?: 'first' | 'rest';
}

/** The texts of the row that are not empty, joined. */
export interface JoinFill {
  readonly join: readonly string[];
  readonly with: string;
}

/** The value that a hand-written function computes for a row. */
export interface FunctionFill {
  /** Its name among the functions of the table. */
  readonly function: string;
  /** The JSON Schema of the value as a request would give it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The function itself; absent in a stored schema. */
  readonly call?: FillFunction;
}

/** A limit as data, so that each dialect writes its own CHECK (named `<table>_<column>_check`). */
export type Check =
  | { readonly rule: 'range'; readonly min: number | null; readonly max: number | null; readonly step?: number }
  /** The JSON Schema is for texts whose form a CHECK cannot express: only the validator enforces it. */
  | {
      readonly rule: 'length';
      readonly min: number;
      readonly max: number | null;
      readonly schema?: Readonly<Record<string, unknown>>;
    }
  | { readonly rule: 'one_of'; readonly values: readonly (string | number)[] }
  /** One of a list of names that may change: the service knows the names, a CHECK only what a name looks like (D45). */
  | { readonly rule: 'choice'; readonly names: readonly ChoiceName[] }
  /** Exact decimal text without sign or leading zeros, at most `scale` digits after the point. */
  | { readonly rule: 'decimal'; readonly min: number; readonly max: number; readonly scale: number }
  | { readonly rule: 'url'; readonly max: number }
  /** Only the validator enforces the JSON Schema, not a CHECK; absent in schemas stored before it was included. */
  | { readonly rule: 'json'; readonly schema?: Readonly<Record<string, unknown>> };

/** A name that a column may hold, with the ledger's number and every earlier name. */
export interface ChoiceName {
  readonly number: number;
  readonly name: string;
  readonly formerly?: readonly string[];
  /** The earlier names that other values also had, but gave up sooner. */
  readonly latest?: readonly string[];
  /** A removed value had the name, and rows may still hold it. */
  readonly reused?: true;
}

export interface Index {
  readonly columns: readonly string[];
  /** True: the index omits rows whose first column is null (for foreign keys of images). */
  readonly partial: boolean;
  /** The last columns as terms of the order of a list; absent: none. */
  readonly order?: readonly string[];
  /** True: for lists of rows of all placements; absent: of one placement. */
  readonly whole?: true;
  /**
   * No two rows with these values may have the same values in the columns of the index, which is called
   * `<table>_<columns joined by _>_key`; absent: they may.
   */
  readonly unique?: Readonly<Record<string, string | number | null>>;
}
