// Resources of a spec by name and by role, indexed once per spec. Checks nothing.

import type { RawResource, RawSpec } from '../../language/language.js';

export interface Lookup {
  readonly byName: ReadonlyMap<string, RawResource>;
  /** The resource whose records log in. */
  readonly principal: RawResource | undefined;
  /** The resource that stores uploads. */
  readonly uploads: RawResource | undefined;
}

/** A spec never changes, so its index is valid as long as the spec exists. */
const indexes = new WeakMap<RawSpec, Lookup>();

export function lookup(spec: RawSpec): Lookup {
  const existing = indexes.get(spec);
  if (existing !== undefined) return existing;
  const index = {
    byName: new Map(spec.resources.map((one) => [one.resource, one])),
    principal: spec.resources.find((one) => one.principal === true),
    uploads: spec.resources.find((one) => one.upload !== undefined),
  };
  indexes.set(spec, index);
  return index;
}
