// The field kinds that are one column each, as a table: how each is checked, stored and shown.

import toRegexRange from 'to-regex-range';
import type { ParameterKind, StorageType } from '../../../runtime/definition.js';
import type { Check } from '../../../runtime/schema/schema.js';
import { union } from '../../emit/typescript.js';
import type {
  BooleanField,
  DateField,
  DecimalField,
  EnumField,
  IntegerField,
  JsonField,
  PasswordField,
  RawField,
  TextField,
  UrlField,
} from '../../language/language.js';
import type { JsonSchema } from '../model.js';

export type ScalarField =
  | BooleanField
  | DateField
  | DecimalField
  | EnumField
  | IntegerField
  | JsonField
  | PasswordField
  | TextField
  | UrlField;

export interface Scalar<F> {
  readonly parameter: ParameterKind;
  readonly storage: StorageType;
  /** JSON Schema of the value as a client sends it. */
  schema(field: F): JsonSchema;
  check(field: F): Check | null;
  /** TypeScript types of the validated value and of the row's. */
  input(field: F): string;
  row(field: F): string;
  /** Kit function from the validated value to the row's; null: as it is. */
  readonly convert: string | null;
  /** The row's value of a literal default. */
  stored(value: unknown): string | number;
  /** How a record shows it: kind of property, TypeScript type, JSON Schema (null: that of the parameter). */
  shownAs(field: F): 'column' | 'bit';
  shownType(field: F): string;
  shownSchema(field: F): JsonSchema | null;
  /** An example for the API document, where the descriptor gives none. */
  example(field: F): unknown;
}

const TEXT_MAX = 255;
const URL_MAX = 2000;
const ANY_JSON: JsonSchema = { type: ['object', 'array'] };
/** A host and the characters of RFC 3986, as the CHECK of the same name; lengths are counted apart. */
const URL_PATTERN = "^https?://(?![/?#])[A-Za-z0-9._~:/?#@!$&'()*+,;=%\\[\\]-]+$";

/** What all kinds that are kept as text share. */
const textual = {
  storage: 'text' as const,
  input: () => 'string',
  row: () => 'string',
  convert: null,
  stored: String,
  shownAs: () => 'column' as const,
  shownType: () => 'string',
  shownSchema: () => null,
};

/** Every scalar kind; a new kind is a new row. */
export const SCALARS: { readonly [K in ScalarField['kind']]: Scalar<Extract<ScalarField, { kind: K }>> } = {
  text: {
    ...textual,
    parameter: 'text',
    schema: (field) => ({ type: 'string', minLength: minLength(field), maxLength: field.max ?? TEXT_MAX }),
    check: (field) => ({ rule: 'length', min: minLength(field), max: field.max ?? TEXT_MAX }),
    example: (field) => fitting('Text', minLength(field), field.max),
  },
  // The limits are those of the password; what is stored is its hash, so the column has none.
  password: {
    ...textual,
    parameter: 'password',
    schema: (field) => ({
      type: 'string',
      minLength: field.min ?? 1,
      maxLength: field.max ?? TEXT_MAX,
      format: 'password',
    }),
    check: () => null,
    example: (field) => fitting('correct horse', field.min ?? 1, field.max),
  },
  url: {
    ...textual,
    parameter: 'url',
    schema: (field) => ({ type: 'string', format: 'uri', pattern: URL_PATTERN, maxLength: field.max ?? URL_MAX }),
    check: (field) => ({ rule: 'url', max: field.max ?? URL_MAX }),
    example: () => 'https://example.com/',
  },
  enum: {
    ...textual,
    parameter: 'enum',
    schema: (field) => ({ type: 'string', enum: field.values ?? [] }),
    check: (field) => ({ rule: 'one_of', values: field.values ?? [] }),
    input: (field) => union(field.values ?? []),
    row: (field) => union(field.values ?? []),
    shownType: (field) => union(field.values ?? []),
    example: (field) => field.values?.[0],
  },
  decimal: {
    ...textual,
    parameter: 'decimal',
    schema: (field) => ({ type: 'string', pattern: decimalPattern(limits(field)) }),
    check: (field) => ({ rule: 'decimal', ...limits(field) }),
    example: (field) => String(limits(field).min),
  },
  integer: {
    parameter: 'integer',
    storage: 'integer',
    schema: (field) => (field.values ? { type: 'integer', enum: field.values } : { type: 'integer', ...bounds(field) }),
    check: (field) =>
      field.values
        ? { rule: 'one_of', values: field.values }
        : field.min === undefined && field.max === undefined
          ? null
          : { rule: 'range', min: field.min ?? null, max: field.max ?? null },
    input: (field) => (field.values ? union(field.values) : 'number'),
    row: (field) => (field.values ? union(field.values) : 'number'),
    convert: null,
    stored: Number,
    shownAs: () => 'column',
    shownType: (field) => (field.values ? union(field.values) : 'number'),
    shownSchema: () => null,
    example: (field) => field.values?.[0] ?? field.min ?? 1,
  },
  boolean: {
    parameter: 'boolean',
    storage: 'boolean',
    schema: () => ({ type: 'boolean' }),
    check: () => ({ rule: 'one_of', values: [0, 1] }),
    input: () => 'boolean',
    row: () => '0 | 1',
    convert: 'bit',
    stored: (value) => (value ? 1 : 0),
    shownAs: (field) => (field.as === 'bit' ? 'bit' : 'column'),
    shownType: (field) => (field.as === 'bit' ? '0 | 1' : 'boolean'),
    shownSchema: (field) => (field.as === 'bit' ? { type: 'integer', enum: [0, 1] } : null),
    example: () => false,
  },
  date: {
    parameter: 'date',
    storage: 'date',
    schema: () => ({ type: 'string', format: 'date-time' }),
    check: () => null,
    input: () => 'string',
    row: () => 'number',
    convert: 'epoch',
    stored: (value) => Date.parse(String(value)),
    shownAs: () => 'column',
    shownType: () => 'string',
    shownSchema: () => null,
    example: () => '2026-01-02T03:04:05.678Z',
  },
  json: {
    parameter: 'json',
    storage: 'json',
    schema: (field) => field.schema ?? ANY_JSON,
    check: (field) => ({ rule: 'json', schema: field.schema ?? ANY_JSON }),
    input: () => 'unknown',
    row: () => 'string',
    convert: 'jsonText',
    stored: (value) => JSON.stringify(value),
    shownAs: () => 'column',
    shownType: () => 'unknown',
    shownSchema: () => null,
    example: (field) => (field.schema?.type === 'array' ? [] : {}),
  },
};

/** The table's row for a field, typed for whatever kind it is. */
export function scalar(field: ScalarField): Scalar<ScalarField> {
  return SCALARS[field.kind] as Scalar<ScalarField>;
}

/** Whether the field is one of the table. */
export function isScalar(field: RawField): field is ScalarField {
  return Object.hasOwn(SCALARS, field.kind);
}

function minLength(field: TextField): number {
  return Math.max(field.required ? 1 : 0, field.min ?? 0);
}

/** An example as long as the field's limits want it. */
function fitting(text: string, min: number, max = TEXT_MAX): string {
  return text.padEnd(min, 'x').slice(0, max);
}

function bounds(field: IntegerField): JsonSchema {
  return {
    ...(field.min === undefined ? {} : { minimum: field.min }),
    ...(field.max === undefined ? {} : { maximum: field.max }),
  };
}

/** The limits of a decimal, those of the language where it names none. */
export function limits(field: DecimalField): { min: number; max: number; scale: number } {
  return { min: field.min ?? 0, max: field.max ?? 999_999_999, scale: field.scale ?? 2 };
}

/** Exactly the decimal texts from min to max (whole numbers): no sign, no leading zeros, at most `scale` decimals. */
function decimalPattern({ min, max, scale }: { min: number; max: number; scale: number }): string {
  const fraction = (digit: string): string => (scale === 0 ? '' : `(?:\\.${digit}{1,${scale}})?`);
  const below = max > min ? [`(?:${toRegexRange(min, max - 1, { capture: false })})${fraction('[0-9]')}`] : [];
  return `^(?:${[...below, `${max}${fraction('0')}`].join('|')})$`;
}
