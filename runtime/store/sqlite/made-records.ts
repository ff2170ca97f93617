// Stores records that are made with others (D40), and makes them for the rows that were there before.
import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { type Definitions, definitionOf } from '../sql/access.js';
import { type Making, madeWith, makingsOf, type NewRow } from '../sql/made.js';
import { type Sources, secretOf } from '../sql/write-steps.js';
import { constraintError } from './engine-error.js';
import { insertStatement } from './row-statements.js';
import { createWriteWords } from './words.js';

/** Inserts rows, each after those that it refers to. */
export function createInsertMade(db: Database.Database, definitions: Definitions): (rows: readonly NewRow[]) => void {
  const statements = memoize((resource: string) => {
    const definition = definitionOf(definitions, resource);
    return { insert: db.prepare(insertStatement(definition)), words: createWriteWords(db, definition) };
  });
  return (rows) => {
    for (const { definition, row } of rows) {
      const { insert, words } = statements(definition.name);
      try {
        insert.run(row);
        words.add(String(row.id));
      } catch (error) {
        throw constraintError(error, definition);
      }
    }
  };
}

/** Rows that get theirs in one transaction. */
const BATCH = 1000;

/** Makes what is missing, some rows at a time: whatever interrupts it, the next start goes on. */
export function makeMissing(
  db: Database.Database,
  definitions: readonly AnyDefinition[],
  sources: Sources,
  now: number,
): void {
  for (const definition of definitions) {
    for (const making of makingsOf(definition)) {
      const makeSome = createMakeSome(db, definitions, { definition, making });
      while (makeSome(sources, now) === BATCH);
    }
  }
}

function createMakeSome(
  db: Database.Database,
  all: readonly AnyDefinition[],
  { definition, making }: { readonly definition: AnyDefinition; readonly making: Making },
) {
  const [table, column] = [definition.name, making.column].map(quoted);
  const missing = db.prepare<[], string>(`SELECT "id" FROM ${table} WHERE ${column} IS NULL LIMIT ${BATCH}`).pluck();
  const refer = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE "id" = ? AND ${column} IS NULL`);
  const definitions = new Map(all.map((one) => [one.name, one]));
  const insert = createInsertMade(db, definitions);
  const work = db.transaction((sources: Sources, now: number): number => {
    const ids = missing.all();
    for (const id of ids) {
      const to = { id, now, random: secretOf(sources) };
      const { columns, rows } = madeWith(definitions, sources.ids, [making], to);
      refer.run(columns[making.column], id);
      insert(rows);
    }
    return ids.length;
  });
  // Most starts find none, and wait for nobody.
  return (sources: Sources, now: number) => (missing.get() === undefined ? 0 : work.immediate(sources, now));
}
