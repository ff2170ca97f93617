// Edits that keep every name and type, or the old name as well: they change what a value means, or whom a right reaches.

import {
  boardField,
  DEFAULTS,
  IGNORED,
  inBoard,
  inCard,
  inEvents,
  inFile,
  inGame,
  inSale,
  type Pair,
  UNSEEN,
} from './pair.js';

const PROSE = 'where a value comes from is prose in OpenAPI';
const NOTES = '  notes: { kind: text, max: 500, view: editor, description';
const TEXTS = '  front: { kind: text, max: 9, description: F. }\n  rear: { kind: text, max: 9, description: R. }\n';
const MOTTO = boardField('motto: { kind: text, max: 1000, default: { copy: game.name }, description: M. }');

const RIGHTS: readonly Pair[] = [
  {
    // Sales cannot be updated or deleted.
    name: 'fewer may edit, which an action alone asks for',
    before: inSale(['edit: [] }', 'edit: [user] }'], ['Cancel, by: admin', 'Cancel, by: editor']),
    edit: inSale(['edit: [user] }', 'edit: [] }']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'fewer may edit, who alone see a field',
    before: inSale(['edit: [] }', 'edit: [user] }'], ['copies: {', 'copies: { view: editor,']),
    edit: inSale(['edit: [user] }', 'edit: [] }']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'fewer may edit, which a right to read leans on',
    before: inSale(['read: [user], edit: [] }', 'read: [editor], edit: [user] }']),
    edit: inSale(['edit: [user] }', 'edit: [] }']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    // Games are unchanged; whoever may edit the game edits its boards and cards.
    name: 'fewer may edit what others are edited through',
    before: inGame(['fields:', 'operations: { update: false, delete: false }\nfields:']),
    edit: inGame(['edit: [user]', 'edit: []']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'fewer hold a right that administrators alone meet',
    before: inSale(['edit: [] }', 'edit: [user] }'], ['update: false', 'update: admin']),
    edit: inSale(['edit: [user] }', 'edit: [] }']),
    api: 'none',
    data: [],
  },
];

const SOURCES: readonly Pair[] = [
  {
    name: 'copy of another field',
    before: inGame(['  blurb:', '  tag: { kind: text, required: true, max: 255, description: T. }\n  blurb:']),
    edit: inBoard(['copy: game.name', 'copy: game.tag']),
    api: 'breaking',
    data: [],
    differs: PROSE,
  },
  {
    name: 'count of another list',
    edit: inGame(['count: boards', 'count: expansions']),
    api: 'breaking',
    data: [],
    differs: PROSE,
  },
  {
    name: 'count of a list with a condition',
    before: inBoard(['list: expansions', 'list: expansions, lists: { glossy: { where: { finish: gloss } } }']),
    edit: inGame(['count: boards', 'count: glossy']),
    api: 'breaking',
    data: [],
    differs: PROSE,
  },
  {
    name: 'sum in place of a count',
    edit: inGame(['count: boards', 'sum: boards.height']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'greatest value of another field',
    before: inGame(['count: boards', 'latest: boards.height']),
    edit: inGame(['latest: boards.height', 'latest: boards.edition']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'computed text of another form',
    before: boardField('address: { kind: computed, text: "/boards/{id}", description: A. }'),
    edit: inBoard(['/boards/{id}', '/b/{id}']),
    api: 'breaking',
    data: [],
    differs: PROSE,
  },
  {
    name: 'field filled from something else',
    before: inFile(['from: upload.size', 'from: upload.width']),
    edit: inFile(['from: upload.width', 'from: upload.height']),
    api: 'breaking',
    data: [],
    differs: PROSE,
  },
  {
    name: 'further name shows another field',
    before: inBoard(
      ['label: { kind: text', 'label: { kind: text, shown_as: [edge]'],
      ['text, max: 40', 'text, max: 30'],
    ),
    edit: inBoard([', shown_as: [edge]', ''], ['serial: { kind: text', 'serial: { kind: text, shown_as: [edge]']),
    api: 'breaking',
    data: [],
    differs: PROSE,
  },
  {
    name: 'synonym goes to another field',
    edit: inBoard([', synonyms: [caption]', ''], ['notes: { kind: text', 'notes: { kind: text, synonyms: [caption]']),
    api: 'breaking',
    data: [],
    differs: IGNORED,
  },
  {
    // A caller who sent it without effect may now be refused.
    name: 'parameter that was ignored gets a meaning',
    edit: inBoard(
      ['ignores: [colour]\n', ''],
      ['  pin:', '  colour: { kind: enum, values: [red], description: C. }\n  pin:'],
    ),
    api: 'breaking',
    data: ['online'],
    differs: 'redocly sees an optional property more; that callers may send it already is prose in OpenAPI',
  },
];

const WORKED_OUT: readonly Pair[] = [
  {
    name: 'the caller is no longer the default',
    before: inSale(['    required: true\n    need', '    default: session.user\n    need']),
    edit: inSale(['    default: session.user\n', ''], ['    place: true\n', '']),
    api: 'breaking',
    hooks: 'breaking',
    data: ['online', 'rebuild'],
  },
  {
    name: 'default copied from elsewhere',
    before: MOTTO,
    edit: inBoard(['default: { copy: game.name }', 'default: { copy: game.blurb }']),
    api: 'breaking',
    data: [],
    differs: DEFAULTS,
  },
  {
    name: 'copied default becomes a literal',
    before: MOTTO,
    edit: inBoard(['default: { copy: game.name }', 'default: plain']),
    api: 'breaking',
    data: ['online'],
    differs: DEFAULTS,
  },
  {
    // The first value is the default.
    name: 'identities in another order',
    edit: inCard(['[MiniCard, PokerCard', '[PokerCard, MiniCard']),
    api: 'breaking',
    data: [],
    differs: DEFAULTS,
  },
];

const NAMES: readonly Pair[] = [
  {
    name: 'field renamed, the old name sent and shown too',
    edit: inBoard([
      NOTES,
      NOTES.replace('notes: { kind: text', 'remarks: { kind: text, was: notes, synonyms: [notes], shown_as: [notes]'),
    ]),
    api: 'safe',
    data: ['rebuild'],
  },
  {
    name: 'field renamed and deprecated',
    edit: inBoard([
      NOTES,
      NOTES.replace('notes: { kind: text', 'remarks: { kind: text, was: notes, deprecated: "2026-01-01"'),
    ]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'reference renamed, and gone with its target',
    edit: inBoard(['expands: { kind: reference', 'enlarges: { kind: reference, was: expands'], ['set_null', 'cascade']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    // The constraint also served as the index of the list, but does not in the opposite order.
    name: 'unique pair named in another order',
    edit: inBoard(['unique: [[game, name]]', 'unique: [[name, game]]']),
    api: 'none',
    data: ['rebuild'],
  },
  {
    name: 'a list gets a condition',
    edit: inBoard(['list: expansions', 'lists: { expansions: { where: { folded: true } } }']),
    api: 'breaking',
    data: ['online'],
    differs: 'which records a list holds is prose in OpenAPI',
  },
  {
    name: 'two fields of an event swapped',
    before: inSale(['  shipped:', `${TEXTS}  shipped:`]),
    edit: inSale(
      ['front: { kind: text', 'front: { kind: text, was: rear'],
      ['rear: { kind: text', 'rear: { kind: text, was: front'],
    ),
    api: 'breaking',
    hooks: 'breaking',
    data: ['rebuild'],
    differs: 'redocly sees the same names; what stands under each is another field',
  },
  {
    name: 'events of a class heard by others',
    edit: inEvents(['  User: user', '  User: game']),
    api: 'none',
    hooks: 'breaking',
    data: [],
    differs: UNSEEN,
  },
];

export const MEANING_PAIRS: readonly Pair[] = [...RIGHTS, ...SOURCES, ...WORKED_OUT, ...NAMES];
