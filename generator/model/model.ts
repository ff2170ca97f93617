// The model: the descriptors with names resolved and conventions applied. Types only.

import type { CatalogueEntry } from '../../runtime/contract/catalogue.js';
import type {
  Access,
  ColumnOfReference,
  Dates,
  Deprecation,
  Lifecycle,
  Neighbours,
  Operation,
  ParameterKind,
  PropertySource,
  Reference,
  StorageType,
  UploadDefinition,
  View,
  WholeList,
} from '../../runtime/contract/definition.js';
import type { Check, Kind as ColumnKind, Index, Column as SchemaColumn } from '../../runtime/schema/schema.js';
import type { Unique } from '../../runtime/schema/uniques.js';
import type { RawCatalogue, RawOldName, RawResource } from '../language/language.js';

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Model {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  /** Media types of an image field that does not list any. */
  readonly imageTypes: readonly string[];
  /** The revision of the ledger. */
  readonly revision: number;
  /** The content hash of the ledger's revision; null for a revision from when revisions were counted. */
  readonly content: string | null;
  /** Null if the service has none. */
  readonly catalogue: ModelCatalogue | null;
  /** The versions that were cut, oldest first; absent if there are none. */
  readonly versions?: readonly { readonly version: string; readonly sunset?: string }[];
  /** Sorted by name. */
  readonly resources: readonly Resource[];
  /** What web hooks can subscribe to, sorted by name. */
  readonly events: readonly ModelEvent[];
}

/** A public list of what can be created: a row for each identity of the resources that mention it. */
export interface ModelCatalogue {
  readonly path: string;
  readonly attributes: readonly CatalogueAttribute[];
  /** As conventions.yaml declares it; tests are generated from it. */
  readonly stated: RawCatalogue;
}

/** What rows show besides data that follow from the descriptors; null if neither they nor `default` give a value. */
export interface CatalogueAttribute
  extends Pick<Property, 'name' | 'description' | 'schema' | 'nullable' | 'example'>,
    Pick<Parameter, 'kind'> {
  readonly default: unknown;
}

export interface CatalogueOfResource extends CatalogueEntry {
  readonly identities: NonNullable<CatalogueEntry['identities']>;
  /** The identities that have a row. */
  readonly rows: readonly string[];
}

/** An event of events.yaml. */
export interface ModelEvent {
  readonly name: string;
  /** Class of the record that a subscription is for. */
  readonly ownerClass: string;
  /** Resource of that class. */
  readonly owner: string;
  readonly summary: string;
  readonly payload: JsonSchema;
  /** Resource whose record is the payload; null if the payload has its own schema. */
  readonly record: string | null;
  /** Example payload; undefined if events.yaml has none. */
  readonly example: unknown;
}

export interface PathAlias {
  readonly operation: Operation;
  /** Without the id: `/api/download`. */
  readonly base: string;
}

export interface Resource {
  /** The ledger's number of the table. */
  readonly number: number;
  /** Every earlier name of the table. */
  readonly formerly: readonly string[];
  readonly name: string;
  readonly plural: string;
  readonly title: string;
  readonly summary: string;
  /** Path of the descriptor relative to the project, `spec/resources/boxtop.yaml`. */
  readonly source: string;
  /** The type constant, and every property that shows it. */
  readonly constant: string;
  readonly typeFields: readonly string[];
  readonly principal: boolean;
  readonly upload: UploadDefinition | null;
  readonly servedBy: string | null;
  readonly operations: Readonly<Record<Operation, 'session' | 'anyone' | 'admin' | null>>;
  /** Aliases of operations, without the id (D32). */
  readonly paths: readonly PathAlias[];
  /** Other names of the type in paths; a name that denotes an identity fixes it. */
  readonly oldNames: readonly RawOldName[];
  readonly columns: readonly Column[];
  /** The ledger's number of the column with the row's version (D57), which is not among the columns: no code sees it in a row. */
  readonly version: number;
  /** `required`: an update has to name the versions that it changes; null: it may name them. */
  readonly match: 'required' | null;
  readonly parameters: readonly Parameter[];
  readonly properties: readonly Property[];
  /** Display names of values, if they differ from the value's words, by parameter and value. */
  readonly titles: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Sizes of the identities that have one, in pixels. */
  readonly sizes: Readonly<Record<string, string>>;
  /** Null if its identities are not in the catalogue. */
  readonly catalogue: CatalogueOfResource | null;
  readonly references: readonly Reference[];
  readonly ignored: readonly string[];
  readonly access: Access;
  readonly lists: readonly List[];
  /** The list of all records; null if it is only for administrators. */
  readonly whole: WholeList | null;
  readonly order: readonly string[];
  readonly sortable: readonly string[];
  readonly filters: readonly string[];
  /** The filters that also take the bounds of a range. */
  readonly ranges: readonly string[];
  /** Text columns by whose beginning operators find records; each has an index. */
  readonly finds: readonly string[];
  readonly uniques: readonly Unique[];
  /** Columns by whose value a record can be fetched, by the word in the path. */
  readonly lookups: Readonly<Record<string, string>>;
  /** The unique columns that identify the record which a create updates; null if it always creates a new one. */
  readonly existing: readonly string[] | null;
  readonly indexes: readonly Index[];
  readonly brief: readonly string[];
  readonly actions: readonly Action[];
  readonly lifecycle: readonly Lifecycle[];
  /** The neighbouring records that the lifecycle functions of a create and an update get, by name. */
  readonly reads: Readonly<Record<string, Neighbours>>;
  /** Deprecated parts that a request can use (D38): the resource first, then fields, then parameters of actions. */
  readonly deprecations: readonly Deprecation[];
  /** The descriptor merged with its convention, before anything is derived; tests are generated from it. */
  readonly stated: RawResource;
}

/** The source of a value that callers do not send. */
export type ValueSource =
  | { readonly from: 'literal'; readonly value: string | number | null }
  /** The id of the record, the time of the transaction, the session's user, a new secret, or the hash of a new token. */
  | { readonly from: 'id' | 'now' | 'owner' | 'random' | 'new_token' }
  /** A value detected in the uploaded bytes. */
  | { readonly from: 'upload'; readonly what: 'name' | 'type' | 'size' | 'width' | 'height' | 'hash' };

/** What sets a column when a record is created and when it changes. */
export type ColumnWrite =
  /**
   * The parameter of the same name. `initial` is its value on create if none is sent; null if one must be sent. An update that
   * sends null restores the initial value, or keeps the old one.
   */
  | { readonly by: 'caller'; readonly initial: ValueSource | null; readonly emptied: 'initial' | 'kept' }
  /** The parameter of the same name, and every change of the image whose id is in the column `image` (D26). */
  | { readonly by: 'proof'; readonly image: string }
  | { readonly by: 'service'; readonly initial: ValueSource; readonly update: 'kept' | 'now' };

/** A stored column. */
export interface Column {
  readonly number: number;
  /** Every earlier name. */
  readonly formerly: readonly string[];
  readonly name: string;
  readonly storage: StorageType;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  readonly default: string | number | null;
  /** The source of existing rows' values when the column is added; absent for `default`. */
  readonly fill?: SchemaColumn['fill'];
  readonly check: Check | null;
  /** Names that the column could hold before: rows keep them, but they can no longer be chosen. */
  readonly removed: readonly string[];
  readonly references: {
    readonly table: string;
    readonly onDelete: 'cascade' | 'set_null' | 'restrict';
    readonly inside: boolean;
    readonly made?: true;
  } | null;
  readonly write: ColumnWrite;
  /** Whether stored values sort in the order of their meaning. */
  readonly sortable: boolean;
  /** The numbers of its choices in the order of lists; absent: sorted by name. */
  readonly choiceOrder?: readonly number[];
  /** The column of a referenced record whose value is the default; null if the default is a literal or missing. */
  readonly copies: ColumnOfReference | null;
}

/** A column before the ledger has assigned its number. */
export type UnnumberedColumn = Omit<Column, 'number' | 'formerly' | 'removed'>;

/** A parameter that callers may send. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly description: string;
  readonly schema: JsonSchema;
  /** The schema for validation: `schema` has keywords that validators do not need, such as its default. */
  readonly validationSchema: JsonSchema;
  /** A list or map, which a form sends as JSON text. */
  readonly structured: boolean;
  /** The id of another record. */
  readonly refers: boolean;
  /** Its value if it is not sent and has no default. */
  readonly unset: unknown;
  readonly requiredOnCreate: boolean;
  readonly requiredOnUpdate: boolean;
  readonly nullable: boolean;
  readonly synonyms: readonly string[];
  /** Texts that are accepted for true and false. */
  readonly words?: Readonly<Record<string, boolean>>;
  readonly set: 'admin' | null;
  /** The password whose current value it has to be (D47): accepted only by updates, and never stored. */
  readonly proves?: string;
  readonly example: unknown;
  /** Deprecation dates of the field, which the description states, too (D38). */
  readonly deprecation?: Dates;
}

/** A token, which is shown only when it is created: only its hash is stored. */
export interface TokenSource {
  readonly kind: 'shown_once';
  readonly column: string;
}

/** A property that a record shows. */
export interface Property {
  readonly name: string;
  readonly description: string;
  /** Schema of the value in the record, in the plain profile. */
  readonly schema: JsonSchema;
  /** Null for everyone who may read the record. */
  readonly view: View | null;
  readonly source: PropertySource | TokenSource;
  readonly nullable: boolean;
  /** Whether the record leaves it out while it is null. */
  readonly whenSet: boolean;
  readonly example: unknown;
  /** As for parameters. */
  readonly deprecation?: Dates;
}

export interface List {
  readonly parent: string;
  readonly name: string;
  readonly by: string;
  readonly where: Readonly<Record<string, string | number | null>>;
  /** `by` refers to records of `resource`, and these refer to the parent by the column `by` of `through`. */
  readonly through?: { readonly resource: string; readonly by: string };
  /** Several of its records can be created together. */
  readonly bulk?: true;
}

export interface Action {
  readonly name: string;
  readonly title: string;
  readonly by: string;
  readonly parameters: readonly Parameter[];
  /** The columns that it sets, with their stored values; null if none. */
  readonly sets: Readonly<Record<string, string | number | null>> | null;
  /** The column that names the copy it makes, and its maximum length; null if it does not copy. */
  readonly copies: { readonly column: string; readonly max: number } | null;
  /** The neighbouring records that its hand-written function gets, by name. */
  readonly reads: Readonly<Record<string, Neighbours>>;
  /** The column of the token that it renews; null if none. */
  readonly renews: string | null;
  /** DELETE for an action that undoes another. */
  readonly method: 'POST' | 'DELETE';
  /** Its name in the path, which an action shares with the one that undoes it. */
  readonly segment: string;
}
