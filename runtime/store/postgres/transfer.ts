// Both ends of a copy on PostgreSQL: reads the rows of a service as of one moment, or writes them into an empty database, where
// placements, claimed values, words and subscriptions are derived from them.

import { hasWebhooks } from '../../rules/hooks.js';
import { createKeysAndIndexes, createTables, SHARD, UNIQUE_VALUES, wordsTable } from '../../schema/postgres/ddl.js';
import type { Schema, Table } from '../../schema/schema.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { isSearched } from '../../schema/words.js';
import { withoutPassword } from '../database-url.js';
import { type DroppedValues, dropsOfColumn } from '../kept-values.js';
import { SIDE_TABLE_PREFIX } from '../migrate/dropped.js';
import { ENTRY_STATE, STATE_COLUMN } from '../migrate/session.js';
import { StartError } from '../start-error.js';
import {
  BATCH,
  type CopyOrigin,
  createKept,
  isContinued,
  type Key,
  notEmpty,
  selectionOf,
  type TransferAccess,
  type TransferRow,
  type TransferSource,
  type TransferTable,
  type TransferTarget,
  transferTables,
  unlikeProgram,
} from '../transfer.js';
import { createConnections, type Query, type Row, type Value } from './connections.js';
import { POSTGRES } from './dialect.js';
import { explainError } from './explain-error.js';
import { SEQUENCE } from './file-index.js';
import { refuseUnsuitable, runModules, UNKNOWN_NAME } from './migrate/create.js';
import { listDropped, watchRestoredColumns } from './migrate/dropped.js';
import {
  deleteMetadata,
  METADATA_TABLES,
  putMetadata,
  readAnyMetadata,
  readMetadata,
  schemaIn,
} from './migrate/metadata.js';
import { PREPARES_AGAIN } from './migrate/older-servers.js';
import { isSame } from './migrate/pending.js';
import { codeOf, runTogether, transaction } from './migrate/transaction.js';
import { refuseOlder } from './oldest-versions.js';
import { onSession } from './session.js';
import { engineTables, FILL_SUBSCRIPTIONS } from './tables.js';
import { uniqueKeysOf, uniqueParameters } from './unique-values.js';
import { entriesOf, insertEntries } from './words.js';

/** Throws StartError while servers are connected, if there is no such database, or if it has another schema. */
export function withPostgresSource<T>(
  url: string,
  access: TransferAccess,
  work: (source: TransferSource) => Promise<T>,
): Promise<T> {
  return inSession(url, async (query) => {
    await refuseServers(query, url);
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return work(await sourceOf(query, url, access));
  });
}

async function inSession<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const connections = createConnections({ url, size: 1, timeout: 10_000 });
  try {
    return await connections.session(async (query) => {
      await refuseOlder(query);
      return work(query);
    });
  } catch (error) {
    throw explainError(error, url);
  } finally {
    await connections.close();
  }
}

/** Rows that servers write during the copy would be missing from it. */
async function refuseServers(query: Query, url: string): Promise<void> {
  const [found] = await query(
    `SELECT count(*) AS "count" FROM pg_stat_activity WHERE "datname" = current_database()
AND "application_name" = current_setting('application_name') AND "pid" <> pg_backend_pid()`,
  );
  if (Number(found?.count) === 0) return;
  throw new StartError(`a server is running on ${withoutPassword(url)}: stop all of its servers first`);
}

async function sourceOf(query: Query, url: string, access: TransferAccess): Promise<TransferSource> {
  const metadata = await readMetadata(query);
  const isOurs = metadata !== null && isSame(schemaIn(metadata), access.schema) && !metadata.has('migration');
  if (!isOurs) throw unlikeProgram(withoutPassword(url));
  const kept = await listDropped(query);
  const sides = new Map(
    kept.map((drop) => [`${SIDE_TABLE_PREFIX}${drop.number}`, overtaken(drop, kept, access.schema)]),
  );
  const select = (table: TransferTable) => selection(table, sides.get(table.name));
  const tables = transferTables(access, kept);
  const reads = tables.map((table) => `SELECT * FROM (${select(table)}) t LIMIT 0`);
  await runTogether(query, reads).catch(refuseUnlike(url));
  return {
    tables,
    async count(table) {
      const [row] = await query(`SELECT count(*) AS "count" FROM (${select(table)}) counted`);
      return Number(row?.count);
    },
    rows: (table, after) => rowsOf(query, { table, select: select(table), after }),
  };
}

/** Refuses a database that lacks a table or column of this program, since none of its servers has started on it. */
function refuseUnlike(url: string): (error: unknown) => never {
  return (error) => {
    throw UNKNOWN_NAME.includes(codeOf(error)) ? unlikeProgram(withoutPassword(url)) : error;
  };
}

/** SQL of a kept value's state: SQLite records that a newer value was written, PostgreSQL derives it from the record's date. */
function overtaken(drop: DroppedValues, all: readonly DroppedValues[], { tables }: Schema): string | undefined {
  const { watched = null } = drop;
  const table = tables.find((one) => one.columns.some((column) => dropsOfColumn(all, one, column).includes(drop)));
  if (watched === null || !table?.columns.some(({ name }) => name === CHANGED)) return undefined;
  const newer = `SELECT 1 FROM ${quoted(table.name)} t WHERE t."${SHARD}" = d."${SHARD}" AND t."id" = d."id" AND t."${CHANGED}" > ${watched}`;
  return `CASE WHEN d.${STATE_COLUMN} = ${ENTRY_STATE.open} AND EXISTS (${newer}) THEN ${ENTRY_STATE.done} ELSE d.${STATE_COLUMN} END`;
}

/** The column that is set whenever a caller changes a record. */
const CHANGED = 'date_updated';

/** The database must be empty, or an unfinished copy of the same source. Throws StartError for any other. */
export function withPostgresTarget<T>(
  url: string,
  access: TransferAccess,
  { origin, work }: { readonly origin: CopyOrigin; readonly work: (target: TransferTarget) => Promise<T> },
): Promise<T> {
  return inSession(url, async (query) => {
    await alone(query, url);
    await begin(query, withoutPassword(url), access, origin);
    return work(targetOf(query, access));
  });
}

/** Excludes other copies until the session ends. PostgreSQL may take a moment to notice the end of a killed session. */
async function alone(query: Query, url: string): Promise<void> {
  await query(`SET lock_timeout = '10s'`);
  try {
    await query(`SELECT pg_advisory_lock(hashtext('punchboard copy'))`);
  } catch (error) {
    if (codeOf(error) !== '55P03') throw error;
    throw new StartError(`somebody else is copying to ${withoutPassword(url)}: wait until that is done`);
  }
}

async function begin(query: Query, place: string, access: TransferAccess, origin: CopyOrigin): Promise<void> {
  const metadata = await readAnyMetadata(query);
  const { schema, definitions } = access;
  if (isContinued(metadata, place, schema, origin)) return;
  if (metadata !== null) throw notEmpty(place, 'a service');
  await transaction(query, async () => {
    await refuseUnsuitable(query);
    await runTogether(query, [...METADATA_TABLES, ...createTables(schema)]);
    await onSession(createKept)(query, origin);
    await runModules(query, engineTables(definitions));
    await putMetadata(query, 'schema', JSON.stringify(schema));
    await putMetadata(query, 'lowest_revision', String(schema.revision));
    await putMetadata(query, 'brought_at', String(origin.now));
    await putMetadata(query, PREPARES_AGAIN, '1');
    await putMetadata(query, 'copy', origin.place);
  });
}

function targetOf(query: Query, { schema, definitions }: TransferAccess): TransferTarget {
  const tables = new Map(schema.tables.map((table) => [table.name, table]));
  return {
    async *rows(table, after) {
      await query('BEGIN');
      try {
        yield* rowsOf(query, { table, select: selection(table), after });
      } finally {
        await query('COMMIT');
      }
    },
    async last(table) {
      const order = orderOf(table).map((column) => `${column} DESC`);
      const [row] = await query(
        `SELECT ${quoted(table.key)} AS "key" FROM ${quoted(table.name)} ORDER BY ${order.join(', ')} LIMIT 1`,
      );
      return row?.key ?? null;
    },
    write: (table, rows) => explainingMisfit(table, () => write(query, { table, rows, own: tables.get(table.name) })),
    async finish(now) {
      await transaction(query, async () => {
        await runTogether(query, createKeysAndIndexes(schema));
        if (hasWebhooks(definitions)) await query(FILL_SUBSCRIPTIONS);
        await watchRestoredColumns(query, schema, now);
        const [last] = await listDropped(query);
        if (last !== undefined) await putMetadata(query, 'side_tables', String(last.number));
        await deleteMetadata(query, 'copy');
      });
      await query(`ANALYZE ${schema.tables.map(({ name }) => quoted(name)).join(', ')}`);
    },
  };
}

/** Explains a value that PostgreSQL cannot store, or that breaks a limit: in SQLite, it may be older than the limit. */
async function explainingMisfit({ name }: TransferTable, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!/^2[23]/.test(codeOf(error))) throw error;
    throw new StartError(
      `${name} has a row that does not fit (${(error as Error).message}): change it in the source first`,
    );
  }
}

interface Writing {
  readonly table: TransferTable;
  readonly rows: readonly TransferRow[];
  /** The table in the schema; undefined for the program's own tables. */
  readonly own: Table | undefined;
}

async function write(query: Query, { table, rows, own }: Writing): Promise<void> {
  const objects = rows.map((row) => Object.fromEntries(table.columns.map(({ name }, at) => [name, row[at] ?? null])));
  const claims = own === undefined ? [] : objects.flatMap((row) => claimsOf(own, row));
  await transaction(query, async () => {
    await query(insertion(table), [JSON.stringify(objects)]);
    if (claims.length > 0) await query(CLAIM, [JSON.stringify(claims)]);
    if (own !== undefined && isSearched(own))
      await query(insertEntries(wordsTable(own)), [JSON.stringify(entriesOf(own.search, objects))]);
  });
}

const CLAIM = `INSERT INTO ${quoted(UNIQUE_VALUES)} ("${SHARD}", "constraint", "value", "id")
SELECT * FROM json_to_recordset($1::json) AS r("shard" text, "constraint" text, "value" text, "id" text)`;

/** The values of a row that no other row of any placement may have. */
function claimsOf(table: Table, row: Row): readonly object[] {
  return uniqueKeysOf(table).flatMap((key) => {
    const [shard, constraint, value] = uniqueParameters(key, row) ?? [];
    return shard === undefined ? [] : [{ shard, constraint, value, id: row.id }];
  });
}

/** Rows are passed as JSON: one parameter, however many rows there are. */
function insertion({ name, columns, placedBy }: TransferTable): string {
  const placement = placedBy === null ? [] : [[quoted(SHARD), `left(${quoted(placedBy)}, 2)`]];
  const numbered = name === 'released_file' ? [['"sequence"', SEQUENCE]] : [];
  const derived = [...placement, ...numbered];
  const names = columns.map((column) => quoted(column.name));
  const typed = columns.map((column) => `${quoted(column.name)} ${column.type === 'text' ? 'text' : 'bigint'}`);
  return `INSERT INTO ${quoted(name)} (${[...derived.map(([to]) => to), ...names].join(', ')})
SELECT ${[...derived.map(([, from]) => from), ...names].join(', ')} FROM json_to_recordset($1::json) AS r(${typed.join(', ')})`;
}

interface TableSelection {
  readonly table: TransferTable;
  readonly select: string;
  readonly after: Key | null;
}

/** Reads rows with a cursor, within a transaction. */
async function* rowsOf(query: Query, { table, select, after }: TableSelection): AsyncGenerator<readonly TransferRow[]> {
  const order = orderOf(table);
  const from = after === null ? '' : ` WHERE (${order.join(', ')}) > (${startOf(table, after).join(', ')})`;
  await query(`DECLARE "copied" NO SCROLL CURSOR FOR SELECT * FROM (${select}) s${from} ORDER BY ${order.join(', ')}`);
  for (;;) {
    const rows = await query(`FETCH ${BATCH} FROM "copied"`);
    if (rows.length === 0) break;
    yield rows.map((row) => table.columns.map(({ name }): Value => row[name] ?? null));
  }
  await query('CLOSE "copied"');
}

/** The order of the primary key, which starts with the placement if that is derived from the key. */
function orderOf({ key, placedBy }: TransferTable): readonly string[] {
  return placedBy === key ? [quoted(SHARD), quoted(key)] : [quoted(key)];
}

function startOf({ key, placedBy }: TransferTable, after: Key): readonly string[] {
  return placedBy === key ? [literal(String(after).slice(0, 2)), literal(after)] : [literal(after)];
}

function selection(table: TransferTable, state?: string): string {
  return selectionOf(POSTGRES, table, { [`${table.name}._state`]: state });
}
