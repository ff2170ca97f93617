// The types of a generated definition: what describes one resource, as data and straight-line functions.

import type { Access } from './access.js';
import type { Handwritten } from './behaviour.js';
import type { Catalogue, CatalogueEntry } from './catalogue.js';
import type { Deprecation } from './deprecation.js';
import type { ColumnOfReference, Neighbours, PropertyDefinition } from './property.js';
import type { VersionDates } from './versions.js';

export type { Access, Clause } from './access.js';
export type { Dates, Deprecation } from './deprecation.js';
export type {
  ColumnOfReference,
  Neighbours,
  PropertyDefinition,
  PropertySource,
  RecordsOfList,
  RenamedValue,
  View,
} from './property.js';

/** A stored value: booleans as 0/1, dates as epoch milliseconds, JSON and decimals as text. */
export type Scalar = string | number | null;
export type Row = Record<string, Scalar>;
/** Parameters of a request after conversion and validation, by their own names (synonyms resolved). */
export type Input = Record<string, unknown>;

export type ParameterKind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'day'
  /** One of a list of texts; an empty text counts as null. */
  | 'token'
  | 'url'
  | 'json'
  | 'reference'
  | 'password';

export interface Parameter {
  readonly kind: ParameterKind;
  /** Who may send it; others get `forbidden`. Absent: every caller who may call the operation. */
  readonly set?: 'admin';
  /** On create, null counts as not sent. On update, null clears the field (true) or restores its default (false). */
  readonly nullable?: boolean;
  /** The password field whose old value this parameter must hold, unless an administrator changes it (D47). On update only. */
  readonly proves?: string;
  /** Texts that stand for true and false. */
  readonly words?: Readonly<Record<string, boolean>>;
}

/** What creating or changing a row needs besides the caller's parameters. */
export interface WriteContext {
  readonly id: string;
  /** Epoch milliseconds of the transaction. */
  readonly now: number;
  /** Id of the session's user; null if no user makes the change. */
  readonly user: string | null;
  /** What was read from the uploaded bytes; null unless the resource stores uploads. */
  readonly upload: Upload | null;
  /** Hash of a new token (contract/tokens.ts); null: no token is created. */
  readonly token: string | null;
  /** A fresh secret of 128 random bits in URL-safe text. */
  random(): string;
}

export interface Upload {
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Pixels; null if it is not an image. */
  readonly width: number | null;
  readonly height: number | null;
  /** SHA-256 of the bytes in hex. */
  readonly hash: string;
}

/** How a value is stored, independent of the kind of its field. Each engine has one row for every storage type. */
export type StorageType = 'text' | 'integer' | 'boolean' | 'date' | 'json';

/** A column of the table. It is set by the parameter of the same name, or else by the service. */
export interface ColumnDefinition {
  readonly type: StorageType;
  /** If a create leaves the column null, it is copied from this column of the referenced record. */
  readonly copies?: ColumnOfReference;
  /** The choices that callers cannot send; those that they can send are among the options. */
  readonly values?: readonly string[];
}

export interface Reference {
  /** Parameter and column, `game_id`. */
  readonly column: string;
  /** Name of the related object, `game`. */
  readonly relation: string;
  readonly to: string;
  readonly required: boolean;
  /** What the caller must hold on the target, see neededRight; an unchanged value is not checked again (D16). */
  readonly need: string;
  /** The record's id takes its placement from this target; another owner's target is `conflict` (D37). */
  readonly place?: true;
  /** Target and record must have one owner, else `conflict`. */
  readonly inside?: true;
  /** The target is created with the record, from these parameters and its reference `by` to it, and deleted with it (D40). */
  readonly makes?: { readonly by: string; readonly input: Input };
  /** Media types the target file may have, else `unsupported_file`. */
  readonly accepts?: readonly string[];
  readonly onDelete: 'cascade' | 'set_null' | 'restrict';
  /** Column that records that the image was proofed; cleared with the reference (D26). */
  readonly proof?: string;
  /** True: part of `_include_related_objects` and `_relationships`; false for images, which have a description. */
  readonly related: boolean;
}

/** `GET /api/<parent>/<id>/<name>`: records of this resource whose `by` is that id (D23). */
export interface List {
  readonly parent: string;
  readonly name: string;
  readonly by: string;
  readonly where: Readonly<Record<string, Scalar>>;
  /** The column `by` refers to records of `resource`, whose column `by` has the id: `GET /api/user/<id>/games` (D43). */
  readonly through?: { readonly resource: string; readonly by: string };
  /** `POST /api/<parent>/<id>/bulk-<name>` creates several of its records together. */
  readonly bulk?: true;
}

/** `GET /api/<type>`: all records (D44). */
export interface WholeList {
  /** Who may call it. Administrators get all records, others get those of `where`, which anyone may read. */
  readonly by: 'anyone' | 'session' | 'admin';
  readonly where: Readonly<Record<string, Scalar>>;
  /** Columns whose words `q` searches; absent: the list cannot be searched. */
  readonly search?: readonly string[];
}

/** The uploads that a resource stores. */
export interface UploadDefinition {
  /** The part of the multipart body. */
  readonly part: string;
  readonly maxBytes: number;
  /** Name of the list of records that use an upload. */
  readonly uses?: string;
  /** Column with the number of its bytes. */
  readonly size?: string;
}

export type Operation = 'create' | 'fetch' | 'update' | 'delete';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A method and path at which the service answers for a resource. */
export interface RouteDefinition {
  readonly method: Method;
  /** `/api/game/{id}/boxtops` */
  readonly path: string;
  readonly operation: Operation | 'options' | 'list' | 'uses' | 'bulk' | 'action';
  /** The name of the list or action; absent: all records. */
  readonly name?: string;
  /** The resource under whose path a list is. */
  readonly parent?: string;
  /** False: a POST that does not take an Idempotency-Key, as it writes nothing that a key could belong to. */
  readonly takesKey?: false;
  /** The path is not canonical: a resource whose own path it is comes first (D32). */
  readonly isAlias?: true;
  /** The column whose value replaces the id in the path of a fetch; absent: the path has the id. */
  readonly by?: string;
}

/** A further path of an operation (D32). */
export interface Alias {
  readonly operation: Operation;
  /** Without the id: `/api/download`. */
  readonly base: string;
}

export interface Validator {
  (data: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
/** The part of ajv's error object that the runtime reads. */
export interface ValidationError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

export interface ActionDefinition {
  /** Who may call it: `editor` (editors of the record), `admin`, or holders of a named right. */
  readonly by: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly validate: Validator;
  /** The action that this one undoes, by DELETE at that action's path. */
  readonly undoes?: string;
  /** The stored values that it sets columns to, as an update does. */
  readonly sets?: Row;
  /**
   * It copies the record and what belongs to it. `column` is the parameter with the name of the copy, of at most `max`
   * characters. Without this and `sets`, a hand-written function decides what the action does.
   */
  readonly copies?: { readonly column: string; readonly max: number };
  /** What its hand-written function gets, by name. */
  readonly reads?: Readonly<Record<string, Neighbours>>;
  /** The column of the token that it renews. */
  readonly renews?: string;
}

export type Lifecycle =
  | 'beforeCreate'
  | 'beforeUpdate'
  | 'beforeDelete'
  | 'afterCreate'
  | 'afterUpdate'
  | 'afterDelete';

// Methods, not properties, so that a definition with a narrower row type is still a Definition (see AnyDefinition).
export interface Handlers<R, C, U> {
  /** The row that a create stores. Pure. */
  create(input: C, context: WriteContext): R;
  /** The row after an update. Pure. */
  update(row: R, input: U, context: WriteContext): R;
}

export interface Definition<R = Row, C = Input, U = Input> {
  readonly name: string;
  readonly plural: string;
  readonly title: string;
  readonly principal: boolean;
  readonly upload: UploadDefinition | null;
  /** The hand-written module that serves this resource; it is mounted only with that module. */
  readonly servedBy: string | null;
  /** Who may call each; null: not offered. */
  readonly operations: Readonly<Record<Operation, 'session' | 'anyone' | 'admin' | null>>;
  /**
   * Further names at whose paths the resource answers, with the identity that each stands for: other records are not found
   * there. Null: all records are.
   */
  readonly oldNames?: Readonly<Record<string, string | null>>;
  /** Every request it answers. */
  readonly routes: readonly RouteDefinition[];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly synonyms: Readonly<Record<string, string>>;
  /** Parameters accepted without effect or mention (D19). */
  readonly ignored: readonly string[];
  readonly validate: { readonly create: Validator; readonly update: Validator };
  readonly references: readonly Reference[];
  readonly access: Access;
  readonly lists: readonly List[];
  /** Absent: administrators alone may list all records. */
  readonly whole?: WholeList;
  /** Default order of lists; the id breaks ties. */
  readonly order: readonly string[];
  /** Columns a list may be ordered by (`_order_by`) and filtered by. */
  readonly sortable: readonly string[];
  readonly filters: readonly string[];
  /** The filters that also take the bounds of a range (D62). */
  readonly ranges: readonly string[];
  /** Texts that operators search by their beginning, and that a list of all records can be sorted by; each has an index. */
  readonly finds?: readonly string[];
  /** Allowed values by field (D24). */
  readonly options: Readonly<Record<string, readonly (string | number)[]>>;
  /** Display names that are not simply the words of their value, by field and value. */
  readonly titles?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Values that old rows may still hold and nobody can choose any more, by column (D45). */
  readonly removed?: Readonly<Record<string, readonly string[]>>;
  /** Sizes of identities in pixels, `825x1125`. */
  readonly sizes?: Readonly<Record<string, string>>;
  /** Absent: its identities are not in the catalogue. */
  readonly catalogue?: CatalogueEntry;
  /** Columns of each unique constraint; the last one is named in the error. */
  readonly uniques: readonly (readonly string[])[];
  /** Unique columns that a record can be fetched by, `GET /api/<name>/<word>/<value>`, by the word; absent: only the id. */
  readonly lookups?: Readonly<Record<string, string>>;
  /** A create that meets a record with the same values in these columns updates it; absent: it is `not_unique`. */
  readonly existing?: readonly string[];
  /** An update has to name the versions that it changes (D57); absent: it may. */
  readonly match?: 'required';
  /** Properties of the brief description that other records show of this one (D25). */
  readonly brief: readonly string[];
  readonly actions: Readonly<Record<string, ActionDefinition>>;
  readonly lifecycle: readonly Lifecycle[];
  /** What the lifecycle functions of a create and an update get, by name. */
  readonly reads?: Readonly<Record<string, Neighbours>>;
  /** Present names of renamed fields that hand-written code asks for, by the name it knows (runtime/contract/needs.ts). */
  readonly needs?: Readonly<Record<string, string>>;
  /** What is deprecated (D38). */
  readonly deprecations?: readonly Deprecation[];
  /** In table order. */
  readonly columns: Readonly<Record<string, ColumnDefinition>>;
  /** The column with the hash of a token, which is shown under this name where it is created; absent: there is none. */
  readonly token?: string;
  /** In the order they are shown. */
  readonly properties: Readonly<Record<string, PropertyDefinition>>;
  readonly handlers: Handlers<R, C, U>;
}

/** Any resource's definition, as the runtime handles it. */
export type AnyDefinition = Definition;

/** An event of events.yaml that web hooks can subscribe to. */
export interface EventDefinition {
  /** Value of a hook's `owner_class` that the event requires. */
  readonly ownerClass: string;
  /** Resource that the class stands for. */
  readonly owner: string;
  /** Validates a payload. */
  readonly validate: Validator;
  /** The resource whose record is the payload; absent: the payload is not a record. */
  readonly record?: string;
}

/** What `generated/index.ts` exports. */
export interface Generated {
  readonly api: { readonly title: string; readonly version: string };
  readonly definitions: readonly AnyDefinition[];
  /** Absent: there is none. */
  readonly catalogue?: Catalogue;
  /** By name. */
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** The versions that were cut, by date, the oldest first (D68); absent: there are none. */
  readonly versions?: Readonly<Record<string, VersionDates>>;
  /** The functions that the spec brings; without them, those of runtime/resources. */
  readonly handwritten?: Handwritten;
}
