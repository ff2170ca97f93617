// Edits of a field itself: adding, removing and renaming it, its kind, and whether it is required, shown and settable.

import { boardField, DEFAULTS, IGNORED, inBoard, inGame, inSale, newField, type Pair, pair, UNSEEN } from './pair.js';

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
  pair('optional text added', newField('motto', 'kind: text, max: 50'), ['safe', 'online']),
  pair('integer with a default added', newField('layers', 'kind: integer, min: 1, max: 9, default: 2'), [
    'safe',
    'online',
  ]),
  // Existing rows have no value and nothing provides one, so the plan is refused if there are rows.
  pair('required field added', newField('maker', 'kind: text, max: 50, required: true'), ['breaking', 'rebuild']),
  pair(
    'required field added, with a literal for the existing rows',
    newField('maker', 'kind: text, max: 50, required: true, fill: unknown'),
    ['breaking', 'online'],
  ),
  pair(
    'required field added, with a copy of another',
    newField('maker', 'kind: text, max: 100, required: true, fill: { copy: name }'),
    ['breaking', 'backfill'],
  ),
  pair(
    'optional field added, with a copy from the parent',
    newField('maker', 'kind: text, max: 255, fill: { copy: game.name }'),
    ['safe', 'backfill'],
  ),
  pair(
    'optional field added, with the first word of another',
    newField('maker', 'kind: text, max: 255, fill: { words: name, part: first }'),
    ['safe', 'backfill'],
  ),
  pair(
    'required field added, with others joined',
    newField('maker', 'kind: text, max: 300, required: true, fill: { join: [name, label], with: " " }'),
    ['breaking', 'backfill'],
  ),
  pair(
    'required field added, with the values of a function',
    newField('maker', 'kind: text, max: 300, required: true, fill: { function: maker }'),
    ['breaking', 'backfill'],
  ),
  pair(
    'required reference added, copied from the parent',
    newField('maker', 'kind: reference, to: user, required: true, need: exists, fill: { copy: game.user }'),
    ['breaking', 'online', 'backfill'],
  ),
  pair('boolean added', newField('laminated', 'kind: boolean'), ['safe', 'online']),
  pair('enum added', newField('tone', 'kind: enum, values: [dark, light]'), ['safe', 'online']),
  pair('reference added', newField('sequel', 'kind: reference, to: game, need: exists'), ['safe', 'online']),
  pair('image added', newField('rear', 'kind: image'), ['safe', 'online']),
  pair('password added', newField('secret', 'kind: password'), ['safe', 'online']),
  pair('computed added', newField('address', 'kind: computed, text: "/boards/{id}"'), ['safe']),
  pair('read-only field added', newField('views', 'kind: integer, default: 0, read_only: true'), ['safe', 'online']),
  pair('field that nobody sees added', newField('score', 'kind: integer, default: 0, read_only: true, view: nobody'), [
    'none',
    'online',
  ]),
];

const REMOVED: readonly Pair[] = [
  pair('optional field removed', inBoard([HEIGHT, '']), ['breaking', 'destructive']),
  pair('required field removed', inSale([COPIES, '']), ['breaking', 'destructive'], { hooks: 'breaking' }),
  pair(
    'password removed',
    inBoard(['  pin: { kind: password, min: 4, max: 40, description: Opens the box. }\n', '']),
    ['breaking', 'destructive'],
    { differs: IGNORED },
  ),
  pair('image removed', inBoard(['  face: { kind: image, description: Printed side. }\n', '']), [
    'breaking',
    'online',
    'destructive',
  ]),
  pair(
    'computed removed',
    inBoard(['  game_name: { kind: computed, copy: game.name, view: editor, description: Name of the game. }\n', '']),
    ['breaking'],
  ),
  pair(
    'field that was deprecated removed',
    inBoard([HEIGHT.replace('min', 'deprecated: "2020-01-01", sunset: "2020-07-01", min'), '']),
    ['breaking', 'destructive'],
    { before: inBoard([HEIGHT, HEIGHT.replace('min', 'deprecated: "2020-01-01", sunset: "2020-07-01", min')]) },
  ),
];

const RENAMED: readonly Pair[] = [
  pair(
    'field renamed',
    inBoard([HEIGHT, HEIGHT.replace('height: { kind: integer', 'tallness: { kind: integer, was: height')]),
    ['breaking', 'rebuild'],
  ),
  pair('reference renamed', inBoard(['expands: { kind: reference', 'extends_game: { kind: reference, was: expands']), [
    'breaking',
    'rebuild',
  ]),
  pair('image renamed', inBoard(['face: { kind: image', 'front: { kind: image, was: face']), ['breaking', 'rebuild']),
  pair(
    'required field renamed, with the old name as a synonym',
    inSale([
      COPIES,
      COPIES.replace('copies: { kind: integer', 'count: { kind: integer, was: copies, synonyms: [copies]'),
    ]),
    ['breaking', 'rebuild'],
    { hooks: 'breaking' },
  ),
  pair(
    'two fields swapped with all their keys',
    inBoard(
      [SERIAL, SERIAL.replace('serial: { kind: text', 'label: { kind: text, was: serial')],
      [LABEL, LABEL.replace('label: { kind: text', 'serial: { kind: text, was: label')],
    ),
    ['breaking', 'rebuild'],
  ),
  pair(
    'two fields of the same shape swapped',
    inBoard(
      ['front: { kind: text', 'front: { kind: text, was: rear'],
      ['rear: { kind: text', 'rear: { kind: text, was: front'],
    ),
    ['breaking', 'rebuild'],
    { before: TWINS, differs: 'redocly sees the same names; each now belongs to another field' },
  ),
  pair(
    'field renamed and its name given to a new one',
    inBoard([
      HEIGHT,
      HEIGHT.replace('height: { kind: integer', 'tallness: { kind: integer, was: height') +
        HEIGHT.replace('kind: integer', 'kind: integer, was: null'),
    ]),
    ['breaking', 'online', 'rebuild'],
    { differs: 'redocly sees a new property beside the old one; the old name now belongs to another field' },
  ),
  pair(
    'field removed and its name given to a new one',
    inBoard([HEIGHT, HEIGHT.replace('kind: integer', 'kind: integer, was: null')]),
    ['breaking', 'online', 'destructive'],
    { differs: 'redocly sees the same property; its values are gone' },
  ),
  pair(
    'retired field restored',
    boardField(HEIGHT.trim().replace('kind: integer', 'kind: integer, was: height')),
    ['safe', 'online'],
    { before: inBoard([HEIGHT, '']) },
  ),
];

const KINDS: readonly Pair[] = [
  pair('text to integer', inBoard(['grade: { kind: text, max: 10', 'grade: { kind: integer, max: 10']), [
    'breaking',
    'rebuild',
  ]),
  pair('integer to text', inBoard(['height: { kind: integer, min: 0, max: 500', 'height: { kind: text, max: 50']), [
    'breaking',
    'rebuild',
  ]),
  pair('integer to decimal', inBoard(['height: { kind: integer, min: 0', 'height: { kind: decimal, min: 0']), [
    'breaking',
    'rebuild',
  ]),
  pair('text to enum', inBoard(['grade: { kind: text, max: 10', 'grade: { kind: enum, values: [good, fair]']), [
    'breaking',
    'rebuild',
  ]),
  pair(
    'enum to text',
    inBoard(['finish: { kind: enum, values: [matt, gloss]', 'finish: { kind: text, max: 20']),
    ['safe', 'rebuild'],
    {
      differs:
        'redocly sees a new limit of responses; those of a choice list no values, so that readers have to expect any',
    },
  ),
  pair('text to url', inBoard(['grade: { kind: text, max: 10', 'grade: { kind: url, max: 100']), [
    'breaking',
    'rebuild',
  ]),
  pair('date to text', inBoard(['issued: { kind: date', 'issued: { kind: text, max: 40']), ['breaking', 'rebuild']),
  pair(
    'text to reference',
    inBoard(['grade: { kind: text, max: 10, set: admin', 'grade: { kind: reference, to: game, need: exists']),
    ['breaking', 'online', 'destructive'],
  ),
  pair('boolean to bit', inBoard([FOLDED, 'folded: { kind: boolean, as: bit, description']), ['breaking']),
];

const REQUIRED: readonly Pair[] = [
  pair('optional field becomes required', inBoard(['label: { kind: text', 'label: { kind: text, required: true']), [
    'breaking',
    'rebuild',
  ]),
  pair(
    'optional field becomes required, with a copy of another',
    inBoard(['label: { kind: text, max: 30', 'label: { kind: text, max: 300, required: true, fill: { copy: name }']),
    ['breaking', 'backfill', 'rebuild'],
  ),
  pair(
    'optional field becomes required, with the values of a function',
    inBoard([
      'label: { kind: text, max: 30',
      'label: { kind: text, max: 30, required: true, fill: { function: label }',
    ]),
    ['breaking', 'backfill', 'rebuild'],
  ),
  // The field is a number, since the length of a text would change too.
  pair(
    'optional number becomes required',
    inBoard(['height: { kind: integer', 'height: { kind: integer, required: true']),
    ['breaking', 'rebuild'],
  ),
  pair('required field becomes optional', inSale(['max: 9999, required: true', 'max: 9999']), ['breaking', 'rebuild'], {
    hooks: 'breaking',
  }),
  pair(
    'optional reference becomes required',
    inBoard(['need: exists, on_delete: set_null', 'need: exists, required: true, on_delete: cascade']),
    ['breaking', 'rebuild'],
  ),
  pair(
    'required parameter of an action becomes optional',
    inSale(['{ kind: text, required: true, max: 50', '{ kind: text, max: 50']),
    ['safe'],
  ),
];

const DEFAULT: readonly Pair[] = [
  pair('default added to an optional field', inBoard(['label: { kind: text', 'label: { kind: text, default: plain']), [
    'safe',
    'online',
    'backfill',
  ]),
  pair('default changed', inBoard(['default: matt', 'default: gloss']), ['breaking'], { differs: DEFAULTS }),
  pair(
    'default of a boolean changed',
    inBoard([FOLDED, 'folded: { kind: boolean, default: true, description']),
    ['breaking', 'online'],
    { differs: DEFAULTS },
  ),
  pair('default removed', inBoard(['scale: 2, default: "1"', 'scale: 2']), ['breaking', 'online', 'rebuild']),
];

const SHOWN: readonly Pair[] = [
  pair(
    'field becomes read-only',
    inBoard([FOLDED, 'folded: { kind: boolean, read_only: true, description']),
    ['breaking'],
    { differs: IGNORED },
  ),
  pair('read-only field becomes writable', inBoard([', read_only: true', '']), ['safe']),
  pair(
    'set by administrators alone',
    inBoard(['label: { kind: text', 'label: { kind: text, set: admin']),
    ['breaking'],
    { differs: UNSEEN },
  ),
  pair('set by every editor', inBoard([', set: admin', '']), ['exposing']),
  pair('shown to editors alone', inBoard(['label: { kind: text', 'label: { kind: text, view: editor']), ['breaking']),
  // Lists cannot be ordered by the field, either before or after the edit.
  pair(
    'JSON field shown to editors alone',
    inBoard(['layout:\n    kind: json', 'layout:\n    view: editor\n    kind: json']),
    ['breaking'],
  ),
  pair(
    'shown in the answer to a create alone',
    inBoard(['max: 500, view: editor', 'max: 500, view: created']),
    ['breaking'],
    { differs: 'redocly sees a property that need not be there, before and after' },
  ),
  pair('shown to everyone', inBoard(['max: 500, view: editor', 'max: 500']), ['exposing']),
  pair('shown to nobody', inBoard(['max: 500, view: editor', 'max: 500, view: nobody']), ['breaking']),
  pair('further name shown', inBoard(['label: { kind: text', 'label: { kind: text, shown_as: [edge]']), ['safe']),
  pair('further name no longer shown', inBoard([', shown_as: [edge]', '']), ['breaking'], {
    before: inBoard(['label: { kind: text', 'label: { kind: text, shown_as: [edge]']),
  }),
  pair('synonym added', inBoard(['synonyms: [caption]', 'synonyms: [caption, edge_text]']), ['safe']),
  pair('words of a boolean added', inBoard([FOLDED, FOLDED.replace('boolean', 'boolean, words: { Flat: false }')]), [
    'safe',
  ]),
  pair(
    'word of a boolean removed',
    inBoard([
      FOLDED.replace('boolean', 'boolean, words: { Flat: false, Bent: true }'),
      FOLDED.replace('boolean', 'boolean, words: { Flat: false }'),
    ]),
    ['breaking'],
    {
      before: inBoard([FOLDED, FOLDED.replace('boolean', 'boolean, words: { Flat: false, Bent: true }')]),
      differs: 'which texts stand for true and false is prose in OpenAPI',
    },
  ),
  pair('synonym removed', inBoard([', synonyms: [caption]', '']), ['breaking'], { differs: IGNORED }),
  pair('fields in another order', inGame([BLURB, ''], ['  user:\n', `${BLURB}  user:\n`]), ['none']),
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
