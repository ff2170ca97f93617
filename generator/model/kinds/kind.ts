// What a kind of field says of itself. Everyone else asks one of these facts, never which kind it is: a new kind is one
// file with one row, listed in kinds.ts.

import type { FieldKeyName } from '../../language/field-keys.js';
import type { RawField, RawResource, RawSpec, Source } from '../../language/language.js';
import type { JsonSchema, Parameter } from '../model.js';
import type { Part } from './part.js';

export interface FieldKind<F extends RawField = RawField> {
  /** The keys that a field of the kind may have. */
  readonly keys: readonly FieldKeyName[];
  /** Those it cannot do without. */
  readonly needs: readonly FieldKeyName[];

  /** What its id belongs to: the resource in `to`, or the one that stores uploads; null: it holds a value, no id. */
  readonly refers: 'named' | 'upload' | null;
  /** Worked out when a record is read: nothing is stored, and nobody can send it. */
  readonly derived: boolean;
  /** Kept as a hash, and never shown. */
  readonly secret: boolean;
  /** A list or map, which a form carries as JSON text. */
  readonly structured: boolean;
  /** The stored values are in the order of what they mean. */
  readonly sortable: boolean;
  /** Every wire profile writes it alike, so that another record can show it. */
  readonly copyable: boolean;
  /** The record that it names is a related object (D21) and a link of the record (D22). */
  readonly related: boolean;
  /** Who sees it unless the field says. */
  readonly view: 'anyone' | 'editor';
  /** How its name gives a right: while the value is true, or to whoever may edit what it refers to; null: it does not. */
  readonly grants: 'when_true' | 'through' | null;
  /** A negative number is not one of its values. */
  readonly unsigned: boolean;
  /** The least that `min` and `max` may be, where they count characters. */
  readonly leastLimits: Limits | null;
  /** What each of `values` has to be. */
  readonly listed: { readonly type: 'string' | 'number'; readonly says: string } | null;
  /** The value where nothing is sent or stated; undefined: none. */
  readonly unset: unknown;

  /** What the service can fill it with. */
  readonly filledBy: readonly Source[];
  /** The words that its default may be besides a literal. */
  readonly defaultWords: readonly ('session.user' | 'upload.name')[];
  /** A default may be copied from a record that it refers to. */
  readonly copiesDefaults: boolean;
  /** A default may be a literal. */
  readonly literalDefaults: boolean;
  /** Limits bind what the service fills in as well; otherwise such a field has none. */
  readonly limitsFilled: boolean;

  /** What its values are called and how they are written, as the end of "… is not". */
  expects(field: F): string;
  /** JSON Schema of what a caller sends. */
  schema(field: F): JsonSchema;
  /** That by which it is judged, where the documented one says more. */
  judged(field: F): JsonSchema;
  /** A literal of a descriptor as a caller would send it. */
  sent(literal: unknown): unknown;
  /** False for what a request's conversion refuses before the schema is asked. */
  converts(value: unknown): boolean;
  /** A literal as the column holds it. */
  stored(literal: unknown): string | number;
  /** JSON Schema of what a record shows. */
  shown(field: F): JsonSchema;
  example(field: F): unknown;

  /** The least and greatest value or length; null: it has no limits. */
  limits(field: F): Limits | null;
  /** How many characters its values have; null: nobody can tell. */
  lengths(field: F): readonly [least: number, most: number] | null;
  /** How many values it can have; infinite where nobody would count. */
  count(field: F): number;

  /** Its columns: the first holds the value. */
  columns(name: string, field: F): readonly string[];
  /** The parameters that one of its synonyms is accepted as. */
  accepted(synonym: string, field: F): readonly string[];
  /** Parameters that only the kind knows of, besides those of its columns. */
  furtherParameters(name: string, field: F): readonly Parameter[];
  /** All that a field of the kind stands for. */
  expand(name: string, field: F, place: Place): Part;
}

export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** Where a field is declared: its spec and resource, and the way to what its neighbours are. */
export interface Place {
  readonly spec: RawSpec;
  readonly resource: RawResource;
  kindOf(field: RawField): FieldKind;
}

const SHOWN_KEYS = ['description', 'example', 'view', 'deprecated', 'sunset'] as const;
const SENT_KEYS = [...SHOWN_KEYS, 'required', 'read_only', 'set', 'synonyms', 'was'] as const;

/** The keys that kinds share: of whatever is shown, of what is also sent, and of what lists can be made by. */
export const KEYS = {
  shown: SHOWN_KEYS,
  sent: SENT_KEYS,
  listed: [...SENT_KEYS, 'shown_as', 'filter', 'unique'],
} as const satisfies Readonly<Record<string, readonly FieldKeyName[]>>;

/** A kind about which nothing special is to be said. */
export const PLAIN = {
  needs: [],
  refers: null,
  derived: false,
  secret: false,
  structured: false,
  sortable: true,
  copyable: false,
  related: false,
  view: 'anyone',
  grants: null,
  unsigned: false,
  leastLimits: null,
  listed: null,
  unset: undefined,
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
