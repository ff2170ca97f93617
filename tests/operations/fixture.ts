// Two hand-written resources for the tests of the operations, and how requests pass their parameters.
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { AnyDefinition, Reference, Validator } from '../../runtime/contract/definition.js';
import type { Caller } from '../../runtime/store/records.js';

export const OWNER: Caller = { user: 'u1', admin: false };
export const ADMIN: Caller = { user: 'u9', admin: true };

const PROPERTIES = {
  name: { type: 'string', minLength: 1, maxLength: 10 },
  shelf_id: { type: 'string' },
  identity: { type: 'string', enum: ['A', 'B', 'C'] },
  quantity: { type: 'integer', minimum: 1, maximum: 99 },
  pages: { type: 'integer', enum: [40, 60, 80] },
  price: { type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,2})?$' },
  lent: { type: 'boolean' },
  due: { type: 'string' },
  site: { type: 'string', format: 'uri' },
  note: { type: 'string', maxLength: 20 },
  items: {
    type: 'array',
    items: {
      type: 'object',
      required: ['sku'],
      additionalProperties: false,
      properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
    },
  },
  secret: { type: 'string', minLength: 8 },
  staff: { type: 'boolean' },
};

export function compile(schema: object): Validator {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats(ajv);
  return ajv.compile({ type: 'object', additionalProperties: false, ...schema }) as Validator;
}

function reference(column: string, relation: string, to: string): Reference {
  return { column, relation, to, required: false, need: 'exists', onDelete: 'set_null', related: true };
}

const handlers = { create: () => ({}), update: () => ({}) };

export const BOOK: AnyDefinition = {
  name: 'book',
  plural: 'books',
  title: 'Book',
  principal: false,
  upload: null,
  servedBy: null,
  operations: { create: 'session', fetch: 'anyone', update: 'session', delete: 'session' },
  routes: [],
  parameters: {
    name: { kind: 'text' },
    shelf_id: { kind: 'reference' },
    identity: { kind: 'token' },
    quantity: { kind: 'integer' },
    pages: { kind: 'integer' },
    price: { kind: 'decimal' },
    lent: { kind: 'boolean' },
    due: { kind: 'date', nullable: true },
    site: { kind: 'url', nullable: true },
    note: { kind: 'text', nullable: true },
    items: { kind: 'json', nullable: true },
    secret: { kind: 'password' },
    old_secret: { kind: 'password', proves: 'secret' },
    staff: { kind: 'boolean', set: 'admin' },
  },
  synonyms: { title: 'name', cost: 'price' },
  ignored: ['bottom_id'],
  validate: {
    create: compile({ properties: PROPERTIES, required: ['name', 'shelf_id'] }),
    update: compile({ properties: { ...PROPERTIES, old_secret: { type: 'string', minLength: 1 } } }),
  },
  references: [
    { ...reference('shelf_id', 'shelf', 'shelf'), required: true },
    reference('giver_id', 'giver', 'person'),
    reference('scan_id', 'scan', 'file'),
    { ...reference('cover_id', 'cover', 'file'), related: false },
  ],
  access: { read: [{ anyone: true }], edit: [], rights: {}, hidden: false },
  lists: [{ parent: 'shelf', name: 'books', by: 'shelf_id', where: {} }],
  order: ['name'],
  sortable: ['name', 'quantity'],
  filters: ['identity', 'quantity', 'lent', 'due', 'shelf_id'],
  ranges: ['quantity', 'due'],
  options: { identity: ['A', 'B', 'C'], pages: [40, 60, 80] },
  uniques: [],
  brief: [],
  actions: {
    lend: {
      by: 'editor',
      parameters: { to: { kind: 'text' }, days: { kind: 'integer' } },
      validate: compile({
        properties: { to: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
        required: ['to'],
      }),
    },
  },
  lifecycle: [],
  columns: {},
  properties: {
    id: { kind: 'column', column: 'id' },
    name: { kind: 'column', column: 'name' },
    giver_id: { kind: 'column', column: 'giver_id', view: 'editor' },
    scan: { kind: 'description', through: 'scan_id' },
  },
  handlers,
};

const NO_PARAMETERS = compile({ properties: {} });

export const SHELF: AnyDefinition = {
  ...BOOK,
  name: 'shelf',
  plural: 'shelves',
  title: 'Shelf',
  operations: { create: 'admin', fetch: 'anyone', update: 'admin', delete: null },
  upload: { part: 'plan', maxBytes: 100 },
  parameters: {},
  synonyms: {},
  validate: { create: NO_PARAMETERS, update: NO_PARAMETERS },
  references: [],
  lists: [],
  filters: [],
  ranges: [],
  options: {},
  actions: {},
  properties: {},
};

/** Parameters have no prototype, as in a request. */
export function asParameters(parameters: Record<string, unknown>): Record<string, unknown> {
  return Object.assign(Object.create(null), parameters);
}
