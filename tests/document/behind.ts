// What a record does not show itself: its placement, the order of its lists, its unique fields, the operations offered, and the
// sources of values that nobody sends. Transcribed from the rows named and compared with the descriptors.
import type { Operation, RecordName } from './table.js';

/** D37: the reference to the record whose owner is also the owner of this record; null: the user, who starts the chain. */
export const placedBy: Readonly<Record<RecordName, string | null>> = {
  twosidedsluggedset: 'game',
  twosidedslugged: 'set',
  twosidedbox: 'game',
  boxtop: 'game',
  onesidedsluggedset: 'game',
  onesidedslugged: 'set',
  customcuttwosidedslugged: 'game',
  customcolord6: 'game',
  customwoodd6: 'game',
  scorepad: 'game',
  booklet: 'game',
  bookletpage: 'booklet',
  coilbook: 'game',
  coilbookpage: 'book',
  designerassociate: 'designer',
  gamedownload: 'game',
  webhook: 'user',
  user: null,
  designer: 'user',
  game: 'designer',
  folder: 'user',
  file: 'user',
  apikey: 'user',
  receipt: 'user',
};

/** References whose target must have the same owner as the record; otherwise `conflict`. */
export const inside: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  folder: ['folder'],
  file: ['folder'],
};

/** Order of lists; the id breaks ties (D27). Without an entry, lists are ordered by id. */
export const order: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  bookletpage: ['sequence_number'],
  coilbookpage: ['sequence_number'],
};

/** Fields a list can be filtered by. */
export const filters: Readonly<Partial<Record<RecordName, readonly string[]>>> = order;

/** Fields whose combination is unique; a duplicate is `not_unique` for the last of them. */
export const unique: Readonly<Partial<Record<RecordName, readonly (readonly string[])[]>>> = {
  designerassociate: [['designer', 'user']],
  user: [['username']],
};

/** Fields with unique values that a path looks up, with the word of the path. */
export const lookups: Readonly<Partial<Record<RecordName, Readonly<Record<string, string>>>>> = {
  game: { uri_part: 'uri' },
};

/** Operations as a descriptor states them; without an entry, all four under the rules of access.ts. */
export const operations: Readonly<Partial<Record<RecordName, Readonly<Record<Operation, unknown>>>>> = {
  user: { create: 'admin', fetch: true, update: true, delete: false },
  receipt: { create: 'admin', fetch: true, update: false, delete: false },
  webhook: { create: true, fetch: 'session', update: { required: 'all' }, delete: true },
};

/** Values that are derived from others or filled in, by `resource.field`. */
export const sources: Readonly<Record<string, string>> = {
  'twosidedslugged.identity': 'copy set.identity',
  'onesidedslugged.identity': 'copy set.identity',
  'booklet.page_count': 'count pages',
  'coilbook.page_count': 'count pages',
  'designerassociate.name': 'copy user.username',
  'gamedownload.name': 'default file.name',
  'webhook.user': 'default session.user',
  'webhook.name': 'copy event',
  'designer.user': 'default session.user',
  'folder.user': 'default session.user',
  'file.user': 'default session.user',
  'file.name': 'default upload.name',
  'file.file_type': 'from upload.type',
  'file.file_size': 'from upload.size',
  'file.image_width': 'from upload.width',
  'file.image_height': 'from upload.height',
  'file.content_hash': 'from upload.hash',
  'file.access_key': 'from random',
  'file.file_uri': 'text /files/{id}/{access_key}',
  'game.edit_uri': 'text /make/games/{id}',
  'user.display_name': 'copy username',
  'apikey.user': 'default session.user',
  'apikey.private_key': 'from random',
  'apikey.token': 'from token',
};

/** D25: the properties of a file that other records show. */
export const brief = ['id', 'name', 'file_type', 'file_size', 'image_width', 'image_height', 'file_uri'] as const;
