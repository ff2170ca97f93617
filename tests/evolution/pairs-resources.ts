// Edits of a whole resource, of conventions, of events, and of text that only people read.

import { boardField, DEFAULTS, inBoard, inCard, inConventions, inEvents, inGame, inSale, type Pair } from './pair.js';
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
  { name: 'resource added', edit: { 'resources/token.yaml': TOKEN }, api: 'safe', data: ['online'] },
  { name: 'resource removed', edit: { 'resources/card.yaml': null }, api: 'breaking', data: ['destructive'] },
  { name: 'resource renamed', edit: RENAME, api: 'breaking', data: ['rebuild'] },
  {
    name: 'resource renamed that API keys list',
    before: { 'resources/apikey.yaml': KEYS },
    edit: RENAME,
    api: 'breaking',
    data: ['backfill', 'rebuild'],
  },
  { name: 'old names given', edit: inCard(['fields:', 'old_names: identities\nfields:']), api: 'safe', data: [] },
  {
    name: 'an old name gone',
    before: inCard(['fields:', 'old_names: [sheet, leaf]\nfields:']),
    edit: inCard(['old_names: [sheet, leaf]', 'old_names: [sheet]']),
    api: 'breaking',
    data: [],
    differs: 'old names of types are listed at their tags, which redocly does not compare',
  },
  {
    name: 'resource renamed, one of its fields too, another removed',
    edit: {
      'resources/card.yaml': null,
      'resources/tile.yaml': CARD.replace('resource: card', 'resource: tile\nwas: card')
        .replace('  back: { kind: image', '  rear: { kind: image, was: back')
        .replace('  game: {', '  quantity: { was: null }\n  game: {'),
    },
    api: 'breaking',
    data: ['online', 'rebuild', 'destructive'],
  },
  {
    name: 'resource removed and its name given to another',
    edit: {
      'resources/card.yaml': CARD.replace('resource: card', 'resource: card\nwas: null'),
    },
    api: 'breaking',
    data: ['online', 'destructive'],
    differs: 'redocly sees the same resource; its records are gone',
  },
  {
    name: 'plural changed, and with it the name of the list',
    edit: { ...inBoard(['plural: boards', 'plural: planks']), ...inGame(['count: boards', 'count: planks']) },
    api: 'breaking',
    data: [],
  },
  {
    name: 'constant of the type changed',
    edit: inCard(['fields:', 'type_name: Card\nfields:']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'further name of the type given',
    edit: inBoard(['fields:\n', 'type_field: board_type\nfields:\n']),
    api: 'safe',
    data: [],
  },
  {
    name: 'further name of the type removed',
    edit: inCard(['type_field: card_type\n', '']),
    api: 'breaking',
    data: [],
  },
  { name: 'parameter ignored', edit: inCard(['fields:', 'ignores: [size]\nfields:']), api: 'safe', data: [] },
  { name: 'parameter no longer ignored', edit: inBoard(['ignores: [colour]\n', '']), api: 'safe', data: [] },
  {
    name: 'convention gains a field',
    edit: inConventions(['      quantity:', '      maker: { kind: text, max: 60, description: M. }\n      quantity:']),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'default in a convention changed',
    edit: inConventions(['default: 1, description', 'default: 2, description']),
    api: 'breaking',
    data: ['online'],
    differs: DEFAULTS,
  },
];

const WORDS: readonly Pair[] = [
  { name: 'description changed', edit: inBoard(['Serial number.', 'Number of the box.']), api: 'none', data: [] },
  { name: 'title changed', edit: inBoard(['title: Board', 'title: Playing board']), api: 'none', data: [] },
  { name: 'summary changed', edit: inGame(['Game that components belong to.', 'A game.']), api: 'none', data: [] },
  {
    name: 'title and version of the service changed',
    edit: inConventions(['title: Evolution\nversion: 1.0.0', 'title: Other\nversion: 1.1.0']),
    api: 'none',
    data: [],
  },
  {
    name: 'example given',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, example: North']),
    api: 'none',
    data: [],
  },
  {
    name: 'field deprecated',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, deprecated: "2026-01-01", sunset: "2027-01-01"']),
    api: 'safe',
    data: [],
  },
  {
    name: 'value deprecated',
    edit: inBoard(['values: [matt, gloss]', 'values: { matt: { deprecated: "2026-01-01" }, gloss: {} }']),
    api: 'safe',
    data: [],
  },
  {
    name: 'resource deprecated',
    edit: inCard(['fields:', 'deprecated: "2026-01-01"\nsunset: "2027-01-01"\nfields:']),
    api: 'safe',
    data: [],
  },
];

const EVENTS: readonly Pair[] = [
  {
    name: 'event added',
    edit: inEvents([
      'owner_classes:',
      '  GameSold:\n    owner_class: User\n    summary: A game has been sold.\nowner_classes:',
    ]),
    api: 'none',
    hooks: 'safe',
    data: [],
  },
  {
    name: 'event removed',
    edit: inEvents([
      '  SaleShipped:\n    owner_class: User\n    summary: A sale has been shipped.\n    payload: { record: sale }\n',
      '',
    ]),
    api: 'none',
    hooks: 'breaking',
    data: [],
  },
  {
    name: 'property of a payload added',
    edit: inEvents(['words: {', 'place: { type: string }\n          words: {']),
    api: 'none',
    hooks: 'safe',
    data: [],
  },
  {
    name: 'property of a payload removed',
    edit: inEvents(['          words: { type: string, description: What was said. }\n', '']),
    api: 'none',
    hooks: 'breaking',
    data: [],
  },
  {
    name: 'property of a payload no longer certain',
    edit: inEvents(['        required: [stars]\n', '']),
    api: 'none',
    hooks: 'breaking',
    data: [],
  },
  { name: 'payload wider', edit: inEvents(['maximum: 5', 'maximum: 10']), api: 'none', hooks: 'breaking', data: [] },
  { name: 'payload narrower', edit: inEvents(['maximum: 5', 'maximum: 4']), api: 'none', hooks: 'safe', data: [] },
  {
    name: 'record of an event gains a field',
    edit: inSale(['  shipped:', '  note: { kind: text, max: 50, description: N. }\n  shipped:']),
    api: 'safe',
    hooks: 'safe',
    data: ['online'],
  },
  {
    name: 'another owner of an event',
    edit: inEvents(
      ['owner_class: User\n    summary: A game', 'owner_class: Member\n    summary: A game'],
      ['  User: user', '  User: user\n  Member: user'],
    ),
    api: 'none',
    hooks: 'breaking',
    data: [],
  },
];

const SEVERAL: readonly Pair[] = [
  {
    name: 'several edits at once',
    edit: {
      ...boardField('motto: { kind: text, max: 50, description: M. }'),
      ...inCard(['PokerCard, TarotCard]', 'PokerCard]']),
      ...inSale(['  shipped:', '  sent: { kind: date, read_only: true, description: S. }\n  shipped:']),
      ...inConventions(['min: 1, max: 99', 'min: 1, max: 50']),
    },
    api: 'breaking',
    hooks: 'safe',
    data: ['online', 'rebuild'],
  },
];

export const RESOURCE_PAIRS: readonly Pair[] = [...RESOURCES, ...WORDS, ...EVENTS, ...SEVERAL];
