// The steps for columns and constraints that rows must satisfy: converted values, filled nulls, limits, references, uniqueness.
// Tables are locked only for a moment; but a conversion and a copy end with one scan of all rows under a lock. Pure.

import { namesOf } from '../choices.js';
import { type Copies, fillSql, fillText, isComputed, isFilled } from '../fills.js';
import { widens } from '../limits.js';
import type { ColumnPair, TablePair } from '../match.js';
import type { ChangeClass, ValuesToKeep } from '../plan.js';
import type { Column, CopyFill, JoinFill, Table } from '../schema.js';
import { literal, quoted, renamedValue } from '../sql-text.js';
import { whereText } from '../uniques.js';
import { migrationUpdateSql } from '../version.js';
import type { Constraint, ConstraintComparison } from './constraints.js';
import { SHARD, TYPES } from './ddl.js';
import { WRITE_NAME } from './former-names.js';
import { newValueSql, unconverted } from './risks.js';
import { PAGE, type PostgresStep, pageOf, type Transaction, tableIdentity, transaction } from './steps.js';

/** A table whose name and columns already have their new names. */
type RetypedTable = TablePair & { readonly compared: ConstraintComparison };

/**
 * Values of another type are written to a new column, a few rows at a time; then the new column replaces the old one, and values
 * that servers wrote in between are converted under the same lock.
 */
export function retypeSteps({ to, kept }: RetypedTable): readonly PostgresStep[] {
  return kept.filter(isRetyped).flatMap((pair) => {
    const { name, number, type, default: value } = pair.to;
    const [old, next] = [quoted(name), quoted(`_punchboard_new_${number}`)];
    const converted = newValueSql(pair, old);
    const table = quoted(to.name);
    const update = `${migrationUpdateSql(to, `${next} = ${converted}`)} WHERE ${next} IS DISTINCT FROM ${converted}`;
    const unfit = unconverted(pair, old);
    const guards =
      unfit === null ? [] : [{ rows: `SELECT "id" FROM ${table} WHERE ${unfit}`, says: `${name} does not convert` }];
    const swap = [
      update,
      `ALTER TABLE ${table} DROP COLUMN ${old}`,
      `ALTER TABLE ${table} RENAME COLUMN ${next} TO ${old}`,
      ...(value === null ? [] : [`ALTER TABLE ${table} ALTER COLUMN ${old} SET DEFAULT ${literal(value)}`]),
    ];
    const keeps = isFilled(pair) ? [nulls(to, pair)] : [];
    const add = `ALTER TABLE ${table} ADD COLUMN ${next} ${TYPES[type]}`;
    return [
      transaction('rebuild', `${to.name}: column for converted values of ${name} added`, [add]),
      pages('rebuild', `${to.name}: values of ${name} converted`, { table: to.name, sql: `${update} AND ${PAGE}` }),
      transaction('rebuild', `${to.name}: ${name} replaced`, swap, { locks: [to.name], guards, keeps }),
    ];
  });
}

/** NOT NULL is set via a CHECK, which is validated without a lock; nulls are kept aside before a default replaces them. */
export function fillSteps({ to, kept }: RetypedTable): readonly PostgresStep[] {
  const required = kept.filter((pair) => !pair.to.nullable && (pair.from.nullable || isRetyped(pair)));
  if (required.length === 0) return [];
  const filled = required.filter((pair) => isFilled(pair) && !isRetyped(pair));
  const kind = required.some((pair) => !isFilled(pair)) ? 'rebuild' : 'backfill';
  const columns = required.map((pair) => pair.to);
  return requiring(kind, to, columns, { between: filling(to, filled) });
}

interface BeforeRequired {
  /** Runs before the requirement, in its transaction. */
  readonly first?: Pick<Transaction, 'locks' | 'computes' | 'sql'>;
  /** Fills the existing rows once new rows must have a value. */
  readonly between?: readonly PostgresStep[];
}

function requiring(
  kind: ChangeClass,
  to: Table,
  columns: readonly Column[],
  { first: { sql: first, ...more } = { locks: [], sql: [] }, between = [] }: BeforeRequired,
): readonly PostgresStep[] {
  const names = columns.map(({ name }) => name).join(', ');
  const table = quoted(to.name);
  const guard = ({ number }: Column): string => quoted(`_punchboard_filled_${number}`);
  const adding = columns.map(
    (column) =>
      `ALTER TABLE ${table} ADD CONSTRAINT ${guard(column)} CHECK (${quoted(column.name)} IS NOT NULL) NOT VALID`,
  );
  const setting = columns.flatMap((column) => [
    `ALTER TABLE ${table} ALTER COLUMN ${quoted(column.name)} SET NOT NULL`,
    `ALTER TABLE ${table} DROP CONSTRAINT ${guard(column)}`,
  ]);
  return [
    transaction(kind, `${to.name}: ${names} required of new rows`, [...first, ...adding], more),
    ...between,
    ...columns.map((column) => validation(kind, to, { name: guard(column), says: `all rows have ${column.name}` })),
    transaction(kind, `${to.name}: ${names} required`, setting),
  ];
}

/**
 * Fills column by column. Only then can new rows be required to have a value, since filling writes rows that are still partly
 * empty. Rows that servers of the previous version write meanwhile are filled under the lock that adds the requirement.
 */
export function copySteps({ to, columns, known }: Copies): readonly PostgresStep[] {
  const keeps = known.map((column) => nulls(to, { from: column, to: column }));
  const words = known.map(({ name }) => name).join(', ');
  const required = columns.filter(({ nullable }) => !nullable);
  const remaining = {
    locks: [to.name],
    computes: columns.filter(({ fill }) => isComputed(fill)).map(({ name }) => ({ table: to.name, column: name })),
    sql: columns.flatMap(({ name, fill }) => (fill === undefined || isComputed(fill) ? [] : copySql(to, name, fill))),
  };
  return [
    ...(known.length === 0 ? [] : [transaction('backfill', `${to.name}: rows without ${words} noted`, [], { keeps })]),
    ...columns.flatMap((column): PostgresStep | readonly [] => {
      const { name, fill } = column;
      if (fill === undefined) return [];
      const says = `${to.name}: ${name} filled with ${fillText(column)}`;
      if (isComputed(fill)) return { class: 'backfill', says, does: 'computed', table: to.name, column: name };
      return pages('backfill', says, { table: to.name, sql: `${copySql(to, name, fill)} AND ${pageOf('t.')}` });
    }),
    ...(required.length === 0
      ? [transaction('backfill', `${to.name}: rows written meanwhile filled`, remaining.sql, remaining)]
      : requiring('backfill', to, required, { first: remaining })),
  ];
}

/** Joins within a placement, as Citus requires. Rows whose value would be null are not written. */
function copySql(to: Table, name: string, fill: CopyFill | JoinFill): string {
  const through = 'join' in fill ? undefined : fill.through;
  const [source, from, where] =
    through === undefined
      ? ['t', '', '']
      : [
          'r',
          ` FROM ${quoted(through.table)} r`,
          `r."${SHARD}" = t."${SHARD}" AND r."id" = t.${quoted(through.column)} AND `,
        ];
  const value = fillSql(fill, source, 'strpos');
  const empty = `${where}t.${quoted(name)} IS NULL AND ${value} IS NOT NULL`;
  return `${migrationUpdateSql(to, `${quoted(name)} = ${value}`)}${from} WHERE ${empty}`;
}

/** Fills all columns together, since a row can only be written once every required column has a value. */
function filling(to: Table, filled: readonly ColumnPair[]): readonly PostgresStep[] {
  if (filled.length === 0) return [];
  const names = filled.map((pair) => quoted(pair.to.name));
  const sets = filled.map((pair, at) => `${names[at]} = coalesce(${names[at]}, ${literal(pair.to.default)})`);
  const empty = names.map((name) => `${name} IS NULL`).join(' OR ');
  const sql = `${migrationUpdateSql(to, sets.join(', '))} WHERE (${empty}) AND ${PAGE}`;
  const words = filled.map((pair) => pair.to.name).join(', ');
  const keeps = filled.map((pair) => nulls(to, pair));
  return [
    transaction('backfill', `${to.name}: rows without ${words} noted`, [], { keeps }),
    pages('backfill', `${to.name}: ${words} filled`, { table: to.name, sql }),
  ];
}

/**
 * Replaces former names with the new ones, a few rows at a time. A trigger, created first, does the same for what servers of the
 * previous version write, so that they can continue.
 */
export function valueSteps(work: RetypedTable): readonly PostgresStep[] {
  const { to, kept, compared } = work;
  const triggers = compared.added.filter(({ form }) => form === 'former');
  const watched = [...triggers, ...compared.kept.map((one) => one.to)].flatMap(watchedColumn);
  const columns = [...new Set(triggers.flatMap(watchedColumn))].join(', ');
  const says = `${to.name}: former names in ${columns} are written as those of today`;
  return [
    ...(triggers.length === 0 ? [] : [transaction('online', says, [WRITE_NAME, ...triggers.map(({ sql }) => sql)])]),
    ...kept.flatMap((pair) => renamedRows(to, pair, watched.includes(pair.to.name))),
  ];
}

function renamedRows(to: Table, pair: ColumnPair, beside: boolean): readonly PostgresStep[] {
  const { renamed, reuses } = namesOf(pair);
  if (renamed.length === 0) return [];
  const words = renamed.map((one) => `${one.from} is ${one.to}`).join(', ');
  const says = `${to.name}: ${pair.to.name} ${words}`;
  const column = quoted(pair.to.name);
  const { value, isFormer } = renamedValue(column, renamed);
  const sql = `${migrationUpdateSql(to, `${column} = ${value}`)} WHERE ${isFormer}`;
  // Repeating a page after a kill would convert its rows twice.
  if (reuses) return [transaction('backfill', says, [sql], { locks: [to.name] })];
  const step = pages('backfill', says, { table: to.name, sql: `${sql} AND ${PAGE}` });
  return [beside ? { ...step, beside } : step];
}

function watchedColumn({ form, columns }: Constraint): readonly string[] {
  return form === 'former' ? columns : [];
}

/** Adds constraints and indexes, each without holding up writers for more than a moment. */
export function constraintSteps(work: RetypedTable): readonly PostgresStep[] {
  const { to, compared } = work;
  const constraints = compared.added.filter(({ form }) => form !== 'former');
  return constraints.flatMap((one): readonly PostgresStep[] => {
    const { name, columns, where = null, sql, form } = one;
    const [kind, of] = [classOf(work, one), columns.join(', ')];
    const table = quoted(to.name);
    if (form === 'claims') {
      const says = `${to.name}: ${of} unique${whereText(where)}`;
      return [{ class: kind, says, does: 'claims', table: to.name, columns, name, ...(where && { where }) }];
    }
    if (form === 'index') {
      return [{ class: kind, says: `${to.name}: index of ${of} added`, does: 'alone', sql, index: name }];
    }
    if (form === 'unique') {
      const create = `CREATE UNIQUE INDEX CONCURRENTLY ${name} ON ${table} (${sql})`;
      const use = `ALTER TABLE ${table} ADD CONSTRAINT ${name} UNIQUE USING INDEX ${name}`;
      return [
        { class: kind, says: `${to.name}: unique index of ${of} added`, does: 'alone', sql: create, index: name },
        transaction(kind, `${to.name}: ${of} unique`, [use]),
      ];
    }
    const add = `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${sql} NOT VALID`;
    return [
      transaction(kind, `${to.name}: limit of ${of} set for new rows`, [add]),
      validation(kind, to, { name, says: `all rows checked for ${of}` }),
    ];
  });
}

/** A constraint is online if no server of the previous version can break it: on new columns, or wider than before. */
function classOf({ kept, added }: RetypedTable, { form, columns, sql }: Constraint): ChangeClass {
  if (form === 'index' && !sql.startsWith('CREATE UNIQUE')) return 'online';
  const newColumns = added.filter(
    ({ name, nullable, default: value }) => columns.includes(name) && (nullable || value !== null),
  );
  if (newColumns.length === columns.length) {
    const looked = sql.startsWith('FOREIGN') && newColumns.some(({ default: value }) => value !== null);
    return looked ? 'backfill' : 'online';
  }
  const pair = kept.find(({ to: { name } }) => name === columns[0]);
  if (pair === undefined || !sql.startsWith('CHECK') || isRetyped(pair)) return 'rebuild';
  return widens(pair.from.check, pair.to.check) ? 'online' : 'rebuild';
}

function isRetyped({ from, to }: ColumnPair): boolean {
  return from.type !== to.type;
}

function nulls(to: Table, pair: ColumnPair): ValuesToKeep {
  const { from, to: column } = pair;
  const where = `${quoted(column.name)} IS NULL`;
  const name = `${to.name}.${column.name}`;
  return { table: tableIdentity(to), name, columns: [from], column: from, where, filler: column.default };
}

function pages(kind: ChangeClass, says: string, what: { readonly table: string; readonly sql: string }): PostgresStep {
  return { class: kind, says, does: 'pages', ...what };
}

interface ConstraintToValidate {
  readonly name: string;
  readonly says: string;
}

function validation(kind: ChangeClass, { name: table }: Table, { name, says }: ConstraintToValidate): PostgresStep {
  const sql = `ALTER TABLE ${quoted(table)} VALIDATE CONSTRAINT ${name}`;
  return transaction(kind, `${table}: ${says}`, [sql]);
}
