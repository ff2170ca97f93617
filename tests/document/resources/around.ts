// The records that the document refers to but does not describe, as far as the service needs them (rule 9; D34).
import { described, name } from '../conventions.js';
import type { AroundName, DocumentedTable, Field } from '../table.js';

const userId: Field = { type: 'reference', to: 'user', notes: 'user who owns the record; the caller unless given' };

function around(
  word: AroundName,
  purpose: string,
  fields: Readonly<Record<string, Field>>,
  relations: Partial<Pick<DocumentedTable, 'related' | 'lists'>>,
): DocumentedTable {
  return described(word, { purpose, fields, ...relations });
}

export const user = around(
  'user',
  'somebody who may log in',
  {
    username: { type: 'text', max: 60, notes: 'name to log in with, unique' },
    password: { type: 'password', notes: 'never shown' },
    email: { type: 'text', max: 255, view: 'editor', notes: 'address for notices' },
    admin: { type: 'boolean', default: false, view: 'editor', notes: 'set by administrators only' },
    disabled: { type: 'boolean', default: false, view: 'editor', notes: 'set by administrators only' },
    operator_role: {
      type: 'enum',
      values: ['support', 'readonly'],
      view: 'editor',
      notes: 'set by administrators only (D65)',
    },
    display_name: { type: 'text', readOnly: true, notes: 'the user name' },
    real_name: { type: 'text', max: 255, view: 'editor', notes: 'full name' },
    root_folder_id: { type: 'reference', to: 'folder', readOnly: true, view: 'editor', notes: 'made with the user' },
  },
  {
    related: { root_folder: 'folder' },
    lists: {
      designers: 'designer',
      designerassociates: 'designerassociate',
      folders: 'folder',
      files: 'file',
      receipts: 'receipt',
      webhooks: 'webhook',
      apikeys: 'apikey',
    },
  },
);

export const designer = around(
  'designer',
  'publisher of games',
  { user_id: userId, name },
  { related: { user: 'user' }, lists: { games: 'game', associates: 'designerassociate' } },
);

const textField = (max: number, notes: string): Field => ({ type: 'text', max, notes });
const flag = (fallback: boolean, notes: string): Field => ({ type: 'boolean', default: fallback, notes });

/** An image that everybody sees and that is never proofed. */
function picture(word: string, notes: string): Readonly<Record<string, Field>> {
  return {
    [`${word}_id`]: { type: 'reference', to: 'file', notes },
    [word]: { type: 'description', readOnly: true, whenSet: true, notes: `describes ${word}_id` },
  };
}

/** Fields of a game that existing clients send or read, beyond the document (D53). */
const ofClients: Readonly<Record<string, Field>> = {
  description: textField(65535, 'what it is about'),
  short_description: textField(255, 'one line about it'),
  cool_factor_1: textField(255, 'reason to like it'),
  cool_factor_2: textField(255, 'reason to like it'),
  cool_factor_3: textField(255, 'reason to like it'),
  website_uri: { type: 'url', notes: 'its web site' },
  ...picture('logo', 'logo'),
  ...picture('backdrop', 'background'),
  ...picture('advertisement', 'advertisement'),
  category: { ...textField(60, 'category in the shop'), default: 'Board Games' },
  min_age: { ...textField(10, 'least age'), default: '18+' },
  play_time: { ...textField(10, 'minutes'), default: '30-60' },
  min_players: { type: 'integer', min: 1, max: 99, default: 1, notes: 'least number' },
  max_players: { type: 'integer', min: 1, max: 99, default: 99, notes: 'greatest number' },
  private_sales: { ...flag(false, 'sold by link only'), view: 'editor' },
  private_viewing: { ...flag(false, 'shown by link only'), view: 'editor' },
  enable_uv_coating: flag(false, 'cards are coated'),
  enable_linen_texture: flag(false, 'cards have a texture'),
  use_automatic_pricing: { ...flag(true, 'price follows cost'), view: 'editor' },
  public: { ...flag(false, 'published'), readOnly: true },
  archived: { ...flag(false, 'archived'), view: 'editor' },
  sku_id: textField(64, 'number in the shop'),
  shop_uri: textField(255, 'page where it is sold'),
  uri_part: textField(255, 'last part of the address of its page'),
  edit_uri: { type: 'text', readOnly: true, notes: 'path with a leading slash' },
};

/** The lists of a game by resource; those by identity are in lists.ts. */
export const game = around(
  'game',
  'tabletop game that components belong to',
  { name, designer_id: { type: 'reference', to: 'designer', notes: 'designer the game belongs to' }, ...ofClients },
  {
    related: { designer: 'designer' },
    lists: {
      twosidedsluggedsets: 'twosidedsluggedset',
      twosidedboxes: 'twosidedbox',
      boxtops: 'boxtop',
      onesidedsluggedsets: 'onesidedsluggedset',
      customcuttwosidedsluggeds: 'customcuttwosidedslugged',
      customcolord6s: 'customcolord6',
      customwoodd6s: 'customwoodd6',
      scorepads: 'scorepad',
      booklets: 'booklet',
      coilbooks: 'coilbook',
      downloads: 'gamedownload',
    },
  },
);

export const folder = around(
  'folder',
  'place for files and further folders',
  {
    user_id: userId,
    name,
    folder_id: { type: 'reference', to: 'folder', notes: 'folder this one lies in' },
    parent_id: { type: 'reference', to: 'folder', readOnly: true, notes: 'same as folder_id (D40)' },
  },
  { related: { user: 'user', folder: 'folder' }, lists: { folders: 'folder', files: 'file' } },
);

export const file = around(
  'file',
  'uploaded file',
  {
    user_id: userId,
    name: { ...name, notes: 'that of the upload unless given' },
    folder_id: { type: 'reference', to: 'folder', notes: 'folder the file lies in' },
    file_type: { type: 'text', readOnly: true, notes: 'media type read from the bytes' },
    file_size: { type: 'integer', readOnly: true, notes: 'bytes' },
    image_width: { type: 'integer', readOnly: true, notes: 'pixels' },
    image_height: { type: 'integer', readOnly: true, notes: 'pixels' },
    file_uri: { type: 'text', readOnly: true, notes: '/files/<id>/<random key> (D25)' },
  },
  { related: { user: 'user', folder: 'folder' } },
);

export const apikey = around(
  'apikey',
  'key of a client program; its private part signs callbacks',
  {
    user_id: userId,
    name,
    uri: { type: 'url', notes: 'where the client program is described' },
    reason: { type: 'text', max: 1000, notes: 'what the key is for' },
    private_key: { type: 'text', readOnly: true, view: 'created', notes: 'shown once, when the key is made' },
    scope: { type: 'enum', values: ['read', 'write'], default: 'read', notes: 'what its token may do (D61)' },
    resources: { type: 'json', notes: 'names of what its token reaches; all by default' },
    expires: { type: 'date', notes: 'when its token ends' },
    api_version: { type: 'text', max: 10, default: 'default', notes: 'version of requests with its token (D68)' },
    last_used: { type: 'date', readOnly: true, notes: 'when its token was last used' },
    token: { type: 'text', readOnly: true, view: 'created', notes: 'shown once, when it is made' },
  },
  { related: { user: 'user' } },
);

export const receipt = around(
  'receipt',
  'sale of games to a buyer (D36)',
  {
    user_id: { type: 'reference', to: 'user', notes: 'the buyer' },
    items: { type: 'json', notes: '1 to 100 items, each with a game_id' },
    shipping_address: { type: 'json', notes: 'city, state, country' },
    shipped: { type: 'date', readOnly: true, notes: 'marked shipped' },
    refunded: { type: 'date', readOnly: true, notes: 'refunded' },
    shipments: { type: 'json', readOnly: true, notes: 'parcels' },
  },
  { related: { user: 'user' } },
);
