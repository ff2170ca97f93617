// A session for work on the schema of a PostgreSQL database.
import type { Row } from '../../contract/definition.js';
import { SHARD, TYPES } from '../../schema/postgres/ddl.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { putMetadata } from '../migrate/metadata.js';
import { ENTRY_STATE, type Session, STATE_COLUMN } from '../migrate/session.js';
import { fromPromise, type Pending, runAsync } from '../unit.js';
import type { Query } from './connections.js';
import { sessionQueries } from './database.js';
import { POSTGRES } from './dialect.js';
import { transaction } from './migrate/transaction.js';

const ROWS_AT_A_TIME = 1000;

export function sessionOf(query: Query): Session {
  const queries = sessionQueries(query);
  return {
    ...queries,
    dialect: POSTGRES,
    execute: (sql) => fromPromise(query(sql).then(() => undefined)),
    *has(table) {
      const row = yield* queries.row(`SELECT to_regclass(${literal(quoted(table))}) IS NOT NULL AS "exists"`, {});
      return String(row?.exists) === 'true';
    },
    each: (sql, work) => fromPromise(transaction(query, () => scan(query, sql, work))),
    sideTable(name, columns) {
      const typed = columns.map((column) => `, ${quoted(column.name)} ${TYPES[column.type]}`);
      return `CREATE TABLE ${quoted(name)} ("${SHARD}" ${TYPES.text}, "id" ${TYPES.text}${typed.join('')}, ${STATE_COLUMN} bigint NOT NULL DEFAULT ${ENTRY_STATE.open}, PRIMARY KEY ("${SHARD}", "id"))`;
    },
    /** A purged number is not assigned again. */
    *nextDrop() {
      const last = yield* queries.row(`SELECT "value" FROM "_punchboard" WHERE "key" = 'side_tables'`, {});
      const number = Number(last?.value ?? 0) + 1;
      yield* putMetadata(queries, 'side_tables', String(number));
      return number;
    },
  };
}

async function scan(query: Query, sql: string, work: (rows: readonly Row[]) => void): Promise<void> {
  await query(`DECLARE scanned NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const rows = await query(`FETCH ${ROWS_AT_A_TIME} FROM scanned`);
    if (rows.length === 0) return;
    work(rows);
  }
}

/** Turns a verb over a Session into a function of a query. */
export function onSession<A extends readonly unknown[], T>(
  verb: (session: Session, ...given: A) => Pending<T>,
): (query: Query, ...given: A) => Promise<T> {
  return (query, ...given) => runAsync(verb(sessionOf(query), ...given));
}
