// Edits of the catalogue: its path, its rows and their attributes.

import { inCard, inConventions, type Pair, pair } from './pair.js';
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
  pair('catalogue declared', DECLARED, ['safe']),
  pair('catalogue gone', inConventions([CATALOGUE, '']), ['breaking'], { before: DECLARED }),
  pair('path of the catalogue changed', inConventions(['/api/products', '/api/things']), ['breaking'], {
    before: DECLARED,
  }),
  pair(
    'an identity leaves the catalogue',
    inCard(['[MiniCard, PokerCard, TarotCard]', '{ MiniCard: {}, PokerCard: {}, TarotCard: { catalogue: false } }']),
    ['breaking'],
    { before: DECLARED, differs: ROWS },
  ),
  pair('an identity enters the catalogue', inCard([', TarotCard: { catalogue: false }', ', TarotCard: {}']), ['safe'], {
    before: {
      ...DECLARED,
      ...inCard([
        '[MiniCard, PokerCard, TarotCard]',
        '{ MiniCard: {}, PokerCard: {}, TarotCard: { catalogue: false } }',
      ]),
    },
  }),
  pair('values of attributes changed', inCard(['fields:', 'catalogue: { groups: [Cards] }\nfields:']), ['safe'], {
    before: DECLARED,
  }),
  pair(
    'default of an attribute changed',
    inConventions(['default: true, description: Whether', 'default: false, description: Whether']),
    ['safe'],
    { before: DECLARED },
  ),
  pair('names of rows changed', inCard(['fields:', 'catalogue: { title: "{words} Set" }\nfields:']), ['safe'], {
    before: DECLARED,
  }),
  pair(
    'title, size and list of a row changed',
    inCard(
      ['600x825 }', '675x900, title: Tiny Card }'],
      [
        'where: { identity: MiniCard } }',
        'where: { identity: MiniCard } }, tarots: { where: { identity: TarotCard } }',
      ],
    ),
    ['safe'],
    {
      before: {
        ...DECLARED,
        ...inCard([
          '[MiniCard, PokerCard, TarotCard]',
          '{ MiniCard: { size: 600x825 }, PokerCard: { size: 825x1125 }, TarotCard: {} }',
        ]),
      },
    },
  ),
  pair('name that is already the default', inCard(['fields:', 'catalogue: { title: "{words}" }\nfields:']), ['none'], {
    before: DECLARED,
  }),
  pair(
    'attribute of the catalogue added',
    inConventions(['    active:', '    weight: { kind: integer, description: Grams. }\n    active:']),
    ['safe'],
    { before: DECLARED },
  ),
  pair(
    'attribute of the catalogue removed',
    inConventions(['    active: { kind: boolean, default: true, description: Whether it can be ordered. }\n', '']),
    ['breaking'],
    { before: DECLARED },
  ),
  pair(
    'kind of a catalogue attribute changed',
    inConventions(['active: { kind: boolean, default: true', 'active: { kind: text, default: yes']),
    ['breaking'],
    { before: DECLARED },
  ),
];
