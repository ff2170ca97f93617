// A session for work on the schema of a database: statements, and what differs between the engines. As in a unit of work,
// `yield*` waits for an answer, which SQLite has immediately and PostgreSQL later.
import type { Row } from '../../contract/definition.js';
import type { Dialect } from '../sql/dialect.js';
import type { Pending, Queries } from '../unit.js';

export interface Session extends Queries {
  readonly dialect: Dialect;
  /** Runs a statement without parameters, such as one that changes the schema. */
  execute(sql: string): Pending<void>;
  has(table: string): Pending<boolean>;
  /** Passes all rows of a statement to `work`, some at a time, outside of any other transaction. */
  each(sql: string, work: (rows: readonly Row[]) => void): Pending<void>;
  /** The statement that creates a side table for values kept aside, with their ids and states. */
  sideTable(name: string, columns: readonly SideColumn[]): string;
  /** The number of the next side table; null: the database numbers its row itself. */
  nextDrop(): Pending<number | null>;
}

export interface SideColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
}

/**
 * The state of each row of a side table. open: no newer value is known. back: the row of a dropped table was restored, and
 * references whose targets do not exist yet may follow. done: the row was restored, or, on SQLite, a newer value was written or
 * dropped; it is never restored again. namesake, on SQLite: a newer value was written to a column that only has the same name,
 * into which the old one is no longer restored.
 */
export const ENTRY_STATE = { open: 0, back: 1, done: 2, namesake: 3 } as const;
/** The column that holds the state; the name of a field cannot start with an underscore. */
export const STATE_COLUMN = '"_state"';
