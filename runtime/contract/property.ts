// The types of a property: what a record shows, and who sees it.

import type { Scalar } from './definition.js';

/** A column of the record whose id is in the column `through`, which is one of `references`. */
export interface ColumnOfReference {
  readonly through: string;
  readonly column: string;
}

/** The records of `of` that have the record's id in `by` and these values. */
export interface RecordsOfList {
  readonly of: string;
  readonly by: string;
  readonly where?: Readonly<Record<string, Scalar>>;
}

/** Records that a hand-written function gets besides its own, and may change. They share the placement of its own record. */
export interface Neighbours extends RecordsOfList {
  /** The reference to the record that has the list; absent: the function's own record has it. */
  readonly through?: string;
  /** The maximum number, in the order of their ids; absent: it is a single record, whose id is in `by`. */
  readonly limit?: number;
}

/** A value, and the value that replaces it. */
export interface RenamedValue {
  readonly from: string;
  readonly to: string;
}

/** How a property gets its value. Each engine has one row for every kind. */
export type PropertySource =
  /** A column, in the format of its storage type; an earlier version may show other names for some values of a text (D68). */
  | { readonly kind: 'column'; readonly column: string; readonly names?: readonly RenamedValue[] }
  /** A boolean column that every wire profile shows as 0 or 1. */
  | { readonly kind: 'bit'; readonly column: string }
  /** Null: always null, in definitions of an earlier version (D68). */
  | { readonly kind: 'constant'; readonly value: string | null }
  /** 1 if the viewer holds the right, else 0; no definition has it (D07). Every viewer of a record may read it. */
  | { readonly kind: 'right'; readonly right: 'read' | 'edit' }
  /** A text or number of the referenced record; null if the reference is not set. */
  | ({ readonly kind: 'copy' } & ColumnOfReference)
  /** The number of records of `of` that have the record's id in `by`; a caller who sees it may read all of them. */
  | ({ readonly kind: 'count' } & RecordsOfList)
  /** The sum of a column of whole numbers over such records. */
  | ({ readonly kind: 'sum'; readonly column: string } & RecordsOfList)
  /** The greatest value of a column over such records, in the format of its storage type; null: there is none. */
  | ({ readonly kind: 'latest'; readonly column: string } & RecordsOfList)
  /** A text in which `{column}` stands for the value of that column; null if one of them is null. */
  | { readonly kind: 'template'; readonly text: string }
  /** The brief description (D25) of the referenced record; null if the reference is not set. */
  | { readonly kind: 'description'; readonly through: string };

export type PropertyDefinition = PropertySource & {
  /** Who sees it; absent: every caller who may read the record. */
  readonly view?: View;
  /** The property is omitted while it is null. */
  readonly whenSet?: true;
};

/** Who sees a property: editors of the record, the creator in the response that created it, or holders of a named right. */
export type View = 'editor' | 'created' | (string & {});
