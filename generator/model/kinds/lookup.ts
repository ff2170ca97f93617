// Resources of a spec by name and by what they are for, looked up once for the whole of it. Judges nothing.

import type { RawResource, RawSpec } from '../../language/language.js';

export interface Lookup {
  readonly byName: ReadonlyMap<string, RawResource>;
  /** Who logs in. */
  readonly principal: RawResource | undefined;
  /** What stores uploads. */
  readonly uploads: RawResource | undefined;
}

/** A spec never changes, so what was found in it stays true as long as it is there. */
const found = new WeakMap<RawSpec, Lookup>();

export function lookup(spec: RawSpec): Lookup {
  const known = found.get(spec);
  if (known !== undefined) return known;
  const made = {
    byName: new Map(spec.resources.map((one) => [one.resource, one])),
    principal: spec.resources.find((one) => one.principal === true),
    uploads: spec.resources.find((one) => one.upload !== undefined),
  };
  found.set(spec, made);
  return made;
}
