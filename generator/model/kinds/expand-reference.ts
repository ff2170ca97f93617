// What a reference to another record becomes: an id column, a parameter, the related object and its lists.

import type { Reference } from '../../../runtime/definition.js';
import type { RawResource, ReferenceField } from '../../language/language.js';
import type { List } from '../model.js';
import { idColumn, idParameter, idProperty } from './id-parts.js';
import type { Part, Place } from './part.js';

/** @returns the part of a `kind: reference` field, `game` to `game_id` and the related object `game` */
export function expandReference(name: string, field: ReferenceField, place: Place): Part {
  const column = `${name}_id`;
  const required = field.required === true || field.default === 'session.user';
  const onDelete = field.on_delete ?? (required ? 'restrict' : 'set_null');
  const settable = !field.read_only && field.from === undefined;
  const reference: Reference = {
    column,
    relation: name,
    to: field.to,
    required,
    need: field.need ?? (field.place ? 'edit' : 'use'),
    ...(field.place ? { place: true as const } : {}),
    ...(field.inside ? { inside: true as const } : {}),
    onDelete,
    related: true,
  };
  const owned = field.default === 'session.user' || field.from === 'session.user';
  return {
    columns: [
      idColumn(column, {
        kind: 'reference',
        to: field.to,
        onDelete,
        required,
        owned,
        settable,
        inside: Boolean(field.place ?? field.inside),
      }),
    ],
    parameters: settable ? [idParameter(column, field, { required: required && !owned, owned })] : [],
    properties: [column, ...(field.shown_as ?? [])].map((as) => ({ ...idProperty(column, field, required), name: as })),
    references: [reference],
    lists: lists(field, column, place.resource),
  };
}

function lists(field: ReferenceField, by: string, resource: RawResource): readonly List[] {
  const own = field.list === true ? resource.plural : field.list;
  const named = Object.entries(field.lists ?? {}).map(([name, settings]) => ({
    name,
    where: storedWhere(settings.where ?? {}),
  }));
  return [...(own ? [{ name: own, where: {} }] : []), ...named].map((entry) => ({ parent: field.to, by, ...entry }));
}

/** Conditions as the columns hold them: booleans as 0 and 1. */
function storedWhere(where: Readonly<Record<string, string | number | boolean | null>>): List['where'] {
  return Object.fromEntries(
    Object.entries(where).map(([field, value]) => [field, typeof value === 'boolean' ? Number(value) : value]),
  );
}
