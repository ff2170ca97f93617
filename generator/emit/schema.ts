// The tables of the model, independent of the storage engine; generated/schema.json is their written form.

import type { StorageType } from '../../runtime/definition.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import type { Model, Resource } from '../model/model.js';

export function schemaView(model: Model): Schema {
  return { revision: model.revision, tables: model.resources.map(table) };
}

function table(resource: Resource): Table {
  return {
    number: resource.number,
    name: resource.name,
    ...earlier(resource),
    columns: resource.columns.map(
      ({ storage, kind, nullable, default: value, fill, check, references, ...column }) => ({
        number: column.number,
        name: column.name,
        ...earlier(column),
        type: COLUMN_TYPES[storage],
        kind,
        nullable,
        default: value,
        ...(fill === undefined ? {} : { fill }),
        check,
        references,
      }),
    ),
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
