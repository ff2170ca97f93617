// What a field that refers to another record becomes: an id column, and for images the proof flag and the description.

import type { Reference } from '../../runtime/definition.js';
import type { FileField, ImageField, RawResource, RawSpec, ReferenceField } from '../language.js';
import type { Column, List, Parameter, Property } from '../model.js';
import { literal, pascalCase } from '../typescript.js';
import type { Part, Place } from './part.js';

const ID_SCHEMA = { type: 'string', minLength: 1, maxLength: 64 } as const;
const ID_EXAMPLE = '0a01kmz3b5wqd7c8r9t2v4x6y8';

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
        to: field.to,
        onDelete,
        required,
        owned,
        settable,
        inside: Boolean(field.place ?? field.inside),
      }),
    ],
    parameters: settable ? [idParameter(column, field, { required: required && !owned, owned })] : [],
    properties: [idProperty(column, field, required)],
    references: [reference],
    lists: lists(field, column, place.resource),
  };
}

/** @returns the part of a `kind: image` or `kind: file` field, `top` to `top_id`, `has_proofed_top` and the description `top` */
export function expandImage(name: string, field: ImageField | FileField, place: Place): Part {
  const column = `${name}_id`;
  const target = uploads(place.spec).resource;
  const required = field.required === true;
  const proof = field.kind === 'image' && field.proof !== false ? `has_proofed_${name}` : null;
  const types = field.types ?? (field.kind === 'image' ? place.spec.imageTypes : null);
  const onDelete = field.on_delete ?? (required ? 'restrict' : 'set_null');
  const shown = { ...field, view: field.view ?? 'editor' };
  const reference: Reference = {
    column,
    relation: name,
    to: target,
    required,
    need: 'use',
    ...(types ? { accepts: types } : {}),
    onDelete,
    ...(proof ? { proof } : {}),
    related: field.kind === 'file',
  };
  return {
    columns: [
      idColumn(column, { to: target, onDelete, required, owned: false, settable: true, inside: false }),
      ...(proof ? [proofColumn(proof, column)] : []),
    ],
    parameters: [
      idParameter(
        column,
        { ...field, synonyms: (field.synonyms ?? []).map((synonym) => `${synonym}_id`) },
        { required, owned: false },
      ),
      ...(proof ? [proofParameter(proof, field, name)] : []),
    ],
    properties: [
      idProperty(column, shown, required),
      ...(proof ? [proofProperty(proof, shown, name)] : []),
      ...[name, ...(field.shown_as ?? [])].map((as) => briefProperty(as, column, shown, target)),
    ],
    references: [reference],
  };
}

/** The one resource that stores uploads; the checks have seen to it that there is one. */
function uploads(spec: RawSpec): RawResource {
  const found = spec.resources.find((resource) => resource.upload !== undefined);
  if (!found) throw new Error('an image field without a resource that stores uploads passed the checks');
  return found;
}

interface IdColumn {
  readonly to: string;
  readonly onDelete: 'cascade' | 'set_null' | 'restrict';
  readonly required: boolean;
  /** The caller's own unless given. */
  readonly owned: boolean;
  readonly settable: boolean;
  readonly inside: boolean;
}

function idColumn(name: string, id: IdColumn): Omit<Column, 'number'> {
  const sent = id.owned ? `input.${name} ?? owner(given)` : id.required ? `input.${name}` : `input.${name} ?? null`;
  const kept = id.required ? `input.${name} ?? row.${name}` : `kept(input.${name}, row.${name}, null)`;
  return {
    name,
    type: 'text',
    rowType: id.required ? 'string' : 'string | null',
    nullable: !id.required,
    default: null,
    check: null,
    references: { table: id.to, onDelete: id.onDelete, inside: id.inside },
    create: id.settable ? sent : id.owned ? 'owner(given)' : 'null',
    update: id.settable ? kept : `row.${name}`,
    insert: null,
  };
}

function proofColumn(name: string, image: string): Omit<Column, 'number'> {
  return {
    name,
    type: 'integer',
    rowType: '0 | 1',
    nullable: false,
    default: 0,
    check: { rule: 'one_of', values: [0, 1] },
    references: null,
    create: `bit(input.${name}) ?? 0`,
    update: `proofed(input.${name}, input.${image}, row.${image}, row.${name})`,
    insert: null,
  };
}

type Described = Pick<ReferenceField, 'description' | 'synonyms' | 'set' | 'example' | 'view'>;

function idParameter(
  name: string,
  field: Described,
  { required, owned }: { required: boolean; owned: boolean },
): Parameter {
  return {
    name,
    kind: 'reference',
    description: field.description ?? '',
    schema: ID_SCHEMA,
    type: 'string',
    requiredOnCreate: required,
    requiredOnUpdate: false,
    nullable: !required && !owned,
    synonyms: [...(field.synonyms ?? [])],
    set: field.set === 'admin' ? 'admin' : null,
    example: field.example ?? ID_EXAMPLE,
  };
}

function proofParameter(name: string, field: ImageField | FileField, image: string): Parameter {
  return {
    name,
    kind: 'boolean',
    description: proofDescription(image),
    schema: { type: 'boolean', default: false },
    type: 'boolean',
    requiredOnCreate: false,
    requiredOnUpdate: false,
    nullable: false,
    synonyms: (field.synonyms ?? []).map((synonym) => `has_proofed_${synonym}`),
    set: null,
    example: false,
  };
}

function idProperty(name: string, field: Described, required: boolean): Property {
  return {
    name,
    description: field.description ?? '',
    schema: ID_SCHEMA,
    type: 'string',
    view: viewOf(field),
    sql: `t.${name}`,
    nullable: !required,
    whenSet: false,
    example: field.example ?? ID_EXAMPLE,
  };
}

function proofProperty(name: string, field: Described, image: string): Property {
  return {
    name,
    description: proofDescription(image),
    schema: { type: 'boolean' },
    type: 'boolean',
    view: viewOf(field),
    sql: `sql.boolean(${literal(`t.${name}`)})`,
    nullable: false,
    whenSet: false,
    example: false,
  };
}

function briefProperty(name: string, column: string, field: Described, target: string): Property {
  return {
    name,
    description: `Brief description of the file in ${column}; there while that is set.`,
    schema: { $ref: `#/components/schemas/${target}_brief` },
    type: `${pascalCase(target)}Brief`,
    view: viewOf(field),
    sql: `sql.brief(${literal(target)}, ${literal(`t.${column}`)})`,
    nullable: false,
    whenSet: true,
    example: undefined,
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

function viewOf(field: Described): string | null {
  return field.view === undefined || field.view === 'anyone' ? null : field.view;
}

function proofDescription(image: string): string {
  return `Whether the user has verified that the ${image} image is correct.`;
}
