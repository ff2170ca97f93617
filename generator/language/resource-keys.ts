// The keys of a resource, a convention and the files next to the descriptors, as JSON Schema with descriptions for editors.
import type { Lifecycle } from '../../runtime/contract/definition.js';
import { IDENTITY_ATTRIBUTES, MEDIA_TYPES } from './field-keys.js';
import {
  byType,
  closed,
  conditional,
  DEPRECATED,
  EVENT_NAME,
  FIELD_NAME,
  type Keywords,
  listOrMap,
  NAME,
  ORDER_TERM,
  SUNSET,
  TEXT,
  textOrNull,
} from './keywords.js';
import type { CatalogueKeys, RawReads } from './language.js';

const PLAIN_NAME: Keywords = {
  type: 'string',
  pattern: '^[a-z][a-z0-9]*$',
  maxLength: 60,
  title: 'a name (lower case letters and digits)',
};
const NAMES: Keywords = { type: 'array', items: NAME, uniqueItems: true };
const PATH: Keywords = { type: 'string', pattern: '^(/[A-Za-z0-9_-]+)+$', title: 'a path such as /api/name' };
const PATHS = byType('array', { type: 'array', items: PATH, minItems: 1, uniqueItems: true }, PATH);
const WHO: Keywords = { enum: ['anyone', 'session', 'admin'] };
const OPERATION: Keywords = { enum: [true, false, 'anyone', 'session', 'admin'] };
const FIELD: Keywords = { $ref: '#/definitions/field' };
const PARAMETERS: Keywords = { type: 'object', propertyNames: NAME, additionalProperties: FIELD };
const FIELDS: Keywords = { ...PARAMETERS, propertyNames: FIELD_NAME };
/** Null drops an inherited field. */
const OWN_FIELDS: Keywords = { ...FIELDS, additionalProperties: conditional({ type: 'null' }, {}, FIELD) };

const described = (schema: Keywords, description: string): Keywords => ({ ...schema, description });

/** A key with the type of its value; `never` for a short form, whose expansion has its type in language.ts. */
type Key<T> = Keywords & { readonly typed?: T };

const key = <T = never>(schema: Keywords, description: string): Key<T> => ({ ...schema, description });

const OPERATIONS = closed({
  create: byType('object', closed({ existing: { enum: ['update'] } }, ['existing']), OPERATION),
  fetch: OPERATION,
  update: byType(
    'object',
    {
      ...closed({
        required: described({ enum: ['all'] }, 'Every parameter has to be sent again.'),
        match: described({ enum: ['required'] }, 'The request has to send If-Match, with the tag of the record (D57).'),
      }),
      minProperties: 1,
    },
    OPERATION,
  ),
  delete: OPERATION,
  list: byType(
    'object',
    closed({
      by: described(WHO, 'Who may call it.'),
      where: { $ref: '#/definitions/where' },
      search: described({ ...NAMES, minItems: 1 }, 'Texts in whose words the parameter q looks.'),
    }),
    WHO,
  ),
});

const ACCESS: Keywords = {
  type: 'object',
  propertyNames: NAME,
  properties: {
    hidden: described({ type: 'boolean' }, 'true: callers who may not read a record get not_found.'),
    read: described({ $ref: '#/definitions/clauses' }, 'Who may read.'),
    edit: described({ $ref: '#/definitions/clauses' }, 'Who may update and delete.'),
  },
  additionalProperties: { $ref: '#/definitions/clauses' },
};

const UNIQUE_SET = byType(
  'object',
  closed(
    {
      fields: described({ ...NAMES, minItems: 1 }, 'Fields that are unique together.'),
      where: { $ref: '#/definitions/where' },
    },
    ['fields', 'where'],
  ),
  { ...NAMES, minItems: 1 },
);

/** Keys that both conventions and resources may have. */
export const SHARED_KEYS = {
  type_field: key<string>(NAME, 'Additional name under which the type constant is shown (D28).'),
  fields: key(FIELDS, 'The fields by name, in the order they are shown.'),
  unique: key(
    { type: 'array', items: UNIQUE_SET },
    'Sets of fields that are unique together: `[club, user]`, or `{ fields: [item], where: { returned: null } }`, where only records with these values count.',
  ),
  order: key<readonly string[]>(
    { ...NAMES, items: ORDER_TERM, minItems: 1 },
    'Default order of lists, `[-date_created, name]`: descending after `-`; the id breaks ties.',
  ),
  access: key(ACCESS, 'Who holds which right on a record. Administrators hold every right.'),
  operations: key(
    OPERATIONS,
    'Who may call each operation: true (everyone with access, the default), false (nobody), anyone, session or admin. `list`, which is for administrators by default: a page of all records that everyone may read, or of those in `where`; with `search`, found by words of these texts.',
  ),
  ignores: key<readonly string[]>(NAMES, 'Parameters accepted without effect or mention (D19).'),
  lifecycle: key<readonly Lifecycle[]>(
    {
      type: 'array',
      uniqueItems: true,
      items: { enum: ['beforeCreate', 'beforeUpdate', 'beforeDelete', 'afterCreate', 'afterUpdate', 'afterDelete'] },
    },
    'Hand-written functions called before or after a create, update or delete.',
  ),
  reads: key<RawReads>(
    { $ref: '#/definitions/reads' },
    'Records that the lifecycle functions of a create and an update get, and may change: `open: { list: member.loans, where: { returned: null }, limit: 4 }`, or `member: { record: member }`.',
  ),
  brief: key<readonly string[]>(
    { ...NAMES, minItems: 1 },
    'Properties shown where another record describes this one (D25).',
  ),
  actions: key(
    { type: 'object', propertyNames: NAME, additionalProperties: { $ref: '#/definitions/action' } },
    'Further operations, `POST /api/<name>/<id>/<action>`: written by hand, setting fields, or copying the record.',
  ),
  served_by: key<string>(NAME, 'Hand-written module that serves the resource.'),
  upload: key<{ readonly part: string; readonly max_bytes: number; readonly uses?: string }>(
    closed(
      {
        part: NAME,
        max_bytes: { type: 'integer', minimum: 1 },
        uses: described(NAME, 'Name of the list of the records, of any resource, that refer to an upload.'),
      },
      ['part', 'max_bytes'],
    ),
    'The resource stores uploads: the name of the multipart `part`, and the size limit in bytes, `max_bytes`; with `uses: references`, `GET /api/<name>/<id>/references` lists the records of any resource that refer to one.',
  ),
} as const satisfies Readonly<Record<string, Keywords>>;

/** @param convention schema of the name of a convention */
export function inheritedConventions(convention: Keywords): Keywords {
  const list = { type: 'array', items: convention, minItems: 1, uniqueItems: true };
  return described(
    byType('array', list, convention),
    'Conventions whose keys it inherits, one or a list; its own keys win.',
  );
}

export const RESOURCE_REQUIRED = ['title', 'summary'] as const;

export const RESOURCE_KEYS = {
  resource: key<string>(
    PLAIN_NAME,
    'Name of the resource, of its file and of its path `/api/<name>`; by default that of the file.',
  ),
  title: key<string>(TEXT, 'Display name.'),
  summary: key<string>(TEXT, 'One sentence.'),
  plural: key(NAME, 'Name of its lists; by default the name of the resource with s (es after s, x, z, ch, sh).'),
  extends: inheritedConventions(NAME),
  type_name: key<string>(TEXT, 'The type constant; by default the name of the resource.'),
  identities: key(
    listOrMap({ type: 'array', items: TEXT, minItems: 1, uniqueItems: true }, IDENTITY_ATTRIBUTES, 'size'),
    'Variants; each record is one of them: a list, or a map from each to its attributes.',
  ),
  old_names: key(
    byType('array', { type: 'array', items: PLAIN_NAME, minItems: 1, uniqueItems: true }, { enum: ['identities'] }),
    'Other names of the type in paths, for old clients: `identities`, or a list. At `/api/<old name>` is all that is at `/api/<name>`; a name that is an identity in lower case has only records of that identity.',
  ),
  default_identity: key(TEXT, 'Identity if none is sent; by default the first.'),
  ...SHARED_KEYS,
  fields: key(OWN_FIELDS, 'The fields by name, in the order they are shown; null drops an inherited field.'),
  paths: key(
    closed({ all: PATHS, create: PATHS, fetch: PATHS, update: PATHS, delete: PATHS }),
    'Additional base paths by operation (D32).',
  ),
  principal: key<boolean>({ enum: [true] }, 'The records of this resource are the users who log in.'),
  was: key<string | null>(
    textOrNull(PLAIN_NAME),
    'Earlier name, so that the table keeps its content; null: a new resource that reuses an old name.',
  ),
  deprecated: key<string>(DEPRECATED, DEPRECATED.description),
  sunset: key<string>(SUNSET, SUNSET.description),
  catalogue: key<CatalogueKeys>(
    {
      type: 'object',
      propertyNames: NAME,
      properties: {
        title: described(
          TEXT,
          'Names of its rows: {words} stands for the words of the identity, {digits} for the digits at its end.',
        ),
      },
    },
    'Attributes of the rows of its identities in the catalogue, which conventions.yaml declares, and `title`, the pattern of their names.',
  ),
} as const satisfies Readonly<Record<string, Keywords>>;

type Keys = typeof RESOURCE_KEYS;
type TypeOf<K> = K extends Key<infer T> ? T : never;

/** The keys that are not expanded, each with the type of its row. */
export type ResourceKeys = {
  readonly [K in keyof Keys as [TypeOf<Keys[K]>] extends [never] ? never : K]?: TypeOf<Keys[K]>;
};

const SETS: Keywords = {
  type: 'object',
  propertyNames: NAME,
  minProperties: 1,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'The values to which it sets fields, as an update does; such an action has no function.',
};

const ACTION = closed(
  {
    title: TEXT,
    by: described(
      NAME,
      'editor, admin, or a right named under access; editor is the default of one with sets or copies.',
    ),
    parameters: PARAMETERS,
    sets: SETS,
    reads: described({ $ref: '#/definitions/reads' }, 'Records that its hand-written function gets, and may change.'),
    copies: described(
      NAME,
      'The action copies the record and what belongs to it; this is the text field with the name of the copy, which callers may send.',
    ),
    undo: described(closed({ title: TEXT, sets: SETS }, ['title', 'sets']), 'The opposite, by DELETE at its path.'),
  },
  ['title'],
);

const WHERE: Keywords = {
  type: 'object',
  propertyNames: NAME,
  minProperties: 1,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description: 'Values that fields must have.',
};

const READS: Keywords = {
  type: 'object',
  propertyNames: NAME,
  minProperties: 1,
  additionalProperties: closed({
    list: described(
      {
        type: 'string',
        pattern: '^[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*)?$',
        title: 'a list, or one of a reference: member.loans',
      },
      'A list of the record, or of the record that a reference names: `member.loans`.',
    ),
    where: WHERE,
    limit: described(
      { type: 'integer', minimum: 1, maximum: 1000 },
      'How many it gets at most, in the order of their ids; 100 by default.',
    ),
    record: described(NAME, 'A reference: its record, locked.'),
  }),
};

/**
 * The parts of the language that refer to one another.
 * @param resource schema of the name of a resource
 * @param references names of references, which editors offer for clauses
 */
export function sharedDefinitions(resource: Keywords, references: readonly string[]): Keywords {
  const holder = references.length === 0 ? NAME : { ...NAME, examples: references };
  return {
    action: ACTION,
    where: WHERE,
    reads: READS,
    list: closed({
      where: WHERE,
      through: described(
        NAME,
        'Reference of the target: the list is on what that refers to, of all its targets together.',
      ),
    }),
    clauses: byType('array', { type: 'array', items: { $ref: '#/definitions/clause' } }, { enum: ['anyone'] }),
    clause: byType('object', conditional(HAS_MEMBER, member(resource), rightOfTarget(resource)), holder),
  };
}

const MEMBER = 'Joining resource, whose reference to the principal names the caller.';
const HAS_MEMBER: Keywords = { required: ['member'] };
function rightOfTarget(resource: Keywords): Keywords {
  return {
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    propertyNames: NAME,
    // This schema does not apply to an object with the key, but editors complete keys before the key is there.
    properties: { member: described(resource, MEMBER) },
    additionalProperties: described(NAME, 'Reference: everyone who holds the right on its target.'),
  };
}

function member(resource: Keywords): Keywords {
  const keys = {
    member: described(resource, MEMBER),
    by: described(NAME, 'Reference that both records have.'),
    in: described(NAME, 'JSON field of the joining resource whose items contain <by>_id.'),
    where: WHERE,
  };
  return closed(keys, ['member', 'by']);
}

const CATALOGUE = closed(
  {
    path: described(PATH, 'Where it is served.'),
    of: described(NAME, 'The convention of those resources whose identities it lists.'),
    attributes: {
      type: 'object',
      propertyNames: NAME,
      additionalProperties: { $ref: '#/definitions/attribute' },
      description:
        'What rows show besides what follows from the descriptors; by one of kind boolean, <name>_only chooses rows.',
    },
  },
  ['path', 'of'],
);

export const CONVENTIONS_FILE: Keywords = closed(
  {
    title: described(TEXT, 'Name of the service.'),
    version: described(TEXT, 'Version of the API document.'),
    summary: described(TEXT, 'One sentence.'),
    image_types: described(
      { type: 'array', items: { enum: MEDIA_TYPES }, minItems: 1, uniqueItems: true },
      'Media types of an image field that lists none; by default PNG, JPEG, GIF and WebP.',
    ),
    engines: described(
      { type: 'array', items: { enum: ['sqlite', 'postgres', 'citus'] }, minItems: 1, uniqueItems: true },
      'Databases that the service must be able to run on; by default sqlite and postgres. With citus, check names what Citus refuses.',
    ),
    conventions: { type: 'object', propertyNames: NAME, additionalProperties: closed(SHARED_KEYS) },
    catalogue: described(CATALOGUE, 'A public list of everything that can be made, with a row for each identity.'),
  },
  ['title', 'version', 'summary'],
);

const EVENT: Keywords = closed(
  {
    owner_class: described(TEXT, 'Class of the record that a subscription is for.'),
    summary: described(TEXT, 'One sentence; it becomes documentation.'),
    payload: described(
      closed({
        schema: described({ type: 'object' }, 'JSON Schema (draft 2020-12) of the payload.'),
        record: described(NAME, 'Resource whose record is the payload.'),
      }),
      'Payload of the event, by exactly one of schema and record; anything by default.',
    ),
    example: described({}, 'Payload shown in the documentation.'),
  },
  ['owner_class', 'summary'],
);

export const EVENTS_FILE: Keywords = closed(
  {
    events: { type: 'object', propertyNames: EVENT_NAME, additionalProperties: EVENT },
    owner_classes: described(
      { type: 'object', additionalProperties: NAME },
      'The resource behind an owner class; by default the one with the name of the class in lower case.',
    ),
    callback_types: described({ type: 'object' }, 'What the messages of web hooks can be; documentation alone.'),
  },
  ['events'],
);
