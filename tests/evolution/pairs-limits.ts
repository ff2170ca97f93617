// Edits of the allowed values: bounds, lengths, scales, lists of values, schemas, media types. Requests and responses share one
// schema: a narrower one breaks requests, a wider one breaks strict readers.

import { DEFAULTS, FILES, inBoard, inCard, inConventions, inFile, inSale, type Pair, pair } from './pair.js';

const HEIGHT = 'height: { kind: integer, min: 0, max: 500';

const BOUNDS: readonly Pair[] = [
  pair('maximum lowered', inBoard([HEIGHT, HEIGHT.replace('500', '400')]), ['breaking', 'rebuild']),
  pair('maximum raised', inBoard([HEIGHT, HEIGHT.replace('500', '900')]), ['breaking', 'rebuild']),
  pair('minimum raised', inBoard([HEIGHT, HEIGHT.replace('min: 0', 'min: 10')]), ['breaking', 'rebuild']),
  pair('minimum removed', inBoard([HEIGHT, HEIGHT.replace('min: 0, ', '')]), ['breaking', 'rebuild']),
  pair('only multiples of a number', inBoard([HEIGHT, `${HEIGHT}, step: 5`]), ['breaking', 'rebuild']),
  pair('maximum of a read-only field added', inBoard(['default: 0, read_only', 'default: 0, max: 100, read_only']), [
    'safe',
    'rebuild',
  ]),
  pair('text shorter', inBoard(['label: { kind: text, max: 30', 'label: { kind: text, max: 20']), [
    'breaking',
    'rebuild',
  ]),
  pair('text longer', inBoard(['label: { kind: text, max: 30', 'label: { kind: text, max: 60']), [
    'breaking',
    'rebuild',
  ]),
  pair('text with a least length', inBoard(['label: { kind: text, max: 30', 'label: { kind: text, min: 2, max: 30']), [
    'breaking',
    'rebuild',
  ]),
  // A password is sent but never shown, and its hash has no limit.
  pair('password longer', inBoard(['min: 4, max: 40', 'min: 4, max: 60']), ['safe']),
  pair('minimum length of a password raised', inBoard(['min: 4, max: 40', 'min: 8, max: 40']), ['breaking']),
  pair('decimal with fewer digits', inBoard(['scale: 2', 'scale: 1']), ['breaking', 'rebuild']),
  pair('decimal with more digits', inBoard(['scale: 2', 'scale: 3']), ['breaking', 'rebuild']),
  pair('maximum of a decimal raised', inBoard(['min: 0, max: 100, scale', 'min: 0, max: 200, scale']), [
    'breaking',
    'rebuild',
  ]),
  pair('url shorter', inBoard(['kind: url, max: 200', 'kind: url, max: 100']), ['breaking', 'rebuild']),
  pair('limit in a convention lowered', inConventions(['min: 1, max: 99', 'min: 1, max: 50']), ['breaking', 'rebuild']),
  pair('one resource departs from its convention', inCard(['  game: {', '  quantity: { max: 9 }\n  game: {']), [
    'breaking',
    'rebuild',
  ]),
  pair('parameter of an action shorter', inSale(['required: true, max: 50', 'required: true, max: 40']), ['breaking']),
  pair('parameter of an action longer', inSale(['required: true, max: 50', 'required: true, max: 80']), ['safe']),
];

const VALUES: readonly Pair[] = [
  // Responses do not list all values (D45).
  pair('value of an enum added', inBoard(['values: [matt, gloss]', 'values: [matt, gloss, silk]']), ['safe', 'online']),
  pair('value of an enum removed', inBoard(['values: [matt, gloss]', 'values: [matt]']), ['breaking', 'online']),
  pair('value of an enum renamed', inBoard(['values: [matt, gloss]', 'values: [matt, shiny]']), ['breaking', 'online']),
  // The values are the same, but the text of the constraint differs.
  pair('values of an enum in another order', inBoard(['values: [matt, gloss]', 'values: [gloss, matt]']), ['none']),
  pair('value of an integer added', inBoard(['values: [1, 2, 3]', 'values: [1, 2, 3, 4]']), ['breaking', 'rebuild']),
  pair('value of an integer removed', inBoard(['values: [1, 2, 3]', 'values: [1, 2]']), ['breaking', 'rebuild']),
  pair('identity added', inCard(['PokerCard, TarotCard]', 'PokerCard, TarotCard, HugeCard]']), ['safe', 'online']),
  pair('identity removed', inCard(['PokerCard, TarotCard]', 'PokerCard]']), ['breaking', 'online']),
  pair(
    'identity renamed, and its rows with it',
    inCard([
      'identities: [MiniCard, PokerCard, TarotCard]',
      'identities: { MiniCard: , PokerCard: , WideCard: { was: TarotCard } }',
    ]),
    ['breaking', 'backfill'],
  ),
  pair(
    'identity renamed, so that lists have it elsewhere',
    inCard([
      'identities: [MiniCard, PokerCard, TarotCard]',
      'identities: { MiniCard: , PokerCard: , FateCard: { was: TarotCard } }',
    ]),
    ['breaking', 'backfill'],
  ),
  pair('default identity changed', inCard(['fields:', 'default_identity: PokerCard\nfields:']), ['breaking'], {
    differs: DEFAULTS,
  }),
  pair('identities given', inBoard(['fields:\n', 'identities: [SmallBoard, LargeBoard]\nfields:\n']), [
    'safe',
    'online',
  ]),
];

const SCHEMAS: readonly Pair[] = [
  pair('limit inside a JSON field lowered', inBoard(['maximum: 20', 'maximum: 10']), ['breaking', 'online']),
  pair('limit inside a JSON field raised', inBoard(['maximum: 20', 'maximum: 30']), ['breaking', 'online']),
  pair('property of a JSON field added', inBoard(['rows: {', 'columns: { type: integer }, rows: {']), [
    'safe',
    'online',
  ]),
  pair(
    'property of a JSON field required',
    inBoard(['{ type: object, properties', '{ type: object, required: [rows], properties']),
    ['breaking', 'online'],
  ),
  pair(
    'JSON field closed',
    inBoard(['{ type: object, properties', '{ type: object, additionalProperties: false, properties']),
    ['breaking', 'online'],
  ),
  pair(
    'media type of a file removed',
    inBoard(['types: [application/pdf, image/png]', 'types: [application/pdf]']),
    ['breaking'],
    { before: inBoard(['types: [application/pdf]', 'types: [application/pdf, image/png]']), differs: FILES },
  ),
  pair('media type of a file added', inBoard(['types: [application/pdf]', 'types: [application/pdf, image/png]']), [
    'safe',
  ]),
  pair('media type of all images removed', inConventions(['[image/png, image/jpeg]', '[image/png]']), ['breaking'], {
    differs: FILES,
  }),
  pair('smaller uploads', inFile(['1000000', '500000']), ['breaking'], { differs: FILES }),
  pair('greater uploads', inFile(['1000000', '2000000']), ['safe']),
];

export const LIMIT_PAIRS: readonly Pair[] = [...BOUNDS, ...VALUES, ...SCHEMAS];
