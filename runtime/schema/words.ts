// The table of words by which the rows of another table are found: when it has to be rebuilt, and how a change of it is described. Pure.

import { numbersOf, type TablePair } from './match.js';
import type { Search, Table } from './schema.js';

/** A table whose rows are found by words. */
export type SearchedTable = Table & { readonly search: Search };

export function isSearched(table: Table): table is SearchedTable {
  return table.search !== undefined;
}

/** The columns on which its words depend. */
export function watchedColumns({ columns, listed }: Search): readonly string[] {
  return [...columns, ...Object.keys(listed)];
}

/** The rule by which its words are made. */
export function wordRule({ search }: Table): number {
  return search?.rule ?? 1;
}

/** What differs in how rows are found, as a clause that follows the name of the table; null: nothing. */
export function searchChange(pair: Pick<TablePair, 'from' | 'to'>): string | null {
  return scopeChange(pair) ?? ruleChange(pair);
}

/** The same clause, if other rows or columns are searched. */
function scopeChange({ from, to }: Pick<TablePair, 'from' | 'to'>): string | null {
  const [before, after] = [from.search, to.search];
  if (before === undefined && after === undefined) return null;
  if (after === undefined) return 'can no longer be searched';
  if (before === undefined) return `can be searched by words of ${after.columns.join(', ')}`;
  if (identityOf(from, before.columns) !== identityOf(to, after.columns))
    return `can be searched by words of ${after.columns.join(', ')}, previously of ${before.columns.join(', ')}`;
  const isSame = identityOf(from, Object.keys(before.listed)) === identityOf(to, Object.keys(after.listed));
  const values = [before, after].map(({ listed }) => JSON.stringify(Object.values(listed)));
  return isSame && values[0] === values[1] ? null : 'has other rows that anyone can find';
}

/** The same clause, if the words are made by another rule. */
function ruleChange({ from, to }: Pick<TablePair, 'from' | 'to'>): string | null {
  const [before, after] = [wordRule(from), wordRule(to)];
  return before === after ? null : `has its words made by rule ${after}, previously by rule ${before}`;
}

/** True if only the rule by which words are made is another one: the words of most rows are the same. */
export function hasOtherRule(pair: TablePair): pair is TablePair & { readonly to: SearchedTable } {
  return isSearched(pair.to) && !hasOtherWords(pair) && ruleChange(pair) !== null;
}

/** True if the words in the database are not those of the new schema: their table is named after the other one. */
export function hasOtherWords(pair: TablePair): boolean {
  const { from, to, kept } = pair;
  if (scopeChange(pair) !== null) return true;
  if (to.search === undefined) return false;
  const isKept = (name: string) =>
    kept.some(
      (columns) =>
        columns.to.name === name &&
        columns.from.kind === columns.to.kind &&
        columns.from.nullable === columns.to.nullable,
    );
  return from.name !== to.name || !watchedColumns(to.search).every(isKept);
}

function identityOf(table: Table, columns: readonly string[]): string {
  return numbersOf(table, columns).join(' ');
}
