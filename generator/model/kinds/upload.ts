// The kinds that hold an uploaded file: an id column, for images the proof flag, and the brief description (D25).

import type { Reference } from '../../../runtime/contract/definition.js';
import type { RawField, RawResource, RawSpec } from '../../language/language.js';
import type { Parameter, Property, UnnumberedColumn } from '../model.js';
import { type FieldContext, type FieldKind, type FieldParts, KEYS, maySet } from './kind.js';
import { lookup } from './lookup.js';
import { briefProperty, idColumn, idParameter, idProperty, RECORD_ID, viewKeyOf } from './record-id.js';

interface UploadRow extends Pick<FieldKind, 'makes' | 'keys' | 'related'> {
  readonly kind: 'image' | 'file';
  /** Whether the field has a flag for whether somebody has checked the file. */
  hasProof(field: RawField): boolean;
  /** Media types if the field does not list any; null for any type. */
  types(spec: RawSpec): readonly string[] | null;
}

/** @returns the kind defined by its row: `top` becomes `top_id`, `has_proofed_top` and the description `top` */
export function uploadKind(kind: UploadRow): FieldKind {
  const columns = (name: string, field: RawField) => [`${name}_id`, ...(kind.hasProof(field) ? [proofOf(name)] : [])];
  return {
    ...RECORD_ID,
    makes: kind.makes,
    keys: [...KEYS.listed, 'on_delete', 'types', ...kind.keys],
    refers: 'upload',
    related: kind.related,
    view: 'editor',
    expects: () => 'the id of a file',
    columns,
    // A synonym is a base name, like the name of the field.
    accepted: columns,
    expand: (name, field, place) => expand(name, field, place, kind),
  };
}

const proofOf = (name: string): string => `has_proofed_${name}`;

function expand(name: string, field: RawField, { spec }: FieldContext, kind: UploadRow): FieldParts {
  const column = `${name}_id`;
  const target = uploads(spec).resource;
  const required = field.required === true;
  const proof = kind.hasProof(field) ? proofOf(name) : null;
  const settable = maySet(field);
  const types = field.types ?? kind.types(spec);
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
    related: kind.related,
  };
  return {
    columns: [
      idColumn(column, { kind: kind.kind, to: target, onDelete, required, owned: false, settable, inside: false }),
      ...(proof ? [proofColumn(proof, column, settable)] : []),
    ],
    parameters: settable ? parameters(name, field, proof) : [],
    properties: [
      idProperty(column, shown, required),
      ...(proof ? [proofProperty(proof, shown, name)] : []),
      ...[name, ...(field.shown_as ?? [])].map((as) => briefProperty(as, 'file', { column, field: shown, target })),
    ],
    references: [reference],
  };
}

/** The resource that stores uploads; the checks ensure that there is one. */
function uploads(spec: RawSpec): RawResource {
  const resource = lookup(spec).uploads;
  if (!resource) throw new Error('an image field without a resource that stores uploads passed the checks');
  return resource;
}

function parameters(name: string, field: RawField, proof: string | null): readonly Parameter[] {
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
    nullable: false,
    default: 0,
    check: { rule: 'one_of', values: [0, 1] },
    references: null,
    write: settable
      ? { by: 'proof', image }
      : { by: 'service', initial: { from: 'literal', value: 0 }, update: 'kept' },
    sortable: true,
    copies: null,
  };
}

function proofParameter(name: string, field: RawField, image: string): Parameter {
  const validationSchema = { type: 'boolean' };
  return {
    name,
    kind: 'boolean',
    description: proofDescription(image),
    schema: { ...validationSchema, default: false },
    validationSchema,
    structured: false,
    refers: false,
    unset: false,
    requiredOnCreate: false,
    requiredOnUpdate: false,
    nullable: false,
    synonyms: (field.synonyms ?? []).map(proofOf),
    set: field.set === 'admin' ? 'admin' : null,
    example: false,
  };
}

function proofProperty(name: string, field: RawField, image: string): Property {
  return {
    name,
    description: proofDescription(image),
    schema: { type: 'boolean' },
    view: viewKeyOf(field),
    source: { kind: 'column', column: name },
    nullable: false,
    whenSet: false,
    example: false,
  };
}

function proofDescription(image: string): string {
  return `Whether the user has verified that the ${image} image is correct.`;
}
