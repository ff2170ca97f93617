// Random edits of a schema, each a triple of numbers that is interpreted against the current schema, so that they shrink well.

import type { Column, Index, Schema, Search, Table } from '../../runtime/schema/schema.js';
import { watchedColumns } from '../../runtime/schema/words.js';
import { column, refers, renamed, table } from './schemas.js';

export type Draw = readonly [kind: number, one: number, other: number];

interface State {
  readonly schema: Schema;
  /** The next number of the ledger. */
  readonly next: number;
}

type Edit = (state: State, one: number, other: number) => State;

const TABLES = ['box', 'die', 'book', 'group'];
const COLUMNS = ['a', 'b', 'c', 'order', 'e'];

/** The schemas that a sequence of edits goes through, including the first. */
export function schemasOf(draws: readonly Draw[]): readonly Schema[] {
  let state: State = { schema: FIRST, next: 100 };
  const schemas = [state.schema];
  for (const [kind, one, other] of draws) {
    const edit = EDITS[kind % EDITS.length] as Edit;
    state = edit(state, one, other);
    schemas.push({ ...state.schema, revision: state.next });
  }
  return schemas;
}

const FIRST: Schema = {
  revision: 1,
  tables: [
    table(
      1,
      'box',
      [column(3, 'a', { check: { rule: 'length', min: 1, max: 9 } }), column(4, 'b', { nullable: true })],
      {
        uniques: [['a']],
        indexes: [{ columns: ['a', 'b'], partial: false }],
      },
    ),
    table(10, 'die', [
      column(12, 'a', { references: refers('box') }),
      column(13, 'b', { nullable: true, references: refers('die', 'set_null') }),
    ]),
  ],
};

const OTHER = { text: { type: 'integer', kind: 'integer' }, integer: { type: 'text', kind: 'text' } } as const;

const EDITS: readonly Edit[] = [
  // Tables: created, renamed, swapped, dropped, renamed with their name used again.
  ({ schema, next }, one) => {
    const name = free(TABLES, schema.tables, one);
    return name === null ? { schema, next } : { schema: withTable(schema, table(next, name, [])), next: next + 2 };
  },
  ({ schema, next }, one, other) => {
    const name = free(TABLES, schema.tables, other);
    return { schema: name === null ? schema : withTableNames(schema, { [at(schema.tables, one).name]: name }), next };
  },
  ({ schema, next }, one, other) => {
    const [a, b] = [at(schema.tables, one).name, at(schema.tables, other).name];
    return { schema: withTableNames(schema, { [a]: b, [b]: a }), next };
  },
  ({ schema, next }, one) =>
    schema.tables.length < 2 ? { schema, next } : { schema: withoutTable(schema, at(schema.tables, one)), next },
  ({ schema, next }, one, other) => {
    const name = free(TABLES, schema.tables, other);
    if (name === null) return { schema, next };
    const old = at(schema.tables, one).name;
    return { schema: withTable(withTableNames(schema, { [old]: name }), table(next, old, [])), next: next + 2 };
  },
  // Columns: added as optional, with a default or as a reference; renamed, swapped, dropped, dropped and their name reused.
  adder((number, name, other) => column(number, name, { nullable: true, type: other % 2 ? 'text' : 'integer' })),
  adder((number, name, other) =>
    column(number, name, { type: 'integer', default: other % 5, check: { rule: 'range', min: 0, max: 9999 } }),
  ),
  ({ schema, next }, one, other) => {
    const target = at(schema.tables, other).name;
    return adder((number, name) => column(number, name, { nullable: true, references: refers(target, 'set_null') }))(
      { schema, next },
      one,
      other,
    );
  },
  changer((owner, old, other) => {
    const name = free(COLUMNS, owner.columns, other);
    return name === null ? owner : withColumnNames(owner, { [old.name]: name });
  }),
  changer((owner, old, other) => {
    const [, ...columns] = owner.columns;
    const second = at(columns, other).name;
    return withColumnNames(owner, { [old.name]: second, [second]: old.name });
  }),
  changer((owner, old) => withoutColumn(owner, old)),
  ({ schema, next }, one, other) => ({
    ...changer((owner, old) => {
      const rest = withoutColumn(owner, old);
      return { ...rest, columns: [...rest.columns, column(next, old.name, { nullable: true })] };
    })({ schema, next }, one, other),
    next: next + 1,
  }),
  // Properties of a column: its type, whether it is required, its limit, its default, the effect of a deletion.
  setter((old) => (old.references ? {} : { ...OTHER[old.type], check: null, default: null, nullable: old.nullable })),
  setter((old) =>
    old.nullable && old.references === null
      ? { nullable: false, default: old.type === 'text' ? '5' : 5 }
      : { nullable: true },
  ),
  setter(() => ({ check: null })),
  setter((old, other) =>
    old.references
      ? {}
      : {
          check:
            old.type === 'text' ? { rule: 'length', min: 0, max: 20 + other } : { rule: 'range', min: 0, max: null },
        },
  ),
  setter((old, other) => (old.references ? {} : { default: old.type === 'text' ? `${other}` : other })),
  setter((old) => (old.references ? { references: { ...old.references, onDelete: 'cascade' } } : {})),
  // Constraints of the table.
  changer((owner, { name }) => (uniqueIndexOf(owner, name) ? owner : toggled(owner, 'uniques', [name]))),
  changer((owner, { name }, other) => {
    const existing = uniqueIndexOf(owner, name);
    if (existing !== undefined) return { ...owner, indexes: owner.indexes.filter((index) => index !== existing) };
    if (owner.uniques.some((columns) => columns.join() === name)) return owner;
    const [, ...columns] = owner.columns;
    const { name: by, type } = at(columns, other);
    const unique = { [by]: other % 3 === 0 ? null : type === 'text' ? '30' : 30 };
    return { ...owner, indexes: [...owner.indexes, { columns: [name], partial: false, unique }] };
  }),
  changer((owner, { name }) => toggled(owner, 'uniques', [name, 'id'])),
  changer((owner, { name }) => {
    const has = owner.indexes.some(({ columns }) => columns[0] === name);
    const others = owner.indexes.filter(({ columns }) => columns[0] !== name);
    return { ...owner, indexes: has ? others : [...others, { columns: [name], partial: owner.number % 2 === 0 }] };
  }),
  changer(({ search, ...owner }, { name }, other) =>
    search?.columns.includes(name)
      ? owner
      : {
          ...owner,
          search: { columns: [...(search?.columns ?? []), name], listed: other % 2 ? { [name]: '30' } : {} },
        },
  ),
];

/** Every edit can be drawn. */
export const LAST_EDIT = EDITS.length - 1;

function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}

function free(names: readonly string[], taken: readonly { readonly name: string }[], from: number): string | null {
  const unused = names.filter((name) => !taken.some((one) => one.name === name));
  return unused.length === 0 ? null : at(unused, from);
}

function withTable(schema: Schema, added: Table): Schema {
  return { ...schema, tables: [...schema.tables, added] };
}

function withTableNames(schema: Schema, names: Readonly<Record<string, string>>): Schema {
  const newName = (name: string): string => names[name] ?? name;
  const tables = schema.tables.map((one) => ({
    ...renamed(one, newName(one.name)),
    columns: one.columns.map((each) =>
      each.references ? { ...each, references: { ...each.references, table: newName(each.references.table) } } : each,
    ),
  }));
  return { ...schema, tables };
}

function withoutTable(schema: Schema, dropped: Table): Schema {
  const remaining = schema.tables.filter(({ number }) => number !== dropped.number);
  const tables = remaining.map((one) =>
    one.columns.filter(({ references }) => references?.table === dropped.name).reduce(withoutColumn, one),
  );
  return { ...schema, tables };
}

function withoutColumn({ search, ...owner }: Table, { name }: Column): Table {
  const isOther = search !== undefined && watchedColumns(search).includes(name);
  return {
    ...owner,
    ...(search === undefined || isOther ? {} : { search }),
    columns: owner.columns.filter((one) => one.name !== name),
    uniques: owner.uniques.filter((unique) => !unique.includes(name)),
    indexes: owner.indexes.filter(({ columns, unique = {} }) => !columns.includes(name) && !(name in unique)),
  };
}

/** The partial index on a column, whose values are unique only in some rows. */
function uniqueIndexOf({ indexes }: Table, name: string): Index | undefined {
  return indexes.find(({ columns, unique }) => unique !== undefined && columns.join() === name);
}

function withColumnNames(owner: Table, names: Readonly<Record<string, string>>): Table {
  const newName = (name: string): string => names[name] ?? name;
  return {
    ...owner,
    columns: owner.columns.map((one) => renamed(one, newName(one.name))),
    uniques: owner.uniques.map((unique) => unique.map(newName)),
    indexes: owner.indexes.map((index) => renamedIndex(index, newName)),
    ...(owner.search === undefined ? {} : { search: renamedSearch(owner.search, newName) }),
  };
}

function renamedIndex({ unique, ...index }: Index, newName: (name: string) => string): Index {
  const columns = index.columns.map(newName);
  if (unique === undefined) return { ...index, columns };
  const where = Object.entries(unique).map(([name, value]) => [newName(name), value]);
  return { ...index, columns, unique: Object.fromEntries(where) };
}

function renamedSearch({ columns, listed }: Search, newName: (name: string) => string): Search {
  const values = Object.entries(listed).map(([name, value]) => [newName(name), value]);
  return { columns: columns.map(newName), listed: Object.fromEntries(values) };
}

function withReplacedTable(schema: Schema, changed: Table): Schema {
  return { ...schema, tables: schema.tables.map((one) => (one.number === changed.number ? changed : one)) };
}

function adder(make: (number: number, name: string, other: number) => Column): Edit {
  return ({ schema, next }, one, other) => {
    const owner = at(schema.tables, one);
    const name = free(COLUMNS, owner.columns, other);
    if (name === null) return { schema, next };
    const columns = [...owner.columns, make(next, name, other)];
    return { schema: withReplacedTable(schema, { ...owner, columns }), next: next + 1 };
  };
}

/** An edit of a table and one of its columns other than the id; tables that have no others stay unchanged. */
function changer(change: (owner: Table, old: Column, other: number) => Table): Edit {
  return ({ schema, next }, one, other) => {
    const owner = at(schema.tables, one);
    const [, ...columns] = owner.columns;
    if (columns.length === 0) return { schema, next };
    return { schema: withReplacedTable(schema, change(owner, at(columns, Math.floor(one / 7) + other), other)), next };
  };
}

function setter(set: (old: Column, other: number) => Partial<Column>): Edit {
  return changer((owner, old, other) => {
    const changed = { ...old, ...set(old, other) };
    // The value of a condition would have another type.
    const fits = ({ unique = {} }: Index): boolean => changed.type === old.type || !(old.name in unique);
    return {
      ...owner,
      columns: owner.columns.map((one) => (one.name === old.name ? changed : one)),
      indexes: owner.indexes.filter(fits),
    };
  });
}

function toggled(owner: Table, key: 'uniques', columns: readonly string[]): Table {
  const text = JSON.stringify(columns);
  const others = owner[key].filter((one) => JSON.stringify(one) !== text);
  return { ...owner, [key]: others.length < owner[key].length ? others : [...others, columns] };
}
