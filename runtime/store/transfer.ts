// What of a service is moved from one database to another, alike on every engine: tables with their columns, and the two ends
// that read and write rows. What an engine derives from the rows (placements, claimed values, words, subscriptions) it makes itself.
import type { AnyDefinition } from '../contract/definition.js';
import { hasWebhooks } from '../rules/hooks.js';
import type { Schema } from '../schema/schema.js';
import { quoted } from '../schema/sql-text.js';
import { ENGINE_TABLES, type EngineTable, MOVED_OUTBOX } from './engine-tables.js';
import type { DroppedValues } from './kept-values.js';
import { KEPT, sideName } from './migrate/dropped.js';
import { type Memory, schemaIn } from './migrate/memory.js';
import type { Session } from './migrate/session.js';
import { readySql } from './outbox/deliveries.js';
import type { Dialect } from './sql/dialect.js';
import { StartError } from './start-error.js';
import type { Pending } from './unit.js';

/** What both ends must know about the service. */
export interface TransferAccess {
  readonly schema: Schema;
  /** All generated definitions. */
  readonly definitions: readonly AnyDefinition[];
}

export interface TransferTable {
  readonly name: string;
  readonly columns: readonly TransferColumn[];
  /** The column that no two rows share, which is never null: rows are read and written in its order. */
  readonly key: string;
  /** Whose placement a row has: its own id or another one; null for a table that is the same for all. */
  readonly placedBy: string | null;
}

export interface TransferColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
}

export type Key = string | number;

/** Values in the order of the columns. */
export type TransferRow = readonly (string | number | null)[];

interface Readable {
  /** In the order of the key, from the first after that one, or all; in batches of BATCH rows. */
  rows(table: TransferTable, after: Key | null): AsyncIterable<readonly TransferRow[]>;
}

/** A database that nobody writes to meanwhile, or that shows its state at one moment. */
export interface TransferSource extends Readable {
  readonly tables: readonly TransferTable[];
  count(table: TransferTable): Promise<number>;
}

/** A database that no server can use until the copy is finished. */
export interface TransferTarget extends Readable {
  /** The greatest key written so far; null if there is none. */
  last(table: TransferTable): Promise<Key | null>;
  /** Writes all of the rows or none. */
  write(table: TransferTable, rows: readonly TransferRow[]): Promise<void>;
  /** Adds what is best made once all rows are there, and makes the database usable. @param now epoch milliseconds */
  finish(now: number): Promise<void>;
}

/** What the target is a copy of. */
export interface CopyOrigin {
  /** Without a password. */
  readonly place: string;
  readonly tables: readonly TransferTable[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Rows that are read and written at a time. */
export const BATCH = 1000;

/**
 * The statement that selects rows of a table as they are moved, and where each is placed.
 * @param stored SQL over the row as `d` of what is stored otherwise than it is moved, by `table.column`
 */
export function selectionOf(
  dialect: Dialect,
  { name, columns, placedBy }: TransferTable,
  stored: Readonly<Record<string, string | undefined>>,
): string {
  const placement = dialect.placement('d');
  const ready = `CASE WHEN d.attempt_id IS NULL THEN d.ready ELSE ${readySql(dialect, placement)} END`;
  const moved: typeof stored = { 'webhook_delivery.ready': ready, ...stored };
  const read = columns.map((column) => {
    const sql = moved[`${name}.${column.name}`];
    return sql === undefined ? `d.${quoted(column.name)}` : `${sql} AS ${quoted(column.name)}`;
  });
  const all = placedBy === null || !dialect.isPlaced ? read : [placement, ...read];
  const distinct = columns.length === 1 ? 'DISTINCT ' : '';
  return `SELECT ${distinct}${all.join(', ')} FROM ${quoted(name)} d${ROWS[name] ?? ''}`;
}

const ROWS: Readonly<Record<string, string>> = { webhook_delivery: ` WHERE d.type <> 'test'` };

/** Whether the database is an unfinished copy of the same source. Throws StartError for that of another. */
export function isContinued(memory: Memory | null, place: string, schema: Schema, origin: CopyOrigin): boolean {
  const from = memory?.get('copy');
  if (memory === null || from === undefined) return false;
  if (from === origin.place && JSON.stringify(schemaIn(memory)) === JSON.stringify(schema)) return true;
  throw notEmpty(place, `an unfinished copy of ${from}`);
}

/** Creates the tables of what is kept aside. */
export function* createKept(session: Session, { tables }: CopyOrigin): Pending<void> {
  for (const { name, columns } of tables.filter((table) => table.name.startsWith(KEPT)))
    yield* session.execute(session.sideTable(name, columns.slice(1, -1)));
}

/** Why a source cannot be copied. */
export function unlikeProgram(place: string): StartError {
  return new StartError(
    `the schema of ${place} is not the one of this program: run \`punchboard migrate apply\` on it first, or copy with its own version`,
  );
}

/** Why a target cannot be written to. */
export function notEmpty(place: string, what: string): StartError {
  return new StartError(`${place} is not empty (${what}): a copy overwrites nothing, so choose a new database`);
}

/**
 * Leases are left out: an attempt in flight is due again, as after a crash. A test callback is not repeated then.
 * @param kept what is kept aside, whose rows are in tables of their own
 */
export function transferTables(
  { schema, definitions }: TransferAccess,
  kept: readonly DroppedValues[],
): TransferTable[] {
  const records = schema.tables.map(({ name, columns }) => ({ name, columns, key: 'id', placedBy: 'id' }));
  const outbox = hasWebhooks(definitions) ? MOVED_OUTBOX : [];
  const aside = kept.length === 0 ? [] : [DROPPED, ...kept.map(keptTable)];
  return [HISTORY, ...records, ...[...ENGINE_TABLES, ...outbox].map(moved), ...aside];
}

/** A hash that was released several times is once enough; numbers are the database's own. */
function moved({ name, columns, key, placedBy }: EngineTable): TransferTable {
  return { name, columns: columns.filter(({ isLocal }) => !isLocal), key, placedBy };
}

/** Values kept aside, whose states both engines count alike as far as a restore asks. */
function keptTable({ number, columns }: DroppedValues): TransferTable {
  const all = [text('id'), ...columns.filter(({ name }) => name !== 'id'), integer('_state')];
  return { name: sideName(number), columns: all, key: 'id', placedBy: 'id' };
}

function text(name: string): TransferColumn {
  return { name, type: 'text' };
}

function integer(name: string): TransferColumn {
  return { name, type: 'integer' };
}

const HISTORY: TransferTable = {
  name: '_punchboard_history',
  columns: [integer('number'), integer('applied'), text('class'), text('says')],
  key: 'number',
  placedBy: null,
};

/** What is kept aside. */
const DROPPED: TransferTable = {
  name: '_punchboard_dropped',
  columns: [
    ...[integer('number'), integer('dropped'), integer('table'), text('name'), integer('rows')],
    text('definition'),
  ],
  key: 'number',
  placedBy: null,
};
