// The catalogue as the service holds it, and the rows that the service will show for a model.

import type { Catalogue } from '../../runtime/contract/catalogue.js';
import { catalogueRows, type FullRow } from '../../runtime/operations/catalogue.js';
import type { Model, ModelCatalogue } from '../model/model.js';

/** @returns its path, and the attributes with their defaults */
export function catalogueOf({ path, attributes }: ModelCatalogue): Catalogue {
  const settings = attributes.map(({ name, kind, default: value }) => [name, { kind, default: value }] as const);
  return { path, attributes: Object.fromEntries(settings) };
}

/** @returns its rows; empty if the project has no catalogue */
export function rowsOfModel({ catalogue, resources }: Pick<Model, 'catalogue' | 'resources'>): readonly FullRow[] {
  if (catalogue === null) return [];
  const definitions = resources.map(({ catalogue: entry, ...resource }) => ({
    ...resource,
    options: { identity: entry?.rows ?? [] },
    ...(entry === null ? {} : { catalogue: entry }),
  }));
  return catalogueRows(catalogueOf(catalogue), definitions);
}
