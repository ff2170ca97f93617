// Edits that keep every name and type, or the old name as well: they change what a value means, or whom a right reaches.

import {
  DEFAULTS,
  IGNORED,
  inBoard,
  inCard,
  inEvents,
  inFile,
  inGame,
  inSale,
  newField,
  type Pair,
  pair,
  UNSEEN,
} from './pair.js';

const PROSE = 'where a value comes from is prose in OpenAPI';
const NOTES = '  notes: { kind: text, max: 500, view: editor, description';
const TEXTS = '  front: { kind: text, max: 9, description: F. }\n  rear: { kind: text, max: 9, description: R. }\n';
const MOTTO = newField('motto', 'kind: text, max: 1000, default: { copy: game.name }');

const RIGHTS: readonly Pair[] = [
  // Sales cannot be updated or deleted.
  pair('fewer may edit, a right that only an action needs', inSale(['edit: [user] }', 'edit: [] }']), ['breaking'], {
    before: inSale(['edit: [] }', 'edit: [user] }'], ['Cancel, by: admin', 'Cancel, by: editor']),
    differs: UNSEEN,
  }),
  pair('fewer may edit, and only editors see a field', inSale(['edit: [user] }', 'edit: [] }']), ['breaking'], {
    before: inSale(['edit: [] }', 'edit: [user] }'], ['copies: {', 'copies: { view: editor,']),
    differs: UNSEEN,
  }),
  pair('fewer may edit, and only editors may read', inSale(['edit: [user] }', 'edit: [] }']), ['breaking'], {
    before: inSale(['read: [user], edit: [] }', 'read: [editor], edit: [user] }']),
    differs: UNSEEN,
  }),
  // Games cannot be updated or deleted, but their editors also edit their boards and cards.
  pair('fewer may edit the parent of other records', inGame(['edit: [user]', 'edit: []']), ['breaking'], {
    before: inGame(['fields:', 'operations: { update: false, delete: false }\nfields:']),
    differs: UNSEEN,
  }),
  pair('fewer hold a right that only administrators can use', inSale(['edit: [user] }', 'edit: [] }']), ['none'], {
    before: inSale(['edit: [] }', 'edit: [user] }'], ['update: false', 'update: admin']),
  }),
];

const SOURCES: readonly Pair[] = [
  pair('copy of another field', inBoard(['copy: game.name', 'copy: game.tag']), ['breaking'], {
    before: inGame(['  blurb:', '  tag: { kind: text, required: true, max: 255, description: T. }\n  blurb:']),
    differs: PROSE,
  }),
  pair('count of another list', inGame(['count: boards', 'count: expansions']), ['breaking'], { differs: PROSE }),
  pair('count of a list with a condition', inGame(['count: boards', 'count: glossy']), ['breaking'], {
    before: inBoard(['list: expansions', 'list: expansions, lists: { glossy: { where: { finish: gloss } } }']),
    differs: PROSE,
  }),
  pair('sum in place of a count', inGame(['count: boards', 'sum: boards.height']), ['breaking']),
  pair('maximum of another field', inGame(['latest: boards.height', 'latest: boards.edition']), ['breaking'], {
    before: inGame(['count: boards', 'latest: boards.height']),
  }),
  pair('computed text of another form', inBoard(['/boards/{id}', '/b/{id}']), ['breaking'], {
    before: newField('address', 'kind: computed, text: "/boards/{id}"'),
    differs: PROSE,
  }),
  pair('field filled from something else', inFile(['from: upload.width', 'from: upload.height']), ['breaking'], {
    before: inFile(['from: upload.size', 'from: upload.width']),
    differs: PROSE,
  }),
  pair(
    'further name shows another field',
    inBoard([', shown_as: [edge]', ''], ['serial: { kind: text', 'serial: { kind: text, shown_as: [edge]']),
    ['breaking'],
    {
      before: inBoard(
        ['label: { kind: text', 'label: { kind: text, shown_as: [edge]'],
        ['text, max: 40', 'text, max: 30'],
      ),
      differs: PROSE,
    },
  ),
  pair(
    'synonym goes to another field',
    inBoard([', synonyms: [caption]', ''], ['notes: { kind: text', 'notes: { kind: text, synonyms: [caption]']),
    ['breaking'],
    { differs: IGNORED },
  ),
  // A caller who has sent the parameter without effect may now be refused.
  pair(
    'ignored parameter becomes a field',
    inBoard(
      ['ignores: [colour]\n', ''],
      ['  pin:', '  colour: { kind: enum, values: [red], description: C. }\n  pin:'],
    ),
    ['breaking', 'online'],
    { differs: 'redocly sees one more optional property; that callers may send it already is prose in OpenAPI' },
  ),
];

const WORKED_OUT: readonly Pair[] = [
  pair(
    'the caller is no longer the default',
    inSale(['    default: session.user\n', ''], ['    place: true\n', '']),
    ['breaking', 'online', 'rebuild'],
    { before: inSale(['    required: true\n    need', '    default: session.user\n    need']), hooks: 'breaking' },
  ),
  pair(
    'default copied from elsewhere',
    inBoard(['default: { copy: game.name }', 'default: { copy: game.blurb }']),
    ['breaking'],
    { before: MOTTO, differs: DEFAULTS },
  ),
  pair(
    'copied default becomes a literal',
    inBoard(['default: { copy: game.name }', 'default: plain']),
    ['breaking', 'online'],
    { before: MOTTO, differs: DEFAULTS },
  ),
  // The first value is the default.
  pair('identities in another order', inCard(['[MiniCard, PokerCard', '[PokerCard, MiniCard']), ['breaking'], {
    differs: DEFAULTS,
  }),
];

const NAMES: readonly Pair[] = [
  pair(
    'field renamed, the old name sent and shown too',
    inBoard([
      NOTES,
      NOTES.replace('notes: { kind: text', 'remarks: { kind: text, was: notes, synonyms: [notes], shown_as: [notes]'),
    ]),
    ['safe', 'rebuild'],
  ),
  pair(
    'field renamed and deprecated',
    inBoard([
      NOTES,
      NOTES.replace('notes: { kind: text', 'remarks: { kind: text, was: notes, deprecated: "2026-01-01"'),
    ]),
    ['breaking', 'rebuild'],
  ),
  pair(
    'reference renamed, and gone with its target',
    inBoard(['expands: { kind: reference', 'enlarges: { kind: reference, was: expands'], ['set_null', 'cascade']),
    ['breaking', 'rebuild'],
  ),
  // The constraint also served as the index of the list, but does not in the opposite order.
  pair('unique pair named in another order', inBoard(['unique: [[game, name]]', 'unique: [[name, game]]']), [
    'none',
    'rebuild',
  ]),
  pair(
    'a list gets a condition',
    inBoard(['list: expansions', 'lists: { expansions: { where: { folded: true } } }']),
    ['breaking', 'online'],
    { differs: 'which records a list holds is prose in OpenAPI' },
  ),
  pair(
    'two fields of an event swapped',
    inSale(
      ['front: { kind: text', 'front: { kind: text, was: rear'],
      ['rear: { kind: text', 'rear: { kind: text, was: front'],
    ),
    ['breaking', 'rebuild'],
    {
      before: inSale(['  shipped:', `${TEXTS}  shipped:`]),
      hooks: 'breaking',
      differs: 'redocly sees the same names; each now belongs to another field',
    },
  ),
  pair('events of a class sent to other owners', inEvents(['  User: user', '  User: game']), ['none'], {
    hooks: 'breaking',
    differs: UNSEEN,
  }),
];

export const MEANING_PAIRS: readonly Pair[] = [...RIGHTS, ...SOURCES, ...WORKED_OUT, ...NAMES];
