// How the API of an earlier version differs from today's (D68): one table for each version. Types only.

import type { CatalogueRow } from './catalogue.js';
import type { RouteDefinition } from './definition.js';

/** The dates of a version, besides the one that names it. */
export interface VersionDates {
  /** Day after which it may be dropped, YYYY-MM-DD. */
  readonly sunset?: string;
}

export interface VersionTable extends VersionDates, NameTable {
  /** How its API document differs from today's. */
  readonly document: readonly DocumentEdit[];
}

/** What requests need of the table. */
export interface NameTable {
  /** Resources that differ, by today's name. */
  readonly resources: Readonly<Record<string, EarlierResource>>;
  /** The catalogue's rows in their order, by today's identity; null: there was no such row. Absent: they are today's. */
  readonly catalogue?: Readonly<Record<string, CatalogueRow | null>>;
}

/** A value of the API document and the keys that lead to it; an edit without a value removes what is there. */
export type DocumentEdit = readonly [place: readonly string[], value?: unknown];

/** A resource in an earlier version. Maps lead from names of that version to today's names, unless they say otherwise. */
export interface EarlierResource {
  readonly name: string;
  /** Its routes; absent: they are today's. */
  readonly routes?: readonly RouteDefinition[];
  /** Other names of its paths, with the identity that each stands for; absent: they are today's. */
  readonly oldNames?: Readonly<Record<string, string | null>>;
  /** Parameters and properties in their order, synonyms and ignored parameters included. */
  readonly fields: Readonly<Record<string, EarlierField>>;
  /** Parameters that a create has required since, by today's name. */
  readonly adds?: Readonly<Record<string, FillRule>>;
  readonly relations: Readonly<Record<string, string>>;
  /** The lists below one of its records. */
  readonly lists: Readonly<Record<string, string>>;
  /** Columns that a conflict named, where it names another column of the same set today; both by today's names. */
  readonly conflicts: Readonly<Record<string, string>>;
  /** Properties in the brief description of a record, by their names in that version. */
  readonly brief: readonly string[];
}

/** A parameter, a property, or both; every value is one of today's names. */
export interface EarlierField {
  /** Parameter; null: it is accepted without effect; absent: it was not a parameter, or no longer is one. */
  readonly sends?: string | null;
  /** Property; null: it has been removed, and is shown as null; absent: it was not a property. */
  readonly shows?: string | null;
  /** Column that lists are ordered and filtered by. */
  readonly column?: string;
  /** The type constant. */
  readonly constant?: string;
  /** The resource whose brief description it shows. */
  readonly describes?: string;
  /** Its choices, each with today's name. */
  readonly values?: Readonly<Record<string, string>>;
  /** The form of its values, if they have another form today. */
  readonly form?: ValueForm;
  /** What a create stored if the parameter was not sent. */
  readonly default?: FillRule;
}

/** The form of a value in JSON; a bit is a boolean that is shown as 0 or 1. */
export type ValueForm = 'string' | 'number' | 'flag' | 'bit' | 'date-time' | 'full-date';

/** A value that the service sends on behalf of the caller: a fixed value, or one composed of other parameters. */
export type FillRule =
  | { readonly value: unknown }
  | { readonly column: string; readonly part?: 'first' | 'rest' }
  | { readonly join: readonly string[]; readonly with: string };
