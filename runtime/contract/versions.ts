// What callers of an earlier version are told in its words (D68): one table for each version, with the differences alone. Types only.

import type { CatalogueRow } from './catalogue.js';
import type { RouteDefinition } from './definition.js';

/** Its dates. */
export interface VersionDates {
  /** Day after which it may be dropped, YYYY-MM-DD. */
  readonly sunset?: string;
}

export interface VersionTable extends VersionDates {
  /** By today's name; a resource that is not here is as it was. */
  readonly resources: Readonly<Record<string, ResourceThen>>;
  /** By today's identity: what its row was; null: it had none. Absent: the rows are as they were. */
  readonly catalogue?: Readonly<Record<string, CatalogueRow | null>>;
  /** How its API document differs from today's. */
  readonly document: readonly DocumentEdit[];
}

/** What stands at a place of the document, which its keys lead to; without a value, nothing does. */
export type DocumentEdit = readonly [place: readonly string[], value?: unknown];

/** A resource as it was; keys of then, values of today. */
export interface ResourceThen {
  readonly name: string;
  /** Its requests; absent: they are today's. */
  readonly routes?: readonly RouteDefinition[];
  /** Other names of its paths, with the identity that each stands for; absent: they are today's. */
  readonly oldNames?: Readonly<Record<string, string | null>>;
  /** What could be sent and was shown, in its order, synonyms and what was silently ignored included. */
  readonly fields: Readonly<Record<string, FieldThen>>;
  /** What a create needs since, by today's name. */
  readonly adds?: Readonly<Record<string, Filling>>;
  readonly relations: Readonly<Record<string, string>>;
  /** The lists below one of its records. */
  readonly lists: Readonly<Record<string, string>>;
  /** Its own names in the brief description of a record. */
  readonly brief: readonly string[];
}

export interface FieldThen {
  /** Parameter; null: it was accepted without effect; absent: it was not a parameter, or is none any more. */
  readonly sends?: string | null;
  /** Property; null: it is gone, and shown as null; absent: it was none. */
  readonly shows?: string | null;
  /** Column that lists are ordered and filtered by. */
  readonly column?: string;
  /** The type constant. */
  readonly constant?: string;
  /** The resource whose brief description it shows. */
  readonly describes?: string;
  /** Its choices: of one that has another name today, that name. */
  readonly values?: Readonly<Record<string, string>>;
  /** Its values had another form. */
  readonly form?: FormThen;
  /** What a create stored that did not send it. */
  readonly default?: Filling;
}

/** Of a value in JSON; a bit is a boolean that is shown as 0 or 1. */
export type FormThen = 'string' | 'number' | 'flag' | 'bit' | 'date-time' | 'full-date';

/** A value that is sent in the caller's place: the same always, or what was sent as others. */
export type Filling =
  | { readonly value: unknown }
  | { readonly column: string; readonly part?: 'first' | 'rest' }
  | { readonly join: readonly string[]; readonly with: string };
