// What a kind of field defines, and what a field expands to. All other code reads these members and never asks for the kind
// itself, so a new kind is one file with one row, listed in kinds.ts.

import type { Reference } from '../../../runtime/contract/definition.js';
import type { Check } from '../../../runtime/schema/schema.js';
import type { FieldKeyName } from '../../language/field-keys.js';
import type { RawField, RawResource, RawSpec, ValueSource } from '../../language/language.js';
import type { Action, JsonSchema, List, Parameter, Property, UnnumberedColumn } from '../model.js';

export interface FieldKind<F extends RawField = RawField> {
  /** What a field of the kind is, in Markdown for editors. */
  readonly makes: string;
  /** The keys that a field of the kind may have. */
  readonly keys: readonly FieldKeyName[];
  /** The keys that it must have. */
  readonly needs: readonly FieldKeyName[];

  /** The target of its id: the resource in `to`, or the one that stores uploads; null if it holds a value, not an id. */
  readonly refers: 'named' | 'upload' | null;
  /** Computed when a record is read: nothing is stored, and nobody can send it. */
  readonly derived: boolean;
  /** Stored as a hash, which is never shown. */
  readonly secret: boolean;
  /** Shown once, by the response that creates the record or the action of the same name, which renews it. */
  readonly renewed: boolean;
  /** A list or map, which a form sends as JSON text. */
  readonly structured: boolean;
  /** Whether stored values sort in the order of their meaning. */
  readonly sortable: boolean;
  /** Whether `sum` can add up its values. */
  readonly summable: boolean;
  /** Lists can be filtered by ranges of its values, and `latest` shows the greatest. */
  readonly ranged: boolean;
  /** Whether its values are words by which records are found. */
  readonly searchable: boolean;
  /** Whether every wire profile writes it the same way, so that another record can show it. */
  readonly copyable: boolean;
  /** Whether its record is a related object (D21) and a link of the record (D22). */
  readonly related: boolean;
  /** Who sees it by default. */
  readonly view: 'anyone' | 'editor';
  /** How its name grants access: while the value is true, or to callers who may edit its target; null if it does not. */
  readonly grants: 'when_true' | 'through' | null;
  /** Whether its limits may have digits after the point, as many as its scale. */
  readonly fractional: boolean;
  /** The smallest allowed `min` and `max`, if they count characters. */
  readonly leastLimits: Limits | null;
  /** What each of `values` must be. */
  readonly listed: { readonly type: 'string' | 'number'; readonly says: string } | null;
  /** The value if nothing is sent and there is no default; undefined if none. */
  readonly unset: unknown;
  /** Whether a stored record may be without a value (decided only here); a computed field depends on its sources. */
  mayBeEmpty(field: F): boolean;

  /** The sources from which the service can fill it. */
  readonly filledBy: readonly ValueSource[];
  /** The words that its default may be, besides literals. */
  readonly defaultWords: readonly ('session.user' | 'upload.name')[];
  /** Whether a default may be copied from a record that it refers to. */
  readonly copiesDefaults: boolean;
  /** Whether a default may be a literal. */
  readonly literalDefaults: boolean;
  /** Whether limits also apply to values that the service fills in; otherwise such a field has no limits. */
  readonly limitsFilled: boolean;

  /** The description and format of its values, as the end of "… is not". */
  expects(field: F): string;
  /** JSON Schema of what a caller sends. */
  schema(field: F): JsonSchema;
  /** The schema for validation, if the documented one has more keywords. */
  validationSchema(field: F): JsonSchema;
  /** A literal of a descriptor as a caller would send it. */
  sent(literal: unknown): unknown;
  /** False for values that conversion refuses before the schema is applied. */
  converts(value: unknown): boolean;
  /** A literal as the column stores it. */
  stored(literal: unknown): string | number;
  /** JSON Schema of what a record shows. */
  shown(field: F): JsonSchema;
  /** A value to show if the descriptor has no example. */
  example(field: F, name: string): unknown;

  /** The minimum and maximum value or length; null if there are no limits. */
  limits(field: F): Limits | null;
  /** The limit that the database enforces; absent if the kind has none. */
  check?(field: F): Check | null;
  /** The length of its values in characters; null if unknown. */
  lengths(field: F): readonly [least: number, most: number] | null;
  /** The number of its possible values; infinite if there are too many to count. */
  count(field: F): number;

  /** Its columns: the first holds the value. */
  columns(name: string, field: F): readonly string[];
  /** The parameters for which one of its synonyms is accepted. */
  accepted(synonym: string, field: F): readonly string[];
  /** Parameters of the kind itself, besides those of its columns. */
  furtherParameters(name: string, field: F): readonly Parameter[];
  /** Everything that a field of the kind expands to. */
  expand(name: string, field: F, place: FieldContext): FieldParts;
}

/** Whether callers may send a stored field (decided only here); otherwise its source or hand-written code sets it. */
export function maySet({ read_only, from }: Pick<RawField, 'read_only' | 'from'>): boolean {
  return read_only !== true && from === undefined;
}

export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** The place where a field is declared: its spec and resource, and how to look up the kinds of other fields. */
export interface FieldContext {
  readonly spec: RawSpec;
  readonly resource: RawResource;
  kindOf(field: RawField): FieldKind;
}

const SHOWN_KEYS = ['description', 'times', 'example', 'view', 'deprecated', 'sunset'] as const;
const SENT_KEYS = [...SHOWN_KEYS, 'required', 'read_only', 'set', 'synonyms', 'was'] as const;

/** The keys that kinds share, for fields that are shown, are also sent, or also filter lists. */
export const KEYS = {
  shown: SHOWN_KEYS,
  sent: SENT_KEYS,
  listed: [...SENT_KEYS, 'shown_as', 'filter', 'unique'],
} as const satisfies Readonly<Record<string, readonly FieldKeyName[]>>;

/** A kind without special properties. */
export const PLAIN = {
  needs: [],
  refers: null,
  derived: false,
  secret: false,
  renewed: false,
  structured: false,
  sortable: true,
  summable: false,
  ranged: false,
  searchable: false,
  copyable: false,
  related: false,
  view: 'anyone',
  grants: null,
  fractional: false,
  leastLimits: null,
  listed: null,
  unset: undefined,
  mayBeEmpty: ({ required }: RawField) => required !== true,
  filledBy: [],
  defaultWords: [],
  copiesDefaults: false,
  literalDefaults: true,
  limitsFilled: false,
  sent: (literal: unknown) => literal,
  converts: () => true,
  stored: String,
  limits: () => null,
  lengths: () => null,
  count: () => Number.POSITIVE_INFINITY,
  columns: (name: string) => [name],
  accepted: (synonym: string) => [synonym],
  furtherParameters: () => [],
} as const;

export interface FieldParts {
  readonly columns?: readonly UnnumberedColumn[];
  readonly parameters?: readonly Parameter[];
  readonly properties?: readonly Property[];
  readonly references?: readonly Reference[];
  readonly lists?: readonly List[];
  readonly actions?: readonly Action[];
}
