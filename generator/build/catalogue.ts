// The catalogue of a model, and what its resources say about their rows.

import { attributesOfRows, commonEntry, isCatalogued, rowsOf } from '../language/catalogue.js';
import type { CatalogueKeys, RawCatalogue, RawField, RawResource, RawSpec } from '../language/language.js';
import { expand, kindOf } from '../model/kinds/kinds.js';
import type { CatalogueAttribute, ModelCatalogue, Resource } from '../model/model.js';

/** Its attributes are expanded like the fields of a resource. */
export function buildCatalogue(spec: RawSpec): ModelCatalogue | null {
  const { catalogue, resources } = spec;
  const [resource] = resources;
  if (catalogue === null || resource === undefined) return null;
  const attributes = [...catalogue.attributes].flatMap(([name, field]): readonly CatalogueAttribute[] => {
    const { parameters: [sent] = [], properties: [shown] = [] } = expand(name, field, { spec, resource });
    if (sent === undefined || shown === undefined) return [];
    const { description, schema, nullable, example } = shown;
    return [
      { name, kind: sent.kind, default: sent.schema.default ?? sent.unset, description, schema, nullable, example },
    ];
  });
  return { path: catalogue.path, attributes, stated: catalogue };
}

/** Values have the form in which the service shows them: a decimal is a text. */
export function buildCatalogueEntry(resource: RawResource, catalogue: RawCatalogue | null): Resource['catalogue'] {
  if (catalogue === null || !isCatalogued(resource, catalogue)) return null;
  const { title, attributes } = commonEntry(resource);
  const ofIdentities = Object.entries(attributesOfRows(resource)).map(
    ([identity, keys]) => [identity, keys === false ? keys : shown(keys, catalogue.attributes)] as const,
  );
  return {
    ...(title === undefined ? {} : { title }),
    attributes: shown(attributes, catalogue.attributes),
    identities: Object.fromEntries(ofIdentities),
    rows: rowsOf(resource, catalogue),
  };
}

function shown(values: CatalogueKeys, fields: ReadonlyMap<string, RawField>): CatalogueKeys {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field === undefined ? value : kindOf(field).sent(value)] as const;
    }),
  );
}
