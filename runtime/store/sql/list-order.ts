// The order of a list as SQL: its terms, and where a cursor continues (D23).
import type { Scalar } from '../../contract/definition.js';
import { type OrderTerm, orderTerm } from '../../schema/order.js';
import { quoted } from '../../schema/sql-text.js';
import type { Dialect } from './dialect.js';

export interface ListOrder {
  /** In order of precedence; the id comes last. */
  readonly terms: readonly OrderTerm[];
  /** True: the declared order of the resource or its reverse, which the indexes of its lists have. */
  readonly isOwn: boolean;
}

/** @param declared the terms of an index @param requested terms separated by commas @param reversed turns all terms around */
export function orderOf(declared: readonly string[], requested: string, reversed: boolean): ListOrder {
  const terms = untilId(requested.split(',').map(orderTerm));
  const turned = terms.map(({ name, descending }) => ({ name, descending: descending !== reversed }));
  return { terms: turned, isOwn: isSameOrReverse(terms, untilId(declared.map(orderTerm))) };
}

/** The terms up to the id, which breaks ties; later terms have no effect. */
function untilId(terms: readonly OrderTerm[]): readonly OrderTerm[] {
  const id = terms.findIndex(({ name }) => name === 'id');
  return id < 0 ? [...terms, orderTerm('id')] : terms.slice(0, id + 1);
}

function isSameOrReverse(terms: readonly OrderTerm[], others: readonly OrderTerm[]): boolean {
  const turned = terms[0]?.descending !== others[0]?.descending;
  const isLike = ({ name, descending }: OrderTerm, at: number) =>
    others[at]?.name === name && (others[at].descending !== descending) === turned;
  return terms.length === others.length && terms.every(isLike);
}

/** ORDER BY over rows as `t`. */
export function sortedBy(dialect: Dialect, { terms }: ListOrder): string {
  const all = terms.map(({ name, descending }) =>
    // An id is never NULL.
    name === 'id' ? `t."id"${descending ? ' DESC' : ''}` : dialect.ordered(`t.${quoted(name)}`, descending),
  );
  return `ORDER BY ${all.join(', ')}`;
}

/** The pattern of NULLs among a cursor's values, which decides how its statement is composed; '' without a cursor. */
export function keyOf(after: readonly Scalar[] | null): string {
  return after === null ? '' : after.map((value) => (value === null ? 'n' : 'v')).join('');
}

/** The pattern of the values; null: without a cursor. */
export function patternIn(key: string): string | null {
  return key === '' ? null : key;
}

/**
 * Conditions for the rows after the values `@after0`, `@after1`, ..., each for a contiguous part of the order, nearest first.
 * NULL comes first in ascending and last in descending order, which a comparison of row values would not respect.
 * @param pattern the pattern of the values
 */
export function partsAfter({ terms }: ListOrder, pattern: string): readonly string[] {
  const equal = terms.map(({ name }, at) => equals(name, at, pattern));
  const parts = terms.map((term, at) =>
    beyond(term, at, pattern).map((one) => [...equal.slice(0, at), one].join(' AND ')),
  );
  return parts.reverse().flat();
}

function equals(name: string, at: number, pattern: string): string {
  const column = `t.${quoted(name)}`;
  return pattern[at] === 'n' ? `${column} IS NULL` : `${column} = @after${at}`;
}

function beyond({ name, descending }: OrderTerm, at: number, pattern: string): readonly string[] {
  const column = `t.${quoted(name)}`;
  if (pattern[at] === 'n') return descending ? [] : [`${column} IS NOT NULL`];
  if (!descending) return [`${column} > @after${at}`];
  return name === 'id' ? [`${column} < @after${at}`] : [`${column} < @after${at}`, `${column} IS NULL`];
}

/** The parameters of a statement that continues after these values. */
export function afterOf(values: readonly Scalar[]): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(values.map((value, index) => [`after${index}`, value]));
}
