// Transcribes "Endpoints / Create parameters and fetch parameters" for the documented resources, without session_id. Where the
// document only counts, the names are those of D17 and D27. Other records are in around-parameters.ts.
import { aroundParameters } from './around-parameters.js';
import type { DocumentedName, Parameters, RecordName, ReferenceParameter } from './table.js';

/** D15: the media types of an image field. */
export const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

const image: ReferenceParameter = { to: 'file', need: 'use', onDelete: 'set_null', accepts: pictures };
const cut: ReferenceParameter = { to: 'file', need: 'use', onDelete: 'set_null', accepts: ['image/svg+xml'] };
const game: ReferenceParameter = { to: 'game', need: 'edit', onDelete: 'cascade' };
const related = ['_include_related_objects'];
const relationships = ['_include_relationships'];
const none = { ignored: [], synonyms: {}, counted: null };
const component = {
  ...none,
  required: ['name', 'game_id'],
  fetch: related,
  minimal: { name: 'Sample', game_id: { idOf: 'game' } },
} as const;

const sixSides = {
  side1_id: image,
  side2_id: image,
  side3_id: image,
  side4_id: image,
  side5_id: image,
  side6_id: image,
};
const die: Parameters = {
  ...component,
  optional: [
    'identity',
    'quantity',
    'diecolor',
    'side1_id',
    'has_proofed_side1',
    'side2_id',
    'has_proofed_side2',
    'side3_id',
    'has_proofed_side3',
    'side4_id',
    'has_proofed_side4',
    'side5_id',
    'has_proofed_side5',
    'side6_id',
    'has_proofed_side6',
  ],
  counted: { required: 2, optional: 3 },
  references: { game_id: game, ...sixSides },
};
const book: Parameters = {
  ...component,
  optional: ['identity', 'quantity'],
  counted: { required: 2, optional: 1 },
  fetch: relationships,
  references: { game_id: game },
};

export const documentedParameters: Readonly<Record<DocumentedName, Parameters>> = {
  twosidedsluggedset: {
    ...component,
    optional: ['identity', 'quantity', 'back_id', 'has_proofed_back'],
    fetch: [...related, ...relationships],
    references: { game_id: game, back_id: image },
  },
  twosidedslugged: {
    ...none,
    required: ['name', 'set_id'],
    optional: ['quantity', 'face_id', 'has_proofed_face', 'back_id', 'has_proofed_back', 'back_from_set'],
    synonyms: { back_from: 'back_from_set' },
    counted: { required: 2, optional: 3 },
    fetch: related,
    references: {
      set_id: { to: 'twosidedsluggedset', need: 'edit', onDelete: 'cascade' },
      face_id: image,
      back_id: image,
    },
    minimal: { name: 'Sample', set_id: { idOf: 'twosidedsluggedset' } },
  },
  twosidedbox: {
    ...component,
    optional: ['identity', 'quantity', 'top_id', 'has_proofed_top', 'bottom_id', 'has_proofed_bottom'],
    references: { game_id: game, top_id: image, bottom_id: image },
  },
  boxtop: {
    ...component,
    optional: ['identity', 'quantity', 'top_id', 'has_proofed_top'],
    ignored: ['bottom_id', 'has_proofed_bottom'],
    references: { game_id: game, top_id: image },
  },
  onesidedsluggedset: {
    ...component,
    optional: ['identity', 'quantity'],
    fetch: [...related, ...relationships],
    references: { game_id: game },
  },
  customcuttwosidedslugged: {
    ...component,
    optional: ['identity', 'quantity', 'side1_id', 'has_proofed_side1', 'side2_id', 'has_proofed_side2', 'cut_id'],
    counted: { required: 2, optional: 3 },
    synonyms: {
      face_id: 'side1_id',
      has_proofed_face: 'has_proofed_side1',
      back_id: 'side2_id',
      has_proofed_back: 'has_proofed_side2',
    },
    references: { game_id: game, side1_id: image, side2_id: image, cut_id: cut },
  },
  customcolord6: die,
  customwoodd6: die,
  scorepad: {
    ...component,
    optional: ['identity', 'quantity', 'image_id', 'has_proofed_image', 'page_count'],
    counted: { required: 2, optional: 4 },
    synonyms: { face_id: 'image_id', has_proofed_face: 'has_proofed_image' },
    references: { game_id: game, image_id: image },
  },
  booklet: book,
  bookletpage: {
    ...none,
    required: ['name', 'booklet_id'],
    optional: ['sequence_number', 'image_id', 'has_proofed_image'],
    counted: { required: 2, optional: 3 },
    fetch: related,
    references: { booklet_id: { to: 'booklet', need: 'edit', onDelete: 'cascade' }, image_id: image },
    minimal: { name: 'Sample', booklet_id: { idOf: 'booklet' } },
  },
  coilbook: book,
  designerassociate: {
    ...none,
    required: ['user_id', 'designer_id'],
    optional: ['share_percent'],
    synonyms: { profit_share: 'share_percent' },
    fetch: relationships,
    references: {
      user_id: { to: 'user', need: 'exists', onDelete: 'cascade' },
      designer_id: { to: 'designer', need: 'edit', onDelete: 'cascade' },
    },
    minimal: { user_id: { idOf: 'user' }, designer_id: { idOf: 'designer' } },
  },
  gamedownload: {
    ...none,
    required: ['file_id', 'game_id'],
    // "None listed" in the document; D31 adds both.
    optional: ['name', 'free'],
    fetch: relationships,
    references: { file_id: { to: 'file', need: 'use', onDelete: 'restrict' }, game_id: game },
    minimal: { file_id: { idOf: 'file' }, game_id: { idOf: 'game' } },
  },
  webhook: {
    ...none,
    required: ['event', 'owner_class', 'owner_id', 'callback_uri'],
    // The first is not marked as required on create, but an update requires it (updateRequires). The second is D63, the third D68.
    optional: ['api_key_id', 'format', 'api_version'],
    fetch: [],
    references: { api_key_id: { to: 'apikey', need: 'use', onDelete: 'set_null' } },
    minimal: {
      event: 'ItemSold',
      owner_class: 'Designer',
      owner_id: { idOf: 'designer' },
      // Nothing listens there: tests never use the outside network.
      callback_uri: 'http://127.0.0.1:8/hook',
      api_key_id: { idOf: 'apikey' },
    },
  },
};

export const parameters: Readonly<Record<RecordName, Parameters>> = { ...documentedParameters, ...aroundParameters };

/** D18: an update requires nothing, except where the document labels its parameters so. */
export const updateRequires: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  webhook: ['event', 'owner_class', 'owner_id', 'callback_uri', 'api_key_id'],
};
