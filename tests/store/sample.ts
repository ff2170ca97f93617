// A small service for the tests of the store, written by hand in the shape of generated definitions.
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { define, ID, NAME, type Sketch, schemaOf, YES_NO } from './sketch.js';

const sketches: readonly Sketch[] = [
  {
    name: 'user',
    principal: true,
    columns: [ID, { ...NAME, name: 'username' }, { name: 'admin', type: 'integer', check: YES_NO, default: 0 }],
    parameters: { username: { kind: 'text' }, admin: { kind: 'boolean', set: 'admin' } },
    uniques: [['username']],
    access: { edit: [{ self: true }] },
    properties: {
      id: { kind: 'column', column: 'id' },
      username: { kind: 'column', column: 'username' },
      admin: { kind: 'column', column: 'admin', view: 'editor' },
    },
    fill: (input) => ({ admin: input.admin ? 1 : 0 }),
  },
  {
    name: 'designer',
    columns: [ID, NAME, { name: 'user_id' }],
    references: [{ column: 'user_id', to: 'user', place: true, onDelete: 'restrict' }],
    access: { edit: [{ user: 'user_id' }] },
    fill: (input, context) => ({ user_id: (input.user_id as string | undefined) ?? context.user }),
  },
  {
    name: 'associate',
    columns: [ID, { name: 'user_id' }, { name: 'designer_id' }],
    references: [
      { column: 'designer_id', to: 'designer', place: true },
      { column: 'user_id', to: 'user', need: 'exists' },
    ],
    uniques: [['designer_id', 'user_id']],
    lists: [{ parent: 'user', name: 'associations', by: 'user_id', where: {} }],
    access: { edit: [{ through: 'designer_id', to: 'designer' }] },
  },
  {
    name: 'game',
    columns: [ID, NAME, { name: 'designer_id' }],
    references: [{ column: 'designer_id', to: 'designer', place: true, onDelete: 'restrict' }],
    access: {
      edit: [
        { through: 'designer_id', to: 'designer' },
        { member: 'associate', by: 'designer_id', user: 'user_id' },
      ],
    },
    lists: [
      { parent: 'designer', name: 'games', by: 'designer_id', where: {} },
      { parent: 'user', name: 'games', by: 'designer_id', where: {}, through: { resource: 'designer', by: 'user_id' } },
    ],
    sortable: ['name'],
  },
  {
    name: 'folder',
    columns: [ID, NAME, { name: 'user_id' }, { name: 'folder_id', nullable: true }],
    references: [
      { column: 'user_id', to: 'user', place: true, onDelete: 'restrict' },
      { column: 'folder_id', to: 'folder', inside: true },
    ],
    access: { read: [{ user: 'user_id' }], edit: [{ user: 'user_id' }] },
    fill: (input, context) => ({ user_id: (input.user_id as string | undefined) ?? context.user }),
  },
  {
    name: 'file',
    upload: { part: 'file', maxBytes: 1000 },
    columns: [
      ID,
      NAME,
      { name: 'user_id' },
      { name: 'file_type' },
      { name: 'folder_id', nullable: true },
      { name: 'secret' },
      { name: 'content_hash', nullable: true },
    ],
    references: [
      { column: 'user_id', to: 'user', place: true, onDelete: 'restrict' },
      { column: 'folder_id', to: 'folder', inside: true, onDelete: 'set_null' },
    ],
    access: { read: [{ user: 'user_id' }], edit: [{ user: 'user_id' }] },
    fill: (input, context) => ({
      user_id: (input.user_id as string | undefined) ?? context.user,
      secret: 's3',
      content_hash: context.upload?.hash ?? null,
    }),
    properties: {
      id: { kind: 'column', column: 'id' },
      name: { kind: 'column', column: 'name' },
      secret: { kind: 'column', column: 'secret', view: 'nobody' },
      file_uri: { kind: 'template', text: '/files/{id}/{secret}' },
    },
    brief: ['id', 'name', 'file_uri'],
  },
  {
    name: 'piece',
    columns: [
      ID,
      NAME,
      { name: 'game_id' },
      { name: 'order', type: 'integer', nullable: true },
      { name: 'identity', nullable: true, check: { rule: 'one_of', values: ['Chit', 'Tile'] } },
      { name: 'face_id', nullable: true },
      { name: 'has_proofed_face', type: 'integer', storage: 'boolean', check: YES_NO },
      { name: 'date_created', type: 'integer', storage: 'date' },
      { name: 'token' },
    ],
    references: [
      { column: 'game_id', to: 'game', place: true },
      {
        column: 'face_id',
        to: 'file',
        need: 'use',
        onDelete: 'set_null',
        proof: 'has_proofed_face',
        accepts: ['image/png', 'image/jpeg'],
        related: false,
      },
    ],
    access: { edit: [{ through: 'game_id', to: 'game' }] },
    lists: [
      { parent: 'game', name: 'pieces', by: 'game_id', where: {} },
      { parent: 'game', name: 'chits', by: 'game_id', where: { identity: 'Chit' } },
    ],
    sortable: ['name', 'order'],
    filters: ['name', 'order'],
    ranges: ['order'],
    fill: (input, context) => ({
      date_created: context.now,
      token: 'tok',
      has_proofed_face: input.has_proofed_face ? 1 : 0,
    }),
    properties: {
      id: { kind: 'column', column: 'id' },
      name: { kind: 'column', column: 'name' },
      game_id: { kind: 'column', column: 'game_id' },
      order: { kind: 'column', column: 'order' },
      face_id: { kind: 'column', column: 'face_id', view: 'editor' },
      face: { kind: 'description', through: 'face_id', view: 'editor', whenSet: true },
      has_proofed_face: { kind: 'column', column: 'has_proofed_face', view: 'editor' },
      date_created: { kind: 'column', column: 'date_created' },
      token: { kind: 'column', column: 'token', view: 'created' },
    },
  },
  {
    name: 'receipt',
    columns: [
      ID,
      { name: 'user_id' },
      { name: 'items', check: { rule: 'json' } },
      { name: 'refunded', type: 'integer', nullable: true },
    ],
    references: [{ column: 'user_id', to: 'user', place: true, need: 'exists', onDelete: 'restrict' }],
    access: { read: [{ user: 'user_id' }] },
  },
  {
    name: 'download',
    columns: [ID, NAME, { name: 'free', type: 'integer' }, { name: 'game_id' }, { name: 'file_id' }],
    references: [
      { column: 'game_id', to: 'game', place: true },
      { column: 'file_id', to: 'file', need: 'use', onDelete: 'restrict' },
    ],
    access: {
      edit: [{ through: 'game_id', to: 'game' }],
      rights: {
        download: [
          { when: 'free' },
          { right: 'edit' },
          { member: 'receipt', by: 'game_id', user: 'user_id', in: 'items', where: { refunded: null } },
        ],
      },
    },
    properties: {
      id: { kind: 'column', column: 'id' },
      name: { kind: 'column', column: 'name' },
      file_id: { kind: 'column', column: 'file_id', view: 'download' },
      part: { kind: 'description', through: 'file_id', view: 'download', whenSet: true },
      free: { kind: 'column', column: 'free' },
    },
  },
  {
    name: 'shelf',
    columns: [ID, { name: 'user_id' }],
    references: [{ column: 'user_id', to: 'user', place: true }],
    properties: {
      id: { kind: 'column', column: 'id' },
      noted: { kind: 'count', of: 'note', by: 'shelf_id' },
      open: { kind: 'count', of: 'leaf', by: 'shelf_id' },
      rated: { kind: 'count', of: 'note', by: 'shelf_id', where: { stars: 5 } },
      stars: { kind: 'sum', of: 'note', by: 'shelf_id', column: 'stars' },
      worst: { kind: 'sum', of: 'note', by: 'shelf_id', column: 'stars', where: { stars: 1 } },
      seen: { kind: 'latest', of: 'note', by: 'shelf_id', column: 'seen' },
    },
  },
  {
    name: 'note',
    columns: [
      ...[ID, { name: 'shelf_id' }, { name: 'user_id' }],
      { name: 'stars', type: 'integer', nullable: true },
      { name: 'seen', type: 'integer', storage: 'date', nullable: true },
    ],
    references: [
      { column: 'shelf_id', to: 'shelf', place: true, need: 'exists' },
      { column: 'user_id', to: 'user', need: 'exists' },
    ],
    access: { read: [{ user: 'user_id' }] },
    lists: [{ parent: 'shelf', name: 'notes', by: 'shelf_id', where: {} }],
  },
  {
    name: 'leaf',
    columns: [ID, { name: 'shelf_id' }],
    references: [{ column: 'shelf_id', to: 'shelf', place: true, need: 'exists' }],
  },
  {
    name: 'hook',
    columns: [ID, { name: 'owner_id' }],
    references: [{ column: 'owner_id', to: 'user', place: true, need: 'edit' }],
    access: { read: [{ user: 'owner_id' }], edit: [{ user: 'owner_id' }], hidden: true },
    lists: [{ parent: 'user', name: 'hooks', by: 'owner_id', where: {} }],
  },
];

/** The definitions of the sample, by name. */
export const SAMPLE: Readonly<Record<string, AnyDefinition>> = Object.fromEntries(
  sketches.map((sketch) => [sketch.name, define(sketch)]),
);

export const SAMPLE_SCHEMA: Schema = schemaOf(sketches);
