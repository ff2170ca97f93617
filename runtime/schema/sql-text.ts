// Identifiers, literals and limits of numbers as SQL text, alike on every engine.

import type { Check } from './schema.js';

/** An SQL identifier; field names may be SQL keywords. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** An SQL literal. */
export function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? plain(value) : `'${value.replaceAll("'", "''")}'`;
}

/** A number without an exponent. */
export function plain(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '');
}

/** A condition; empty where there is no limit. */
export function bounds(expression: string, min: number | null, max: number | null): string {
  if (min !== null && max !== null) return `${expression} BETWEEN ${plain(min)} AND ${plain(max)}`;
  if (min !== null) return `${expression} >= ${plain(min)}`;
  return max === null ? '' : `${expression} <= ${plain(max)}`;
}

/** The condition that a whole number keeps its limits; empty where there are none. */
export function rangeSql({ min, max }: Extract<Check, { rule: 'range' }>, column: string): string {
  return bounds(column, min, max);
}

/** The new name where a column has a former one, and the condition that it has. */
export function renamedValue(
  column: string,
  renamed: readonly { readonly from: string; readonly to: string }[],
): { readonly value: string; readonly isFormer: string } {
  const cases = renamed.map(({ from, to }) => `WHEN ${literal(from)} THEN ${literal(to)}`).join(' ');
  const former = renamed.map(({ from }) => literal(from)).join(', ');
  return { value: `CASE ${column} ${cases} ELSE ${column} END`, isFormer: `${column} IN (${former})` };
}
