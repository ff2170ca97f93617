// Transcribes "Authentication" with D14, D15 and D16: who may do what, and which properties only some may see.
// The record under test belongs to `owner` (through designer and game); `associate` is that designer's associate.
import type { Operation, RecordName } from './table.js';

export const roles = ['anonymous', 'stranger', 'associate', 'owner', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** `ok`, or the code of the refusal; `method`: the operation is not offered to anybody. */
export type Outcome = 'ok' | 'login_required' | 'forbidden' | 'not_found' | 'method';
export type ByRole = Readonly<Record<Role, Outcome>>;

const row = (
  anonymous: Outcome,
  stranger: Outcome,
  associate: Outcome,
  owner: Outcome,
  administrator: Outcome,
): ByRole => ({ anonymous, stranger, associate, owner, administrator });

const everybody = row('ok', 'ok', 'ok', 'ok', 'ok');
const editors = row('login_required', 'forbidden', 'ok', 'ok', 'ok');
const ownerOnly = row('login_required', 'forbidden', 'forbidden', 'ok', 'ok');
const administrators = row('login_required', 'forbidden', 'forbidden', 'forbidden', 'ok');
const nobody = row('method', 'method', 'method', 'method', 'method');
const hidden = row('login_required', 'not_found', 'not_found', 'ok', 'ok');

const component = { create: editors, fetch: everybody, update: editors, delete: editors };
const owned = { create: ownerOnly, fetch: ownerOnly, update: ownerOnly, delete: ownerOnly };

/**
 * Each create uses the owner's game, set, book or designer, or the owner's user_id (designer, folder, file, apikey), and names
 * only files and keys of the caller. A webhook is created for the owner's designer. Nobody can delete a designer that has games
 * (`conflict`, D32).
 */
export const access: Readonly<Record<RecordName, Readonly<Record<Operation, ByRole>>>> = {
  twosidedsluggedset: component,
  twosidedslugged: component,
  twosidedbox: component,
  boxtop: component,
  onesidedsluggedset: component,
  onesidedslugged: component,
  customcuttwosidedslugged: component,
  customcolord6: component,
  customwoodd6: component,
  scorepad: component,
  booklet: component,
  bookletpage: component,
  coilbook: component,
  coilbookpage: component,
  gamedownload: component,
  designerassociate: { create: ownerOnly, fetch: everybody, update: ownerOnly, delete: ownerOnly },
  webhook: { create: ownerOnly, fetch: hidden, update: hidden, delete: hidden },
  user: { create: administrators, fetch: everybody, update: ownerOnly, delete: nobody },
  designer: { create: ownerOnly, fetch: everybody, update: ownerOnly, delete: ownerOnly },
  game: { create: ownerOnly, fetch: everybody, update: editors, delete: editors },
  folder: owned,
  file: owned,
  apikey: owned,
  receipt: { create: administrators, fetch: ownerOnly, update: nobody, delete: nobody },
};

const sixSides = [1, 2, 3, 4, 5, 6].flatMap((side) => [`side${side}_id`, `has_proofed_side${side}`, `side${side}`]);

/** Properties that only a session which may edit the record gets (D15). */
export const editorsOnly: Readonly<Record<RecordName, readonly string[]>> = {
  twosidedsluggedset: ['back_id', 'has_proofed_back', 'back'],
  twosidedslugged: ['face_id', 'has_proofed_face', 'face', 'back_id', 'has_proofed_back', 'back', 'back_from_set'],
  twosidedbox: ['top_id', 'has_proofed_top', 'top', 'bottom_id', 'has_proofed_bottom', 'bottom'],
  boxtop: ['top_id', 'has_proofed_top', 'top'],
  onesidedsluggedset: [],
  onesidedslugged: ['face_id', 'has_proofed_face', 'face'],
  customcuttwosidedslugged: [
    'side1_id',
    'has_proofed_side1',
    'side1',
    'side2_id',
    'has_proofed_side2',
    'side2',
    'cut_id',
    'cut',
  ],
  customcolord6: sixSides,
  customwoodd6: sixSides,
  scorepad: ['image_id', 'has_proofed_image', 'image'],
  booklet: [],
  bookletpage: ['image_id', 'has_proofed_image', 'image'],
  coilbook: [],
  coilbookpage: ['image_id', 'has_proofed_image', 'image'],
  designerassociate: ['share_percent', 'profit_share'],
  gamedownload: [],
  webhook: [],
  user: ['email', 'admin', 'disabled', 'operator_role', 'real_name', 'root_folder_id'],
  designer: [],
  game: ['private_sales', 'private_viewing', 'use_automatic_pricing', 'archived'],
  folder: [],
  file: [],
  apikey: [],
  receipt: [],
};

/** Who sees the file of a download: `paid` has free = 0, `free` has free = 1 (D15). */
export const download = {
  properties: ['file_id', 'file', 'part'],
  free: {
    anonymous: true,
    stranger: true,
    buyer: true,
    refundedBuyer: true,
    associate: true,
    owner: true,
    administrator: true,
  },
  paid: {
    anonymous: false,
    stranger: false,
    buyer: true,
    refundedBuyer: false,
    associate: true,
    owner: true,
    administrator: true,
  },
} as const;

/** Shown only in the response to the create, or never. */
export const shownOnce: Readonly<Partial<Record<RecordName, readonly string[]>>> = { apikey: ['private_key', 'token'] };
export const neverShown: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  user: ['password'],
  file: ['content_hash', 'access_key'],
};

/** Only administrators may send these; anyone else is `forbidden`. */
export const administratorsSet: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  user: ['admin', 'disabled', 'operator_role'],
  game: ['sku_id', 'shop_uri', 'uri_part'],
};

/** References that only the owner may give, even before administrators: nobody's key signs the callbacks of others (S14). */
export const ownersAlone: readonly string[] = ['webhook.api_key_id'];

/** Lists that exist only for callers who may read their items (S42). */
export const ownLists: readonly string[] = ['user/webhooks'];

/** What a descriptor must contain for the tables above to hold: `access` by right, and operations that differ from the rule. */
export const clauses: Readonly<
  Record<RecordName, { read: unknown; edit: unknown; hidden?: true; download?: unknown }>
> = {
  twosidedsluggedset: { read: 'anyone', edit: ['game'] },
  twosidedslugged: { read: 'anyone', edit: ['set'] },
  twosidedbox: { read: 'anyone', edit: ['game'] },
  boxtop: { read: 'anyone', edit: ['game'] },
  onesidedsluggedset: { read: 'anyone', edit: ['game'] },
  onesidedslugged: { read: 'anyone', edit: ['set'] },
  customcuttwosidedslugged: { read: 'anyone', edit: ['game'] },
  customcolord6: { read: 'anyone', edit: ['game'] },
  customwoodd6: { read: 'anyone', edit: ['game'] },
  scorepad: { read: 'anyone', edit: ['game'] },
  booklet: { read: 'anyone', edit: ['game'] },
  bookletpage: { read: 'anyone', edit: ['booklet'] },
  coilbook: { read: 'anyone', edit: ['game'] },
  coilbookpage: { read: 'anyone', edit: ['book'] },
  designerassociate: { read: 'anyone', edit: ['designer'] },
  gamedownload: {
    read: 'anyone',
    edit: ['game'],
    download: ['free', 'editor', { member: 'receipt', by: 'game', in: 'items', where: { refunded: null } }],
  },
  webhook: { read: ['user'], edit: ['user'], hidden: true },
  user: { read: 'anyone', edit: ['self'] },
  designer: { read: 'anyone', edit: ['user'] },
  game: { read: 'anyone', edit: ['designer', { member: 'designerassociate', by: 'designer' }] },
  folder: { read: ['user'], edit: ['user'] },
  file: { read: ['user'], edit: ['user'] },
  apikey: { read: ['user'], edit: ['user'] },
  receipt: { read: ['user'], edit: [] },
};
