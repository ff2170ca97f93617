// The descriptor language as types: the result of check once conventions are merged, before any default is applied.
import type { Operation } from '../../runtime/contract/definition.js';
import type { FieldKeys } from './field-keys.js';
import type { ResourceKeys } from './resource-keys.js';

export type EngineName = 'sqlite' | 'postgres' | 'citus';

export interface RawSpec {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  /** Media types of an image field that does not list any. */
  readonly imageTypes: readonly string[];
  /** Databases on which the service must be able to run. */
  readonly engines: readonly EngineName[];
  /** Names of the conventions, sorted. */
  readonly conventions: readonly string[];
  /** Names in events.yaml, sorted; empty without that file. */
  readonly events: readonly string[];
  /** The entry of each in events.yaml; only the names in it are checked. */
  readonly eventBodies: Readonly<Record<string, RawEvent>>;
  /** Resource of the records behind each class that owns events. */
  readonly ownerClasses: Readonly<Record<string, string>>;
  /** Null if the service has none. */
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

/** A list of everything that can be created: a row for each identity of the resources that extend a convention. */
export interface RawCatalogue {
  /** Full path. */
  readonly path: string;
  /** Name of the convention. */
  readonly of: string;
  /** What rows show besides data that follow from the descriptors. */
  readonly attributes: ReadonlyMap<string, RawField>;
}

/** A resource: its own keys over those of its conventions. Lists keep the order of the file, with the convention's keys first. */
export interface RawResource extends ResourceKeys {
  readonly resource: string;
  readonly title: string;
  readonly summary: string;
  /** Path of the descriptor relative to the project, `spec/resources/boxtop.yaml`. */
  readonly source: string;
  readonly plural: string;
  /** Names of its conventions. */
  readonly extends: readonly string[];
  /** If the descriptor has `identities`, the first is `identity`. */
  readonly fields: ReadonlyMap<string, RawField>;
  readonly access: RawAccess;
  readonly operations?: Readonly<Partial<Record<Operation, RawOperation>>>;
  /** Who may list all records, and which of them; administrators may always list all. */
  readonly whole?: RawWhole;
  /** Full base paths, always as a list. */
  readonly paths?: Readonly<Partial<Record<Operation | 'all', readonly string[]>>>;
  /** Other names of the type in paths, for old clients. */
  readonly old_names?: readonly RawOldName[];
  readonly actions: ReadonlyMap<string, RawAction>;
  readonly unique?: readonly RawUniqueSet[];
}

/** Fields in which no two records may have the same values. */
export interface RawUniqueSet {
  readonly fields: readonly string[];
  /** Only records with these values count; all count if absent. */
  readonly where?: FieldConditions;
}

/** Attributes of rows of the catalogue, by name. */
export type CatalogueKeys = Readonly<Record<string, unknown>>;

export interface RawWhole {
  readonly by: 'anyone' | 'session' | 'admin';
  readonly where: FieldConditions;
  /** Texts that can be searched; absent if none. */
  readonly search?: readonly string[];
}

export type RawOperation =
  | boolean
  | 'anyone'
  | 'session'
  | 'admin'
  | { readonly required?: 'all'; readonly match?: 'required' }
  | { readonly existing: 'update' };

export interface RawAction {
  readonly title: string;
  /** `editor`, `admin`, or a named right. */
  readonly by: string;
  readonly parameters: ReadonlyMap<string, RawField>;
  /** The values to which it sets fields, without a function. */
  readonly sets?: FieldConditions;
  /** The text field that names the copy, if the action copies the record, without a function. */
  readonly copies?: string;
  /** The neighbouring records that its function gets. */
  readonly reads?: RawReads;
  /** The effect of a DELETE at its path. */
  readonly undo?: { readonly title: string; readonly sets: FieldConditions };
}

/** Further records that a function gets, by name. */
export type RawReads = Readonly<Record<string, RawRead>>;

/** Has either a list or a reference. */
export interface RawRead {
  readonly list?: string;
  readonly where?: FieldConditions;
  readonly limit?: number;
  readonly record?: string;
}

export interface RawAccess {
  /** Clauses by right: `read`, `edit` and other names. A lone `anyone` is a list here. */
  readonly rights: ReadonlyMap<string, readonly RawClause[]>;
  readonly hidden?: boolean;
}

/**
 * A word (`anyone`, `self`, `editor`, a right, a reference field, a boolean field), membership through a joining resource, or a
 * right of the target of a reference.
 */
export type RawClause = string | RawMember | RawTargetRight;

/** Everyone who has the right on the target of the reference. */
export interface RawTargetRight {
  readonly right: string;
  readonly of: string;
}

export interface RawMember {
  readonly member: string;
  readonly by: string;
  readonly in?: string;
  readonly where?: FieldConditions;
}

export type Literal = string | number | boolean | null;
export type FieldConditions = Readonly<Record<string, Literal>>;

/**
 * A field of any kind, which determines the keys that apply: check reports all others, and they are left out here. Kinds are
 * defined by their rows in model/kinds/kinds.ts.
 */
export interface RawField extends FieldKeys {
  readonly kind: string;
  /** The attributes of values that have any. */
  readonly attributes?: Readonly<Record<string, RawValue>>;
  /** The shorthand keys of the resource from which this field was expanded. */
  readonly short?: ShortIdentity;
}

export interface RawOldName {
  readonly name: string;
  /** The identity that it denotes; null for all of them. */
  readonly identity: string | null;
}

/** What a descriptor says about one identity, or one value of an enum. */
export interface RawValue {
  /** The size of an identity in pixels: `825x1125`. */
  readonly size?: string;
  /** The words of the name by default. */
  readonly title?: string;
  /** Name of its list for a reference with `list_each`; false if it has none. */
  readonly list?: string | false;
  /** The earlier name, so that rows with it get the new one. */
  readonly was?: string;
  /** Dates as YYYY-MM-DD. */
  readonly deprecated?: string;
  readonly sunset?: string;
  /** The attributes of an identity's row in the catalogue; false if it has no row. */
  readonly catalogue?: CatalogueKeys | false;
}

/** An additional list of the records that refer to a target. */
export interface RawList {
  /** The reference of the target whose own target has the list. */
  readonly through?: string;
  readonly where?: FieldConditions;
  /** The value of the field in `list_each` from which the list was derived. */
  readonly of?: string | number;
}

export interface ShortIdentity {
  readonly identities?: readonly string[];
  readonly default_identity?: string;
}

export type ValueSource =
  | 'session.user'
  | 'upload.name'
  | 'upload.type'
  | 'upload.size'
  | 'upload.width'
  | 'upload.height'
  | 'upload.hash'
  | 'random';

export type OnDelete = 'cascade' | 'set_null' | 'restrict';
