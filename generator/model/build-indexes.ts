// Indexes of a table: one for every list in its order and one for every foreign key, without duplicates.

import type { Index } from '../../runtime/schema/schema.js';
import type { Part } from './kinds/part.js';

/**
 * @param parts the expanded fields
 * @param uniques columns of unique constraints, which are indexes already
 * @param order default order of lists; the id follows by itself
 */
export function buildIndexes(
  parts: readonly Part[],
  uniques: readonly (readonly string[])[],
  order: readonly string[],
): readonly Index[] {
  const lists = parts.flatMap((part) => part.lists ?? []);
  const ordered = lists.map(({ by, where }) => [by, ...Object.keys(where), ...order]);
  const distinct = ordered.filter((columns, at) => ordered.findIndex((other) => same(other, columns)) === at);
  const serving = [...distinct, ...uniques];
  const references = parts.flatMap((part) => part.columns ?? []).filter(({ references }) => references !== null);
  return [
    ...distinct
      .filter((columns) => !uniques.some((unique) => same(unique, columns)))
      .map((columns) => ({ columns, partial: false })),
    ...references
      .filter(({ name }) => !serving.some(([first]) => first === name))
      .map(({ name, nullable }) => ({ columns: [name], partial: nullable })),
  ];
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((column, at) => column === b[at]);
}
