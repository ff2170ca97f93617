// The contents of a descriptor, as the tests generated from it read them: merged with its convention, but nothing derived.
import type { Lifecycle, Operation } from '../../runtime/definition.js';
import type { RawClause, RawField, RawOperation, RawResource, RawWhole, Where } from '../language/language.js';

/** Everything that the tests of a resource may need to know, including the resources that it refers to. */
export interface ProjectFacts {
  /** Media types of an image field that does not list any. */
  readonly imageTypes: readonly string[];
  /** For each event, the class of the record that it is about, and the resource of that class. */
  readonly events: Readonly<Record<string, { readonly ownerClass: string; readonly owner: string }>>;
  /** Absent: the service has none. */
  readonly catalogue?: CatalogueFacts;
  /** Sorted by name. */
  readonly resources: readonly Facts[];
}

export interface CatalogueFacts {
  readonly path: string;
  /** The convention of what it lists. */
  readonly of: string;
  readonly attributes: Readonly<Record<string, FieldFacts>>;
}

export interface Facts {
  readonly resource: string;
  readonly plural: string;
  /** Absent: none. */
  readonly extends?: readonly string[];
  readonly type_name?: string;
  readonly type_field?: string;
  readonly identities?: readonly string[];
  /** Of the identities. */
  readonly attributes?: RawField['attributes'];
  readonly default_identity?: string;
  readonly catalogue?: RawResource['catalogue'];
  readonly fields: Readonly<Record<string, FieldFacts>>;
  readonly unique?: readonly (readonly string[])[];
  readonly order?: readonly string[];
  /** Clauses by right. */
  readonly access: Readonly<Record<string, readonly RawClause[]>>;
  readonly hidden?: boolean;
  readonly operations?: Readonly<Partial<Record<Operation, RawOperation>>>;
  /** Who may list all records besides administrators, and which. */
  readonly whole?: RawWhole;
  readonly paths?: Readonly<Partial<Record<Operation | 'all', readonly string[]>>>;
  readonly old_names?: RawResource['old_names'];
  readonly ignores?: readonly string[];
  readonly actions: Readonly<Record<string, ActionFacts>>;
  readonly lifecycle?: readonly Lifecycle[];
  readonly brief?: readonly string[];
  readonly upload?: { readonly part: string; readonly max_bytes: number; readonly uses?: string };
  readonly principal?: boolean;
  readonly served_by?: string;
}

export interface ActionFacts {
  readonly by: string;
  readonly sets?: Where;
  /** The field with the name of the copy that it makes. */
  readonly copies?: string;
  readonly undo?: Where;
  readonly parameters: Readonly<Record<string, FieldFacts>>;
}

/** A field without its documentation, its history and its deprecation. */
export type FieldFacts = Omit<RawField, 'description' | 'example' | 'fill' | 'was' | 'deprecated' | 'sunset' | 'short'>;
