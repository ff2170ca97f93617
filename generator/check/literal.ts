// Whether a literal fits a field: judged by the JSON Schema that judges requests. Knows values and limits, no resource.
import type { ErrorObject } from 'ajv';
import { judging, openJudge } from '../emit/judge.js';
import type { RawField } from '../language/language.js';
import { ID_SCHEMA } from '../model/kinds/id-parts.js';
import { isScalar, limits, scalar } from '../model/kinds/scalars.js';
import type { JsonSchema } from '../model/model.js';
import { described, shown } from './form.js';

/** Why the value does not fit, as the rest of a sentence; null when it fits. */
export function misfit(field: RawField, value: unknown): string | null {
  if (field.kind === 'computed') return null;
  // A decimal may be written as a number; it travels as text.
  const sent = field.kind === 'decimal' && typeof value === 'number' ? String(value) : value;
  if (typeof sent === 'string' && BROKEN_TEXT.test(sent)) return 'it holds U+0000 or half of a character';
  if (!converts(field, sent)) return isNo(value, expected(field));
  const errors = judge(isScalar(field) ? judging(field.kind, scalar(field).schema(field)) : ID_SCHEMA, sent);
  const [first] = errors;
  return first === undefined ? null : (SENTENCES[first.keyword]?.(value, first) ?? mismatch(field, value, first));
}

/** Judges by the text of their schema: fields of a convention come again and again. */
const judges = new Map<string, ReturnType<typeof openJudge>>();

function judge(schema: JsonSchema, value: unknown): readonly ErrorObject[] {
  const key = JSON.stringify(schema);
  let known = judges.get(key);
  if (known === undefined) {
    // A server that watches a spec would otherwise keep every limit that was ever typed.
    if (judges.size > 1000) judges.clear();
    known = openJudge(schema);
    judges.set(key, known);
  }
  return known(value);
}

/** U+0000 and lone surrogates are in no value (D20). */
const BROKEN_TEXT = /\0|\p{Surrogate}/u;

/** What a request's conversion refuses before its schema is asked. */
function converts(field: RawField, value: unknown): boolean {
  if (field.kind === 'integer') return Number.isSafeInteger(value);
  if (field.kind === 'json')
    return (
      typeof value === 'object' &&
      value !== null &&
      !BROKEN_TEXT.test(JSON.stringify(value).replaceAll('\\u0000', '\0'))
    );
  if (field.kind !== 'date') return true;
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

const SENTENCES: Readonly<Record<string, (value: unknown, error: ErrorObject) => string>> = {
  minimum: (value, { params }) => `${value} is less than min ${params.limit}`,
  maximum: (value, { params }) => `${value} is more than max ${params.limit}`,
  enum: (value, { params }) =>
    `${typeof value === 'number' ? value : shown(value)} is not one of ${params.allowedValues.join(', ')}`,
  minLength: (value, { params }) =>
    `it has ${[...String(value)].length} characters, at least ${params.limit} are asked for`,
  maxLength: (value, { params }) =>
    `it has ${[...String(value)].length} characters, at most ${params.limit} are allowed`,
};

function mismatch(field: RawField, value: unknown, { instancePath, message }: ErrorObject): string {
  if (field.kind !== 'json') return isNo(value, expected(field));
  return `${instancePath === '' ? 'it' : instancePath} ${message ?? 'does not fit the schema'}`;
}

const EXPECTED: Readonly<Record<RawField['kind'], string>> = {
  text: 'text',
  integer: 'a whole number',
  decimal: 'a decimal such as "12.5"',
  boolean: 'true or false',
  date: 'a date such as 2030-01-31T12:00:00Z',
  enum: 'text',
  url: 'an http URL',
  json: 'a list or a map',
  password: 'text',
  reference: 'the id of a record',
  image: 'the id of a file',
  file: 'the id of a file',
  computed: 'a value',
};

function expected(field: RawField): string {
  if (field.kind !== 'decimal') return EXPECTED[field.kind];
  const { min, max, scale } = limits(field);
  return `a decimal from ${min} to ${max} with at most ${scale} digits behind the point`;
}

const isNo = (value: unknown, what: string): string =>
  `${typeof value === 'string' ? shown(value) : described(value)} is not ${what}`;
