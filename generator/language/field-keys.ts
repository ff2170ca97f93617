// The keys of a field: the accepted values and their meaning. The schema, check and the language page share this table; each
// kind lists the keys that it has (model/kinds).

import {
  byType,
  DEPRECATED,
  FIELD_NAME,
  FLAG,
  type Keywords,
  listOrMap,
  NAME,
  SUNSET,
  TEXT,
  textOrNull,
} from './keywords.js';
import type { OnDelete, RawList, ValueSource } from './language.js';

interface FieldKey<T = unknown> {
  readonly schema: Keywords;
  readonly description: string;
  /** Declares the type of its value once short forms are expanded; nothing is stored here. */
  readonly type?: T;
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

const LIST_FIELD: Keywords = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]*[.][a-z][a-z0-9_]*$',
  title: '<list>.<field>',
};
const NAMES: Keywords = { type: 'array', items: FIELD_NAME, minItems: 1, uniqueItems: true };
const one = (...values: readonly unknown[]): Keywords => ({ enum: values });
const row = <T>(schema: Keywords, description: string): FieldKey<T> => ({ schema, description });

/** The attributes of one value of an enum. */
const VALUE_ATTRIBUTES: Readonly<Record<string, Keywords>> = {
  title: {
    ...TEXT,
    description: 'Display name, shown by `_options`; by default the words of the name: `SmallBoard` is `Small Board`.',
  },
  was: { ...TEXT, description: 'Earlier name: rows that hold it get the new one.' },
  list: {
    ...byType('string', NAME, { enum: [false] }),
    description:
      'Name of its list where a reference has `list_each`; by default the name in lower case with s (es after s, x, z, ch, sh); false: it has none.',
  },
  deprecated: { ...DEPRECATED, description: `${DEPRECATED.description} Sending the value counts as use.` },
  sunset: SUNSET,
};

const SIZE: Keywords = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,5}x[1-9][0-9]{0,5}$',
  title: 'a size such as 825x1125',
};

/** The attributes of one identity; a text is short for its size. */
export const IDENTITY_ATTRIBUTES: Readonly<Record<string, Keywords>> = {
  size: {
    ...SIZE,
    description: 'Only of identities: width and height of its images in pixels. Shown by `_options`, not enforced.',
  },
  ...VALUE_ATTRIBUTES,
  catalogue: {
    ...byType('object', { type: 'object', propertyNames: NAME }, { enum: [false] }),
    description:
      'Only of identities: attributes of its row in the catalogue, where they are not those of the resource; false: it has none.',
  },
};

/** `kind` itself is not in the table, since every field has it. */
export const FIELD_KEYS = {
  description: row<string>(TEXT, 'One sentence; it becomes documentation.'),
  times: row<number>(
    { type: 'integer', minimum: 2, maximum: 20 },
    '`side{n}` with `times: 6` stands for `side1` to `side6`, with the number in place of every `{n}` in its keys; a field `side2` beside it adds keys to that one.',
  ),
  required: row<boolean>(FLAG, 'Must be sent on create, and cannot be cleared (D17, D18).'),
  default: row<unknown>(
    {},
    'Value if none is sent: a literal that a request could send; `session.user` on a reference to the principal; `upload.name` in a resource that stores uploads; or, on a text, `{ copy: <reference>.<field> }` from the referenced record.',
  ),
  fill: row<unknown>(
    {},
    'The value that existing rows get when the field is added or becomes required: a literal (that of `default`, if it has one); `{ copy: <field> }` or `{ copy: <reference>.<field> }` of the same kind; or, on a text, its part `first` or `rest` in `{ words: <field or path>, part: first }`, or `{ join: [<field>, <field>], with: " " }`; or the result of a function written by hand, `{ function: <name> }`. No effect afterwards.',
  ),
  example: row<unknown>(
    {},
    'Value shown in the documentation, where a text should say more than its name; needed for a JSON Schema with conditions of its own.',
  ),
  read_only: row<boolean>(FLAG, 'Callers cannot send it; hand-written code may set it.'),
  view: row<string>(
    TEXT,
    'Who sees it: anyone (default), editor (default of images and files), created (only the response that creates the record), nobody, or a right named under access.',
  ),
  set: row<'admin' | 'editor'>(one('admin', 'editor'), 'Who may send it.'),
  synonyms: row<readonly string[]>(
    NAMES,
    'Additional names accepted on input; for an image or file, base names: `face` means `face_id` and `has_proofed_face`.',
  ),
  shown_as: row<readonly string[]>(
    NAMES,
    'Additional names under which the value is shown; for a reference, names of its id, such as `parent_id`.',
  ),
  filter: row<boolean | 'range'>(
    { enum: [true, false, 'range'] },
    'Lists can be filtered by it; `range`: also by what is at least, above, at most or below a value (`quantity[gte]=2`, `gt`, `lte`, `lt`), for whole numbers, dates and days.',
  ),
  find: row<boolean>(
    FLAG,
    'Gives it an index: operators find records by its beginning, and a list of all records, however long, can be sorted by it.',
  ),
  unique: row<boolean | string>(
    { ...FIELD_NAME, type: ['boolean', 'string'], title: 'true or a word of a path' },
    'No two records have the same value. A word instead of true also gives it a path: `GET /api/<name>/<word>/<value>` is the record that has it.',
  ),
  was: row<string | null>(
    textOrNull(FIELD_NAME),
    'Earlier name, so that the column keeps its content; null: a new field that reuses an old name.',
  ),
  deprecated: row<string>(DEPRECATED, DEPRECATED.description),
  sunset: row<string>(SUNSET, SUNSET.description),
  from: row<ValueSource>(
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
  min: row<number>({ type: 'number' }, 'Minimum value (of a decimal 0 by default), or minimum number of characters.'),
  max: row<number>(
    { type: 'number' },
    'Maximum value, or maximum number of characters. The limits of a decimal have digits down to its `scale`: `-12.5`.',
  ),
  step: row<number>({ type: 'integer', minimum: 2 }, 'Every value is a multiple of it.'),
  scale: row<number>({ type: 'integer', minimum: 0, maximum: 12 }, 'Digits after the decimal point.'),
  values: row<readonly (string | number)[]>(
    listOrMap(
      { type: 'array', items: { type: ['string', 'integer'] }, minItems: 1, uniqueItems: true },
      VALUE_ATTRIBUTES,
    ),
    'The allowed values: a list or, of an enum, also a map from each to its attributes.',
  ),
  as: row<'bit'>(one('bit'), '`bit`: shown as 0 or 1 (D06).'),
  words: row<Readonly<Record<string, boolean>>>(
    {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^(?!([Tt]rue|[Ff]alse)$)[A-Za-z][A-Za-z0-9_]*$' },
      additionalProperties: { type: 'boolean' },
    },
    'Texts that callers may send as well, each with what it stands for: `{ Set: true, Component: false }`.',
  ),
  schema: row<Readonly<Record<string, unknown>>>({ type: 'object' }, 'JSON Schema (draft 2020-12) of the value.'),
  to: row<string>(NAME, 'Resource that the reference points to; by default the one with the name of the field.'),
  parent: row<boolean>(
    FLAG,
    'Short for `required: true`, `need: edit`, `on_delete: cascade`, `place: true`, `list: true` and `access: { edit: [it] }`; each can be overridden. In `copy`, `access`, `unique` and `order`, the word `parent` names this reference.',
  ),
  need: row<string>(
    NAME,
    'Right that the caller must hold on the target (D16): `read`, `edit`, `use` or another one that the target names under `access`, or `exists` for none. `use` is `edit` where the target has no right of that name. By default `edit` with `place`, and `use` without.',
  ),
  on_delete: row<OnDelete>(
    one('cascade', 'set_null', 'restrict'),
    'What happens to this record when the target is deleted (D33).',
  ),
  place: row<boolean>(FLAG, 'The record is placed with its target, and cannot move to another owner (D37).'),
  inside: row<boolean>(FLAG, 'Target and record must have the same owner.'),
  list: row<boolean | string>(
    { type: ['boolean', 'string'], pattern: FIELD_NAME.pattern, title: 'true or the name of a list' },
    'Name of the list on the target; true: the plural of this resource (D23).',
  ),
  lists: row<Readonly<Record<string, RawList>>>(
    { type: 'object', propertyNames: FIELD_NAME, additionalProperties: { $ref: '#/definitions/list' } },
    "Additional lists on the target, each with a condition (`where`); `games: { through: user }`: on what the target's reference `user` refers to, of all its targets together.",
  ),
  bulk: row<boolean>(
    FLAG,
    '`POST /api/<target>/<id>/bulk-<list>` takes 1 to 100 records of the list as a list of that name, and creates all or none.',
  ),
  list_each: row<string>(
    NAME,
    '`identity`, or a field of kind enum: an additional list on the target for each of its values, named by the value in lower case with s (es after s, x, z, ch, sh).',
  ),
  describe: row<boolean>(FLAG, "The record also shows the target's `brief`, under the name of the field."),
  make: row<Readonly<Record<string, unknown>>>(
    { type: 'object', propertyNames: NAME },
    'The target is made with the record, with these values, in one transaction (for existing rows, at the next start); it must have a reference with `place` to the record, and is only deleted with it (D40).',
  ),
  types: row<readonly string[]>(
    {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: MEDIA_TYPES },
    },
    'Media types the file may have.',
  ),
  proof: row<boolean>(FLAG, 'false: no `has_proofed_<x>`.'),
  copy: row<string>(
    { type: 'string', pattern: '^[a-z][a-z0-9_]*([.][a-z][a-z0-9_]*)?$', title: '<reference>.<field> or a field' },
    'Shows `<reference>.<field>`, or a field of the record itself.',
  ),
  count: row<string>(
    NAME,
    'Number of records in a list of this resource. A caller who sees it may read all of them: everyone or, with `view: editor`, those who may edit this record, if `read` of the others names it.',
  ),
  sum: row<string>(
    LIST_FIELD,
    'Sum of a field over the records of a list, `items.quantity`: 0 if there are none. It is visible as `count` is, and everyone must see the field.',
  ),
  latest: row<string>(
    LIST_FIELD,
    'Greatest value of a field over the records of a list, `loans.due`: null if there are none. It is visible as `sum` is.',
  ),
  text: row<string>(
    TEXT,
    'Text in which {property} stands for the value of a property; of a date, for its day in UTC.',
  ),
} as const satisfies Readonly<Record<string, FieldKey>>;

export type FieldKeyName = keyof typeof FIELD_KEYS;

/** The keys of a field once short forms are expanded, each with the type from its row. */
export type FieldKeys = {
  readonly [K in FieldKeyName]?: (typeof FIELD_KEYS)[K] extends FieldKey<infer T> ? T : never;
};
