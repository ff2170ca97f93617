// The requests of public clients, one table for each, with what they read of the answers. Transcribed from what those
// clients send: their encodings, the place of the session, names that only they use.

import type { Call } from './call.js';

const ID = /^[\w-]{10,}$/;
const TEXT = /./;
/** The property exists, perhaps without a value. */
const THERE = /^/;
const S = 'session_id={session}';

const login = (as: 'form' | 'json' | 'multipart' | undefined): Call => ({
  ask: 'POST /api/session',
  ...(as === undefined ? {} : { as }),
  with: { username: 'ada', password: '{password}', api_key_id: '{key}' },
  reads: { id: ID, user_id: '{user}' },
  keep: 'session',
});

/** Clients put their records into a folder of their own, in that of the user. */
const folderInRoot = (as: 'json' | undefined): Call => ({
  ask: 'POST /api/folder',
  ...(as && { as }),
  with: { session_id: '{session}', name: 'Harbour', user_id: '{user}', parent_id: '{root}' },
  reads: { id: ID, name: 'Harbour', parent_id: '{root}' },
  keep: 'folder',
});

const upload = (keep: string, file: 'png' | 'pdf' = 'png'): Call => ({
  ask: `POST /api/file?${S}`,
  as: 'multipart',
  with: { name: 'art' },
  file,
  reads: { id: ID },
  keep,
});

/** Multipart bodies in which every value is text; the session in the query. */
const khenn: readonly Call[] = [
  {
    ask: 'GET /api/tgc/products?active_only=1',
    reads: {
      length: 196,
      '0.identity': TEXT,
      '0.name': TEXT,
      '0.categories.0': TEXT,
      '0.create_api': /^\/api\/[a-z0-9]+$/,
      '0.relationship': TEXT,
      'identity=PokerDeck.child.create_api': '/api/card',
      'identity=PokerDeck.child.relationship': 'cards',
    },
  },
  login('form'),
  {
    ask: `GET /api/user/{user}/designers?${S}`,
    reads: { 'paging.total_pages': 1, 'items.0.id': '{designer}', 'items.0.name': 'Acme' },
  },
  {
    ask: `POST /api/game?${S}`,
    as: 'multipart',
    with: {
      name: 'Harbour',
      designer_id: '{designer}',
      min_players: '2',
      enable_uv_coating: 'true',
      play_time: '60-90',
    },
    reads: {
      id: ID,
      name: 'Harbour',
      min_players: 2,
      enable_uv_coating: 1,
      enable_linen_texture: 0,
      use_automatic_pricing: 1,
      private_sales: 0,
      private_viewing: 0,
      play_time: '60-90',
      archived: 0,
      public: 0,
    },
    keep: 'game',
  },
  upload('art'),
  upload('face'),
  {
    ask: `POST /api/deck?${S}`,
    as: 'multipart',
    with: {
      name: 'Main',
      game_id: '{game}',
      identity: 'PokerDeck',
      quantity: '1',
      back_id: '{art}',
      has_proofed_back: '1',
    },
    reads: { id: ID, identity: 'PokerDeck', back_id: '{art}', has_proofed_back: 1 },
    keep: 'deck',
  },
  {
    ask: `PUT /api/deck/{deck}?${S}`,
    as: 'multipart',
    with: { quantity: '2' },
    reads: { quantity: 2, back_id: '{art}' },
  },
  {
    ask: `POST /api/deck/{deck}/bulk-cards?${S}`,
    as: 'multipart',
    with: {
      cards: JSON.stringify([{ name: 'Ace', quantity: '2', class_number: 1, face_id: '{face}' }, { name: 'King' }]),
    },
    reads: {
      'cards.length': 2,
      'cards.0.name': 'Ace',
      'cards.0.quantity': 2,
      'cards.0.face_id': '{face}',
      'cards.1.id': ID,
      'cards.1.face_id': null,
      errors: 0,
    },
  },
  {
    ask: `POST /api/deck/{deck}/bulk-cards?${S}`,
    as: 'multipart',
    with: { cards: JSON.stringify([{ name: 'Queen' }, { quantity: 3 }]) },
    status: 441,
    reads: { data: 'cards[1].name' },
  },
  { ask: `GET /api/deck/{deck}/cards?${S}`, reads: { 'paging.total_items': 2, 'items.1.name': 'King' } },
  { ask: `GET /api/deck/{deck}/cards?_items_per_page=200&${S}`, reads: { 'paging.items_per_page': 25 } },
  {
    ask: `GET /api/file/{art}/references?${S}`,
    reads: { 'paging.total_items': 1, 'items.0.id': '{deck}', 'items.0.name': 'Main', 'items.0.back_id': '{art}' },
  },
  {
    ask: `GET /api/game/{game}/decks?${S}`,
    reads: {
      'items.0.id': '{deck}',
      'items.0.name': 'Main',
      'items.0.identity': 'PokerDeck',
      'items.0.back_id': '{art}',
      'items.0.has_proofed_back': 1,
    },
  },
  {
    ask: `POST /api/twosidedsluggedset?${S}`,
    as: 'multipart',
    with: { name: 'Chits', game_id: '{game}', identity: 'ArrowChit' },
    reads: { id: ID },
    keep: 'chits',
  },
  {
    ask: `POST /api/twosidedslugged?${S}`,
    as: 'multipart',
    with: { name: 'Chit', set_id: '{chits}', face_id: '{art}', back_id: '{art}', back_from: 'Component' },
    reads: { id: ID, face_id: '{art}', back_id: '{art}', back_from_set: 0 },
    keep: 'chit',
  },
  {
    ask: `PUT /api/twosidedslugged/{chit}?${S}`,
    as: 'multipart',
    with: { back_from: 'Set' },
    reads: { back_from_set: 1 },
  },
  ...['gameledgerentries', 'sanitytests', 'arttests', 'cvtests'].map(
    (list): Call => ({
      ask: `GET /api/game/{game}/${list}?_items_per_page=20&${S}`,
      reads: { 'paging.total_items': 0, 'items.length': 0 },
    }),
  ),
  {
    ask: `POST /api/customprintedmeeple?${S}`,
    as: 'multipart',
    with: { name: 'Meeple', game_id: '{game}', identity: 'CustomPrintedMeeple', face_id: '{art}', back_id: '{art}' },
    reads: { id: ID, side1_id: '{art}', side2_id: '{art}' },
  },
  {
    ask: `POST /api/threesidedcustomcutset?${S}`,
    as: 'multipart',
    with: { name: 'Boards', game_id: '{game}', identity: 'SmallDualLayerBoard', face_id: '{art}', inner_id: '{art}' },
    reads: { id: ID, identity: 'SmallDualLayerBoard' },
    keep: 'set',
  },
  {
    ask: `POST /api/threesidedcustomcut?${S}`,
    as: 'multipart',
    with: { name: 'Board', set_id: '{set}', face_id: '{art}', inner_id: '{art}' },
    reads: { face_id: '{art}', inner_id: '{art}', identity: 'SmallDualLayerBoard' },
  },
  { ask: `GET /api/game/{game}/smallduallayerboards?${S}`, reads: { 'items.length': 1 } },
  {
    ask: `GET /api/threesidedcustomcutset/{set}/members?${S}`,
    reads: { 'items.0.name': 'Board', 'items.0.inner_id': '{art}' },
  },
  {
    ask: `POST /api/perfectboundbook?${S}`,
    as: 'multipart',
    with: { name: 'Book', game_id: '{game}', identity: 'LetterPerfectBoundBook', face_id: '{art}', back_id: '{art}' },
    reads: { id: ID, page_count: 0 },
    keep: 'book',
  },
  {
    ask: `POST /api/perfectboundbookpage?${S}`,
    as: 'multipart',
    with: { name: 'Page', book_id: '{book}', image_id: '{art}' },
    reads: { sequence_number: 1, is_blank: 0 },
  },
  {
    ask: `GET /api/perfectboundbook/{book}/pages?_items_per_page=100&${S}`,
    reads: { 'items.0.name': 'Page', 'items.0.image_id': '{art}' },
  },
  { ask: `GET /api/game/{game}/perfectboundbooks?${S}`, reads: { 'items.0.page_count': 1 } },
  { ask: `GET /api/designer/{designer}/games?${S}`, reads: { 'paging.page_number': 1, 'items.0.id': ID } },
  {
    ask: `POST /api/gamepart?${S}`,
    as: 'multipart',
    with: { game_id: '{game}', part_id: '{part}', quantity: '4', component_type: 'part', component_id: '{part}' },
    reads: { id: ID, quantity: 4, 'part.name': 'Blue cube' },
    keep: 'gamepart',
  },
  {
    ask: `POST /api/gamepart?${S}`,
    as: 'multipart',
    with: { game_id: '{game}', part_id: '{part}', quantity: '6' },
    reads: { id: '{gamepart}', quantity: 6 },
  },
  {
    ask: `POST /api/game/{game}/copy?${S}`,
    as: 'multipart',
    with: { name: 'Harbour 2' },
    reads: { id: ID, name: 'Harbour 2', designer_id: '{designer}', play_time: '60-90', public: 0 },
    keep: 'copy',
  },
  {
    ask: `GET /api/game/{copy}/decks?${S}`,
    reads: { 'items.length': 1, 'items.0.game_id': '{copy}', 'items.0.back_id': '{art}' },
  },
  { ask: `GET /api/game/{copy}/gameparts?${S}`, reads: { 'items.0.quantity': 6, 'items.0.part.name': 'Blue cube' } },
  { ask: `POST /api/game/{game}/public?${S}`, as: 'multipart', reads: { public: 1 } },
  {
    ask: 'GET /api/game?_items_per_page=10',
    reads: { 'paging.page_number': 1, 'items.length': 1, 'items.0.name': 'Harbour' },
  },
  { ask: `DELETE /api/game/{game}/public?${S}`, reads: { public: 0 } },
  { ask: `DELETE /api/game/{game}?${S}`, reads: { success: 1 } },
];

/** JSON bodies, with the session in the query. */
const alexGon: readonly Call[] = [
  login('json'),
  {
    ask: `POST /api/game?${S}`,
    as: 'json',
    with: { name: 'Tides', designer_id: '{designer}', is_public: true },
    reads: { id: ID },
    keep: 'game',
  },
  {
    ask: `POST /api/twosidedset?${S}`,
    as: 'json',
    with: { game_id: '{game}', identity: 'BiFoldMat', name: 'Mats', quantity: 1 },
    reads: { id: ID },
    keep: 'set',
  },
  {
    ask: 'GET /api/tgc/products',
    reads: {
      'identity=PokerTuckBox54.name': TEXT,
      'identity=PokerTuckBox54.create_api': '/api/tuckbox',
      'identity=PokerTuckBox54.size.finished_inches.0': TEXT,
      'identity=PokerTuckBox54.size.finished_inches.1': TEXT,
      'identity=PokerTuckBox54.relationship': 'pokertuckbox54s',
      'identity=PokerTuckBox54.size.pixels.0': 2325,
      'identity=PokerTuckBox54.size.pixels.1': 1950,
      'identity=PokerTuckBox54.categories.0': 'Packaging',
      'identity=PokerTuckBox54.sides.0.field': 'outside',
      'identity=PokerTuckBox54.sides.0.label': 'Outside',
    },
    keep: 'create_api',
    kept: 'identity=PokerTuckBox54.create_api',
  },
  {
    ask: `POST {create_api}?${S}`,
    as: 'json',
    with: { game_id: '{game}', identity: 'PokerTuckBox54', name: 'Box' },
    reads: { id: ID },
  },
  { ask: `GET /api/game/{game}/tuckboxes?${S}`, reads: { 'items.0.identity': 'PokerTuckBox54' } },
  { ask: 'GET /api/part/{part}', reads: { id: '{part}', name: 'Blue cube' } },
  { ask: 'GET /api/part?_page_number=1', reads: { 'paging.total_pages': 1, 'items.0.id': TEXT, 'items.0.name': TEXT } },
  {
    ask: `POST /api/gamepart?${S}`,
    as: 'json',
    with: { game_id: '{game}', part_id: '{part}', name: 'Cubes', quantity: 2 },
    reads: { quantity: 2 },
  },
  { ask: `GET /api/user/{user}?${S}`, reads: { id: '{user}', username: 'ada', display_name: 'ada' } },
  { ask: `GET /api/user/{user}/designers?${S}`, reads: { 'items.0.id': '{designer}', 'items.0.name': 'Acme' } },
  // The client's tool for prices fails without the list.
  { ask: `GET /api/game/{game}/gameledgerentries?${S}`, reads: { 'items.length': 0 } },
];

/** JSON bodies that hold the session. */
const templativeElectron: readonly Call[] = [
  login('json'),
  { ask: `GET /api/user/{user}?${S}`, reads: { root_folder_id: ID }, keep: 'root', kept: 'root_folder_id' },
  folderInRoot('json'),
  {
    ask: 'POST /api/game',
    as: 'json',
    with: {
      session_id: '{session}',
      name: 'Harbour',
      designer_id: '{designer}',
      description: '',
      short_description: '',
      cool_factor_1: '',
      logo_id: '{picture}',
      website_uri: '',
      category: 'Board Games',
      min_age: '12+',
      play_time: '30-60',
      min_players: '2',
      max_players: '4',
      private_sales: 1,
      private_viewing: 1,
    },
    reads: {
      id: ID,
      edit_uri: /^\/make\/games\//,
      sku_id: THERE,
      shop_uri: THERE,
      uri_part: THERE,
      logo_id: '{picture}',
      min_players: 2,
      private_sales: 1,
      website_uri: null,
    },
    keep: 'game',
  },
  {
    ask: 'POST /api/dial',
    as: 'json',
    with: {
      session_id: '{session}',
      name: 'Dial',
      game_id: '{game}',
      identity: 'SmallDial',
      outside_id: '{picture}',
      has_proofed_outside: 1,
    },
    reads: { id: ID },
  },
  {
    ask: 'POST /api/boxtopgloss',
    as: 'json',
    with: {
      session_id: '{session}',
      name: 'Top',
      game_id: '{game}',
      identity: 'LargeStoutBoxTopAndSide',
      top_id: '{picture}',
      surfacing_treatment: 'gloss',
    },
    reads: { surfacing_treatment: 'gloss' },
  },
  {
    ask: 'POST /api/perfectboundbook',
    as: 'json',
    with: {
      session_id: '{session}',
      name: 'Book',
      game_id: '{game}',
      identity: 'DigestPerfectBoundBook',
      spine_image_id: '{picture}',
      has_proofed_spine: 1,
    },
    reads: { spine_image_id: '{picture}', has_proofed_spine_image: 1 },
  },
  {
    ask: 'POST /api/customcolord8',
    as: 'json',
    with: { session_id: '{session}', name: 'Die', game_id: '{game}', color: 'blue' },
    reads: { diecolor: 'blue' },
  },
  {
    ask: 'POST /api/onesided',
    as: 'json',
    with: { session_id: '{session}', name: 'Board', game_id: '{game}', identity: 'BiFoldBoard', face_id: '{picture}' },
    reads: { identity: 'BiFoldBoard' },
  },
  {
    ask: 'POST /api/onesided',
    as: 'json',
    with: { session_id: '{session}', name: 'Board', game_id: '{game}', identity: 'QuadFoldBoard' },
    status: 442,
    reads: { code: 442 },
  },
  {
    ask: 'POST /api/gamepart',
    as: 'json',
    with: { session_id: '{session}', game_id: '{game}', part_id: 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE', quantity: 2 },
    reads: { quantity: 2 },
  },
  {
    ask: 'POST /api/actionshot',
    as: 'json',
    with: { session_id: '{session}', game_id: '{game}', image_id: '{picture}' },
    reads: { id: ID, sequence: 1 },
  },
  upload('pdf', 'pdf'),
  {
    ask: 'POST /api/document',
    as: 'json',
    with: { session_id: '{session}', name: 'Rules', game_id: '{game}', pdf_id: '{pdf}', use_for: 'Download' },
    reads: { identity: 'Document', pdf_id: '{pdf}', use_for: 'Download' },
  },
  {
    ask: `GET /api/user/{user}/games?${S}`,
    reads: { 'items.0.id': ID, 'items.0.name': TEXT, 'items.0.sku_id': THERE, 'items.0.edit_uri': /^\// },
  },
  { ask: `DELETE /api/game/{game}?${S}`, reads: { success: 1 } },
];

/** Everything in the query of a POST. */
const templativePython: readonly Call[] = [
  login(undefined),
  {
    ask: 'POST /api/game',
    with: { session_id: '{session}', name: 'Quay', designer_id: '{designer}' },
    reads: { id: ID, name: 'Quay', edit_uri: /^\//, sku_id: THERE, shop_uri: THERE, uri_part: THERE },
    keep: 'game',
  },
  {
    ask: 'GET /api/user/{user}/games',
    with: { session_id: '{session}' },
    reads: { 'items.0.id': ID, 'items.0.name': TEXT, 'items.0.sku_id': THERE, 'items.0.edit_uri': /^\// },
  },
  {
    ask: 'POST /api/boxface',
    with: {
      session_id: '{session}',
      name: 'Pack',
      game_id: '{game}',
      identity: 'PokerBooster',
      top_id: '{picture}',
      has_proofed_top: 1,
    },
    reads: { face_id: '{picture}', has_proofed_face: 1 },
  },
  {
    ask: 'POST /api/hookbox',
    with: {
      session_id: '{session}',
      name: 'Hook',
      game_id: '{game}',
      identity: 'PokerHookBox54',
      outside_id: '{picture}',
    },
    reads: { is_inside_blank: 1 },
  },
  {
    ask: 'POST /api/customwoodd6',
    with: { session_id: '{session}', name: 'Die', game_id: '{game}' },
    reads: { identity: 'CustomWoodD6' },
  },
  {
    ask: 'GET /api/part',
    with: { _page_number: 1 },
    reads: {
      'paging.page_number': 1,
      'paging.total_pages': 1,
      'items.0.id': TEXT,
      'items.0.name': TEXT,
      'items.0.description': THERE,
      'items.0.keywords': THERE,
      'items.0.color': 'Pictured',
      'items.0.sku_id': THERE,
    },
  },
  {
    ask: 'GET /api/tgc/products',
    reads: {
      'identity=PokerDeck.create_api': '/api/deck',
      'identity=PokerDeck.sides.0.label': 'Face',
      'identity=PokerDeck.size.finished_inches.0': 2.5,
      'identity=PokerDeck.size.finished_inches.1': 3.5,
      'identity=SmallBooklet.sides.0.label': 'Image',
      'identity=SmallBooklet.child.parent_id': 'booklet_id',
    },
  },
  { ask: 'DELETE /api/game/{game}', status: 450, reads: { code: 450 } },
];

/** Old names of types, session and parameters in the query, and unknown parameters. */
const gamecrafterClient: readonly Call[] = [
  login(undefined),
  { ask: `GET /api/user/{user}?${S}`, reads: { root_folder_id: ID }, keep: 'root', kept: 'root_folder_id' },
  folderInRoot(undefined),
  {
    ask: 'POST /api/game',
    with: { session_id: '{session}', name: 'Pier', designer_id: '{designer}', description: 'x' },
    reads: { id: ID, edit_uri: TEXT },
    keep: 'game',
  },
  {
    ask: 'GET /api/user/{user}/games',
    with: { session_id: '{session}' },
    reads: { 'items.0.id': ID, 'items.0.name': TEXT, 'items.0.sku_id': THERE, 'items.0.edit_uri': /^\// },
  },
  {
    ask: 'POST /api/pokerdeck',
    with: { session_id: '{session}', name: 'Deck', game_id: '{game}', back_id: '{picture}' },
    reads: { object_type: 'deck', identity: 'PokerDeck' },
    keep: 'deck',
  },
  {
    ask: 'POST /api/pokercard',
    with: { session_id: '{session}', name: 'Card', deck_id: '{deck}', face_id: '{picture}' },
    reads: { object_type: 'card', back_from: 'Deck' },
  },
  {
    ask: 'POST /api/smallstoutbox',
    with: { session_id: '{session}', name: 'Box', game_id: '{game}', top_id: '{picture}' },
    reads: { identity: 'SmallStoutBox' },
  },
];

/** Forms, also as bodies of GET and DELETE, and `_include_relationships` on every call. */
const decknroll: readonly Call[] = [
  login('form'),
  {
    ask: 'POST /api/game',
    as: 'form',
    with: { session_id: '{session}', name: 'Dock', designer_id: '{designer}', _include_relationships: 1 },
    reads: { id: ID, '_relationships.self': /^\/api\/game\// },
    keep: 'game',
  },
  {
    ask: 'POST /api/tarotdeck',
    as: 'form',
    with: { session_id: '{session}', name: 'Tarot', game_id: '{game}' },
    reads: { identity: 'TarotDeck' },
    keep: 'deck',
  },
  {
    ask: 'GET /api/tarotdeck/{deck}/cards',
    as: 'form',
    with: { session_id: '{session}', _page_number: 1, _items_per_page: 10 },
    reads: { 'paging.items_per_page': 10, 'items.length': 0 },
  },
  {
    ask: 'GET /api/pokerdeck/{deck}',
    as: 'form',
    with: { session_id: '{session}' },
    status: 404,
    reads: { code: 404 },
  },
  ...[
    'squareboard',
    'bifoldboard',
    'bigmat',
    'playmoney',
    'smalldial',
    'pokertuckbox36',
    'smallprobox',
    'tallbooklet',
    'smallscorepad',
    'tokensticker',
    'hexshard',
    'minihextile',
  ].map(
    (name): Call => ({
      ask: `POST /api/${name}`,
      as: 'form',
      with: { session_id: '{session}', name: 'Old', game_id: '{game}' },
      reads: { identity: new RegExp(`^${name}$`, 'i') },
    }),
  ),
  {
    ask: 'GET /api/microcard/_options',
    as: 'form',
    with: { session_id: '{session}' },
    reads: { 'back_from.0': 'Deck' },
  },
  {
    ask: 'POST /api/mediumgamebox',
    as: 'form',
    with: { session_id: '{session}', name: 'Gone', game_id: '{game}' },
    status: 404,
    reads: { code: 404 },
  },
  ...['deck', 'designer', 'document', 'game', 'part', 'user'].map(
    (type): Call => ({
      ask: `GET /api/${type}/_options`,
      as: 'form',
      with: { session_id: '{session}', _include_relationships: 1 },
      reads: {},
    }),
  ),
  // There is no shop.
  { ask: 'GET /api/cart/_options', as: 'form', with: { session_id: '{session}' }, status: 404, reads: { code: 404 } },
  { ask: 'GET /api/part', as: 'form', with: { session_id: '{session}' }, reads: { 'items.0.id': TEXT } },
  {
    ask: 'GET /api/designer/{designer}/games',
    as: 'form',
    with: { session_id: '{session}', _order_by: 'date_created', _sort_order: 'desc' },
    reads: { 'items.0.id': '{game}' },
  },
  {
    ask: 'GET /api/game/{game}/gameledgerentries',
    as: 'form',
    with: { session_id: '{session}' },
    reads: { 'paging.page_number': 1, 'items.length': 0 },
  },
  { ask: 'POST /api/game/{game}/public', as: 'form', with: { session_id: '{session}' }, reads: { public: 1 } },
  {
    ask: 'GET /api/game',
    as: 'form',
    with: { session_id: '{session}', _items_per_page: 5 },
    reads: { 'paging.items_per_page': 5, 'items.0.name': TEXT },
  },
  { ask: 'DELETE /api/game/{game}/public', as: 'form', with: { session_id: '{session}' }, reads: { public: 0 } },
  { ask: 'GET /api/status', reads: { datetime: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ } },
  {
    ask: 'POST /api/twosidedbox',
    as: 'form',
    with: { session_id: '{session}', name: 'Box', game_id: '{game}', top_id: '{picture}', bottom_id: '{picture}' },
    reads: { id: ID },
    keep: 'box',
  },
  {
    ask: 'GET /api/file/{picture}/references',
    as: 'form',
    with: { session_id: '{session}', _page_number: 1 },
    reads: { 'paging.page_number': 1, 'items.0.id': ID, 'items.0.object_type': TEXT },
  },
  {
    ask: 'POST /api/game/{game}/copy',
    as: 'form',
    with: { session_id: '{session}', _include_relationships: 1 },
    reads: { id: ID, name: 'Dock (Copy)' },
  },
  { ask: 'DELETE /api/game/{game}', as: 'form', with: { session_id: '{session}' }, reads: { success: 1 } },
];

/** Tunnelled methods, as both client libraries of the framework send them. */
const wingClients: readonly Call[] = [
  login('multipart'),
  {
    ask: 'POST /api/folder',
    as: 'multipart',
    with: { session_id: '{session}', name: 'One' },
    reads: { id: ID },
    keep: 'folder',
  },
  {
    ask: 'POST /api/folder/{folder}',
    as: 'multipart',
    headers: { 'x-http-method': 'PUT' },
    with: { session_id: '{session}', name: 'Two' },
    reads: { name: 'Two' },
  },
  {
    ask: 'POST /api/folder/{folder}',
    as: 'multipart',
    headers: { 'x-http-method': 'DELETE' },
    with: { session_id: '{session}' },
    reads: { success: 1 },
  },
  { ask: 'GET /api/status', reads: { datetime: TEXT } },
  { ask: 'GET /api/game/_options', reads: {} },
  { ask: 'GET /api/session/{session}', reads: { user_id: '{user}' } },
  { ask: 'DELETE /api/session/{session}', reads: { success: 1 } },
];

/** Administrators' stock parts, and `session` in place of `session_id`, which has no effect. */
const dotNet: readonly Call[] = [
  { ...login('json'), with: { username: 'root', password: '{password}' }, reads: { id: ID } },
  {
    ask: 'POST /api/part',
    as: 'json',
    with: {
      session_id: '{session}',
      name: 'Wood cube',
      photo_id: '{stock}',
      weight: 0.25,
      quantity: 100,
      low_quantity: 10,
      color: 'Red',
      category: 'Cubes',
      notes: '',
      description: 'A cube',
    },
    reads: { id: ID, weight: /^0\.25/, quantity: 100, photo_id: '{stock}' },
    keep: 'cube',
  },
  { ask: 'GET /api/part/{cube}?session={session}', reads: { name: 'Wood cube', color: 'Red' } },
  {
    ask: 'GET /api/file/{stock}?session_id={session}',
    reads: { id: '{stock}', folder_id: THERE, name: 'stock', file_uri: /^\//, file_type: 'image/png', file_size: TEXT },
  },
];

export const CLIENTS: Readonly<Record<string, readonly Call[]>> = {
  'khenn/thegamecrafter-mcp': khenn,
  'alex-gon/thegamecrafter-mcp-server': alexGon,
  'templative-electron': templativeElectron,
  'templative (Python)': templativePython,
  'TheNextGuy32/gamecrafterclient': gamecrafterClient,
  'decknroll/thegamecrafter-python': decknroll,
  'Wing-Client and TheGameCrafter-Client': wingClients,
  TheGameCrafterDotNetAPI: dotNet,
};
