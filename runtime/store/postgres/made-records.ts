// Stores records that are made with others (D40), and makes them for the rows that were there before.
import type { AnyDefinition } from '../../definition.js';
import { memoize } from '../../memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import type { Schema } from '../../schema/schema.js';
import { quoted } from '../../schema/sql-text.js';
import { definitionOf } from '../sql/access.js';
import { type Making, madeWith, makingsOf, type NewRow } from '../sql/made.js';
import { type Sources, secretOf } from '../sql/write-steps.js';
import { byPlacement } from './by-placement.js';
import { createCopied } from './copied.js';
import { prepareNamed, run } from './named.js';
import { idOf, ONE_ROW, type StatementsOf } from './record-statements.js';
import type { Reading } from './record-text.js';
import { repeated } from './repeated.js';
import { createStore, type Transaction } from './store-row.js';

export interface MadeRecords {
  /** Inserts rows, each after those that it refers to. */
  insert(transaction: Transaction, rows: readonly NewRow[]): Promise<void>;
  /** Makes what is missing, some rows at a time: whatever interrupts it, the next start goes on. Several servers may do so. */
  makeMissing(now: number): Promise<void>;
}

export interface MadeOptions extends Sources {
  readonly reading: Reading;
  readonly schema: Schema;
}

export function createMadeRecords(options: MadeOptions, statementsOf: StatementsOf): MadeRecords {
  const { reading } = options;
  const storing = memoize((name: string) => {
    const definition = definitionOf(reading.definitions, name);
    return { copied: createCopied(reading, definition), store: createStore(options, definition, statementsOf(name)) };
  });
  const insert: MadeRecords['insert'] = async (transaction, rows) => {
    for (const { definition, row } of rows) {
      const { copied, store } = storing(definition.name);
      store(transaction, { row: await copied(transaction.query, row), changed: [], guard: null });
    }
  };
  return {
    insert,
    async makeMissing(now) {
      for (const definition of reading.definitions.values()) {
        for (const making of makingsOf(definition)) await makeAll({ ...options, insert, now }, definition, making);
      }
    },
  };
}

interface Work extends MadeOptions, Pick<MadeRecords, 'insert'> {
  readonly now: number;
}

/** Rows that are looked for together. */
const BATCH = 1000;

async function makeAll(options: Work, { name }: AnyDefinition, making: Making): Promise<void> {
  const { connections } = options.reading;
  const [table, column] = [name, making.column].map(quoted);
  const missing = connections.prepare(`SELECT "id" FROM ${table} WHERE ${column} IS NULL ORDER BY "id" LIMIT ${BATCH}`);
  const free = prepareNamed(
    connections,
    `SELECT t."id" FROM ${table} t WHERE t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids) AND t.${column} IS NULL ` +
      'ORDER BY t."id" FOR NO KEY UPDATE',
  );
  const refer = prepareNamed(
    connections,
    `UPDATE ${table} t SET ${column} = @made WHERE ${ONE_ROW} AND t.${column} IS NULL`,
  );
  const makeSome = (placement: string, ids: readonly string[]) =>
    connections.interactive(async (query) => {
      const sent: Promise<void>[] = [];
      for (const row of await run(query, free({ placement, ids }))) {
        const to = { id: String(row.id), now: options.now, random: secretOf(options) };
        const { columns, rows } = madeWith(options.reading.definitions, options.ids, [making], to);
        const referred = run(query, refer({ ...idOf(to.id), made: columns[making.column] ?? null })).then(
          () => undefined,
        );
        // Awaited at the end, also when something else fails before.
        referred.catch(() => undefined);
        sent.push(referred);
        await options.insert({ query, hold: query, sent }, rows);
      }
      await Promise.all(sent);
    });
  for (let found = BATCH; found === BATCH; ) {
    const ids = (await connections.query(missing, [])).map((row) => String(row.id));
    for (const { shard, ids: placed } of byPlacement(ids)) await repeated(() => makeSome(shard, placed));
    found = ids.length;
  }
}
