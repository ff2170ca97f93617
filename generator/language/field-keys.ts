// The keys of a field: what each takes, what it means, and which kinds have it. The one table that schema, check and page share.
import { DATE, FLAG, type Keywords, NAME, orNull, TEXT } from './keywords.js';
import type { Kind } from './language.js';

interface FieldKey {
  readonly kinds: readonly Kind[];
  readonly schema: Keywords;
  readonly description: string;
}

const SHOWN: readonly Kind[] = [
  'text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'enum',
  'url',
  'json',
  'reference',
  'image',
  'file',
  'computed',
  'password',
];
const without = (...kinds: readonly Kind[]): readonly Kind[] => SHOWN.filter((kind) => !kinds.includes(kind));
const SETTABLE = without('computed');

/** Every kind of field, in the order the page shows them. */
export const KINDS: readonly Kind[] = SHOWN;
/** Kinds a parameter of an action may have. */
export const PARAMETER_KINDS = without('reference', 'image', 'file', 'computed');

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
const row = (kinds: readonly Kind[], schema: Keywords, description: string): FieldKey => ({
  kinds,
  schema,
  description,
});

/** `kind` itself is not in the table: every field has it. */
export const FIELD_KEYS = {
  description: row(SHOWN, TEXT, 'One sentence; it becomes documentation.'),
  required: row(SETTABLE, FLAG, 'Must be sent on create and cannot be emptied (D17, D18).'),
  default: row(
    without('image', 'file', 'computed', 'password'),
    {},
    'Value when none is sent: a literal, session.user, upload.name, or <reference>.<field> copied from the referenced record.',
  ),
  example: row(SHOWN, {}, 'Value shown in the documentation.'),
  read_only: row(SETTABLE, FLAG, 'Callers cannot send it; hand-written code may set it.'),
  view: row(
    SHOWN,
    TEXT,
    'Who sees it: anyone (default), editor (default of images and files), created (only the answer that creates the record), nobody, or a right named under access.',
  ),
  set: row(SETTABLE, one('admin', 'editor'), 'Who may send it.'),
  synonyms: row(
    SETTABLE,
    NAMES,
    'Further names accepted on input; of an image or file, base names: face means face_id and has_proofed_face.',
  ),
  shown_as: row(
    without('password'),
    NAMES,
    'Further names the value is shown under; of a reference, names of its id, such as parent_id.',
  ),
  filter: row(without('json', 'computed', 'password'), FLAG, 'Lists may be filtered by it.'),
  unique: row(without('json', 'computed', 'password'), FLAG, 'No two records have the same value.'),
  was: row(SETTABLE, orNull(NAME), 'Earlier name: the column keeps its content; null: a new field under a used name.'),
  deprecated: row(
    SHOWN,
    DATE,
    'Date from which callers are told not to use it, in the API document and by a Deprecation header (D38).',
  ),
  sunset: row(SHOWN, DATE, 'Date on which it goes, told likewise and by a Sunset header (D38).'),
  from: row(
    ['text', 'integer', 'reference'],
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
  min: row(
    ['text', 'integer', 'decimal', 'password'],
    { type: 'integer' },
    'Least value, or least number of characters.',
  ),
  max: row(
    ['text', 'integer', 'decimal', 'url', 'password'],
    { type: 'integer' },
    'Greatest value, or number of characters.',
  ),
  scale: row(['decimal'], { type: 'integer', minimum: 0, maximum: 12 }, 'Digits behind the point.'),
  values: row(
    ['integer', 'enum'],
    { type: 'array', items: { type: ['string', 'integer'] }, minItems: 1, uniqueItems: true },
    'The allowed values.',
  ),
  as: row(['boolean'], one('bit'), 'bit: written as 0 and 1 on the wire (D06).'),
  schema: row(['json'], { type: 'object' }, 'JSON Schema (draft 2020-12) of the value.'),
  to: row(['reference'], NAME, 'Resource the reference points to.'),
  need: row(['reference'], one('exists', 'use', 'edit'), 'What the caller must hold on the target (D16).'),
  on_delete: row(
    ['reference', 'image', 'file'],
    one('cascade', 'set_null', 'restrict'),
    'What becomes of this record when the target is deleted (D33).',
  ),
  place: row(['reference'], FLAG, 'The record is placed with its target, and moves to no other owner (D37).'),
  inside: row(['reference'], FLAG, 'Target and record have one owner.'),
  list: row(
    ['reference'],
    { type: ['boolean', 'string'], pattern: '^[a-z][a-z0-9_]*$', title: 'true or the name of a list' },
    'Name of the list on the target; true: the plural of this resource (D23).',
  ),
  lists: row(
    ['reference'],
    { type: 'object', propertyNames: NAME, additionalProperties: { $ref: '#/definitions/list' } },
    'Further lists on the target, each with a condition.',
  ),
  types: row(
    ['image', 'file'],
    {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: MEDIA_TYPES },
    },
    'Media types the file may have.',
  ),
  proof: row(['image'], FLAG, 'false: no has_proofed_<x>.'),
  copy: row(
    ['computed'],
    { type: 'string', pattern: '^[a-z][a-z0-9_]*([.][a-z][a-z0-9_]*)?$', title: '<reference>.<field> or a field' },
    'Shows <reference>.<field>, or a field of the record itself.',
  ),
  count: row(
    ['computed'],
    NAME,
    'Number of records in a list that hangs on this resource, of those that the caller may read.',
  ),
  text: row(['computed'], TEXT, 'Text with {property} in it.'),
} as const satisfies Readonly<Record<string, FieldKey>>;

export type FieldKeyName = keyof typeof FIELD_KEYS;

/** Keys a kind cannot do without. `computed` has a rule of its own. */
export const NEEDED: Readonly<Partial<Record<Kind, readonly FieldKeyName[]>>> = { reference: ['to'], enum: ['values'] };

/** The keys that a field of `kind` may have, `kind` included. */
export function keysOf(kind: Kind): readonly string[] {
  return KEYS_BY_KIND.get(kind) ?? ['kind'];
}

/** Every field of a spec is held against them: they are put together once. */
const KEYS_BY_KIND: ReadonlyMap<Kind, readonly string[]> = new Map(
  KINDS.map((kind) => {
    const keys: readonly [string, FieldKey][] = Object.entries(FIELD_KEYS);
    return [kind, ['kind', ...keys.filter(([, key]) => key.kinds.includes(kind)).map(([name]) => name)]];
  }),
);
