// Indexes of a table: one for every list in its order, for every foreign key, and for what operators find records by.

import { orderTerm } from '../../runtime/schema/order.js';
import type { Index } from '../../runtime/schema/schema.js';
import type { FieldParts } from '../model/kinds/kind.js';
import type { Resource } from '../model/model.js';

/**
 * @param parts the expanded fields
 * @param resource with its unique constraints, which are indexes already, and the terms of its default order, which the id follows
 */
export function buildIndexes(
  parts: readonly FieldParts[],
  { uniques, order, whole, finds }: Pick<Resource, 'uniques' | 'order' | 'whole' | 'finds'>,
): readonly Index[] {
  // A list through another resource is sorted, so that the index of the reference serves it.
  const lists = parts.flatMap((part) => part.lists ?? []).filter(({ through }) => through === undefined);
  const names = order.map((term) => orderTerm(term).name);
  const ordered = lists.map(({ by, where }) => [by, ...Object.keys(where), ...names]);
  const distinct = ordered.filter((columns, at) => ordered.findIndex((other) => same(other, columns)) === at);
  const constraints = uniques.flatMap((unique) => (unique.where === null ? [unique.columns] : []));
  const serving = [...distinct, ...constraints];
  const inOrder = order.length === 0 ? {} : { order };
  const references = parts.flatMap((part) => part.columns ?? []).filter(({ references }) => references !== null);
  const wholeIndexes = ofAll(whole, order);
  return [
    ...wholeIndexes,
    ...finds.filter((column) => !wholeIndexes.some(({ order: terms }) => same(terms ?? [], [column]))).map(findIndex),
    ...distinct
      // The index of a unique constraint has no direction and no place for null.
      .filter((columns) => order.length > 0 || !constraints.some((unique) => same(unique, columns)))
      .map((columns) => ({ columns, partial: false, ...inOrder })),
    ...references
      .filter(({ name }) => !serving.some(([first]) => first === name))
      // Each start looks for the rows that nothing was made with.
      .map(({ name, nullable, references: to }) => ({ columns: [name], partial: nullable && to?.made !== true })),
  ];
}

/** The list of all records in its order; that of their ids is the table's own. */
function ofAll(whole: Resource['whole'], order: readonly string[]): readonly Index[] {
  if (whole === null) return [];
  const columns = [...Object.keys(whole.where), ...order.map((term) => orderTerm(term).name)];
  if (columns.length === 0) return [];
  return [{ columns, partial: false, ...(order.length === 0 ? {} : { order }), whole: true }];
}

/** It finds records by the beginning of the column, and has all of them in its order. */
function findIndex(column: string): Index {
  return { columns: [column], partial: false, order: [column], whole: true };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((column, at) => column === b[at]);
}
