// The tables of the model, independent of the storage engine; generated/schema.json is their written form.

import type { StorageType } from '../../runtime/definition.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import type { Model, Resource } from '../model/model.js';
import { remembered } from '../remembered.js';

/** Made once for schema.json and schema.sql. */
export const schemaView = remembered(
  (model: Model): Schema => ({ revision: model.revision, tables: model.resources.map(table) }),
);

function table(resource: Resource): Table {
  return {
    number: resource.number,
    name: resource.name,
    ...earlier(resource),
    columns: resource.columns.map((column) => ({
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
    })),
    uniques: resource.uniques,
    indexes: resource.indexes,
    ...searched(resource.whole),
  };
}

function searched(whole: Resource['whole']): Pick<Table, 'search'> {
  return whole?.search === undefined ? {} : { search: { columns: whole.search, listed: whole.where } };
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
