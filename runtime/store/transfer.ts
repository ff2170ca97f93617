// The tables and columns that a copy moves from one database to another, the same on every engine, and the two ends that read and
// write rows. Each engine derives placements, claimed values, words and subscriptions from the rows itself.
import type { AnyDefinition } from '../contract/definition.js';
import { hasWebhooks } from '../rules/hooks.js';
import type { Schema } from '../schema/schema.js';
import { quoted } from '../schema/sql-text.js';
import { ENGINE_TABLES, type EngineTable, MOVED_OUTBOX } from './engine-tables.js';
import type { DroppedValues } from './kept-values.js';
import { SIDE_TABLE_PREFIX, sideName } from './migrate/dropped.js';
import { type Metadata, schemaIn } from './migrate/metadata.js';
import type { Session } from './migrate/session.js';
import { readySql } from './outbox/deliveries.js';
import type { Dialect } from './sql/dialect.js';
import { StartError } from './start-error.js';
import type { Pending } from './unit.js';

/** The information that both ends need about the service. */
export interface TransferAccess {
  readonly schema: Schema;
  /** All generated definitions. */
  readonly definitions: readonly AnyDefinition[];
}

export interface TransferTable {
  readonly name: string;
  readonly columns: readonly TransferColumn[];
  /** The column that identifies a row, and is never null: rows are read and written in its order. */
  readonly key: string;
  /** The column of the id that determines a row's placement; null: rows are not placed. */
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
  /** The rows after that key, or all, in the order of the key and in batches of BATCH rows. */
  rows(table: TransferTable, after: Key | null): AsyncIterable<readonly TransferRow[]>;
}

/** A database to which nobody writes meanwhile, or which shows its state at one moment. */
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
  /** Adds what is best created once all rows exist, and makes the database usable. @param now epoch milliseconds */
  finish(now: number): Promise<void>;
}

/** The source of a copy. */
export interface CopyOrigin {
  /** The location without a password. */
  readonly place: string;
  readonly tables: readonly TransferTable[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The number of rows that are read and written at a time. */
export const BATCH = 1000;

/**
 * The statement that selects the rows of a table in the form in which they are moved, with their placement.
 * @param stored SQL over the row as `d` for columns that are stored in another form, by `table.column`
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

/** Whether the database is an unfinished copy of the same source. Throws StartError for a copy of another source. */
export function isContinued(metadata: Metadata | null, place: string, schema: Schema, origin: CopyOrigin): boolean {
  const from = metadata?.get('copy');
  if (metadata === null || from === undefined) return false;
  if (from === origin.place && JSON.stringify(schemaIn(metadata)) === JSON.stringify(schema)) return true;
  throw notEmpty(place, `an unfinished copy of ${from}`);
}

/** Creates the side tables for values kept aside. */
export function* createKept(session: Session, { tables }: CopyOrigin): Pending<void> {
  for (const { name, columns } of tables.filter((table) => table.name.startsWith(SIDE_TABLE_PREFIX)))
    yield* session.execute(session.sideTable(name, columns.slice(1, -1)));
}

/** The error if a source cannot be copied. */
export function unlikeProgram(place: string): StartError {
  return new StartError(
    `the schema of ${place} is not the one of this program: run \`punchboard migrate apply\` on it first, or copy with its own version`,
  );
}

/** The error if a target cannot be written to. */
export function notEmpty(place: string, what: string): StartError {
  return new StartError(`${place} is not empty (${what}): a copy overwrites nothing, so choose a new database`);
}

/**
 * Leases are omitted: an attempt in flight is due again, as after a crash, but a test callback is not repeated.
 * @param kept the values kept aside, whose rows are in side tables
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

/** A hash that was released several times is moved once; each database assigns its own numbers. */
function moved({ name, columns, key, placedBy }: EngineTable): TransferTable {
  return { name, columns: columns.filter(({ isLocal }) => !isLocal), key, placedBy };
}

/** The side table of values kept aside; as far as a restore is concerned, their states mean the same on both engines. */
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

/** The list of drops whose values are kept aside. */
const DROPPED: TransferTable = {
  name: '_punchboard_dropped',
  columns: [
    ...[integer('number'), integer('dropped'), integer('table'), text('name'), integer('rows')],
    text('definition'),
  ],
  key: 'number',
  placedBy: null,
};
