// The words by which rows are found (D44), calculated independently: the values of these tests are short and simple.
import type Database from 'better-sqlite3';
import { wordsTable } from '../../runtime/schema/postgres/ddl.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import type { Query } from '../../runtime/store/postgres/connections.js';
import { entriesOf, insertEntries } from '../../runtime/store/postgres/words.js';
import { rewriteWords } from '../../runtime/store/sqlite/words.js';

type Row = Readonly<Record<string, unknown>>;

/** `id word listed` of all expected words, sorted. */
function wanted({ search }: Table, rows: readonly Row[]): readonly string[] {
  const { columns = [], listed = {} } = search ?? {};
  const entries = rows.flatMap((row) => {
    const texts = columns.map((column) => row[column]).filter((value) => typeof value === 'string');
    const words = texts.flatMap((text) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []);
    const isListed = Object.entries(listed).every(([column, value]) => row[column] === value);
    return words.map((word) => `${row.id} ${word} ${isListed ? 1 : 0}`);
  });
  return [...new Set(entries)].sort();
}

function shown(rows: readonly Row[]): readonly string[] {
  return rows.map(({ id, word, listed }) => `${id} ${word} ${listed}`).sort();
}

/** Adds the words of rows that a test inserted directly. */
export function addWords(db: Database.Database, { tables }: Schema): void {
  for (const table of tables) rewriteWords(db, table);
}

export function words(db: Database.Database, { tables }: Schema) {
  const searched = tables.filter(({ search }) => search !== undefined);
  const all = (table: string): Row[] => db.prepare<[], Row>(`SELECT * FROM "${table}"`).all();
  return {
    actual: searched.map(({ name }) => shown(all(`${name}_words`))),
    expected: searched.map((table) => wanted(table, all(table.name))),
  };
}

/** Adds the words on PostgreSQL. */
export async function addWordsIn(query: Query, { tables }: Schema): Promise<void> {
  for (const table of tables.filter(({ search }) => search !== undefined)) {
    const rows = await query(`SELECT * FROM "${table.name}"`);
    const entries = entriesOf(table.search ?? { columns: [], listed: {} }, rows);
    await query(insertEntries(wordsTable(table)), [JSON.stringify(entries)]);
  }
}

export async function wordsIn(query: Query, { tables }: Schema) {
  const [actual, expected]: [unknown[], unknown[]] = [[], []];
  for (const table of tables.filter(({ search }) => search !== undefined)) {
    actual.push(shown(await query(`SELECT * FROM ${wordsTable(table)}`)));
    expected.push(wanted(table, await query(`SELECT * FROM "${table.name}"`)));
  }
  return { actual, expected };
}
