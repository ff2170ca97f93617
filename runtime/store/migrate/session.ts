// Work on the schema of a database: its statements, and what an engine does otherwise there. As in a unit of work, `yield*`
// waits for an answer, which SQLite has at once and PostgreSQL later.
import type { Row } from '../../contract/definition.js';
import type { Dialect } from '../sql/dialect.js';
import type { Pending, Queries } from '../unit.js';

export interface Session extends Queries {
  readonly dialect: Dialect;
  /** Runs a statement without parameters, such as one that changes the schema. */
  execute(sql: string): Pending<void>;
  has(table: string): Pending<boolean>;
  /** Hands over all rows of a statement, some at a time, outside of any other transaction. */
  each(sql: string, work: (rows: readonly Row[]) => void): Pending<void>;
  /** Statement that creates a table of values kept aside, with their ids and states. */
  sideTable(name: string, columns: readonly SideColumn[]): string;
  /** The number of the next table of values kept aside; null: its row numbers itself. */
  nextDrop(): Pending<number | null>;
}

export interface SideColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
}
