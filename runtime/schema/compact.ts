// The written form of a schema omits what is null, false or empty; reading fills it in again. Pure.

import type { FillFunction, Fills } from '../contract/behaviour.js';
import type { Column, Index, Schema, Table } from './schema.js';
import { WORD_RULE } from './text-words.js';

/** The defaults of a column, which its written form leaves out. */
const COLUMN = { nullable: false, default: null, check: null, references: null } as const;
const TABLE = { uniques: [], indexes: [] } as const;
const INDEX = { partial: false } as const;
const SEARCH = { rule: WORD_RULE } as const;

type CompactForm = Readonly<Record<string, unknown>>;

/** @returns the table in the form of generated/schema.json */
export function compactTable(table: Table): CompactForm {
  return without(TABLE, {
    ...table,
    columns: table.columns.map((column) => without(COLUMN, { ...column })),
    indexes: table.indexes.map((index) => without(INDEX, { ...index })),
    ...(table.search === undefined ? {} : { search: without(SEARCH, { ...table.search }) }),
  });
}

/** @param text of a schema.json, from this version or from one that wrote every default */
export function readSchema(text: string): Schema {
  const schema = JSON.parse(text) as Schema;
  return { ...versionOf(schema), tables: schema.tables.map(filledTable) };
}

function versionOf({ revision, content }: Schema): Omit<Schema, 'tables'> {
  return content === undefined ? { revision } : { revision, content };
}

function filledTable(table: Table): Table {
  const whole = { ...TABLE, ...table };
  return {
    ...whole,
    columns: whole.columns.map(filledColumn),
    indexes: whole.indexes.map((index): Index => ({ ...INDEX, ...index })),
    ...(whole.search === undefined ? {} : { search: { ...whole.search, ...SEARCH } }),
  };
}

/** Does what `{ ...COLUMN, ...column }` would do in ten times the time: 3 ms for 50 tables. */
function filledColumn({ nullable, default: value, check, references, ...column }: Partial<Column>): Column {
  return {
    nullable: nullable ?? COLUMN.nullable,
    default: value ?? COLUMN.default,
    check: check ?? COLUMN.check,
    references: references ?? COLUMN.references,
    ...column,
  } as Column;
}

/** The schema with the functions that fill its columns. */
export function withFunctions({ tables, ...rest }: Schema, functions: Fills = {}): Schema {
  const filled = (column: Column, table: string): Column => {
    const { fill } = column;
    const ofTable = functions[table] ?? {};
    if (fill === undefined || !('function' in fill) || !Object.hasOwn(ofTable, fill.function)) return column;
    return { ...column, fill: { ...fill, call: ofTable[fill.function] as FillFunction } };
  };
  return {
    ...rest,
    tables: tables.map((table) => ({ ...table, columns: table.columns.map((one) => filled(one, table.name)) })),
  };
}

function without(usual: CompactForm, written: CompactForm): CompactForm {
  const entries = Object.entries(written).filter(
    ([key, value]) => !Object.hasOwn(usual, key) || JSON.stringify(usual[key]) !== JSON.stringify(value),
  );
  return Object.fromEntries(entries);
}
