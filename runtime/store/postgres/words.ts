// The words by which records are found (D44) in PostgreSQL: computed here, written with their row, and read from all shards.

import type { Row } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { SHARD, wordsTable } from '../../schema/postgres/ddl.js';
import type { Search, Table } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { wordsOf } from '../../schema/text-words.js';
import { isSearched, watchedColumns } from '../../schema/words.js';
import { idOf } from '../sql/ids.js';
import { boundRanges, inRanges, type WordReads } from '../sql/matches.js';
import { sent } from '../unit.js';
import type { Connections, Row as Read } from './connections.js';
import { POSTGRES } from './dialect.js';
import { type NamedValues, prepareNamed, type Query, run } from './named.js';
import { ONE_ROW } from './record-statements.js';

/** A row of the table of words. */
export interface Entry {
  readonly shard: string;
  readonly id: string;
  readonly word: string;
  /** 1: anyone can find the record by it. */
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

/** The statement that writes those of `$1`, a JSON list, and leaves those that are there. @param words the table, quoted */
export function insertEntries(words: string): string {
  const columns = `"${SHARD}", "id", "word", "listed"`;
  const read = 'json_to_recordset($1::json) AS r("shard" text, "id" text, "word" text, "listed" bigint)';
  return `INSERT INTO ${words} (${columns}) SELECT * FROM ${read} ON CONFLICT DO NOTHING`;
}

/** Writes the words of a row in place of those of the old one, with statements that are all sent before it returns. */
export type WriteWords = (query: Query, old: Row | null, row: Row) => Promise<void>;

/** Each word has a statement of its own, since Citus sends only such a statement straight to the shard. */
export function createWriteWords(connections: Pick<Connections, 'prepare'>, table: Table): WriteWords {
  if (!isSearched(table)) return async () => undefined;
  const { search } = table;
  const watched = watchedColumns(search);
  const words = wordsTable(table);
  const insert = prepareNamed(
    connections,
    `INSERT INTO ${words} ("${SHARD}", "id", "word", "listed") VALUES (@shard, @id, @word, @listed)`,
  );
  const remove = prepareNamed(connections, `DELETE FROM ${words} t WHERE ${ONE_ROW}`);
  return async (query, old, row) => {
    if (old !== null && watched.every((column) => old[column] === row[column])) return;
    await Promise.all([
      ...(old === null ? [] : [run(query, remove(idOf(String(row.id))))]),
      ...entriesOf(search, [row]).map((entry) => run(query, insert({ ...entry }))),
    ]);
  };
}

/** Each shard reads as many entries. */
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
    entries: (range, listed, limit) => sent(idsOf(entries, { ...range, listed, limit })),
    among: (all, ranges) => sent(idsOf(among(ranges.length), { ...boundRanges(ranges), ids: JSON.stringify(all) })),
  };
}
