// Indexes of a table: one for every list in its order, every foreign key, and every column by which operators find records.

import { orderTerm } from '../../runtime/schema/order.js';
import type { Index } from '../../runtime/schema/schema.js';
import type { FieldParts } from '../model/kinds/kind.js';
import type { Resource } from '../model/model.js';

/**
 * @param parts the expanded fields
 * @param resource with its unique constraints, which have indexes already, and the terms of its default order, before the id
 */
export function buildIndexes(
  parts: readonly FieldParts[],
  { uniques, order, whole, finds }: Pick<Resource, 'uniques' | 'order' | 'whole' | 'finds'>,
): readonly Index[] {
  // A list through another resource is sorted after reading, so the index of the reference serves it.
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
      // The index of a unique constraint does not define a direction, or a place for null.
      .filter((columns) => order.length > 0 || !constraints.some((unique) => same(unique, columns)))
      .map((columns) => ({ columns, partial: false, ...inOrder })),
    ...references
      .filter(({ name }) => !serving.some(([first]) => first === name))
      // Each start looks for rows whose record has not been made yet.
      .map(({ name, nullable, references: to }) => ({ columns: [name], partial: nullable && to?.made !== true })),
  ];
}

/** The index of the list of all records in its order; the table itself has the order of ids. */
function ofAll(whole: Resource['whole'], order: readonly string[]): readonly Index[] {
  if (whole === null) return [];
  const columns = [...Object.keys(whole.where), ...order.map((term) => orderTerm(term).name)];
  if (columns.length === 0) return [];
  return [{ columns, partial: false, ...(order.length === 0 ? {} : { order }), whole: true }];
}

/** It finds records by the beginning of the column, and lists all of them in its order. */
function findIndex(column: string): Index {
  return { columns: [column], partial: false, order: [column], whole: true };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((column, at) => column === b[at]);
}
