// Edits of a field itself: adding, removing and renaming it, its kind, and whether it is required, shown and settable.

import { boardField, DEFAULTS, IGNORED, inBoard, inGame, inSale, type Pair, UNSEEN } from './pair.js';

const HEIGHT = '  height: { kind: integer, min: 0, max: 500, description: Height in millimetres. }\n';
const LABEL = '  label: { kind: text, max: 30, synonyms: [caption], description: Text on the edge. }\n';
const SERIAL = '  serial: { kind: text, max: 40, unique: true, description: Serial number. }\n';
const COPIES = '  copies: { kind: integer, min: 1, max: 9999, required: true, description: Copies sold. }\n';
const FOLDED = 'folded: { kind: boolean, description';
const BLURB = '  blurb: { kind: text, max: 1000, description: What it is about. }\n';
const TWINS = boardField(
  'front: { kind: text, max: 20, description: F. }\n  rear: { kind: text, max: 20, description: R. }',
);

const ADDED: readonly Pair[] = [
  {
    name: 'optional text added',
    edit: boardField('motto: { kind: text, max: 50, description: M. }'),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'integer with a default added',
    edit: boardField('layers: { kind: integer, min: 1, max: 9, default: 2, description: L. }'),
    api: 'safe',
    data: ['online'],
  },
  {
    // Existing rows have no value and nothing gives one, so any row refuses the plan.
    name: 'required field added',
    edit: boardField('maker: { kind: text, max: 50, required: true, description: M. }'),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'required field added, with a literal for the rows that are there',
    edit: boardField('maker: { kind: text, max: 50, required: true, fill: unknown, description: M. }'),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'required field added, with a copy of another',
    edit: boardField('maker: { kind: text, max: 100, required: true, fill: { copy: name }, description: M. }'),
    api: 'breaking',
    data: ['backfill'],
  },
  {
    name: 'optional field added, with a copy from the parent',
    edit: boardField('maker: { kind: text, max: 255, fill: { copy: game.name }, description: M. }'),
    api: 'safe',
    data: ['backfill'],
  },
  {
    name: 'optional field added, with the first word of another',
    edit: boardField('maker: { kind: text, max: 255, fill: { words: name, part: first }, description: M. }'),
    api: 'safe',
    data: ['backfill'],
  },
  {
    name: 'required field added, with others joined',
    edit: boardField(
      'maker: { kind: text, max: 300, required: true, fill: { join: [name, label], with: " " }, description: M. }',
    ),
    api: 'breaking',
    data: ['backfill'],
  },
  {
    name: 'required field added, with what a function gives',
    edit: boardField('maker: { kind: text, max: 300, required: true, fill: { function: maker }, description: M. }'),
    api: 'breaking',
    data: ['backfill'],
  },
  {
    name: 'required reference added, with that of the parent',
    edit: boardField(
      'maker: { kind: reference, to: user, required: true, need: exists, fill: { copy: game.user }, description: M. }',
    ),
    api: 'breaking',
    data: ['online', 'backfill'],
  },
  {
    name: 'boolean added',
    edit: boardField('laminated: { kind: boolean, description: L. }'),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'enum added',
    edit: boardField('tone: { kind: enum, values: [dark, light], description: T. }'),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'reference added',
    edit: boardField('sequel: { kind: reference, to: game, need: exists, description: S. }'),
    api: 'safe',
    data: ['online'],
  },
  { name: 'image added', edit: boardField('rear: { kind: image, description: R. }'), api: 'safe', data: ['online'] },
  {
    name: 'password added',
    edit: boardField('secret: { kind: password, description: S. }'),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'computed added',
    edit: boardField('address: { kind: computed, text: "/boards/{id}", description: A. }'),
    api: 'safe',
    data: [],
  },
  {
    name: 'read-only field added',
    edit: boardField('views: { kind: integer, default: 0, read_only: true, description: V. }'),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'field that nobody sees added',
    edit: boardField('score: { kind: integer, default: 0, read_only: true, view: nobody, description: S. }'),
    api: 'none',
    data: ['online'],
  },
];

const REMOVED: readonly Pair[] = [
  { name: 'optional field removed', edit: inBoard([HEIGHT, '']), api: 'breaking', data: ['destructive'] },
  {
    name: 'required field removed',
    edit: inSale([COPIES, '']),
    api: 'breaking',
    hooks: 'breaking',
    data: ['destructive'],
  },
  {
    name: 'password removed',
    edit: inBoard(['  pin: { kind: password, min: 4, max: 40, description: Opens the box. }\n', '']),
    api: 'breaking',
    data: ['destructive'],
    differs: IGNORED,
  },
  {
    name: 'image removed',
    edit: inBoard(['  face: { kind: image, description: Printed side. }\n', '']),
    api: 'breaking',
    data: ['online', 'destructive'],
  },
  {
    name: 'computed removed',
    edit: inBoard([
      '  game_name: { kind: computed, copy: game.name, view: editor, description: Name of the game. }\n',
      '',
    ]),
    api: 'breaking',
    data: [],
  },
  {
    name: 'field that was deprecated removed',
    before: inBoard([HEIGHT, HEIGHT.replace('min', 'deprecated: "2020-01-01", sunset: "2020-07-01", min')]),
    edit: inBoard([HEIGHT.replace('min', 'deprecated: "2020-01-01", sunset: "2020-07-01", min'), '']),
    api: 'breaking',
    data: ['destructive'],
  },
];

const RENAMED: readonly Pair[] = [
  {
    name: 'field renamed',
    edit: inBoard([HEIGHT, HEIGHT.replace('height: { kind: integer', 'tallness: { kind: integer, was: height')]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'reference renamed',
    edit: inBoard(['expands: { kind: reference', 'extends_game: { kind: reference, was: expands']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'image renamed',
    edit: inBoard(['face: { kind: image', 'front: { kind: image, was: face']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'required field renamed, with the old name as a synonym',
    edit: inSale([
      COPIES,
      COPIES.replace('copies: { kind: integer', 'count: { kind: integer, was: copies, synonyms: [copies]'),
    ]),
    api: 'breaking',
    hooks: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'two fields swapped with all they say',
    edit: inBoard(
      [SERIAL, SERIAL.replace('serial: { kind: text', 'label: { kind: text, was: serial')],
      [LABEL, LABEL.replace('label: { kind: text', 'serial: { kind: text, was: label')],
    ),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'two fields of one shape swapped',
    before: TWINS,
    edit: inBoard(
      ['front: { kind: text', 'front: { kind: text, was: rear'],
      ['rear: { kind: text', 'rear: { kind: text, was: front'],
    ),
    api: 'breaking',
    data: ['rebuild'],
    differs: 'redocly sees the same names; what stands under each is another field',
  },
  {
    name: 'field renamed and its name given to a new one',
    edit: inBoard([
      HEIGHT,
      HEIGHT.replace('height: { kind: integer', 'tallness: { kind: integer, was: height') +
        HEIGHT.replace('kind: integer', 'kind: integer, was: null'),
    ]),
    api: 'breaking',
    data: ['online', 'rebuild'],
    differs: 'redocly sees a new property beside the old one; what stands under the old name is another field',
  },
  {
    name: 'field removed and its name given to a new one',
    edit: inBoard([HEIGHT, HEIGHT.replace('kind: integer', 'kind: integer, was: null')]),
    api: 'breaking',
    data: ['online', 'destructive'],
    differs: 'redocly sees the same property; its values are gone',
  },
  {
    name: 'retired field comes back',
    before: inBoard([HEIGHT, '']),
    edit: boardField(HEIGHT.trim().replace('kind: integer', 'kind: integer, was: height')),
    api: 'safe',
    data: ['online'],
  },
];

const KINDS: readonly Pair[] = [
  {
    name: 'text to integer',
    edit: inBoard(['grade: { kind: text, max: 10', 'grade: { kind: integer, max: 10']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'integer to text',
    edit: inBoard(['height: { kind: integer, min: 0, max: 500', 'height: { kind: text, max: 50']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'integer to decimal',
    edit: inBoard(['height: { kind: integer, min: 0', 'height: { kind: decimal, min: 0']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'text to enum',
    edit: inBoard(['grade: { kind: text, max: 10', 'grade: { kind: enum, values: [good, fair]']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'enum to text',
    edit: inBoard(['finish: { kind: enum, values: [matt, gloss]', 'finish: { kind: text, max: 20']),
    api: 'safe',
    data: ['rebuild'],
    differs:
      'redocly sees a new limit of responses; those of a choice list no values, so that readers have to expect any',
  },
  {
    name: 'text to url',
    edit: inBoard(['grade: { kind: text, max: 10', 'grade: { kind: url, max: 100']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'date to text',
    edit: inBoard(['issued: { kind: date', 'issued: { kind: text, max: 40']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'text to reference',
    edit: inBoard(['grade: { kind: text, max: 10, set: admin', 'grade: { kind: reference, to: game, need: exists']),
    api: 'breaking',
    data: ['online', 'destructive'],
  },
  {
    name: 'boolean to bit',
    edit: inBoard([FOLDED, 'folded: { kind: boolean, as: bit, description']),
    api: 'breaking',
    data: [],
  },
];

const REQUIRED: readonly Pair[] = [
  {
    name: 'optional field becomes required',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, required: true']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'optional field becomes required, with a copy of another',
    edit: inBoard([
      'label: { kind: text, max: 30',
      'label: { kind: text, max: 300, required: true, fill: { copy: name }',
    ]),
    api: 'breaking',
    data: ['backfill', 'rebuild'],
  },
  {
    name: 'optional field becomes required, with what a function gives',
    edit: inBoard([
      'label: { kind: text, max: 30',
      'label: { kind: text, max: 30, required: true, fill: { function: label }',
    ]),
    api: 'breaking',
    data: ['backfill', 'rebuild'],
  },
  {
    // Without a length, since that would change too.
    name: 'optional number becomes required',
    edit: inBoard(['height: { kind: integer', 'height: { kind: integer, required: true']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'required field becomes optional',
    edit: inSale(['max: 9999, required: true', 'max: 9999']),
    api: 'breaking',
    hooks: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'optional reference becomes required',
    edit: inBoard(['need: exists, on_delete: set_null', 'need: exists, required: true, on_delete: cascade']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'required parameter of an action becomes optional',
    edit: inSale(['{ kind: text, required: true, max: 50', '{ kind: text, max: 50']),
    api: 'safe',
    data: [],
  },
];

const DEFAULT: readonly Pair[] = [
  {
    name: 'default added to what could be empty',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, default: plain']),
    api: 'safe',
    data: ['online', 'backfill'],
  },
  {
    name: 'default changed',
    edit: inBoard(['default: matt', 'default: gloss']),
    api: 'breaking',
    data: [],
    differs: DEFAULTS,
  },
  {
    name: 'default of a boolean changed',
    edit: inBoard([FOLDED, 'folded: { kind: boolean, default: true, description']),
    api: 'breaking',
    data: ['online'],
    differs: DEFAULTS,
  },
  {
    name: 'default removed',
    edit: inBoard(['scale: 2, default: "1"', 'scale: 2']),
    api: 'breaking',
    data: ['online', 'rebuild'],
  },
];

const SHOWN: readonly Pair[] = [
  {
    name: 'field becomes read-only',
    edit: inBoard([FOLDED, 'folded: { kind: boolean, read_only: true, description']),
    api: 'breaking',
    data: [],
    differs: IGNORED,
  },
  { name: 'read-only field opens', edit: inBoard([', read_only: true', '']), api: 'safe', data: [] },
  {
    name: 'set by administrators alone',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, set: admin']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  { name: 'set by every editor', edit: inBoard([', set: admin', '']), api: 'exposing', data: [] },
  {
    name: 'shown to editors alone',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, view: editor']),
    api: 'breaking',
    data: [],
  },
  {
    // Lists cannot be ordered by the field, before or after.
    name: 'JSON field shown to editors alone',
    edit: inBoard(['layout:\n    kind: json', 'layout:\n    view: editor\n    kind: json']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'shown in the answer to a create alone',
    edit: inBoard(['max: 500, view: editor', 'max: 500, view: created']),
    api: 'breaking',
    data: [],
    differs: 'redocly sees a property that need not be there, before and after',
  },
  { name: 'shown to everyone', edit: inBoard(['max: 500, view: editor', 'max: 500']), api: 'exposing', data: [] },
  {
    name: 'shown to nobody',
    edit: inBoard(['max: 500, view: editor', 'max: 500, view: nobody']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'further name shown',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, shown_as: [edge]']),
    api: 'safe',
    data: [],
  },
  {
    name: 'further name no longer shown',
    before: inBoard(['label: { kind: text', 'label: { kind: text, shown_as: [edge]']),
    edit: inBoard([', shown_as: [edge]', '']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'synonym added',
    edit: inBoard(['synonyms: [caption]', 'synonyms: [caption, edge_text]']),
    api: 'safe',
    data: [],
  },
  {
    name: 'words of a boolean added',
    edit: inBoard([FOLDED, FOLDED.replace('boolean', 'boolean, words: { Flat: false }')]),
    api: 'safe',
    data: [],
  },
  {
    name: 'word of a boolean removed',
    before: inBoard([FOLDED, FOLDED.replace('boolean', 'boolean, words: { Flat: false, Bent: true }')]),
    edit: inBoard([
      FOLDED.replace('boolean', 'boolean, words: { Flat: false, Bent: true }'),
      FOLDED.replace('boolean', 'boolean, words: { Flat: false }'),
    ]),
    api: 'breaking',
    data: [],
    differs: 'which texts stand for true and false is prose in OpenAPI',
  },
  {
    name: 'synonym removed',
    edit: inBoard([', synonyms: [caption]', '']),
    api: 'breaking',
    data: [],
    differs: IGNORED,
  },
  {
    name: 'fields in another order',
    edit: inGame([BLURB, ''], ['  user:\n', `${BLURB}  user:\n`]),
    api: 'none',
    data: [],
  },
];

export const FIELD_PAIRS: readonly Pair[] = [
  ...ADDED,
  ...REMOVED,
  ...RENAMED,
  ...KINDS,
  ...REQUIRED,
  ...DEFAULT,
  ...SHOWN,
];
