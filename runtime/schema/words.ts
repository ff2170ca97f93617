// The table of words for searching another table: the rows and columns that it depends on. Pure.

import type { Search, Table } from './schema.js';

/** A table that can be searched. */
export type SearchedTable = Table & { readonly search: Search };

export function isSearched(table: Table): table is SearchedTable {
  return table.search !== undefined;
}

/** The columns on which the words of a row depend. */
export function watchedColumns({ columns, listed }: Search): readonly string[] {
  return [...columns, ...Object.keys(listed)];
}

/** The rule that produced the table's words. */
export function wordRule({ search }: Table): number {
  return search?.rule ?? 1;
}
