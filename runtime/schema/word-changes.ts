// How a migration changes the search of a table, and when it has to rebuild the table's words. Pure.

import { numbersOf, type TablePair } from './match.js';
import type { Table } from './schema.js';
import { isSearched, type SearchedTable, watchedColumns, wordRule } from './words.js';

/** The change of the search, as a clause that follows the name of the table; null: there is none. */
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

/** The same clause, if another rule produces the words. */
function ruleChange({ from, to }: Pick<TablePair, 'from' | 'to'>): string | null {
  const [before, after] = [wordRule(from), wordRule(to)];
  return before === after ? null : `has its words made by rule ${after}, previously by rule ${before}`;
}

/** True if only the rule that produces words changes, so that the words of most rows stay the same. */
export function hasOtherRule(pair: TablePair): pair is TablePair & { readonly to: SearchedTable } {
  return isSearched(pair.to) && !hasOtherWords(pair) && ruleChange(pair) !== null;
}

/** True if the words must be rebuilt: for other rows or columns, or after a rename, since their table has the table's name. */
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
