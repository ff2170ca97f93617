// Renames what a database migrated by another branch has named after numbers, to the numbers of this branch. Pure.

import type { Schema, Table } from '../schema.js';
import { literal, quoted } from '../sql-text.js';
import { type Constraint, renumberedConstraints } from './constraints.js';
import { UNIQUE_VALUES } from './ddl.js';
import { renameSteps } from './renames.js';
import { type PostgresStep, transaction } from './steps.js';

interface Pair {
  readonly from: Constraint;
  readonly to: Constraint;
}

interface Adoption {
  /** The schema with the numbers of the database. */
  readonly before: Schema;
  /** The same schema with its new numbers. */
  readonly now: Schema;
  /** The description of the step in the history. */
  readonly says: string;
  /** Further statements of the same transaction. */
  readonly sql: readonly string[];
  /** Whether the database may have triggers. */
  readonly triggers: boolean;
}

/** Servers of the other branch must have stopped: they identify the claims of unique values by their own numbers. */
export function adoptionSteps({ before, now, says, sql, triggers }: Adoption): readonly PostgresStep[] {
  const tables = before.tables.flatMap((from, at) => {
    const to = now.tables[at];
    return to === undefined ? [] : [{ from, to, kept: renumberedConstraints(from, to) }];
  });
  const renames = renameSteps(tables.map(({ from, to, kept }) => workOf(from, to, kept)));
  const claims = tables.flatMap(({ from, kept }) =>
    changed('claims', kept).map((pair) => ({ ...pair, table: from.name })),
  );
  const all = [
    ...renames.flatMap((step) => (step.does === 'transaction' ? step.sql : [])),
    ...claims.map(({ from }) => `DELETE FROM ${quoted(UNIQUE_VALUES)} WHERE "constraint" = ${literal(from.name)}`),
    ...tables.flatMap(({ from, kept }) => (triggers ? rewritten(from, changed('former', kept)) : [])),
    ...sql,
  ];
  return [
    transaction('rebuild', says, all),
    // A claim is placed by the hash of its name.
    ...claims.map(({ table, to: { columns, where, name } }): PostgresStep => {
      const words = `${table}: values of ${columns.join(', ')} claimed again`;
      return { class: 'rebuild', says: words, does: 'claims', table, columns, name, ...(where && { where }) };
    }),
  ];
}

/** Only the names of constraints and indexes differ between the two. */
function workOf(from: Table, to: Table, kept: readonly Pair[]) {
  const columns = from.columns.flatMap((column, at) => {
    const renumbered = to.columns[at];
    return renumbered === undefined ? [] : [{ from: column, to: renumbered }];
  });
  return { from, to, kept: columns, added: [], dropped: [], compared: { dropped: [], kept, added: [] } };
}

function changed(form: Constraint['form'], kept: readonly Pair[]): readonly Pair[] {
  return kept.filter((pair) => pair.to.form === form && pair.from.name !== pair.to.name);
}

function rewritten({ name: table }: Table, pairs: readonly Pair[]): readonly string[] {
  return [
    ...pairs.map(({ from }) => `DROP TRIGGER IF EXISTS ${from.name} ON ${quoted(table)}`),
    ...pairs.map(({ to }) => to.sql),
  ];
}
