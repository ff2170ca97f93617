// The deprecated parts of a resource (D38), with the names by which requests use them; parts that are only shown are left out.

import type { Dates, Deprecation } from '../../runtime/contract/definition.js';
import type { RawField, RawResource } from '../language/language.js';
import { datesOf } from '../model/deprecation.js';
import type { FieldParts } from '../model/kinds/kind.js';

export interface ExpandedFields {
  readonly fields: RawResource['fields'];
  /** The expanded fields, in their order. */
  readonly parts: readonly FieldParts[];
  /** Columns by which lists are ordered and filtered. */
  readonly listed: readonly string[];
}

/** @returns the resource itself, the fields that requests can use, and the parameters of its actions, if deprecated */
export function buildDeprecations(raw: RawResource, { fields, parts, listed }: ExpandedFields): readonly Deprecation[] {
  const ofResource = datesOf(raw);
  const lists = new Set([...listed, ...parts.flatMap(listedBy)]);
  const parameters = [...raw.actions].flatMap(([action, declared]) =>
    [...declared.parameters].flatMap(([name, field]) =>
      ofField(field, { field: `${action}.${name}`, action, names: [name] }),
    ),
  );
  return [
    ...deprecation(ofResource, { field: null, names: [] }),
    ...[...fields].flatMap(([name, field], at) => {
      // Since hardly any field is deprecated, names are looked up only for those.
      if (ofField(field, { field: name, names: [] }).length === 0) return [];
      const names = namesOf(parts[at] ?? {}, lists);
      return names.length === 0 ? [] : ofField(field, { field: name, names });
    }),
    ...parameters,
  ];
}

/** The field, and its deprecated values. */
function ofField(field: RawField, part: Omit<Deprecation, keyof Dates> & { readonly field: string }) {
  const values = Object.entries(field.attributes ?? {}).flatMap(([value, dates]) =>
    deprecation(datesOf(dates), { ...part, field: `${part.field}=${value}`, value }),
  );
  return [...deprecation(datesOf(field), part), ...values];
}

function deprecation(
  dates: Dates | null,
  { names, value, ...part }: Omit<Deprecation, keyof Dates>,
): readonly Deprecation[] {
  return dates === null ? [] : [{ ...part, ...dates, names, ...(value === undefined ? {} : { value }) }];
}

/** Columns that define a list of the resource. */
function listedBy({ lists = [] }: FieldParts): readonly string[] {
  return lists.flatMap(({ by, where }) => [by, ...Object.keys(where)]);
}

function namesOf(
  { parameters = [], columns = [], properties = [], references = [] }: FieldParts,
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
