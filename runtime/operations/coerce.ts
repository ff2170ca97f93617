// Converts a sent value to the kind of its parameter (D20), with one row per kind. The validator checks limits.
import { isDeepStrictEqual } from 'node:util';
import type { ParameterKind } from '../definition.js';
import { canonicalDate } from './dates.js';

/** The converted value, or what is wrong with it, as a sentence that starts with the field's name. */
export type Coerced = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Levels of arrays and objects that a json parameter may have. */
export const MAX_DEPTH = 32;

const NOTHING: Coerced = { ok: true, value: null };
const UNREADABLE = 'must not contain U+0000 or unpaired surrogates.';
const BROKEN_TEXT = /\0|\p{Surrogate}/u;
const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  ['True', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['False', false],
]);

const KINDS: Readonly<Record<ParameterKind, (value: unknown) => Coerced>> = {
  text,
  token: text,
  url: text,
  password: text,
  reference: text,
  integer,
  decimal,
  boolean,
  date,
  json,
};

/**
 * Converts one value, from JSON or as text from a query or form.
 * Null stays null; empty text is null for every kind but `text`. A value that does not convert is a problem, never 0.
 */
export function coerce(kind: ParameterKind, value: unknown): Coerced {
  if (value === null || (value === '' && kind !== 'text')) return NOTHING;
  return KINDS[kind](value);
}

/** Whether two converted values are equal: `5` and `5.0` are the same decimal, and JSON is compared by its content. */
export function sameCoerced(kind: ParameterKind, one: Coerced, other: Coerced): boolean {
  if (!one.ok || !other.ok) return !one.ok && !other.ok && one.problem === other.problem;
  if (one.value === null || other.value === null) return one.value === other.value;
  if (kind === 'decimal') return shortest(String(one.value)) === shortest(String(other.value));
  return isDeepStrictEqual(one.value, other.value);
}

/** A decimal without insignificant zeros. */
function shortest(decimal: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(decimal) ?? [];
  const digits = fraction === '' ? whole : `${whole}.${fraction}`;
  return digits === '0' ? '0' : sign + digits;
}

function text(value: unknown): Coerced {
  if (typeof value !== 'string') return refused(single(value, 'must be text.'));
  return BROKEN_TEXT.test(value) ? refused(UNREADABLE) : accepted(value);
}

function integer(value: unknown): Coerced {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(number)) return refused(single(value, 'must be an integer.'));
  return accepted(number === 0 ? 0 : number);
}

// Decimals are exact, so they stay text. JSON numbers are written as their shortest text; 1e21 has none without an exponent.
function decimal(value: unknown): Coerced {
  const notation = typeof value === 'number' ? String(value) : value;
  if (typeof notation !== 'string' || !DECIMAL.test(notation)) {
    return refused(single(value, 'must be a decimal number.'));
  }
  return accepted(notation);
}

function boolean(value: unknown): Coerced {
  const found = BOOLEANS.get(value);
  return found === undefined ? refused(single(value, 'must be true or false.')) : accepted(found);
}

function date(value: unknown): Coerced {
  const canonical = typeof value === 'string' ? canonicalDate(value) : null;
  return canonical === null
    ? refused(single(value, 'must be a date, such as 2024-02-29T12:00:00Z.'))
    : accepted(canonical);
}

function json(value: unknown): Coerced {
  const parsed = typeof value === 'string' ? parse(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return refused('must be a JSON object or array.');
  const problem = jsonProblem(parsed, 1);
  return problem === null ? accepted(parsed) : refused(problem);
}

function parse(notation: string): unknown {
  try {
    return JSON.parse(notation);
  } catch {
    return undefined;
  }
}

function jsonProblem(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return BROKEN_TEXT.test(value) ? UNREADABLE : null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must not contain numbers out of range.';
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return `must not nest deeper than ${MAX_DEPTH} levels.`;
  for (const [key, inner] of Object.entries(value)) {
    const problem = BROKEN_TEXT.test(key) ? UNREADABLE : jsonProblem(inner, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function single(value: unknown, otherwise: string): string {
  return Array.isArray(value) ? 'must be sent once, as a single value.' : otherwise;
}

function accepted(value: unknown): Coerced {
  return { ok: true, value };
}

function refused(problem: string): Coerced {
  return { ok: false, problem };
}
