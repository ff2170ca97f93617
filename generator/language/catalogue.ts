// The catalogue: which identities have a row in it, and the contents of their rows. Expects a resource without short forms.

import type { CatalogueKeys, RawCatalogue, RawField, RawResource } from './language.js';

/** What a resource says about its rows: the pattern of their names, and their attributes. */
export interface ResourceEntry {
  readonly title: string | undefined;
  readonly attributes: CatalogueKeys;
}

/** Whether its identities have rows, except for identities that say otherwise. */
export function isCatalogued(resource: RawResource, catalogue: RawCatalogue | null): boolean {
  return catalogue !== null && resource.extends.includes(catalogue.of) && identityOf(resource) !== undefined;
}

/** The identities that have a row. */
export function rowsOf(resource: RawResource, catalogue: RawCatalogue | null): readonly string[] {
  if (!isCatalogued(resource, catalogue)) return [];
  const exceptions = attributesOfRows(resource);
  return (identityOf(resource)?.values ?? []).map(String).filter((value) => exceptions[value] !== false);
}

/** What the resource says about all its rows. */
export function commonEntry({ catalogue = {} }: RawResource): ResourceEntry {
  const { title, ...attributes } = catalogue;
  return { title: title === undefined ? undefined : String(title), attributes };
}

/** The attributes of identities that differ from the resource's, and false for identities without a row. */
export function attributesOfRows(resource: RawResource): Readonly<Record<string, CatalogueKeys | false>> {
  const values = Object.entries(identityOf(resource)?.attributes ?? {});
  return Object.fromEntries(values.flatMap(([value, { catalogue: own }]) => (own === undefined ? [] : [[value, own]])));
}

function identityOf({ fields }: RawResource): RawField | undefined {
  const field = fields.get('identity');
  return field?.short === undefined ? undefined : field;
}

/** Whether records with this reference are pieces of its target. */
export function isPiece({ place, list }: RawField): boolean {
  return place === true && list !== undefined && list !== false;
}
