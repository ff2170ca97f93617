// What a descriptor says, as the tests made of it take it: the author's words over those of the convention, nothing worked out.
import type { Lifecycle, Operation } from '../../runtime/definition.js';
import type { Kind, OnDelete, RawClause, RawOperation, Source, Where } from '../language/language.js';

/** All that the tests of one resource may need to know: its neighbours too, whose records it refers to. */
export interface ProjectFacts {
  /** Media types of an image field that names none. */
  readonly imageTypes: readonly string[];
  /** Class of the record each event is about, and the resource behind it. */
  readonly events: Readonly<Record<string, { readonly ownerClass: string; readonly owner: string | null }>>;
  /** Sorted by name. */
  readonly resources: readonly Facts[];
}

export interface Facts {
  readonly resource: string;
  readonly plural: string;
  readonly type_name?: string;
  readonly type_field?: string;
  readonly identities?: readonly string[];
  readonly default_identity?: string;
  readonly fields: Readonly<Record<string, FieldFacts>>;
  readonly unique?: readonly (readonly string[])[];
  readonly order?: readonly string[];
  /** Clauses by right. */
  readonly access: Readonly<Record<string, readonly RawClause[]>>;
  readonly hidden?: boolean;
  readonly operations?: Readonly<Partial<Record<Operation, RawOperation>>>;
  readonly paths?: Readonly<Partial<Record<Operation | 'all', readonly string[]>>>;
  readonly ignores?: readonly string[];
  readonly actions: Readonly<Record<string, ActionFacts>>;
  readonly lifecycle?: readonly Lifecycle[];
  readonly brief?: readonly string[];
  readonly upload?: { readonly part: string; readonly max_bytes: number };
  readonly principal?: boolean;
  readonly served_by?: string;
}

export interface ActionFacts {
  readonly by: string;
  readonly parameters: Readonly<Record<string, FieldFacts>>;
}

/** A field of any kind; which keys can be there hangs on the kind, and the checks have seen to that. */
export interface FieldFacts {
  readonly kind: Kind;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly read_only?: boolean;
  readonly set?: 'admin' | 'editor';
  readonly synonyms?: readonly string[];
  readonly filter?: boolean;
  readonly unique?: boolean;
  readonly from?: Source;
  readonly view?: string;
  readonly shown_as?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly scale?: number;
  readonly values?: readonly (string | number)[];
  readonly as?: 'bit';
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly to?: string;
  readonly need?: 'exists' | 'use' | 'edit';
  readonly on_delete?: OnDelete;
  readonly place?: boolean;
  readonly inside?: boolean;
  readonly list?: boolean | string;
  readonly lists?: Readonly<Record<string, { readonly where?: Where }>>;
  readonly types?: readonly string[];
  readonly proof?: boolean;
  readonly copy?: string;
  readonly count?: string;
  readonly text?: string;
}
