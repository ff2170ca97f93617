// The keys of a field: what each takes and what it means. The one table that schema, check and page share; which keys a
// kind has is said by the kind (model/kinds).
import { DATE, FLAG, type Keywords, NAME, orNull, TEXT } from './keywords.js';

interface FieldKey {
  readonly schema: Keywords;
  readonly description: string;
}

/** What the bytes of an upload can be found to be: no other type is ever stored. */
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

const NAMES: Keywords = { type: 'array', items: NAME, minItems: 1, uniqueItems: true };
const one = (...values: readonly unknown[]): Keywords => ({ enum: values });
const row = (schema: Keywords, description: string): FieldKey => ({ schema, description });

/** `kind` itself is not in the table: every field has it. */
export const FIELD_KEYS = {
  description: row(TEXT, 'One sentence; it becomes documentation.'),
  required: row(FLAG, 'Must be sent on create and cannot be emptied (D17, D18).'),
  default: row(
    {},
    'Value when none is sent: a literal, session.user, upload.name, or <reference>.<field> copied from the referenced record.',
  ),
  example: row({}, 'Value shown in the documentation.'),
  read_only: row(FLAG, 'Callers cannot send it; hand-written code may set it.'),
  view: row(
    TEXT,
    'Who sees it: anyone (default), editor (default of images and files), created (only the answer that creates the record), nobody, or a right named under access.',
  ),
  set: row(one('admin', 'editor'), 'Who may send it.'),
  synonyms: row(
    NAMES,
    'Further names accepted on input; of an image or file, base names: face means face_id and has_proofed_face.',
  ),
  shown_as: row(NAMES, 'Further names the value is shown under; of a reference, names of its id, such as parent_id.'),
  filter: row(FLAG, 'Lists may be filtered by it.'),
  unique: row(FLAG, 'No two records have the same value.'),
  was: row(orNull(NAME), 'Earlier name: the column keeps its content; null: a new field under a used name.'),
  deprecated: row(
    DATE,
    'Date from which callers are told not to use it, in the API document and by a Deprecation header (D38).',
  ),
  sunset: row(DATE, 'Date on which it goes, told likewise and by a Sunset header (D38).'),
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
    'The service fills it; callers cannot.',
  ),
  min: row({ type: 'integer' }, 'Least value, or least number of characters.'),
  max: row({ type: 'integer' }, 'Greatest value, or number of characters.'),
  scale: row({ type: 'integer', minimum: 0, maximum: 12 }, 'Digits behind the point.'),
  values: row(
    { type: 'array', items: { type: ['string', 'integer'] }, minItems: 1, uniqueItems: true },
    'The allowed values.',
  ),
  as: row(one('bit'), 'bit: written as 0 and 1 on the wire (D06).'),
  schema: row({ type: 'object' }, 'JSON Schema (draft 2020-12) of the value.'),
  to: row(NAME, 'Resource the reference points to.'),
  need: row(one('exists', 'use', 'edit'), 'What the caller must hold on the target (D16).'),
  on_delete: row(
    one('cascade', 'set_null', 'restrict'),
    'What becomes of this record when the target is deleted (D33).',
  ),
  place: row(FLAG, 'The record is placed with its target, and moves to no other owner (D37).'),
  inside: row(FLAG, 'Target and record have one owner.'),
  list: row(
    { type: ['boolean', 'string'], pattern: '^[a-z][a-z0-9_]*$', title: 'true or the name of a list' },
    'Name of the list on the target; true: the plural of this resource (D23).',
  ),
  lists: row(
    { type: 'object', propertyNames: NAME, additionalProperties: { $ref: '#/definitions/list' } },
    'Further lists on the target, each with a condition.',
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
  count: row(NAME, 'Number of records in a list that hangs on this resource, of those that the caller may read.'),
  text: row(TEXT, 'Text with {property} in it.'),
} as const satisfies Readonly<Record<string, FieldKey>>;

export type FieldKeyName = keyof typeof FIELD_KEYS;
