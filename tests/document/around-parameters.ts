// Create parameters of the records that the document refers to but does not describe (D34), in the shape of parameters.ts.
import type { AroundName, Parameters, ReferenceParameter } from './table.js';

const none = {
  ignored: [],
  synonyms: {},
  counted: null,
  fetch: ['_include_related_objects', '_include_relationships'],
} as const;
/** By default the caller; naming another user requires the right to edit that user. */
const owner: ReferenceParameter = { to: 'user', need: 'edit', onDelete: 'restrict' };
const folder: ReferenceParameter = { to: 'folder', need: 'use', onDelete: 'set_null' };
const image: ReferenceParameter = {
  to: 'file',
  need: 'use',
  onDelete: 'set_null',
  accepts: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
};

export const aroundParameters: Readonly<Record<AroundName, Parameters>> = {
  user: {
    ...none,
    required: ['username', 'password'],
    optional: ['email', 'admin', 'disabled', 'operator_role', 'real_name'],
    references: {},
    minimal: { username: 'sample', password: 'correct horse battery staple' },
  },
  designer: {
    ...none,
    required: ['name'],
    optional: ['user_id'],
    references: { user_id: owner },
    minimal: { name: 'Sample' },
  },
  game: {
    ...none,
    required: ['name', 'designer_id'],
    optional: [
      ...['description', 'short_description', 'cool_factor_1', 'cool_factor_2', 'cool_factor_3', 'website_uri'],
      ...['logo_id', 'backdrop_id', 'advertisement_id', 'category', 'min_age', 'play_time', 'min_players'],
      ...['max_players', 'private_sales', 'private_viewing', 'enable_uv_coating', 'enable_linen_texture'],
      ...['use_automatic_pricing', 'archived', 'sku_id', 'shop_uri', 'uri_part'],
    ],
    references: {
      designer_id: { to: 'designer', need: 'edit', onDelete: 'restrict' },
      logo_id: image,
      backdrop_id: image,
      advertisement_id: image,
    },
    minimal: { name: 'Sample', designer_id: { idOf: 'designer' } },
  },
  folder: {
    ...none,
    required: ['name'],
    optional: ['user_id', 'folder_id'],
    synonyms: { parent_id: 'folder_id' },
    references: { user_id: owner, folder_id: folder },
    minimal: { name: 'Sample' },
  },
  /** In addition to the multipart part `file`, which holds the bytes. */
  file: {
    ...none,
    required: [],
    optional: ['user_id', 'name', 'folder_id'],
    references: { user_id: owner, folder_id: folder },
    minimal: {},
  },
  receipt: {
    ...none,
    required: ['user_id', 'items'],
    optional: ['shipping_address'],
    references: { user_id: { to: 'user', need: 'exists', onDelete: 'restrict' } },
    /** The game_id of the item must be replaced by the id of an existing game. */
    minimal: { user_id: { idOf: 'user' }, items: [{ game_id: 'a-game' }] },
  },
  apikey: {
    ...none,
    required: ['name'],
    optional: ['user_id', 'uri', 'reason', 'scope', 'resources', 'expires', 'api_version'],
    references: { user_id: owner },
    minimal: { name: 'Sample' },
  },
  onesidedslugged: {
    ...none,
    required: ['name', 'set_id'],
    optional: ['quantity', 'face_id', 'has_proofed_face'],
    references: {
      set_id: { to: 'onesidedsluggedset', need: 'edit', onDelete: 'cascade' },
      face_id: image,
    },
    minimal: { name: 'Sample', set_id: { idOf: 'onesidedsluggedset' } },
  },
  coilbookpage: {
    ...none,
    required: ['name', 'book_id'],
    optional: ['sequence_number', 'image_id', 'has_proofed_image'],
    synonyms: { coilbook_id: 'book_id' },
    references: { book_id: { to: 'coilbook', need: 'edit', onDelete: 'cascade' }, image_id: image },
    minimal: { name: 'Sample', book_id: { idOf: 'coilbook' } },
  },
};
