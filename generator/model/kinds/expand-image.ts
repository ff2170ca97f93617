// What an image or file field becomes: an id column, for images the proof flag, and the brief description (D25).

import type { Reference } from '../../../runtime/definition.js';
import { pascalCase } from '../../emit/typescript.js';
import type { FileField, ImageField, RawResource, RawSpec } from '../../language/language.js';
import type { Parameter, Property, UnnumberedColumn } from '../model.js';
import { type Described, idColumn, idParameter, idProperty, viewOf } from './id-parts.js';
import { lookup } from './lookup.js';
import type { Part, Place } from './part.js';

/** @returns the part of a `kind: image` or `kind: file` field, `top` to `top_id`, `has_proofed_top` and the description `top` */
export function expandImage(name: string, field: ImageField | FileField, place: Place): Part {
  const column = `${name}_id`;
  const target = uploads(place.spec).resource;
  const required = field.required === true;
  const proof = field.kind === 'image' && field.proof !== false ? `has_proofed_${name}` : null;
  const settable = !field.read_only && field.from === undefined;
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
      idColumn(column, { kind: field.kind, to: target, onDelete, required, owned: false, settable, inside: false }),
      ...(proof ? [proofColumn(proof, column, settable)] : []),
    ],
    parameters: settable ? parameters(name, field, proof) : [],
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
  const found = lookup(spec).uploads;
  if (!found) throw new Error('an image field without a resource that stores uploads passed the checks');
  return found;
}

function parameters(name: string, field: ImageField | FileField, proof: string | null): readonly Parameter[] {
  const synonyms = (field.synonyms ?? []).map((synonym) => `${synonym}_id`);
  return [
    idParameter(`${name}_id`, { ...field, synonyms }, { required: field.required === true, owned: false }),
    ...(proof ? [proofParameter(proof, field, name)] : []),
  ];
}

function proofColumn(name: string, image: string, settable: boolean): UnnumberedColumn {
  return {
    name,
    storage: 'boolean',
    kind: 'boolean',
    rowType: '0 | 1',
    nullable: false,
    default: 0,
    check: { rule: 'one_of', values: [0, 1] },
    references: null,
    create: settable ? `bit(input.${name}) ?? 0` : '0',
    update: settable ? `proofed(input.${name}, input.${image}, row.${image}, row.${name})` : `row.${name}`,
    copies: null,
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
    set: field.set === 'admin' ? 'admin' : null,
    example: false,
  };
}

function proofProperty(name: string, field: Described, image: string): Property {
  return {
    name,
    description: proofDescription(image),
    schema: { type: 'boolean' },
    type: 'boolean',
    view: viewOf(field),
    source: { kind: 'column', column: name },
    nullable: false,
    whenSet: false,
    example: false,
  };
}

function briefProperty(name: string, column: string, field: Described, target: string): Property {
  return {
    name,
    description: `Brief description of the file in ${column}; included if that is set.`,
    schema: { $ref: `#/components/schemas/${target}_brief` },
    type: `${pascalCase(target)}Brief`,
    view: viewOf(field),
    source: { kind: 'description', through: column },
    nullable: false,
    whenSet: true,
    example: undefined,
  };
}

function proofDescription(image: string): string {
  return `Whether the user has verified that the ${image} image is correct.`;
}
