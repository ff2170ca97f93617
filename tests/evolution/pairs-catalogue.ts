// Edits of the catalogue: its path, its rows and their attributes.

import { inCard, inConventions, type Pair } from './pair.js';
import type { Edit } from './texts.js';

const CATALOGUE = `catalogue:
  path: /api/products
  of: component
  attributes:
    groups: { kind: json, default: [], schema: { type: array, items: { type: string } }, description: Groups. }
    active: { kind: boolean, default: true, description: Whether it can be ordered. }
`;
const DECLARED: Edit = inConventions(['image_types:', `${CATALOGUE}image_types:`]);
const ROWS = 'redocly compares documents; which rows there are is not in them';

export const CATALOGUE_PAIRS: readonly Pair[] = [
  { name: 'catalogue declared', edit: DECLARED, api: 'safe', data: [] },
  {
    name: 'catalogue gone',
    before: DECLARED,
    edit: inConventions([CATALOGUE, '']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'path of the catalogue changed',
    before: DECLARED,
    edit: inConventions(['/api/products', '/api/things']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'an identity leaves the catalogue',
    before: DECLARED,
    edit: inCard([
      '[MiniCard, PokerCard, TarotCard]',
      '{ MiniCard: {}, PokerCard: {}, TarotCard: { catalogue: false } }',
    ]),
    api: 'breaking',
    data: [],
    differs: ROWS,
  },
  {
    name: 'an identity comes into the catalogue',
    before: {
      ...DECLARED,
      ...inCard([
        '[MiniCard, PokerCard, TarotCard]',
        '{ MiniCard: {}, PokerCard: {}, TarotCard: { catalogue: false } }',
      ]),
    },
    edit: inCard([', TarotCard: { catalogue: false }', ', TarotCard: {}']),
    api: 'safe',
    data: [],
  },
  {
    name: 'values of attributes changed',
    before: DECLARED,
    edit: inCard(['fields:', 'catalogue: { groups: [Cards] }\nfields:']),
    api: 'safe',
    data: [],
  },
  {
    name: 'default of an attribute changed',
    before: DECLARED,
    edit: inConventions(['default: true, description: Whether', 'default: false, description: Whether']),
    api: 'safe',
    data: [],
  },
  {
    name: 'names of rows changed',
    before: DECLARED,
    edit: inCard(['fields:', 'catalogue: { title: "{words} Set" }\nfields:']),
    api: 'safe',
    data: [],
  },
  {
    name: 'title, size and list of a row changed',
    before: {
      ...DECLARED,
      ...inCard([
        '[MiniCard, PokerCard, TarotCard]',
        '{ MiniCard: { size: 600x825 }, PokerCard: { size: 825x1125 }, TarotCard: {} }',
      ]),
    },
    edit: inCard(
      ['600x825 }', '675x900, title: Tiny Card }'],
      [
        'where: { identity: MiniCard } }',
        'where: { identity: MiniCard } }, tarots: { where: { identity: TarotCard } }',
      ],
    ),
    api: 'safe',
    data: [],
  },
  {
    name: 'name that a row has anyway',
    before: DECLARED,
    edit: inCard(['fields:', 'catalogue: { title: "{words}" }\nfields:']),
    api: 'none',
    data: [],
  },
  {
    name: 'attribute of the catalogue added',
    before: DECLARED,
    edit: inConventions(['    active:', '    weight: { kind: integer, description: Grams. }\n    active:']),
    api: 'safe',
    data: [],
  },
  {
    name: 'attribute of the catalogue gone',
    before: DECLARED,
    edit: inConventions([
      '    active: { kind: boolean, default: true, description: Whether it can be ordered. }\n',
      '',
    ]),
    api: 'breaking',
    data: [],
  },
  {
    name: 'attribute of the catalogue of another kind',
    before: DECLARED,
    edit: inConventions(['active: { kind: boolean, default: true', 'active: { kind: text, default: yes']),
    api: 'breaking',
    data: [],
  },
];
