// The table of words (D44) as SQLite statements. Pure text.

import type { Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { isSearched, type SearchedTable } from '../words.js';

/** The SQL function that makes a JSON list of words from texts. */
export const WORDS_OF = 'words_of';

export function wordsTable({ name }: { readonly name: string }): string {
  return `${name}_words`;
}

/** Empty for a table that cannot be searched. */
export function createWords(table: Table): readonly string[] {
  if (!isSearched(table)) return [];
  const name = wordsTable(table);
  return [
    `CREATE TABLE ${quoted(name)} (
  "id" TEXT NOT NULL REFERENCES ${quoted(table.name)} ("id") ON DELETE CASCADE,
  "word" TEXT NOT NULL,
  "listed" INTEGER NOT NULL,
  PRIMARY KEY ("id", "word")
) STRICT, WITHOUT ROWID`,
    `CREATE INDEX ${quoted(`${name}_idx`)} ON ${quoted(name)} ("listed", "word", "id")`,
  ];
}

export function dropWords(table: Table): readonly string[] {
  return isSearched(table) ? [`DROP TABLE ${quoted(wordsTable(table))}`] : [];
}

/** Rewrites the words of rows that may have other words by rule 2: rows with a letter outside ASCII. */
export function refillWords(table: SearchedTable): readonly string[] {
  const others = table.search.columns.map(
    (name) => `length(CAST(t.${quoted(name)} AS BLOB)) <> length(t.${quoted(name)})`,
  );
  const rows = `SELECT t."id" FROM ${quoted(table.name)} t WHERE ${others.join(' OR ')}`;
  return [`DELETE FROM ${quoted(wordsTable(table))} WHERE "id" IN (${rows})`, fillWords(table, others.join(' OR '))];
}

/** Writes the words of rows that have none yet. @param where condition on the row `t` */
export function fillWords(
  { name, search: { columns, listed } }: Pick<SearchedTable, 'name' | 'search'>,
  where = '1',
): string {
  const texts = columns.map((column) => `t.${quoted(column)}`).join(', ');
  const conditions = Object.entries(listed).map(([column, value]) => `t.${quoted(column)} IS ${literal(value)}`);
  return (
    `INSERT INTO ${quoted(wordsTable({ name }))} ("id", "word", "listed") ` +
    `SELECT t."id", w.value, ${conditions.join(' AND ') || '1'} FROM ${quoted(name)} t, json_each(${WORDS_OF}(${texts})) w WHERE ${where}`
  );
}
