// Compares limits, and writes them in words and in the SQL that all engines share; other SQL is in each engine's ddl.ts.

import { allowsSame } from './json-schema.js';
import type { Check } from './schema.js';
import { plain } from './sql-text.js';

/** True if every value within `from` is certainly within `to`, so that no stored row needs to be checked. */
export function widens(from: Check | null, to: Check | null): boolean {
  if (to === null) return true;
  if (from === null) return false;
  // Rows keep names that are removed.
  if (to.rule === 'choice' && (from.rule === 'choice' || from.rule === 'one_of')) return true;
  if (from.rule === 'choice') return widens({ rule: 'length', ...NAME_LENGTH }, to);
  if (from.rule === 'one_of') return from.values.every((value) => holds(to, value));
  return from.rule === to.rule && WIDENS[from.rule](from, to);
}

/** The limit that a CHECK holds for a column of listed names. */
export const NAME_LENGTH = { min: 1, max: 60 } as const;

/** The limit for values converted from another kind: today's names, which a CHECK does not list. */
export function limitOfToday(check: Check): Check {
  return check.rule === 'choice' ? { rule: 'one_of', values: check.names.map(({ name }) => name) } : check;
}

/** A JSON Schema that stored rows were not validated with; null if there is none, or if the earlier schema is not known. */
export function otherJsonSchema(from: Check | null, to: Check | null): Readonly<Record<string, unknown>> | null {
  const schema = jsonSchemaOf(to);
  if (schema === undefined) return null;
  if (from?.rule === 'json' && from.schema === undefined && to?.rule === 'json') return null;
  return from?.rule === to?.rule && allowsSame(jsonSchemaOf(from), schema) ? null : schema;
}

/** The JSON Schema of a limit, for stored JSON or for the text itself. */
export function jsonSchemaOf(check: Check | null): Readonly<Record<string, unknown>> | undefined {
  return check !== null && 'schema' in check ? check.schema : undefined;
}

/** `1 to 9`, `at most 20 characters`, `one of red, blue`, `no limit`. */
export function limitText(check: Check | null): string {
  return check === null ? 'no limit' : (TEXTS[check.rule] as (check: Check) => string)(check);
}

/** The condition that an expression is within bounds; empty if there are none. */
export function bounds(expression: string, min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `${expression} BETWEEN ${plain(min)} AND ${plain(max)}`;
  if (min !== null) return `${expression} >= ${plain(min)}`;
  return max === null ? '' : `${expression} <= ${plain(max)}`;
}

/** The condition that a whole number is within its limits; empty if there are none. */
export function rangeSql({ min, max, step }: Of<'range'>, column: string): string {
  const multiple = step === undefined ? [] : [`${column} % ${step} = 0`];
  return [bounds(column, min, max), ...multiple].filter((one) => one !== '').join(' AND ');
}

type Rule = Check['rule'];
type Of<R extends Rule> = Extract<Check, { rule: R }>;
type ComparableRule = Exclude<Rule, 'one_of' | 'choice'>;

const WIDENS: Readonly<Record<ComparableRule, (from: Check, to: Check) => boolean>> = {
  range: (from, to) =>
    contains(to as Of<'range'>, from as Of<'range'>) &&
    ((from as Of<'range'>).step ?? 1) % ((to as Of<'range'>).step ?? 1) === 0,
  length: (from, to) => contains(to as Of<'length'>, from as Of<'length'>),
  decimal: (from, to) =>
    contains(to as Of<'decimal'>, from as Of<'decimal'>) &&
    (to as Of<'decimal'>).scale >= (from as Of<'decimal'>).scale,
  url: (from, to) => (to as Of<'url'>).max >= (from as Of<'url'>).max,
  json: () => true,
};

interface Bounds {
  readonly min: number | null;
  readonly max: number | null;
}

function contains(wide: Bounds, narrow: Bounds): boolean {
  const lower = (bounds: Bounds): number => bounds.min ?? Number.NEGATIVE_INFINITY;
  const upper = (bounds: Bounds): number => bounds.max ?? Number.POSITIVE_INFINITY;
  return lower(wide) <= lower(narrow) && upper(wide) >= upper(narrow);
}

/** True if a value is certainly within a limit. */
function holds(check: Check, value: string | number): boolean {
  if (check.rule === 'one_of') return check.values.includes(value);
  const within = (number: number): boolean => contains(check as Bounds, { min: number, max: number });
  if (check.rule === 'range') return typeof value === 'number' && within(value) && value % (check.step ?? 1) === 0;
  // The engines count code points, and none accepts U+0000.
  return check.rule === 'length' && typeof value === 'string' && !value.includes('\0') && within([...value].length);
}

const TEXTS: { readonly [R in Rule]: (check: Of<R>) => string } = {
  range: ({ step, ...bounds }) => {
    if (step === undefined) return boundsText(bounds);
    const isOpen = bounds.min === null && bounds.max === null;
    return `a multiple of ${step}${isOpen ? '' : `, ${boundsText(bounds)}`}`;
  },
  length: (check) => `${boundsText(check)} ${characters(check.max ?? check.min)}`,
  one_of: ({ values }) => `one of ${values.join(', ')}`,
  choice: ({ names }) => `one of ${names.map(({ name }) => name).join(', ')}`,
  decimal: (check) => `a decimal of ${boundsText(check)} with ${check.scale} ${check.scale === 1 ? 'place' : 'places'}`,
  url: ({ max }) => `a URL of at most ${max} ${characters(max)}`,
  json: () => 'JSON',
};

function characters(count: number | null): string {
  return count === 1 ? 'character' : 'characters';
}

function boundsText({ min, max }: Bounds): string {
  if (min !== null && max !== null) return `${min} to ${max}`;
  if (min !== null) return `at least ${min}`;
  return max === null ? 'any' : `at most ${max}`;
}
