// The words of a search (D44) in SQLite: a function of the connection computes them from the stored row.
import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { Table } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { fillWords, WORDS_OF, wordsTable } from '../../schema/sqlite/words.js';
import { wordsOf } from '../../schema/text-words.js';
import { isSearched, watchedColumns } from '../../schema/words.js';
import { boundRanges, inRanges, type WordReads } from '../sql/matches.js';
import { ready } from '../unit.js';

/** Registers the function that computes words on a connection. */
export function registerWordFunction(db: Database.Database): void {
  db.function(WORDS_OF, { deterministic: true, varargs: true }, (...texts: unknown[]) =>
    JSON.stringify(wordsOf(texts)),
  );
}

/** Rewrites the words of all rows. */
export function rewriteWords(db: Database.Database, table: Table): void {
  if (!isSearched(table)) return;
  registerWordFunction(db);
  db.exec(`DELETE FROM ${quoted(wordsTable(table))}; ${fillWords(table)}`);
}

/** Writes the words of copied rows. */
export function addWords(db: Database.Database, table: Table, ids: readonly unknown[]): void {
  if (!isSearched(table)) return;
  const insert = fillWords(table, 't."id" IN (SELECT value FROM json_each(?))');
  db.prepare(insert).run(JSON.stringify(ids));
}

/** Writes the words of a stored row. */
export interface WriteWords {
  /** Writes the words of a new row. */
  add(id: string): void;
  /** Writes the words of a row that was changed in these columns. */
  change(id: string, changed: readonly string[]): void;
}

/** Null: the resource is not searched. */
export function createWriteWords(db: Database.Database, definition: AnyDefinition): WriteWords | null {
  const { name, whole } = definition;
  if (whole?.search === undefined) return null;
  const search = { columns: whole.search, listed: whole.where };
  const watched = new Set(watchedColumns(search));
  const one = memoize((sql: string) => db.prepare<[string]>(sql));
  const add = fillWords({ name, search }, 't."id" = ?');
  const remove = `DELETE FROM ${quoted(wordsTable({ name }))} WHERE "id" = ?`;
  return {
    add: (id) => void one(add).run(id),
    change(id, changed) {
      if (!changed.some((column) => watched.has(column))) return;
      one(remove).run(id);
      one(add).run(id);
    },
  };
}

export function createWordReads(db: Database.Database, { name }: AnyDefinition): WordReads {
  const words = quoted(wordsTable({ name }));
  const prepared = memoize((sql: string) => db.prepare<unknown[], string>(sql).pluck());
  const within = `"word" >= @from AND "word" < @to`;
  const entries = `SELECT "id" FROM ${words} WHERE "listed" = @listed AND ${within} ORDER BY "word", "id" LIMIT @limit`;
  const has = (from: string, to: string) =>
    `EXISTS (SELECT 1 FROM ${words} WHERE "id" = i.value AND "word" >= ${from} AND "word" < ${to})`;
  const among = (count: number) => `SELECT i.value FROM json_each(@ids) i WHERE ${inRanges(count, has)}`;
  return {
    entries: (range, listed, limit) => ready(prepared(entries).all({ ...range, listed, limit })),
    among: (ids, ranges) =>
      ready(prepared(among(ranges.length)).all({ ...boundRanges(ranges), ids: JSON.stringify(ids) })),
  };
}
