// The tables of the model, independent of the storage engine; generated/schema.json is their written form.

import type { StorageType } from '../../runtime/contract/definition.js';
import { compactTable } from '../../runtime/schema/compact.js';
import type { Index, Schema, Column as SchemaColumn, Table } from '../../runtime/schema/schema.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { WORD_RULE } from '../../runtime/schema/text-words.js';
import type { Unique } from '../../runtime/schema/uniques.js';
import { versionColumn } from '../../runtime/schema/version.js';
import { memoizeByObject } from '../memoize.js';
import type { Column, Model, Resource } from '../model/model.js';
import { Printed, printed, printJson } from './print.js';

/** Computed once for schema.json and schema.sql. */
export const schemaView = memoizeByObject(
  ({ revision, content, resources }: Model): Schema => ({
    revision,
    ...(content === null ? {} : { content }),
    tables: resources.map((resource) => table(resource)),
  }),
);

/** @returns generated/schema.json */
export function schemaText(model: Model): string {
  const { tables, ...versions } = schemaView(model);
  return printJson({ ...versions, tables: tables.map((one) => new Printed(tableText(one))) });
}

const tableText = memoizeByObject((one: Table) => printed(compactTable(one), 4, 0));

/** @returns the statements of generated/schema.sql */
export function schemaStatements(model: Model): readonly string[] {
  return schemaView(model).tables.flatMap((one) => statementsOf(one));
}

const statementsOf = memoizeByObject((one: Table) => sqliteDdl({ revision: 0, tables: [one] }));

const table = memoizeByObject((resource: Resource): Table => {
  return {
    number: resource.number,
    name: resource.name,
    ...earlier(resource),
    columns: [...resource.columns.map(columnView), versionColumn(resource.version)],
    uniques: resource.uniques.flatMap(({ columns, where }) => (where === null ? [columns] : [])),
    indexes: [...resource.indexes, ...resource.uniques.flatMap(partialIndex)],
    ...searched(resource.whole),
  };
});

function columnView(column: Column): SchemaColumn {
  return {
    number: column.number,
    name: column.name,
    ...earlier(column),
    type: COLUMN_TYPES[column.storage],
    kind: column.kind,
    nullable: column.nullable,
    default: column.default,
    ...(column.fill === undefined ? {} : { fill: column.fill }),
    check: column.check,
    references: column.references,
  };
}

function partialIndex({ columns, where }: Unique): readonly Index[] {
  return where === null ? [] : [{ columns, partial: false, unique: where }];
}

function searched(whole: Resource['whole']): Pick<Table, 'search'> {
  if (whole?.search === undefined) return {};
  return { search: { columns: whole.search, listed: whole.where, rule: WORD_RULE } };
}

const COLUMN_TYPES: Readonly<Record<StorageType, 'text' | 'integer'>> = {
  text: 'text',
  integer: 'integer',
  boolean: 'integer',
  date: 'integer',
  json: 'text',
};

function earlier({ formerly }: { readonly formerly: readonly string[] }): { readonly formerly?: readonly string[] } {
  return formerly.length === 0 ? {} : { formerly };
}
