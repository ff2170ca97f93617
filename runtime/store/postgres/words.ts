// The words of a search (D44) in PostgreSQL: computed here, written with their row, and read from all shards.

import type { Row } from '../../contract/definition.js';
import { idOf, placementOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { OUTDATED, SHARD, wordsTable } from '../../schema/postgres/ddl.js';
import type { Schema, Search, Table } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { wordsOf } from '../../schema/text-words.js';
import { isSearched, type SearchedTable, watchedColumns } from '../../schema/words.js';
import { boundRanges, inRanges, type WordReads } from '../sql/matches.js';
import { fromPromise, type Transact } from '../unit.js';
import type { Connections, Row as Read } from './connections.js';
import { type NamedValues, prepareNamed, type Query, run } from './database.js';
import { POSTGRES } from './dialect.js';
import { ONE_ROW } from './record-statements.js';

/** A row of the table of words. */
export interface Entry {
  readonly shard: string;
  readonly id: string;
  readonly word: string;
  /** 1: anyone can find the record by this word. */
  readonly listed: 0 | 1;
}

/** @param rows with the id, and the columns on which the words depend */
export function entriesOf({ columns, listed }: Search, rows: readonly (Row | Read)[]): readonly Entry[] {
  return rows.flatMap((row) => {
    const id = String(row.id);
    const isListed = Object.entries(listed).every(([column, value]) => row[column] === value);
    const entry = { shard: placementOf(id), id, listed: isListed ? (1 as const) : (0 as const) };
    return wordsOf(columns.map((column) => row[column])).map((word) => ({ ...entry, word }));
  });
}

/** The statement that writes the entries of `$1`, a JSON list, unless they exist. @param words the quoted name of the table */
export function insertEntries(words: string): string {
  const columns = `"${SHARD}", "id", "word", "listed", ${OUTDATED}`;
  const read = 'json_to_recordset($1::json) AS r("shard" text, "id" text, "word" text, "listed" bigint)';
  return `INSERT INTO ${words} (${columns}) SELECT *, NULL::bigint FROM ${read} ON CONFLICT DO NOTHING`;
}

/** Replaces the words of the old row by those of the new one, with statements that are all sent before it returns. */
export type WriteWords = (query: Query, old: Row | null, row: Row) => Promise<void>;

/** The statements that delete the words of a record, and write a word. @param words the quoted name of the table */
function writesOf(words: string) {
  const columns = `"${SHARD}", "id", "word", "listed", ${OUTDATED}`;
  return {
    insert: `INSERT INTO ${words} (${columns}) VALUES (@shard, @id, @word, @listed, NULL)`,
    remove: `DELETE FROM ${words} t WHERE ${ONE_ROW}`,
  };
}

/**
 * Each word is written by a separate statement, since Citus sends only such a statement straight to the shard.
 * @returns null: the table is not searched
 */
export function createWriteWords(connections: Pick<Connections, 'prepare'>, table: Table): WriteWords | null {
  if (!isSearched(table)) return null;
  const { search } = table;
  const watched = watchedColumns(search);
  const writes = writesOf(wordsTable(table));
  const [insert, remove] = [prepareNamed(connections, writes.insert), prepareNamed(connections, writes.remove)];
  return async (query, old, row) => {
    if (old !== null && watched.every((column) => old[column] === row[column])) return;
    await Promise.all([
      ...(old === null ? [] : [run(query, remove(idOf(String(row.id))))]),
      ...entriesOf(search, [row]).map((entry) => run(query, insert({ ...entry }))),
    ]);
  };
}

/** The most records of a table whose words one step rewrites. */
const RENEWED = 100;

/**
 * Rewrites the words that servers of an earlier rule have written beside this one.
 * @returns a step, which returns true if there may be more
 */
export function createRenewWords(transact: Transact, { tables }: Schema): () => Promise<boolean> {
  const renew = async (table: SearchedTable): Promise<boolean> => {
    const words = wordsTable(table);
    const { insert, remove } = writesOf(words);
    const outdated = `SELECT DISTINCT "id" FROM ${words} WHERE ${OUTDATED} IS NOT NULL LIMIT ${RENEWED}`;
    const records = await transact((unit) => unit.rows<{ readonly id: string }>(outdated, {}));
    for (const { id } of records)
      await transact(function* (unit) {
        const row = yield* unit.lock(table.name, id, 'change');
        unit.hold(remove, idOf(id));
        for (const entry of entriesOf(table.search, row === undefined ? [] : [row])) unit.hold(insert, { ...entry });
      });
    return records.length === RENEWED;
  };
  return async () => (await Promise.all(tables.filter(isSearched).map(renew))).includes(true);
}

/** The limit of entries applies to each shard. */
export function createWordReads(connections: Connections, table: Table): WordReads {
  const words = wordsTable(table);
  const within = `w."word" >= @from AND w."word" < @to`;
  const entries = `SELECT w."id" FROM ${words} w WHERE w."listed" = @listed AND ${within} ORDER BY w."word", w."id" LIMIT @limit`;
  const has = (from: string, to: string) =>
    `EXISTS (SELECT 1 FROM ${words} w WHERE w."${SHARD}" = t."${SHARD}" AND w."id" = t."id" AND w."word" >= ${from} AND w."word" < ${to})`;
  const among = (count: number) =>
    `SELECT t."id" FROM ${quoted(table.name)} t WHERE ${POSTGRES.among('t', '@ids')} AND ${inRanges(count, has)} ORDER BY t."id"`;
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  const idsOf = async (sql: string, bound: NamedValues) =>
    (await run(connections.query, prepare(sql)(bound))).map(({ id }) => String(id));
  return {
    entries: (range, listed, limit) => fromPromise(idsOf(entries, { ...range, listed, limit })),
    among: (all, ranges) =>
      fromPromise(idsOf(among(ranges.length), { ...boundRanges(ranges), ids: JSON.stringify(all) })),
  };
}
