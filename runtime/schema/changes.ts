// Lists the differences between two schemas, each with its class, independent of the engine: the first part of a plan.

import { namesOf } from './choices.js';
import { conversionOf, keepsValues, kindsOf } from './conversions.js';
import { fillText, hasFill, isFilled } from './fills.js';
import { limitText, otherJsonSchema } from './limits.js';
import type { NameChange } from './listed-names.js';
import { type ColumnPair, keyOf, type Match, numbersOf, type TablePair, targetOf } from './match.js';
import { directed } from './order.js';
import type { Change, ChangeClass, ChangeKind } from './plan.js';
import type { Column, Index, Schema, Table } from './schema.js';
import { type Unique, uniqueKey, uniquesOf, whereKey, whereText } from './uniques.js';
import { searchChange } from './word-changes.js';

/** Every difference once: added and dropped tables, then the other tables in the order of the new schema. */
export function changesOf(match: Match): readonly Change[] {
  return [
    ...match.added.map(({ name }) => change('table_added', name, null, 'is new')),
    ...match.dropped.map(({ name }) => change('table_dropped', name, null, 'is gone, with all its rows')),
    ...match.kept.flatMap((pair) => tableChanges(match, pair)),
  ];
}

/** The names that `--allow drop:<name>` accepts: old names of tables, and old names of columns after their table's new name. */
export function dropsOf(match: Match): readonly string[] {
  return [
    ...match.dropped.map(({ name }) => name),
    ...match.kept.flatMap(({ to, dropped }) => dropped.map(({ name }) => `${to.name}.${name}`)),
  ];
}

/** The unique constraints or indexes that only one side has, identified by the numbers of their columns. */
export function differenceBy<T>(
  own: readonly T[],
  others: readonly T[],
  key: { readonly own: (item: T) => string; readonly other: (item: T) => string },
): readonly T[] {
  const known = new Set(others.map(key.other));
  return own.filter((item) => !known.has(key.own(item)));
}

/** The effect of renamed resources on a list of their names: `lists play where it listed game`. */
export function namesText(names: readonly NameChange[]): string {
  const renamed = names.filter(({ to }) => to !== null);
  const replaced = names.filter((name) => name.to === null && renamed.every(({ to }) => to !== name.from));
  return [
    ...(renamed.length === 0
      ? []
      : [`lists ${renamed.map(({ from, to }) => `${to} where it listed ${from}`).join(', ')}`]),
    ...replaced.map(({ from }) => `no longer lists ${from}, which is another resource now`),
  ].join('; ');
}

/** Identifies an index by the numbers of its columns. */
export function indexKey(table: Table): (index: Index) => string {
  return (index) => {
    const descending = directed(index).map((term) => (term.descending ? 'd' : 'a'));
    const order = descending.includes('d') ? descending.join('') : '';
    return `${keyOf(numbersOf(table, index.columns))} ${index.partial} ${order}${whereKey(table, index.unique)}`;
  };
}

const CLASSES: Readonly<Record<ChangeKind, ChangeClass>> = {
  table_added: 'online',
  table_renamed: 'rebuild',
  table_dropped: 'destructive',
  column_added: 'online',
  column_renamed: 'rebuild',
  column_dropped: 'destructive',
  column_retyped: 'rebuild',
  column_required: 'rebuild',
  column_optional: 'rebuild',
  limit_changed: 'rebuild',
  reference_changed: 'rebuild',
  default_changed: 'online',
  value_added: 'online',
  value_removed: 'online',
  value_renamed: 'backfill',
  unique_added: 'rebuild',
  unique_dropped: 'rebuild',
  index_added: 'online',
  index_dropped: 'online',
  search_changed: 'backfill',
};

function change(kind: ChangeKind, table: string, column: string | null, says: string): Change {
  return { class: CLASSES[kind], kind, table, column, says };
}

function tableChanges({ from: old, to: schema }: Match, pair: TablePair): readonly Change[] {
  const { from, to, kept, added, dropped } = pair;
  const renamed =
    from.name === to.name ? [] : [change('table_renamed', to.name, null, `was previously called ${from.name}`)];
  return [
    ...renamed,
    ...kept.flatMap((columns) => columnChanges(to.name, columns, { old, schema })),
    ...added.map((column) => addition(to.name, column)),
    ...dropped.map((column) =>
      change('column_dropped', to.name, column.name, `is gone, with its values${why(pair, column)}`),
    ),
    ...constraintChanges(pair),
    ...searchChanges(pair),
  ];
}

/** Why a column loses its values although the new schema has a column with its number. */
function why({ to }: TablePair, from: Column): string {
  const stays = to.columns.find(
    ({ number, name, formerly = [] }) => number === from.number && [name, ...formerly].includes(from.name),
  );
  if (stays === undefined || conversionOf({ from, to: stays }) !== null) return '';
  return `, since ${kindText(from)} does not convert to ${kindText(stays)}`;
}

function kindText(column: Column): string {
  return kindsOf(column).join(' or ');
}

function addition(table: string, column: Column): Change {
  const added = change('column_added', table, column.name, 'is new');
  if (hasFill(column)) return { ...added, ...filling(column), says: `is new, with ${fillText(column)} in every row` };
  if (column.references?.made)
    return { ...added, class: 'backfill', says: `is new; the next start makes ${made(column)}` };
  return column.nullable ? added : { ...added, class: 'rebuild', says: 'is new and needs a value in every row' };
}

/** Both engines add a constant without writing rows; a copy is written row by row, and a reference is checked. */
function filling(column: Column): { readonly class: ChangeClass } {
  return { class: column.references === null && column.fill === undefined ? 'online' : 'backfill' };
}

function made({ references }: Column): string {
  return `a ${references?.table} for each row`;
}

interface Schemas {
  readonly old: Schema;
  readonly schema: Schema;
}

function columnChanges(table: string, pair: ColumnPair, schemas: Schemas): readonly Change[] {
  const changes = COLUMN_RULES.flatMap((rule) => {
    const result = rule(pair, schemas);
    return result === null ? [] : [{ ...change(result[0], table, pair.to.name, result[1]), ...result[2] }];
  });
  return [...changes, ...valueChanges(table, pair)];
}

function valueChanges(table: string, pair: ColumnPair): readonly Change[] {
  const { added, removed, renamed } = namesOf(pair);
  const valueChange = (kind: ChangeKind, says: string): Change => change(kind, table, pair.to.name, says);
  return [
    ...added.map((name) => valueChange('value_added', `can now be ${name}`)),
    ...removed.map((name) => valueChange('value_removed', `can no longer be chosen as ${name}; rows keep it`)),
    ...renamed.map(({ from, to }) => valueChange('value_renamed', `is ${to} where it was ${from}`)),
    ...(pair.names === undefined ? [] : [valueChange('value_renamed', namesText(pair.names))]),
  ];
}

type ColumnChange = readonly [kind: ChangeKind, says: string, other?: { readonly class: ChangeClass }] | null;

/** One row per kind of difference between two states of a column. */
const COLUMN_RULES: readonly ((pair: ColumnPair, schemas: Schemas) => ColumnChange)[] = [
  ({ from, to }) => (from.name === to.name ? null : ['column_renamed', `was previously called ${from.name}`]),
  (pair) => {
    const [was, is] = [kindsOf(pair.from), kindsOf(pair.to)];
    if (is.some((kind) => was.includes(kind))) return null;
    const says = `is now ${kindText(pair.to)}, previously ${kindText(pair.from)}`;
    const kept = keepsValues(pair) && isSame(stored(pair.from.check), stored(pair.to.check));
    return kept ? ['column_retyped', says, { class: 'online' }] : ['column_retyped', says];
  },
  (pair) => {
    if (!pair.from.nullable || pair.to.nullable) return null;
    if (!isFilled(pair)) return ['column_required', 'is now required'];
    return ['column_required', `is now required, with ${fillText(pair.to)} where it is empty`, { class: 'backfill' }];
  },
  ({ from, to }) => (from.nullable || !to.nullable ? null : ['column_optional', 'is now optional']),
  ({ from, to }) =>
    isSame(stored(from.check), stored(to.check))
      ? null
      : ['limit_changed', `now has ${limitPhrase(to)}, previously ${limitText(from.check)}`],
  ({ from, to }) =>
    from.check?.rule === to.check?.rule && otherJsonSchema(from.check, to.check) !== null
      ? ['limit_changed', 'has a different JSON Schema', { class: 'online' }]
      : null,
  referenceChange,
  ({ from, to }) =>
    from.default === to.default || to.check?.rule === 'choice'
      ? null
      : [
          'default_changed',
          `has the default ${to.default ?? 'none'} in the database, previously ${from.default ?? 'none'}`,
        ],
];

function limitPhrase({ check }: Column): string {
  return check === null ? limitText(check) : `the limit ${limitText(check)}`;
}

function referenceChange({ from, to }: ColumnPair, { old, schema }: Schemas): ColumnChange {
  const [before, after] = [from.references, to.references];
  if (targetOf(old, from) !== targetOf(schema, to)) {
    return [
      'reference_changed',
      `now refers to ${after?.table ?? 'nothing'}, previously to ${before?.table ?? 'nothing'}`,
    ];
  }
  if (before?.onDelete !== after?.onDelete) {
    return ['reference_changed', `now has ${after?.onDelete} on delete, previously ${before?.onDelete}`];
  }
  if (before?.made !== after?.made) {
    const says = after?.made ? `has ${made(to)} from the next start on` : `is no longer made with each row`;
    return ['reference_changed', says];
  }
  if (before?.inside === after?.inside) return null;
  const says = after?.inside
    ? 'now refers to records of the same owner only'
    : 'may now refer to records of other owners';
  return ['reference_changed', says, { class: 'online' }];
}

function constraintChanges({ from, to }: TablePair): readonly Change[] {
  const key = { from: uniqueKey(from), to: uniqueKey(to) };
  const index = { from: indexKey(from), to: indexKey(to) };
  const [uniques, indexes] = [
    { from: uniquesOf(from), to: uniquesOf(to) },
    { from: from.indexes.filter(isPlain), to: to.indexes.filter(isPlain) },
  ];
  const list = (columns: readonly string[]): string => columns.join(', ');
  const unique = (kind: ChangeKind, says: string) => (one: Unique) =>
    change(kind, to.name, list(one.columns), `${says}${whereText(one.where)}`);
  return [
    ...differenceBy(uniques.to, uniques.from, { own: key.to, other: key.from }).map(
      unique('unique_added', 'is now unique'),
    ),
    ...differenceBy(uniques.from, uniques.to, { own: key.from, other: key.to }).map(
      unique('unique_dropped', 'is no longer unique'),
    ),
    ...differenceBy(indexes.to, indexes.from, { own: index.to, other: index.from }).map(({ columns }) =>
      change('index_added', to.name, list(columns), 'now has an index'),
    ),
    ...differenceBy(indexes.from, indexes.to, { own: index.from, other: index.to }).map(({ columns }) =>
      change('index_dropped', to.name, list(columns), 'no longer has an index'),
    ),
  ];
}

/** Whether an index only makes reading faster. */
function isPlain({ unique }: Index): boolean {
  return unique === undefined;
}

function searchChanges(pair: TablePair): readonly Change[] {
  const says = searchChange(pair);
  return says === null ? [] : [change('search_changed', pair.to.name, null, says)];
}

/** The part of a limit that is in the table's own DDL. */
function stored(check: Column['check']): unknown {
  if (check?.rule === 'choice') return { rule: check.rule };
  return check === null || !('schema' in check) ? check : { ...check, schema: undefined };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
