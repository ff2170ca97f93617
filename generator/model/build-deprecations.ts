// What of a resource is to go (D38), with the names by which requests use it. Never what only records show.

import type { Dates, Deprecation } from '../../runtime/definition.js';
import type { RawResource } from '../language/language.js';
import { datesOf } from './deprecation.js';
import type { Part } from './kinds/part.js';

export interface Expanded {
  readonly fields: ReadonlyMap<string, Dates>;
  /** What the fields became, in their order. */
  readonly parts: readonly Part[];
  /** Columns that lists are ordered and filtered by. */
  readonly listed: readonly string[];
}

/** @returns the resource itself, its fields, the parameters of its actions; no field that requests cannot use */
export function buildDeprecations(raw: RawResource, { fields, parts, listed }: Expanded): readonly Deprecation[] {
  const own = datesOf(raw);
  const lists = new Set([...listed, ...parts.flatMap(listedBy)]);
  const parameters = [...raw.actions].flatMap(([action, declared]) =>
    [...declared.parameters].flatMap(([name, field]) =>
      ended(datesOf(field), { field: `${action}.${name}`, action, names: [name] }),
    ),
  );
  return [
    ...ended(own, { field: null, names: [] }),
    ...[...fields].flatMap(([name, field], at) => {
      const names = namesOf(parts[at] ?? {}, lists);
      return names.length === 0 ? [] : ended(datesOf(field), { field: name, names });
    }),
    ...parameters,
  ];
}

function ended(dates: Dates | null, { names, ...what }: Omit<Deprecation, keyof Dates>): readonly Deprecation[] {
  return dates === null ? [] : [{ ...what, ...dates, names }];
}

/** Columns without which a list of the resource would not be. */
function listedBy({ lists = [] }: Part): readonly string[] {
  return lists.flatMap(({ by, where }) => [by, ...Object.keys(where)]);
}

function namesOf(
  { parameters = [], columns = [], properties = [], references = [] }: Part,
  listed: ReadonlySet<string>,
): readonly string[] {
  const described = new Set(properties.map(({ name }) => name));
  return [
    ...new Set([
      ...parameters.flatMap(({ name, synonyms }) => [name, ...synonyms]),
      ...columns.flatMap(({ name }) => (listed.has(name) ? [name] : [])),
      ...references.flatMap(({ relation, related }) => (related && !described.has(relation) ? [relation] : [])),
    ]),
  ];
}
