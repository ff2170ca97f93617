// The step that gives tables, columns, constraints and indexes their new names. Pure.
import { namesText } from '../changes.js';
import { CONTENT_HASH, contentIndexName } from '../content-index.js';
import type { TablePair } from '../match.js';
import { literal, quoted } from '../sql-text.js';
import { migrationUpdateSql } from '../version.js';
import type { Constraint, ConstraintComparison } from './constraints.js';
import { conversionSql } from './conversions.js';
import { type PostgresStep, transaction } from './steps.js';

interface Rename {
  readonly from: string;
  readonly to: string;
  /** The statement, on the table under either name. */
  readonly sql: (table: string, from: string, to: string) => string;
  readonly table: { readonly from: string; readonly to: string };
}

/** One transaction renames all, via unused names, since names may be swapped. References follow by themselves. */
export function renameSteps(
  works: readonly (TablePair & { readonly compared: ConstraintComparison })[],
): readonly PostgresStep[] {
  const inside = works.flatMap(renamesOf).filter(({ from, to }) => from !== to);
  const tables = works.filter(({ from, to }) => from.name !== to.name);
  const sql = [
    ...inside.map(({ sql, table, from }, at) => sql(table.from, from, between(at))),
    ...tables.map(({ from }) => renameTable(from.name, moved(from.number))),
    ...tables.map(({ from, to }) => renameTable(moved(from.number), to.name)),
    ...inside.map(({ sql, table, to }, at) => sql(table.to, between(at), to)),
    ...works.flatMap(listedNames),
  ];
  if (sql.length === 0) return [];
  const words = works.flatMap(({ from, to, kept }) => [
    ...(from.name === to.name ? [] : [`${from.name}: renamed to ${to.name}`]),
    ...kept.flatMap((pair) =>
      pair.from.name === pair.to.name ? [] : [`${to.name}: ${pair.from.name} renamed to ${pair.to.name}`],
    ),
  ]);
  const lists = works.flatMap(({ to, kept }) =>
    kept.flatMap((pair) => (pair.names ? [`${to.name}: ${pair.to.name} ${namesText(pair.names)}`] : [])),
  );
  return [transaction('rebuild', [...words, ...lists].join('; '), sql)];
}

/** Replaces the names of the resources in lists. */
function listedNames({ to: { name }, kept }: TablePair): readonly string[] {
  return kept.flatMap((pair) => {
    if (pair.names === undefined) return [];
    const column = quoted(pair.to.name);
    const value = conversionSql(pair)?.value(column);
    const row = migrationUpdateSql({ name, columns: kept.map(({ to }) => to) }, `${column} = ${value}`);
    return [`${row} WHERE ${column} IS DISTINCT FROM ${value}`];
  });
}

function renamesOf({
  from,
  to,
  kept,
  compared,
}: TablePair & { readonly compared: ConstraintComparison }): readonly Rename[] {
  const table = { from: from.name, to: to.name };
  return [
    ...kept.map((pair) => ({ table, from: quoted(pair.from.name), to: quoted(pair.to.name), sql: renameColumn })),
    ...compared.kept.flatMap((one) => {
      const names = { table, from: one.from.name, to: one.to.name };
      if (one.to.form === 'claims' || one.to.form === 'former') return [];
      return [{ ...names, sql: isIndex(one.to) ? renameIndex : renameConstraint }];
    }),
    ...from.columns
      .filter(({ name }) => name === CONTENT_HASH)
      .map(() => {
        const [old, now] = [from, to].map(({ name }) => quoted(contentIndexName(name))) as [string, string];
        return { table, from: old, to: now, sql: renameContentIndex };
      }),
  ];
}

function between(at: number): string {
  return quoted(`_punchboard_moved_${at}`);
}

function moved(number: number): string {
  return `_punchboard_moved_table_${number}`;
}

function renameTable(from: string, to: string): string {
  return `ALTER TABLE ${quoted(from)} RENAME TO ${quoted(to)}`;
}

function renameColumn(table: string, from: string, to: string): string {
  return `ALTER TABLE ${quoted(table)} RENAME COLUMN ${from} TO ${to}`;
}

/** Whether renaming the index of the same name renames the constraint. */
function isIndex({ form, key }: Constraint): boolean {
  return form === 'index' || form === 'unique' || key === 'primary key';
}

/** Citus refuses to rename a constraint of a distributed table: there it is created again under the new name. */
function renameConstraint(table: string, from: string, to: string): string {
  const alter = `ALTER TABLE ${quoted(table)}`;
  const name = from.replace(/^"|"$/g, '');
  return `DO $$ DECLARE definition text; BEGIN
${alter} RENAME CONSTRAINT ${from} TO ${to};
EXCEPTION WHEN feature_not_supported THEN
SELECT pg_get_constraintdef(oid) INTO definition FROM pg_constraint
WHERE conrelid = ${literal(quoted(table))}::regclass AND conname = ${literal(name)};
${alter} DROP CONSTRAINT ${from};
EXECUTE ${literal(`${alter} ADD CONSTRAINT ${to} `)} || definition;
END $$`;
}

/** Not every table with this column has the index. An earlier version's rename may have left an index with the new name. */
function renameContentIndex(_table: string, from: string, to: string): string {
  return `DO $$ BEGIN
ALTER INDEX IF EXISTS ${from} RENAME TO ${to};
EXCEPTION WHEN duplicate_table THEN
DROP INDEX ${from};
END $$`;
}

function renameIndex(_table: string, from: string, to: string): string {
  return `ALTER INDEX ${from} RENAME TO ${to}`;
}
