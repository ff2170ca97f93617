// A reference to another record: an id column, a parameter, the related object and its lists.

import type { Reference } from '../../../runtime/contract/definition.js';
import type { FieldConditions, Literal, RawField, RawResource } from '../../language/language.js';
import { listOf } from '../../language/normalize.js';
import type { List } from '../model.js';
import { fillColumns } from './default-of.js';
import { type FieldContext, type FieldKind, type FieldParts, KEYS, maySet } from './kind.js';
import { lookup } from './lookup.js';
import { briefProperty, idColumn, idParameter, idProperty, RECORD_ID } from './record-id.js';

type ReferenceField = RawField & { readonly to: string };

export const reference: FieldKind<ReferenceField> = {
  ...RECORD_ID,
  makes: 'Another record: `owner` makes the parameter and property `owner_id`, and the related object `owner`.',
  keys: [
    ...KEYS.listed,
    'default',
    'fill',
    'from',
    'to',
    'parent',
    'need',
    'on_delete',
    'place',
    'inside',
    'list',
    'bulk',
    'list_each',
    'lists',
    'describe',
    'make',
  ],
  needs: ['to'],
  refers: 'named',
  related: true,
  grants: 'through',
  filledBy: ['session.user'],
  defaultWords: ['session.user'],
  expects: () => 'the id of a record',
  mayBeEmpty,
  columns: (name) => [`${name}_id`],
  expand,
};

/** A reference that gives a record its placement is never empty. */
function mayBeEmpty({ required, default: value, place }: RawField): boolean {
  return required !== true && value !== 'session.user' && place !== true;
}

/** `game` to `game_id` and the related object `game`. */
function expand(name: string, field: ReferenceField, place: FieldContext): FieldParts {
  const column = `${name}_id`;
  const required = !mayBeEmpty(field);
  const made = field.make !== undefined;
  const onDelete = field.on_delete ?? (required || made ? 'restrict' : 'set_null');
  const settable = maySet(field);
  const owned = field.default === 'session.user' || field.from === 'session.user';
  const inside = field.place === true || field.inside === true || made;
  const id = { kind: 'reference', to: field.to, onDelete, required, owned, settable, inside, made } as const;
  const fill = fillColumns(field, place.resource, (name) => `${name}_id`);
  return {
    columns: [{ ...idColumn(column, id), ...fill }],
    parameters: settable ? [idParameter(column, field, { required: required && !owned, owned })] : [],
    properties: [
      ...[column, ...(field.shown_as ?? [])].map((as) => ({ ...idProperty(column, field, required), name: as })),
      ...(field.describe ? [briefProperty(name, 'record', { column, field, target: field.to })] : []),
    ],
    references: [{ ...referenceOf(name, field, { required, onDelete }), ...makes(field, place) }],
    lists: lists(field, column, place),
  };
}

function referenceOf(
  name: string,
  field: ReferenceField,
  { required, onDelete }: Pick<Reference, 'required' | 'onDelete'>,
): Reference {
  return {
    column: `${name}_id`,
    relation: name,
    to: field.to,
    required,
    need: field.need ?? (field.place ? 'edit' : 'use'),
    ...(field.place ? { place: true as const } : {}),
    ...(field.inside ? { inside: true as const } : {}),
    onDelete,
    related: true,
  };
}

/** The record that it refers to is made with this one, placed with it, and refers back to it. */
function makes({ make, to }: ReferenceField, { spec, resource, kindOf }: FieldContext): Partial<Reference> {
  const target = lookup(spec).byName.get(to);
  if (make === undefined || target === undefined) return {};
  const back = referenceBack(target, resource.resource) ?? '';
  const values = Object.entries(make).flatMap(([name, value]) => {
    const field = target.fields.get(name);
    return field === undefined ? [] : [[name, kindOf(field).sent(value)] as const];
  });
  return { need: 'exists', inside: true, makes: { by: `${back}_id`, input: Object.fromEntries(values) } };
}

/** The reference that places a made record with its maker; null if missing. */
export function referenceBack({ fields }: RawResource, maker: string): string | null {
  return [...fields].find(([, { place, to }]) => place && to === maker)?.[0] ?? null;
}

function lists(field: ReferenceField, by: string, place: FieldContext): readonly List[] {
  const listName = listOf(field, place.resource);
  const named = Object.entries(field.lists ?? {}).map(([name, { where = {}, through }]) => ({
    name,
    where: storedWhere(where, place.resource, place.kindOf),
    ...onward(field.to, through, place),
  }));
  const bulk = field.bulk ? { bulk: true as const } : {};
  return [...(listName === null ? [] : [{ name: listName, where: {}, ...bulk }]), ...named].map((entry) => ({
    parent: field.to,
    by,
    ...entry,
  }));
}

/** A list through a reference of the target is a list of that reference's target. */
function onward(resource: string, through: string | undefined, place: FieldContext): Partial<List> {
  const parent = lookup(place.spec)
    .byName.get(resource)
    ?.fields.get(through ?? '')?.to;
  return parent === undefined ? {} : { parent, through: { resource, by: `${through}_id` } };
}

/** Conditions on fields of `resource` as its columns store them: booleans as 0 and 1, dates as epoch milliseconds. */
export function storedWhere(
  where: FieldConditions,
  { fields }: RawResource,
  kindOf: FieldContext['kindOf'],
): List['where'] {
  const stored = (name: string, value: Literal): string | number | null =>
    value === null ? null : kindOf(fields.get(name) ?? EVERY_RECORDS_OWN).stored(value);
  return Object.fromEntries(Object.entries(where).map(([name, value]) => [name, stored(name, value)]));
}

/** A name that is not a field of the descriptor is one of the dates that every record has. */
const EVERY_RECORDS_OWN: RawField = { kind: 'date' };
