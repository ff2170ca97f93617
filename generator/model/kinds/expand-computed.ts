// What a computed field becomes: a property that is derived when the record is read, and no column.

import type { ComputedField, RawField, RawResource } from '../../language/language.js';
import type { Property } from '../model.js';
import { lookup } from './lookup.js';
import type { Part, Place } from './part.js';
import { type ScalarField, scalar } from './scalars.js';

/** @returns the part of a `kind: computed` field: a copy, a count or a text made of other properties */
export function expandComputed(name: string, field: ComputedField, place: Place): Part {
  const derived = field.copy
    ? copy(field.copy, place)
    : field.count
      ? count(field.count, place)
      : text(field.text ?? '', place.resource);
  return { properties: [name, ...(field.shown_as ?? [])].map((as) => ({ ...property(field, as), ...derived })) };
}

function property(
  field: ComputedField,
  name: string,
): Omit<Property, 'source' | 'type' | 'schema' | 'example' | 'nullable'> {
  return {
    name,
    description: field.description ?? '',
    view: field.view === undefined || field.view === 'anyone' ? null : field.view,
    whenSet: false,
  };
}

type Derived = Pick<Property, 'source' | 'type' | 'schema' | 'example' | 'nullable'>;

/** `event` of the record itself, or `set.identity` of the record that a reference names. */
function copy(path: string, place: Place): Derived {
  const [first, second] = path.split('.') as [string, string?];
  if (second === undefined) return { ...shownAs(place.resource, first), source: { kind: 'column', column: first } };
  const reference = place.resource.fields.get(first);
  if (reference?.kind !== 'reference') throw new Error(`copy of ${path} passed the checks without a reference`);
  const target = resource(place, reference.to);
  return {
    ...shownAs(target, second),
    nullable: !reference.required,
    source: { kind: 'copy', through: `${first}_id`, column: second },
  };
}

function count(list: string, place: Place): Derived {
  const owner = place.resource.resource;
  const found = place.spec.resources.flatMap((child) => countedBy(child, owner, list))[0];
  if (!found) throw new Error(`count of ${list} passed the checks without a list`);
  const [child, reference] = found;
  return {
    source: { kind: 'count', of: child, by: `${reference}_id` },
    type: 'number',
    schema: { type: 'integer', minimum: 0 },
    example: 0,
    nullable: false,
  };
}

function countedBy(child: RawResource, owner: string, list: string): readonly (readonly [string, string])[] {
  return [...child.fields]
    .filter(
      ([, field]) =>
        field.kind === 'reference' && field.to === owner && (field.list === true ? child.plural : field.list) === list,
    )
    .map(([name]) => [child.resource, name] as const);
}

/** `/files/{id}/{key}`. */
function text(template: string, { fields }: RawResource): Derived {
  const example = template.replaceAll(/\{\w+\}/g, '0a01kmz3b5wqd7c8r9t2v4x6y8');
  return {
    source: { kind: 'template', text: template },
    type: 'string',
    schema: { type: 'string' },
    example,
    nullable: named(template).some((name) => mayBeEmpty(fields, name)),
  };
}

function named(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Whether the column may be null; a text with nothing in it is nothing as a whole. */
function mayBeEmpty(fields: ReadonlyMap<string, RawField>, column: string): boolean {
  const field = fields.get(column) ?? fields.get(column.replace(/_id$/, ''));
  if (field === undefined || field.kind === 'computed' || field.kind === 'boolean') return false;
  if (field.from !== undefined) return field.from === 'upload.width' || field.from === 'upload.height';
  return field.required !== true && field.default === undefined;
}

function resource(place: Place, name: string): RawResource {
  const found = lookup(place.spec).byName.get(name);
  if (!found) throw new Error(`unknown resource ${name} passed the checks`);
  return found;
}

/** Type and schema of the field that is copied, a text or a number; identities are a field of their own. */
function shownAs(target: RawResource, name: string): Omit<Derived, 'source'> {
  const field = fieldOf(target, name);
  const kind = scalar(field);
  return {
    type: kind.shownType(field),
    schema: kind.shownSchema(field) ?? kind.schema(field),
    example: field.example ?? field.default ?? kind.example(field),
    nullable: !(field.required || field.default !== undefined),
  };
}

function fieldOf(target: RawResource, name: string): ScalarField {
  const field: RawField | undefined = target.fields.get(name);
  if (
    !field ||
    field.kind === 'reference' ||
    field.kind === 'image' ||
    field.kind === 'file' ||
    field.kind === 'computed'
  ) {
    throw new Error(`copy of ${target.resource}.${name} passed the checks without a stored value`);
  }
  return field;
}
