// The sets of fields that are unique together, wherever a descriptor declares them.

import type { RawResource } from './language.js';

/** @returns a set for each field that is unique by itself, then those of `unique` */
export function uniqueSetsOf({ fields, unique = [] }: RawResource): readonly (readonly string[])[] {
  return [...[...fields].flatMap(([name, field]) => (field.unique ? [[name]] : [])), ...unique];
}
