// The keys of a field: what each takes and what it means. The one table that schema, check and page share; each kind
// lists the keys that it has (model/kinds).
import {
  byType,
  DEPRECATED,
  FIELD_NAME,
  FLAG,
  type Keywords,
  listOrMap,
  NAME,
  orNull,
  SUNSET,
  TEXT,
} from './keywords.js';

interface FieldKey {
  readonly schema: Keywords;
  readonly description: string;
}

/** The types that can be detected in the bytes of an upload; no other type is ever stored. */
export const MEDIA_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'application/pdf',
  'application/zip',
  'application/octet-stream',
];

const NAMES: Keywords = { type: 'array', items: FIELD_NAME, minItems: 1, uniqueItems: true };
const one = (...values: readonly unknown[]): Keywords => ({ enum: values });
const row = (schema: Keywords, description: string): FieldKey => ({ schema, description });

/** What can be said of one value of an enum. */
export const VALUE_ATTRIBUTES: Readonly<Record<string, Keywords>> = {
  title: { ...TEXT, description: 'Display name; by default the words of the name.' },
  was: { ...TEXT, description: 'Earlier name, so that rows that hold it get the new one.' },
  list: {
    ...byType('string', NAME, { enum: [false] }),
    description: 'Name of its list where a reference has list_each, if the plural is irregular; false: it has no list.',
  },
  deprecated: DEPRECATED,
  sunset: SUNSET,
};

const SIZE: Keywords = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,5}x[1-9][0-9]{0,5}$',
  title: 'a size such as 825x1125',
};

/** What can be said of one identity; a text is short for its size. */
export const IDENTITY_ATTRIBUTES: Readonly<Record<string, Keywords>> = {
  size: { ...SIZE, description: 'Width and height of its images in pixels; shown, not enforced.' },
  ...VALUE_ATTRIBUTES,
  catalogue: {
    ...byType('object', { type: 'object', propertyNames: NAME }, { enum: [false] }),
    description:
      'Attributes of its row in the catalogue, where they are not those of the resource; false: it has no row.',
  },
};

/** `kind` itself is not in the table: every field has it. */
export const FIELD_KEYS = {
  description: row(TEXT, 'One sentence; it becomes documentation.'),
  times: row(
    { type: 'integer', minimum: 2, maximum: 20 },
    'Number of fields that the field stands for; {n} in its name and texts is the number of each, from 1.',
  ),
  required: row(FLAG, 'Must be sent on create, and cannot be cleared (D17, D18).'),
  default: row(
    {},
    'Value if none is sent: a literal, session.user, upload.name, or { copy: <reference>.<field> } from the referenced record.',
  ),
  fill: row(
    {},
    'The value that existing rows get when the field is added or becomes required: a literal (by default that of default), or { copy: <field> } or { copy: <reference>.<field> }. No effect afterwards.',
  ),
  example: row(
    {},
    'Value shown in the documentation, where a text should say more than its name; needed for a JSON Schema with conditions of its own.',
  ),
  read_only: row(FLAG, 'Callers cannot send it; hand-written code may set it.'),
  view: row(
    TEXT,
    'Who sees it: anyone (default), editor (default of images and files), created (only the response that creates the record), nobody, or a right named under access.',
  ),
  set: row(one('admin', 'editor'), 'Who may send it.'),
  synonyms: row(
    NAMES,
    'Additional names accepted on input; for an image or file, base names: face means face_id and has_proofed_face.',
  ),
  shown_as: row(
    NAMES,
    'Additional names under which the value is shown; for a reference, names of its id, such as parent_id.',
  ),
  filter: row(FLAG, 'Lists can be filtered by it.'),
  unique: row(FLAG, 'No two records have the same value.'),
  was: row(
    orNull(FIELD_NAME),
    'Earlier name, so that the column keeps its content; null: a new field that reuses an old name.',
  ),
  deprecated: row(DEPRECATED, DEPRECATED.description),
  sunset: row(SUNSET, SUNSET.description),
  from: row(
    one(
      'session.user',
      'upload.name',
      'upload.type',
      'upload.size',
      'upload.width',
      'upload.height',
      'upload.hash',
      'random',
    ),
    'Where the service takes the value from; callers cannot send it.',
  ),
  min: row({ type: 'number' }, 'Minimum value, or minimum number of characters.'),
  max: row({ type: 'number' }, 'Maximum value, or maximum number of characters.'),
  scale: row({ type: 'integer', minimum: 0, maximum: 12 }, 'Digits after the decimal point.'),
  values: row(
    listOrMap(
      { type: 'array', items: { type: ['string', 'integer'] }, minItems: 1, uniqueItems: true },
      VALUE_ATTRIBUTES,
    ),
    'The allowed values: a list or, of an enum, a map from each to its attributes.',
  ),
  as: row(one('bit'), 'bit: shown as 0 or 1 (D06).'),
  schema: row({ type: 'object' }, 'JSON Schema (draft 2020-12) of the value.'),
  to: row(NAME, 'Resource that the reference points to; by default the one with the name of the field.'),
  parent: row(
    FLAG,
    'true: the record is part of its target. Short for required: true, need: edit, on_delete: cascade, place: true, list: true and access: { edit: [it] }.',
  ),
  need: row(one('exists', 'use', 'edit'), 'Right that the caller must hold on the target (D16).'),
  on_delete: row(
    one('cascade', 'set_null', 'restrict'),
    'What happens to this record when the target is deleted (D33).',
  ),
  place: row(FLAG, 'The record is placed with its target, and cannot move to another owner (D37).'),
  inside: row(FLAG, 'Target and record must have the same owner.'),
  list: row(
    { type: ['boolean', 'string'], pattern: FIELD_NAME.pattern, title: 'true or the name of a list' },
    'Name of the list on the target; true: the plural of this resource (D23).',
  ),
  lists: row(
    { type: 'object', propertyNames: FIELD_NAME, additionalProperties: { $ref: '#/definitions/list' } },
    'Additional lists on the target, each with a condition (where), or on what a reference of the target refers to (through).',
  ),
  bulk: row(FLAG, 'POST /api/<target>/<id>/bulk-<list> creates 1 to 100 records of the list together, all or none.'),
  list_each: row(
    NAME,
    'identity, or a field of kind enum: an additional list on the target for each of its values, named by the value in lower case with s (es after s, x, z, ch, sh).',
  ),
  describe: row(FLAG, 'true: the record also shows the brief description of its target, under the name of the field.'),
  make: row(
    { type: 'object', propertyNames: NAME },
    'The target is made with the record, with these values; it is deleted with it and not before (D40).',
  ),
  types: row(
    {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: MEDIA_TYPES },
    },
    'Media types the file may have.',
  ),
  proof: row(FLAG, 'false: no has_proofed_<x>.'),
  copy: row(
    { type: 'string', pattern: '^[a-z][a-z0-9_]*([.][a-z][a-z0-9_]*)?$', title: '<reference>.<field> or a field' },
    'Shows <reference>.<field>, or a field of the record itself.',
  ),
  count: row(NAME, 'Number of records in a list of this resource; whoever sees it may read all of them.'),
  text: row(TEXT, 'Text in which {property} stands for the value of a property.'),
} as const satisfies Readonly<Record<string, FieldKey>>;

export type FieldKeyName = keyof typeof FIELD_KEYS;
