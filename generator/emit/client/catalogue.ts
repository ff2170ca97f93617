// The client's methods of the catalogue, and the types of its rows, from the schema that the API document has of them.

import type { JsonSchema, ModelCatalogue } from '../../model/model.js';
import { flagsOf, rowSchema } from '../openapi/catalogue.js';
import { comment, literal, property } from '../typescript.js';
import { schemaType } from './types.js';

/** What the template of its types is filled with. */
export function catalogueTypes(catalogue: ModelCatalogue) {
  const { properties, required } = rowSchema(catalogue) as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
  return {
    row: Object.entries(properties).map(([name, schema]) => ({
      comment: comment(String(schema.description ?? '')),
      name: property(name),
      optional: required.includes(name) ? '' : '?',
      type: schemaType(schema),
    })),
    flags: flagsOf(catalogue).map((name) => property(`${name}_only`)),
  };
}

/** Its routes for the core, in the form of those of a resource. */
export function catalogueRoutes(catalogue: ModelCatalogue) {
  const flags = flagsOf(catalogue);
  const route = (method: string, path: string) =>
    literal([method, path, ...(flags.length > 0 ? [flags] : [])].join(' '));
  return {
    name: 'catalogue',
    methods: [
      { name: 'all', route: route('ROWS', catalogue.path) },
      { name: 'get', route: route('ROW', `${catalogue.path}/{id}`) },
    ],
  };
}
