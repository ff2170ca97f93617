// What a step of a migration does on PostgreSQL, as data: a step is stored until it is done, so that another migrator can
// continue. Types, the plainest step, and the condition of steps that work page by page.
import type { ChangeClass, SchemaStep, ValuesToKeep } from '../plan.js';
import type { Search } from '../schema.js';
import type { ColumnValues } from '../uniques.js';
import { SHARD } from './ddl.js';

export type PostgresStep = SchemaStep &
  (Transaction | StandaloneStatement | Pages | Claims | WordsRewrite | FunctionFilling);

/** Statements of one transaction, which also records that they are done. */
export interface Transaction {
  readonly does: 'transaction';
  /** Tables that nobody else may use meanwhile. */
  readonly locks: readonly string[];
  /** The step fails if such rows exist. */
  readonly guards: readonly Guard[];
  /** Values that are copied into side tables first. */
  readonly keeps: readonly ValuesToKeep[];
  /** Columns that functions fill in rows that still have no value; absent in steps stored by earlier versions. */
  readonly computes?: readonly ComputedColumn[];
  readonly sql: readonly string[];
}

export interface Guard {
  /** SQL that selects the ids of the rows. */
  readonly rows: string;
  readonly says: string;
}

/** One statement that cannot be part of a transaction. When it is repeated, its earlier effect is detected. */
export interface StandaloneStatement {
  readonly does: 'alone';
  readonly sql: string;
  /** The index that it creates, which may be left invalid; null: it creates none. */
  readonly index: string | null;
}

/** A statement on a page of rows at a time: after ($1, $2) up to ($3, $4), placement and id. It can be repeated. */
export interface Pages {
  readonly does: 'pages';
  readonly table: string;
  readonly sql: string;
}

/** SQL condition: the row is on the page. */
export const PAGE = pageOf('');

/** @param alias the alias of the table, with its dot */
export function pageOf(alias: string): string {
  const row = `(${alias}"${SHARD}", ${alias}"id")`;
  return `${row} > ($1, $2) AND ${row} <= ($3, $4)`;
}

/** Claims the values of all rows for a constraint across placements, a page at a time. */
export interface Claims {
  readonly does: 'claims';
  readonly table: string;
  readonly columns: readonly string[];
  /** Only rows with these values claim theirs; absent: all rows do. */
  readonly where?: ColumnValues;
  /** The name under which the claims are stored. */
  readonly name: string;
}

/** Writes the words of all rows (D44), a page at a time. */
export interface WordsRewrite {
  readonly does: 'words';
  readonly table: string;
  /** The quoted name of the table of words. */
  readonly words: string;
  readonly search: Search;
  /** SQL condition on the rows whose existing words are written again; absent: no row has any. */
  readonly where?: string;
  /** Rows are locked while their words are written; absent: they are not, as Citus locks no rows of several shards. */
  readonly locks?: true;
}

/** A column that a hand-written function fills; the program that runs the step has the function. */
export interface ComputedColumn {
  readonly table: string;
  readonly column: string;
}

/** Fills the column in all rows, a page at a time. It can be repeated. */
export interface FunctionFilling extends ComputedColumn {
  readonly does: 'computed';
}

export function transaction(
  kind: ChangeClass,
  says: string,
  sql: readonly string[],
  more: Partial<Transaction> = {},
): PostgresStep {
  return { class: kind, says, does: 'transaction', locks: [], guards: [], keeps: [], sql, ...more };
}

/** What a step needs to know of a table. */
export function tableIdentity({ name, number }: ValuesToKeep['table']): ValuesToKeep['table'] {
  return { name, number };
}
