// The values of identities and of enum fields, which are written as a list, or as a map from each to its attributes.

import type { RawField, RawOldName, RawValue, ShortIdentity } from './language.js';

/** The keys of a field or resource that declare the values. */
type Values = Required<Pick<RawField, 'values'>> & Pick<RawField, 'attributes'>;

/** `{ Small: 600x800, Large: { list: large }, Huge: null }` becomes the list of the three and the attributes of the first two. */
export function valuesOf(written: unknown): Values {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return { values: written as NonNullable<RawField['values']> };
  }
  const attributes = Object.entries(written).flatMap(([value, keys]) =>
    keys === null ? [] : [[value, typeof keys === 'string' ? { size: keys } : (keys as RawValue)] as const],
  );
  return {
    values: Object.keys(written),
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
  };
}

/** `old_names: identities` is short for all of them in lower case, without the resource's own name. */
export function oldNamesOf(written: unknown, resource: string, identity: RawField | undefined): readonly RawOldName[] {
  const byName = new Map((identity?.values ?? []).map((value) => [String(value).toLowerCase(), String(value)]));
  const names = Array.isArray(written) ? (written as readonly string[]) : [...byName.keys()];
  const others = Array.isArray(written) ? names : names.filter((name) => name !== resource);
  return others.map((name) => ({ name, identity: byName.get(name) ?? null }));
}

/** `identities` is short for an enum field called identity, with the first as its default (D17). */
export function identityField(identities: unknown, default_identity: unknown): RawField {
  const { values, attributes } = valuesOf(identities);
  const short: ShortIdentity = {
    identities: values as readonly string[],
    ...(default_identity === undefined ? {} : { default_identity: String(default_identity) }),
  };
  return {
    kind: 'enum',
    values,
    ...(attributes === undefined ? {} : { attributes }),
    default: values.find((value) => value === default_identity) ?? values[0],
    description: 'Product, chosen from a fixed list.',
    filter: true,
    short,
  };
}
