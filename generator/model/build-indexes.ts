// Indexes of a table: one for every list in its order and one for every foreign key, without duplicates.

import { orderTerm } from '../../runtime/schema/order.js';
import type { Index } from '../../runtime/schema/schema.js';
import type { Part } from './kinds/part.js';

/**
 * @param parts the expanded fields
 * @param uniques columns of unique constraints, which are indexes already
 * @param order terms of the default order of lists; the id follows by itself
 */
export function buildIndexes(
  parts: readonly Part[],
  uniques: readonly (readonly string[])[],
  order: readonly string[],
): readonly Index[] {
  // A list through another resource is sorted, so that the index of the reference serves it.
  const lists = parts.flatMap((part) => part.lists ?? []).filter(({ through }) => through === undefined);
  const names = order.map((term) => orderTerm(term).name);
  const ordered = lists.map(({ by, where }) => [by, ...Object.keys(where), ...names]);
  const distinct = ordered.filter((columns, at) => ordered.findIndex((other) => same(other, columns)) === at);
  const serving = [...distinct, ...uniques];
  const inOrder = order.length === 0 ? {} : { order };
  const references = parts.flatMap((part) => part.columns ?? []).filter(({ references }) => references !== null);
  return [
    ...distinct
      // The index of a unique constraint has no direction and no place for null.
      .filter((columns) => order.length > 0 || !uniques.some((unique) => same(unique, columns)))
      .map((columns) => ({ columns, partial: false, ...inOrder })),
    ...references
      .filter(({ name }) => !serving.some(([first]) => first === name))
      .map(({ name, nullable }) => ({ columns: [name], partial: nullable })),
  ];
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((column, at) => column === b[at]);
}
