// Names of lists that a descriptor does not spell out: the plural of a resource, and a list for each value of a field.

import type { RawField, RawResource } from './language.js';

/** `boxtop` becomes `boxtops`, `hookbox` becomes `hookboxes`. An irregular plural is written out. */
export function pluralOf(name: string): string {
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** The list of all records that refer to one by the field; null: there is none. */
export function listOf(
  { list = false }: Pick<RawField, 'list'>,
  { plural }: Pick<RawResource, 'plural'>,
): string | null {
  if (list === false) return null;
  return list === true ? plural : list;
}

/** `list_each: identity` on a reference is short for one more entry of its `lists` for each value; what is written wins. */
export function withListsOfValues(
  fields: ReadonlyMap<string, RawField>,
  plural: string,
): ReadonlyMap<string, RawField> {
  const expanded = [...fields].map(([name, field]) => {
    const { list_each: by } = field;
    const chosen = by === undefined ? undefined : fields.get(by);
    if (by === undefined || chosen === undefined) return [name, field] as const;
    const lists = listsOfValues(by, chosen, listOf(field, { plural }));
    return [name, { ...field, lists: { ...lists, ...field.lists } }] as const;
  });
  return new Map(expanded);
}

/** The only value of a field needs no list besides the one of all records, if that has its name. */
function listsOfValues(by: string, field: RawField, all: string | null): RawField['lists'] {
  const { values = [], attributes = {} } = field;
  const lists = values.flatMap((value) => {
    const { list = pluralOf(String(value).toLowerCase()) } = attributes[value] ?? {};
    return list === false ? [] : [[list, value] as const];
  });
  const own = lists.length === 1 ? lists.filter(([name]) => name !== all) : lists;
  return Object.fromEntries(own.map(([name, value]) => [name, { where: { [by]: value }, of: value }]));
}
