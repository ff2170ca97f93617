// The tables of the model, free of any engine: what generated/schema.json holds.

import type { Schema, Table } from '../../runtime/schema/schema.js';
import type { Model, Resource } from '../model.js';

export function schemaView(model: Model): Schema {
  return { revision: model.revision, tables: model.resources.map(table) };
}

function table(resource: Resource): Table {
  return {
    number: resource.number,
    name: resource.name,
    columns: resource.columns.map(({ number, name, type, nullable, default: value, check, references }) => ({
      number,
      name,
      type,
      nullable,
      default: value,
      check,
      references,
    })),
    uniques: resource.uniques,
    indexes: resource.indexes,
  };
}
