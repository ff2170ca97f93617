// The descriptor language as types: the result of check once conventions are merged, before any default is applied.
import type { Lifecycle, Operation } from '../../runtime/definition.js';

export type EngineName = 'sqlite' | 'postgres' | 'citus';

export interface RawSpec {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  /** Media types of an image field that does not list any. */
  readonly imageTypes: readonly string[];
  /** Databases that the service must be able to run on. */
  readonly engines: readonly EngineName[];
  /** Names of the conventions, sorted. */
  readonly conventions: readonly string[];
  /** Names in events.yaml, sorted; empty without that file. */
  readonly events: readonly string[];
  /** The entry of each in events.yaml; only the names in it are checked. */
  readonly eventBodies: Readonly<Record<string, RawEvent>>;
  /** Resource of the records behind each class that owns events. */
  readonly ownerClasses: Readonly<Record<string, string>>;
  /** Null: the service has none. */
  readonly catalogue: RawCatalogue | null;
  /** Sorted by name. */
  readonly resources: readonly RawResource[];
}

/** An event as written: a payload is a JSON Schema, or the record of a resource. */
export interface RawEvent {
  readonly owner_class?: unknown;
  readonly summary?: unknown;
  readonly payload?: { readonly schema?: unknown; readonly record?: unknown };
  readonly example?: unknown;
}

/** A list of everything that can be made: a row for each identity of the resources that extend a convention. */
export interface RawCatalogue {
  /** Full path. */
  readonly path: string;
  /** Name of the convention. */
  readonly of: string;
  /** What rows show besides what follows from the descriptors. */
  readonly attributes: ReadonlyMap<string, RawField>;
}

/** A resource: its own keys over those of its conventions. Lists keep the order of the file, the convention's keys first. */
export interface RawResource {
  readonly resource: string;
  /** Path of the descriptor relative to the project, `spec/resources/boxtop.yaml`. */
  readonly source: string;
  readonly title: string;
  readonly summary: string;
  readonly plural: string;
  /** Names of its conventions. */
  readonly extends: readonly string[];
  readonly type_name?: string;
  readonly type_field?: string;
  /** If the descriptor has `identities`, the first is `identity`. */
  readonly fields: ReadonlyMap<string, RawField>;
  readonly unique?: readonly (readonly string[])[];
  readonly order?: readonly string[];
  readonly access: RawAccess;
  readonly operations?: Readonly<Partial<Record<Operation, RawOperation>>>;
  /** Who may list all records, and which of them; administrators may in any case, and list all. */
  readonly whole?: RawWhole;
  /** Full base paths, always as a list. */
  readonly paths?: Readonly<Partial<Record<Operation | 'all', readonly string[]>>>;
  /** Other names of the type in paths, for old clients. */
  readonly old_names?: readonly RawOldName[];
  readonly ignores?: readonly string[];
  readonly actions: ReadonlyMap<string, RawAction>;
  readonly lifecycle?: readonly Lifecycle[];
  readonly brief?: readonly string[];
  readonly upload?: { readonly part: string; readonly max_bytes: number; readonly uses?: string };
  readonly principal?: boolean;
  readonly served_by?: string;
  /** Earlier name; null: a new resource that reuses an old name. */
  readonly was?: string | null;
  readonly deprecated?: string;
  readonly sunset?: string;
  /** Of the rows of its identities: a pattern of their names as `title`, and attributes. */
  readonly catalogue?: CatalogueKeys;
}

/** Attributes of rows of the catalogue, by name. */
export type CatalogueKeys = Readonly<Record<string, unknown>>;

export interface RawWhole {
  readonly by: 'anyone' | 'session' | 'admin';
  readonly where: Where;
  /** Texts that can be searched; absent: none. */
  readonly search?: readonly string[];
}

export type RawOperation =
  | boolean
  | 'anyone'
  | 'session'
  | 'admin'
  | { readonly required: 'all' }
  | { readonly existing: 'update' };

export interface RawAction {
  readonly title: string;
  /** `editor`, `admin`, or a named right. */
  readonly by: string;
  readonly parameters: ReadonlyMap<string, RawField>;
  /** The values to which it sets fields; it has no function then. */
  readonly sets?: Where;
  /** It copies the record; the text field with the name of the copy. It has no function then. */
  readonly copies?: string;
  /** What DELETE does at its path. */
  readonly undo?: { readonly title: string; readonly sets: Where };
}

export interface RawAccess {
  /** Clauses by right: `read`, `edit` and other names. A lone `anyone` is a list of one here. */
  readonly rights: ReadonlyMap<string, readonly RawClause[]>;
  readonly hidden?: boolean;
}

/** A word (`anyone`, `self`, `editor`, a right, a reference field, a boolean field) or membership through a joining resource. */
export type RawClause = string | RawMember;

export interface RawMember {
  readonly member: string;
  readonly by: string;
  readonly in?: string;
  readonly where?: Where;
}

export type Literal = string | number | boolean | null;
export type Where = Readonly<Record<string, Literal>>;

/**
 * A field of any kind. Which of the keys it can have depends on its kind: check reports a key that does not apply, and
 * it is left out here. What a kind is, and what follows from it, is defined by its row in model/kinds/kinds.ts.
 */
export interface RawField {
  readonly kind: string;
  readonly description?: string;
  readonly example?: unknown;
  /** anyone, editor, created, nobody, or a named right. */
  readonly view?: string;
  readonly shown_as?: readonly string[];
  /** Dates as YYYY-MM-DD. */
  readonly deprecated?: string;
  readonly sunset?: string;
  readonly required?: boolean;
  /** A literal, `session.user`, `upload.name`, or `{ copy: <reference>.<field> }`. */
  readonly default?: unknown;
  /** What existing rows get when the field is added or becomes required: a literal, or `{ copy: [<reference>.]<field> }`. */
  readonly fill?: unknown;
  readonly read_only?: boolean;
  readonly set?: 'admin' | 'editor';
  readonly synonyms?: readonly string[];
  readonly filter?: boolean;
  readonly unique?: boolean;
  readonly from?: Source;
  /** Earlier name; null: a new field that reuses an old name. */
  readonly was?: string | null;
  readonly min?: number;
  readonly max?: number;
  readonly scale?: number;
  readonly values?: readonly (string | number)[];
  /** The attributes of those values that have any. */
  readonly attributes?: Readonly<Record<string, RawValue>>;
  readonly as?: 'bit';
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Resource that is referred to. */
  readonly to?: string;
  readonly need?: 'exists' | 'use' | 'edit';
  readonly on_delete?: OnDelete;
  /** Only on a second parent, which check refuses. */
  readonly parent?: boolean;
  readonly place?: boolean;
  readonly inside?: boolean;
  /** True: the plural of this resource. */
  readonly list?: boolean | string;
  readonly lists?: Readonly<Record<string, RawList>>;
  /** A field whose every value has a list of its own; `lists` contains them. */
  readonly list_each?: string;
  readonly bulk?: boolean;
  readonly describe?: boolean;
  /** The target is made with the record, with these values. */
  readonly make?: Readonly<Record<string, unknown>>;
  readonly types?: readonly string[];
  readonly proof?: boolean;
  /** Exactly one of copy, count and text. `<reference>.<field>`, or a field of the record itself. */
  readonly copy?: string;
  /** A list of records that refer to this resource. */
  readonly count?: string;
  /** A template with {property}. */
  readonly text?: string;
  /** The shorthand keys of the resource as which this field was written. */
  readonly short?: ShortIdentity;
}

export interface RawOldName {
  readonly name: string;
  /** The identity that it stands for; null: all of them. */
  readonly identity: string | null;
}

/** What a descriptor says of one identity, or one value of an enum. */
export interface RawValue {
  /** Of an identity, in pixels: `825x1125`. */
  readonly size?: string;
  /** By default the words of the name. */
  readonly title?: string;
  /** Name of its list where a reference has `list_each`; false: it has none. */
  readonly list?: string | false;
  /** Earlier name, so that rows that hold it get the new one. */
  readonly was?: string;
  /** Dates as YYYY-MM-DD. */
  readonly deprecated?: string;
  readonly sunset?: string;
  /** Of an identity: attributes of its row in the catalogue; false: it has none. */
  readonly catalogue?: CatalogueKeys | false;
}

/** An additional list of the records that refer to a target. */
export interface RawList {
  /** Reference of the target, on whose own target the list is. */
  readonly through?: string;
  readonly where?: Where;
  /** The value of the field in `list_each` from which the list was derived. */
  readonly of?: string | number;
}

export interface ShortIdentity {
  readonly identities?: readonly string[];
  readonly default_identity?: string;
}

export type Source =
  | 'session.user'
  | 'upload.name'
  | 'upload.type'
  | 'upload.size'
  | 'upload.width'
  | 'upload.height'
  | 'upload.hash'
  | 'random';

export type OnDelete = 'cascade' | 'set_null' | 'restrict';
