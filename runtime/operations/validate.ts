// Turns the parameters of a request into the input of an operation: resolves names, converts values to the kinds of their
// parameters (D20, one row per kind), checks limits, and reports all failures.

import { isDeepStrictEqual } from 'node:util';
import type { Input, Parameter, ParameterKind } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';
import type { Caller } from '../store/records.js';
import type { Parameters } from './call.js';
import { canonicalDate } from './dates.js';
import { failureOf, parameterOf } from './failures.js';
import type { InputSchema } from './input-schema.js';
import { isService } from './service.js';

export interface ValidationResult {
  /** Parameters that passed, by their own names; without prototype. */
  readonly input: Input;
  /** At most one per field, in the order of the definition's parameters. */
  readonly failures: readonly Failure[];
  /** Unknown names (D19). */
  readonly ignored: readonly string[];
}

/** Maximum number of failures reported for one json parameter, which may break its schema in as many places as it has bytes. */
const MAX_PER_PARAMETER = 20;

type Reports = Map<string, Failure[]>;

/**
 * Validates the parameters of a create, an update or an action. Does not throw: the store adds the failures only it can see.
 * Null: dropped if it counts as not sent; on update it clears, or is `required` if the field cannot be empty (D18).
 */
export function validateInput(schema: InputSchema, parameters: Parameters, caller: Caller): ValidationResult {
  const { sent, ignored } = sortNames(schema, parameters);
  const reports: Reports = new Map();
  const values: Input = Object.create(null);
  const cleared = new Set<string>();
  for (const [name, spellings] of sent) {
    const converted = convert(schema, { name, spellings, caller }, reports);
    if (converted === null) cleared.add(name);
    else if (converted !== undefined) values[name] = converted;
  }
  if (!schema.validator(values)) reportErrors(schema, { values, cleared }, reports);
  for (const name of reports.keys()) delete values[name];
  for (const name of cleared) if (!reports.has(name)) values[name] = null;
  return { input: values, failures: reports.size === 0 ? [] : inOrder(schema, reports), ignored };
}

/** A parameter as it was sent: under its own name or a synonym. */
interface SentValue {
  readonly as: string;
  readonly value: unknown;
}

/** The value of a parameter that was sent under several names that the schema does not list: they have to agree as synonyms do. */
export class Spellings {
  constructor(readonly all: SentValues) {}
}

type SentValues = readonly [SentValue, ...SentValue[]];

/** By parameter, every name under which it was sent: several if synonyms were sent together (D42). */
type SpellingsByName = Map<string, SentValues>;

function sortNames(schema: InputSchema, parameters: Parameters): { sent: SpellingsByName; ignored: string[] } {
  const sent: SpellingsByName = new Map();
  const ignored: string[] = [];
  for (const as of Object.keys(parameters)) {
    const value = parameters[as];
    if (value === undefined) continue;
    const name = schema.parameters.has(as) ? as : schema.synonyms.get(as);
    if (name === undefined) {
      if (!schema.silent.has(as) && !isService(as)) ignored.push(as);
      continue;
    }
    const spellings = sent.get(name);
    if (value instanceof Spellings) sent.set(name, value.all);
    else sent.set(name, spellings === undefined ? [{ as, value }] : [...spellings, { as, value }]);
  }
  return { sent, ignored };
}

interface SentParameter {
  readonly name: string;
  readonly spellings: SentValues;
  readonly caller: Caller;
}

/** The value; null: cleared; undefined: not sent, or reported as a failure. */
function convert(schema: InputSchema, { name, spellings, caller }: SentParameter, reports: Reports): unknown {
  const parameter = schema.parameters.get(name) as Parameter;
  const [first, another] = spellings;
  const { coerced, conflict } =
    another === undefined
      ? { coerced: coerceFor(parameter, first.value), conflict: null }
      : agreed(schema, parameter, spellings);
  if (coerced.ok && coerced.value === null && !schema.clears) return undefined;
  const refuse = (code: Failure['code'], message: string) => report(reports, { field: name, code, message });
  if (parameter.set === 'admin' && !caller.admin)
    return refuse('forbidden', `${name} can be set by administrators only.`);
  if (conflict !== null) return refuse('invalid', conflict);
  if (!coerced.ok) return refuse('invalid', `${name} ${coerced.problem}`);
  if (coerced.value === null && !parameter.nullable && schema.required.has(name))
    return refuse('required', `${name} is required.`);
  return coerced.value;
}

interface AgreedValue {
  /** The value as it was sent. */
  readonly value: unknown;
  readonly coerced: CoercionResult;
  /** The message about names that were sent with different values; null: they agree. */
  readonly conflict: string | null;
}

/** The value of a parameter that was sent under several names (D42). On create, null under one of them is ignored. */
export function agreed(
  { clears }: Pick<InputSchema, 'clears'>,
  parameter: Parameter,
  spellings: SentValues,
): AgreedValue {
  const { kind } = parameter;
  const { value } = spellings[0];
  const candidates = spellings.map((one) => ({ ...one, coerced: coerceFor(parameter, one.value) }));
  const counting = clears ? candidates : candidates.filter((one) => !one.coerced.ok || one.coerced.value !== null);
  const [first, ...others] = counting;
  if (first === undefined) return { value, coerced: NOTHING, conflict: null };
  const other = others.find((one) => !sameCoerced(kind, first.coerced, one.coerced));
  const conflict = other && `${first.as} and ${other.as} are names for the same parameter: their values must be equal.`;
  return { value: first.value, coerced: first.coerced, conflict: conflict ?? null };
}

/** Coerces a value, or the value that a word of the parameter stands for. */
function coerceFor({ kind, words = {} }: Parameter, value: unknown): CoercionResult {
  return coerce(kind, typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : value);
}

// Cleared parameters are not validated: the schema describes values, and null is not one of them.
function reportErrors(
  schema: InputSchema,
  sent: { values: Input; cleared: ReadonlySet<string> },
  reports: Reports,
): void {
  for (const error of schema.validator.errors ?? []) {
    const failure = failureOf(error, schema, sent.values);
    if (!sent.cleared.has(parameterOf(failure))) report(reports, failure);
  }
}

function report(reports: Reports, failure: Failure): undefined {
  const parameter = parameterOf(failure);
  const others = reports.get(parameter);
  if (others === undefined) reports.set(parameter, [failure]);
  else if (others.length < MAX_PER_PARAMETER && !others.some(({ field }) => field === failure.field)) {
    others.push(failure);
  }
}

function inOrder({ parameters }: InputSchema, reports: Reports): readonly Failure[] {
  const named = [...parameters.keys()].flatMap((name) => reports.get(name) ?? []);
  const unnamed = [...reports].flatMap(([name, failures]) => (parameters.has(name) ? [] : failures));
  return [...named, ...unnamed];
}

/** The converted value, or its problem, as a sentence that starts with the field's name. */
export type CoercionResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** Levels of arrays and objects that a json parameter may have. */
export const MAX_DEPTH = 32;

const NOTHING: CoercionResult = { ok: true, value: null };
const UNREADABLE = 'must not contain U+0000 or unpaired surrogates.';
const BROKEN_TEXT = /\0|\p{Surrogate}/u;
const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const TRUTHS: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'True']);
const FALSEHOODS: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'False']);

const KINDS: Readonly<Record<ParameterKind, (value: unknown) => CoercionResult>> = {
  text,
  token: text,
  url: text,
  password: text,
  reference: text,
  integer,
  decimal,
  boolean,
  date,
  day,
  json,
};

/**
 * Converts one value, from JSON or as text from a query or form.
 * Null stays null; empty text is null for every kind but `text`. A value that does not convert is a problem, never 0.
 */
export function coerce(kind: ParameterKind, value: unknown): CoercionResult {
  if (value === null || (value === '' && kind !== 'text')) return NOTHING;
  return KINDS[kind](value);
}

/** Whether two converted values are equal: `5` and `5.0` are the same decimal, and JSON is compared by its content. */
export function sameCoerced(kind: ParameterKind, one: CoercionResult, other: CoercionResult): boolean {
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

function text(value: unknown): CoercionResult {
  if (typeof value !== 'string') return refused(single(value, 'must be text.'));
  return BROKEN_TEXT.test(value) ? refused(UNREADABLE) : { ok: true, value };
}

function integer(value: unknown): CoercionResult {
  const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(number)) return refused(single(value, 'must be an integer.'));
  return { ok: true, value: number === 0 ? 0 : number };
}

// Decimals are exact, so they stay text. JSON numbers are written as their shortest text; 1e21 has none without an exponent.
function decimal(value: unknown): CoercionResult {
  const notation = typeof value === 'number' ? String(value) : value;
  if (typeof notation !== 'string' || !DECIMAL.test(notation)) {
    return refused(single(value, 'must be a decimal number.'));
  }
  return { ok: true, value: notation };
}

function boolean(value: unknown): CoercionResult {
  if (TRUTHS.has(value)) return { ok: true, value: true };
  return FALSEHOODS.has(value) ? { ok: true, value: false } : refused(single(value, 'must be true or false.'));
}

function date(value: unknown): CoercionResult {
  const canonical = typeof value === 'string' ? canonicalDate(value) : null;
  return canonical === null
    ? refused(single(value, 'must be a date, such as 2024-02-29T12:00:00Z.'))
    : { ok: true, value: canonical };
}

function day(value: unknown): CoercionResult {
  const isDay = typeof value === 'string' && canonicalDate(`${value}T00:00:00Z`) !== null;
  return isDay ? { ok: true, value } : refused(single(value, 'must be a day, such as 2024-02-29.'));
}

function json(value: unknown): CoercionResult {
  const parsed = typeof value === 'string' ? parse(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return refused('must be a JSON object or array.');
  const problem = jsonProblem(parsed, 1);
  return problem === null ? { ok: true, value: parsed } : refused(problem);
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

function refused(problem: string): CoercionResult {
  return { ok: false, problem };
}
