// Edits of the allowed values: bounds, lengths, scales, lists of values, schemas, media types. Requests and responses share one
// schema: a narrower one breaks requests, a wider one breaks strict readers.

import { DEFAULTS, FILES, inBoard, inCard, inConventions, inFile, inSale, type Pair } from './pair.js';

const HEIGHT = 'height: { kind: integer, min: 0, max: 500';

const BOUNDS: readonly Pair[] = [
  {
    name: 'greatest value lowered',
    edit: inBoard([HEIGHT, HEIGHT.replace('500', '400')]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'greatest value raised',
    edit: inBoard([HEIGHT, HEIGHT.replace('500', '900')]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'least value raised',
    edit: inBoard([HEIGHT, HEIGHT.replace('min: 0', 'min: 10')]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'least value taken away',
    edit: inBoard([HEIGHT, HEIGHT.replace('min: 0, ', '')]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'only multiples of a number',
    edit: inBoard([HEIGHT, `${HEIGHT}, step: 5`]),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'greatest value of a read-only field given',
    edit: inBoard(['default: 0, read_only', 'default: 0, max: 100, read_only']),
    api: 'safe',
    data: ['rebuild'],
  },
  {
    name: 'text shorter',
    edit: inBoard(['label: { kind: text, max: 30', 'label: { kind: text, max: 20']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'text longer',
    edit: inBoard(['label: { kind: text, max: 30', 'label: { kind: text, max: 60']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'text with a least length',
    edit: inBoard(['label: { kind: text, max: 30', 'label: { kind: text, min: 2, max: 30']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    // A password is sent but never shown, and its hash has no limit.
    name: 'password longer',
    edit: inBoard(['min: 4, max: 40', 'min: 4, max: 60']),
    api: 'safe',
    data: [],
  },
  {
    name: 'password with a greater least length',
    edit: inBoard(['min: 4, max: 40', 'min: 8, max: 40']),
    api: 'breaking',
    data: [],
  },
  { name: 'decimal with fewer digits', edit: inBoard(['scale: 2', 'scale: 1']), api: 'breaking', data: ['rebuild'] },
  { name: 'decimal with more digits', edit: inBoard(['scale: 2', 'scale: 3']), api: 'breaking', data: ['rebuild'] },
  {
    name: 'greatest decimal raised',
    edit: inBoard(['min: 0, max: 100, scale', 'min: 0, max: 200, scale']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'url shorter',
    edit: inBoard(['kind: url, max: 200', 'kind: url, max: 100']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'limit in a convention lowered',
    edit: inConventions(['min: 1, max: 99', 'min: 1, max: 50']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'one resource departs from its convention',
    edit: inCard(['  game: {', '  quantity: { max: 9 }\n  game: {']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'parameter of an action shorter',
    edit: inSale(['required: true, max: 50', 'required: true, max: 40']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'parameter of an action longer',
    edit: inSale(['required: true, max: 50', 'required: true, max: 80']),
    api: 'safe',
    data: [],
  },
];

const VALUES: readonly Pair[] = [
  {
    // Responses do not list all values (D45).
    name: 'value of an enum added',
    edit: inBoard(['values: [matt, gloss]', 'values: [matt, gloss, silk]']),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'value of an enum removed',
    edit: inBoard(['values: [matt, gloss]', 'values: [matt]']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'value of an enum renamed',
    edit: inBoard(['values: [matt, gloss]', 'values: [matt, shiny]']),
    api: 'breaking',
    data: ['online'],
  },
  {
    // The values are the same, but the text of the constraint differs.
    name: 'values of an enum in another order',
    edit: inBoard(['values: [matt, gloss]', 'values: [gloss, matt]']),
    api: 'none',
    data: [],
  },
  {
    name: 'value of an integer added',
    edit: inBoard(['values: [1, 2, 3]', 'values: [1, 2, 3, 4]']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'value of an integer removed',
    edit: inBoard(['values: [1, 2, 3]', 'values: [1, 2]']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'identity added',
    edit: inCard(['PokerCard, TarotCard]', 'PokerCard, TarotCard, HugeCard]']),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'identity removed',
    edit: inCard(['PokerCard, TarotCard]', 'PokerCard]']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'identity renamed, and its rows with it',
    edit: inCard([
      'identities: [MiniCard, PokerCard, TarotCard]',
      'identities: { MiniCard: , PokerCard: , WideCard: { was: TarotCard } }',
    ]),
    api: 'breaking',
    data: ['backfill'],
  },
  {
    name: 'identity renamed, so that lists have it elsewhere',
    edit: inCard([
      'identities: [MiniCard, PokerCard, TarotCard]',
      'identities: { MiniCard: , PokerCard: , FateCard: { was: TarotCard } }',
    ]),
    api: 'breaking',
    data: ['backfill'],
  },
  {
    name: 'default identity changed',
    edit: inCard(['fields:', 'default_identity: PokerCard\nfields:']),
    api: 'breaking',
    data: [],
    differs: DEFAULTS,
  },
  {
    name: 'identities given',
    edit: inBoard(['fields:\n', 'identities: [SmallBoard, LargeBoard]\nfields:\n']),
    api: 'safe',
    data: ['online'],
  },
];

const SCHEMAS: readonly Pair[] = [
  {
    name: 'limit inside a JSON field lowered',
    edit: inBoard(['maximum: 20', 'maximum: 10']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'limit inside a JSON field raised',
    edit: inBoard(['maximum: 20', 'maximum: 30']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'property of a JSON field added',
    edit: inBoard(['rows: {', 'columns: { type: integer }, rows: {']),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'property of a JSON field required',
    edit: inBoard(['{ type: object, properties', '{ type: object, required: [rows], properties']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'JSON field closed',
    edit: inBoard(['{ type: object, properties', '{ type: object, additionalProperties: false, properties']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'media type of a file taken away',
    before: inBoard(['types: [application/pdf]', 'types: [application/pdf, image/png]']),
    edit: inBoard(['types: [application/pdf, image/png]', 'types: [application/pdf]']),
    api: 'breaking',
    data: [],
    differs: FILES,
  },
  {
    name: 'media type of a file added',
    edit: inBoard(['types: [application/pdf]', 'types: [application/pdf, image/png]']),
    api: 'safe',
    data: [],
  },
  {
    name: 'media type of all images taken away',
    edit: inConventions(['[image/png, image/jpeg]', '[image/png]']),
    api: 'breaking',
    data: [],
    differs: FILES,
  },
  { name: 'smaller uploads', edit: inFile(['1000000', '500000']), api: 'breaking', data: [], differs: FILES },
  { name: 'greater uploads', edit: inFile(['1000000', '2000000']), api: 'safe', data: [] },
];

export const LIMIT_PAIRS: readonly Pair[] = [...BOUNDS, ...VALUES, ...SCHEMAS];
