// Edits of a whole resource, of conventions, of events, and of text that only people read.

import {
  DEFAULTS,
  inBoard,
  inCard,
  inConventions,
  inEvents,
  inGame,
  inSale,
  newField,
  type Pair,
  pair,
} from './pair.js';
import { BASE, type Edit } from './texts.js';

const CARD = BASE['resources/card.yaml'] ?? '';
const TOKEN = `resource: token
title: Token
summary: Token of a game.
plural: tokens
extends: component
`;
const KEYS = `resource: apikey
title: API key
summary: Key of a program.
plural: apikeys
fields:
  user: { kind: reference, to: user, need: edit, default: session.user, place: true, list: true, description: Owner. }
  resources: { kind: json, schema: { type: array, items: { type: string } }, description: What its token reaches. }
  token: { kind: token, description: Stands for its user. }
access: { read: [user], edit: [user] }
`;
const RENAME: Edit = {
  'resources/card.yaml': null,
  'resources/tile.yaml': CARD.replace('resource: card', 'resource: tile\nwas: card'),
};

const RESOURCES: readonly Pair[] = [
  pair('resource added', { 'resources/token.yaml': TOKEN }, ['safe', 'online']),
  pair('resource removed', { 'resources/card.yaml': null }, ['breaking', 'destructive']),
  pair('resource renamed', RENAME, ['breaking', 'rebuild']),
  pair('resource that API keys list renamed', RENAME, ['breaking', 'backfill', 'rebuild'], {
    before: { 'resources/apikey.yaml': KEYS },
  }),
  pair('old names added', inCard(['fields:', 'old_names: identities\nfields:']), ['safe']),
  pair('old name removed', inCard(['old_names: [sheet, leaf]', 'old_names: [sheet]']), ['breaking'], {
    before: inCard(['fields:', 'old_names: [sheet, leaf]\nfields:']),
    differs: 'old names of types are listed at their tags, which redocly does not compare',
  }),
  pair(
    'resource renamed, one of its fields too, another removed',
    {
      'resources/card.yaml': null,
      'resources/tile.yaml': CARD.replace('resource: card', 'resource: tile\nwas: card')
        .replace('  back: { kind: image', '  rear: { kind: image, was: back')
        .replace('  game: {', '  quantity: { was: null }\n  game: {'),
    },
    ['breaking', 'online', 'rebuild', 'destructive'],
  ),
  pair(
    'resource removed and its name given to another',
    {
      'resources/card.yaml': CARD.replace('resource: card', 'resource: card\nwas: null'),
    },
    ['breaking', 'online', 'destructive'],
    { differs: 'redocly sees the same resource; its records are gone' },
  ),
  pair(
    'plural changed, and with it the name of the list',
    { ...inBoard(['plural: boards', 'plural: planks']), ...inGame(['count: boards', 'count: planks']) },
    ['breaking'],
  ),
  pair('constant of the type changed', inCard(['fields:', 'type_name: Card\nfields:']), ['breaking']),
  pair('second property for the type added', inBoard(['fields:\n', 'type_field: board_type\nfields:\n']), ['safe']),
  pair('second property for the type removed', inCard(['type_field: card_type\n', '']), ['breaking']),
  pair('parameter ignored', inCard(['fields:', 'ignores: [size]\nfields:']), ['safe']),
  pair('parameter no longer ignored', inBoard(['ignores: [colour]\n', '']), ['safe']),
  pair(
    'convention gains a field',
    inConventions(['      quantity:', '      maker: { kind: text, max: 60, description: M. }\n      quantity:']),
    ['safe', 'online'],
  ),
  pair(
    'default in a convention changed',
    inConventions(['default: 1, description', 'default: 2, description']),
    ['breaking', 'online'],
    { differs: DEFAULTS },
  ),
];

const WORDS: readonly Pair[] = [
  pair('description changed', inBoard(['Serial number.', 'Number of the box.']), ['none']),
  pair('title changed', inBoard(['title: Board', 'title: Playing board']), ['none']),
  pair('summary changed', inGame(['Game that components belong to.', 'A game.']), ['none']),
  pair(
    'title and version of the service changed',
    inConventions(['title: Evolution\nversion: 1.0.0', 'title: Other\nversion: 1.1.0']),
    ['none'],
  ),
  pair('example given', inBoard(['label: { kind: text', 'label: { kind: text, example: North']), ['none']),
  pair(
    'field deprecated',
    inBoard(['label: { kind: text', 'label: { kind: text, deprecated: "2026-01-01", sunset: "2027-01-01"']),
    ['safe'],
  ),
  pair(
    'value deprecated',
    inBoard(['values: [matt, gloss]', 'values: { matt: { deprecated: "2026-01-01" }, gloss: {} }']),
    ['safe'],
  ),
  pair('resource deprecated', inCard(['fields:', 'deprecated: "2026-01-01"\nsunset: "2027-01-01"\nfields:']), ['safe']),
];

const EVENTS: readonly Pair[] = [
  pair(
    'event added',
    inEvents([
      'owner_classes:',
      '  GameSold:\n    owner_class: User\n    summary: A game has been sold.\nowner_classes:',
    ]),
    ['none'],
    { hooks: 'safe' },
  ),
  pair(
    'event removed',
    inEvents([
      '  SaleShipped:\n    owner_class: User\n    summary: A sale has been shipped.\n    payload: { record: sale }\n',
      '',
    ]),
    ['none'],
    { hooks: 'breaking' },
  ),
  pair('property of a payload added', inEvents(['words: {', 'place: { type: string }\n          words: {']), ['none'], {
    hooks: 'safe',
  }),
  pair(
    'property of a payload removed',
    inEvents(['          words: { type: string, description: What was said. }\n', '']),
    ['none'],
    { hooks: 'breaking' },
  ),
  pair('property of a payload no longer required', inEvents(['        required: [stars]\n', '']), ['none'], {
    hooks: 'breaking',
  }),
  pair('payload wider', inEvents(['maximum: 5', 'maximum: 10']), ['none'], { hooks: 'breaking' }),
  pair('payload narrower', inEvents(['maximum: 5', 'maximum: 4']), ['none'], { hooks: 'safe' }),
  pair(
    'record of an event gains a field',
    inSale(['  shipped:', '  note: { kind: text, max: 50, description: N. }\n  shipped:']),
    ['safe', 'online'],
    { hooks: 'safe' },
  ),
  pair(
    'another owner of an event',
    inEvents(
      ['owner_class: User\n    summary: A game', 'owner_class: Member\n    summary: A game'],
      ['  User: user', '  User: user\n  Member: user'],
    ),
    ['none'],
    { hooks: 'breaking' },
  ),
];

const SEVERAL: readonly Pair[] = [
  pair(
    'several edits together',
    {
      ...newField('motto', 'kind: text, max: 50'),
      ...inCard(['PokerCard, TarotCard]', 'PokerCard]']),
      ...inSale(['  shipped:', '  sent: { kind: date, read_only: true, description: S. }\n  shipped:']),
      ...inConventions(['min: 1, max: 99', 'min: 1, max: 50']),
    },
    ['breaking', 'online', 'rebuild'],
    { hooks: 'safe' },
  ),
];

export const RESOURCE_PAIRS: readonly Pair[] = [...RESOURCES, ...WORDS, ...EVENTS, ...SEVERAL];
