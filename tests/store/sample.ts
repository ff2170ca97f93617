// A small service written by hand, in the shape that generated definitions have, for the tests of the store.
import type { AnyDefinition } from '../../runtime/definition.js';
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
    views: { admin: 'editor' },
    fill: (input) => ({ admin: input.admin ? 1 : 0 }),
  },
  {
    name: 'designer',
    columns: [ID, NAME, { name: 'user_id' }],
    references: [{ column: 'user_id', to: 'user', place: true, onDelete: 'restrict' }],
    access: { edit: [{ user: 'user_id' }] },
    fill: (input, given) => ({ user_id: (input.user_id as string | undefined) ?? given.user }),
  },
  {
    name: 'associate',
    columns: [ID, { name: 'user_id' }, { name: 'designer_id' }],
    references: [
      { column: 'designer_id', to: 'designer', place: true },
      { column: 'user_id', to: 'user', need: 'exists' },
    ],
    uniques: [['designer_id', 'user_id']],
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
    lists: [{ parent: 'designer', name: 'games', by: 'designer_id', where: {} }],
  },
  {
    name: 'folder',
    columns: [ID, NAME, { name: 'user_id' }, { name: 'folder_id', nullable: true }],
    references: [
      { column: 'user_id', to: 'user', place: true, onDelete: 'restrict' },
      { column: 'folder_id', to: 'folder', inside: true },
    ],
    access: { read: [{ user: 'user_id' }], edit: [{ user: 'user_id' }] },
    fill: (input, given) => ({ user_id: (input.user_id as string | undefined) ?? given.user }),
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
    ],
    references: [
      { column: 'user_id', to: 'user', place: true, onDelete: 'restrict' },
      { column: 'folder_id', to: 'folder', inside: true, onDelete: 'set_null' },
    ],
    access: { read: [{ user: 'user_id' }], edit: [{ user: 'user_id' }] },
    fill: (input, given) => ({ user_id: (input.user_id as string | undefined) ?? given.user, secret: 's3' }),
    properties: () => ({
      id: 't.id',
      name: 't.name',
      secret: 't.secret',
      file_uri: `'/files/' || t.id || '/' || t.secret`,
    }),
    views: { secret: 'nobody' },
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
      { name: 'has_proofed_face', type: 'integer', check: YES_NO },
      { name: 'date_created', type: 'integer' },
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
    fill: (input, given) => ({
      date_created: given.now,
      token: 'tok',
      has_proofed_face: input.has_proofed_face ? 1 : 0,
    }),
    properties: (sql) => ({
      id: 't.id',
      name: 't.name',
      game_id: 't.game_id',
      order: 't."order"',
      face_id: 't.face_id',
      face: sql.brief('file', 't.face_id'),
      has_proofed_face: sql.boolean('t.has_proofed_face'),
      date_created: sql.date('t.date_created'),
      token: 't.token',
    }),
    views: { face_id: 'editor', face: 'editor', has_proofed_face: 'editor', token: 'created' },
    whenSet: ['face'],
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
    properties: (sql) => ({
      id: 't.id',
      name: 't.name',
      file_id: 't.file_id',
      part: sql.brief('file', 't.file_id'),
      free: 't.free',
    }),
    views: { file_id: 'download', part: 'download' },
    whenSet: ['part'],
  },
  {
    name: 'shelf',
    columns: [ID, { name: 'user_id' }],
    references: [{ column: 'user_id', to: 'user', place: true }],
    properties: (sql) => ({ id: 't.id', hidden: sql.count('note', 'shelf_id'), open: sql.count('leaf', 'shelf_id') }),
  },
  {
    name: 'note',
    columns: [ID, { name: 'shelf_id' }, { name: 'user_id' }],
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
