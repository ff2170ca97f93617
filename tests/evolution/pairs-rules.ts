// Edits of what relates records to each other: unique values, references, lists, filters, order, searches.

import { inBoard, inCard, inConventions, inFile, inGame, type Pair, pair, UNSEEN } from './pair.js';
import type { Edit } from './texts.js';

const PROSE = 'the order of a list is prose in OpenAPI';

/** No two boards that are not issued have the same label. */
const ONE_NOT_ISSUED = 'unique: [[game, name], { fields: [label], where: { issued: null } }]';

const WITH_PATH = inBoard([', unique: true', ', unique: by_serial']);

const UNIQUE: readonly Pair[] = [
  pair('a unique value gets a path', WITH_PATH, ['safe']),
  pair('a unique value loses its path', inBoard([', unique: by_serial', ', unique: true']), ['breaking'], {
    before: WITH_PATH,
  }),
  pair(
    'field becomes unique',
    inBoard(['label: { kind: text', 'label: { kind: text, unique: true']),
    ['breaking', 'rebuild'],
    { differs: UNSEEN },
  ),
  pair('field no longer unique', inBoard([', unique: true', '']), ['safe', 'rebuild']),
  pair('pair becomes unique', inCard(['fields:', 'unique: [[game, name]]\nfields:']), ['breaking', 'rebuild'], {
    differs: UNSEEN,
  }),
  pair('pair no longer unique', inBoard(['unique: [[game, name]]\n', '']), ['safe', 'rebuild']),
  pair(
    'unique among the records of a condition',
    inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]),
    ['breaking', 'rebuild'],
    { differs: UNSEEN },
  ),
  pair(
    'unique among the records of another condition',
    inBoard(['where: { issued: null }', 'where: { name: Chess }']),
    ['breaking', 'rebuild'],
    { before: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]), differs: UNSEEN },
  ),
  pair(
    'unique among all records, no longer only those of a condition',
    inBoard(['{ fields: [label], where: { issued: null } }', '[label]']),
    ['breaking', 'rebuild'],
    { before: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]), differs: UNSEEN },
  ),
  pair(
    'no longer unique among the records of a condition',
    inBoard([ONE_NOT_ISSUED, 'unique: [[game, name]]']),
    ['safe', 'rebuild'],
    { before: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]) },
  ),
];

const REFERENCES: readonly Pair[] = [
  pair(
    'deletion of the target deletes the record',
    inBoard(['on_delete: set_null', 'on_delete: cascade']),
    ['breaking', 'rebuild'],
    { differs: 'which records a deletion deletes as well is prose in OpenAPI' },
  ),
  pair(
    'deletion of the target is refused',
    inConventions(['on_delete: cascade', 'on_delete: restrict']),
    ['breaking', 'rebuild'],
    { differs: 'which records a deletion deletes as well is prose in OpenAPI' },
  ),
  pair(
    'reference to something else',
    inBoard(['{ kind: reference, to: game, need: exists', '{ kind: reference, to: user, need: exists']),
    ['breaking', 'rebuild'],
  ),
  pair(
    'reference without a list to something else',
    inBoard(['{ kind: reference, to: game, need: exists', '{ kind: reference, to: user, need: exists']),
    ['breaking', 'rebuild'],
    { before: inBoard([', list: expansions', '']) },
  ),
  // The rule is part of the schema, but existing rows are not checked.
  pair(
    'target has to have the owner of the record',
    inBoard(['need: exists', 'need: exists, inside: true']),
    ['breaking', 'online'],
    { differs: UNSEEN },
  ),
  pair('target may have another owner', inBoard([', inside: true', '']), ['safe', 'online'], {
    before: inBoard(['need: exists', 'need: exists, inside: true']),
  }),
  pair('more is needed on the target', inBoard(['need: exists', 'need: edit']), ['breaking'], { differs: UNSEEN }),
  pair('N15: less is needed on the target', inConventions(['need: edit', 'need: use']), ['exposing']),
  pair('another right is needed, with other holders', inBoard(['need: edit', 'need: read']), ['breaking'], {
    before: inBoard(['need: exists', 'need: edit']),
    differs: UNSEEN,
  }),
  pair('image without a proof', inBoard(['face: { kind: image', 'face: { kind: image, proof: false']), [
    'breaking',
    'destructive',
  ]),
];

const LISTS: readonly Pair[] = [
  pair(
    'list with a condition added',
    inCard([
      'where: { identity: MiniCard } }',
      'where: { identity: MiniCard } }, pokercards: { where: { identity: PokerCard } }',
    ]),
    ['safe'],
  ),
  pair(
    'list with a condition removed',
    inCard(['  game: { lists: { minicards: { where: { identity: MiniCard } } } }\n', '']),
    ['breaking', 'online'],
  ),
  pair(
    'list of a reference added',
    inBoard(['on_delete: set_null', 'on_delete: set_null, list: expansions']),
    ['safe', 'online'],
    { before: inBoard([', list: expansions', '']) },
  ),
  pair('list of a reference removed', inBoard([', list: expansions', '']), ['breaking', 'online']),
  pair('list renamed', inBoard(['list: expansions', 'list: extras']), ['breaking']),
  pair(
    'condition of a list changed',
    inCard(['where: { identity: MiniCard }', 'where: { identity: TarotCard }']),
    ['breaking'],
    { differs: 'which records a list holds is prose in OpenAPI' },
  ),
  pair('filter added', inBoard(['values: [1, 2, 3]', 'filter: true, values: [1, 2, 3]']), ['safe']),
  pair('ranges added', inBoard(['filter: true, values: [1, 2, 3]', 'filter: range, values: [1, 2, 3]']), ['safe'], {
    before: inBoard(['values: [1, 2, 3]', 'filter: true, values: [1, 2, 3]']),
  }),
  pair(
    'ranges removed',
    inBoard(['filter: range, values: [1, 2, 3]', 'filter: true, values: [1, 2, 3]']),
    ['breaking'],
    { before: inBoard(['values: [1, 2, 3]', 'filter: range, values: [1, 2, 3]']) },
  ),
  pair('filter removed', inBoard(['default: matt, filter: true', 'default: matt']), ['breaking']),
  pair('order changed', inBoard(['order: [name]', 'order: [serial]']), ['breaking', 'online'], { differs: PROSE }),
  pair('order reversed', inBoard(['order: [name]', 'order: [-name]']), ['breaking', 'online'], { differs: PROSE }),
  pair('order removed', inGame(['order: [name]\n', '']), ['breaking', 'online'], { differs: PROSE }),
  pair(
    'brief description shows more',
    inFile(['brief: [id, name, file_type]', 'brief: [id, name, file_type, file_size]']),
    ['safe'],
  ),
  pair('brief description shows less', inFile(['brief: [id, name, file_type]', 'brief: [id, name]']), ['breaking']),
];

const listed = (search: string): Edit => inGame(['fields:', `operations: { list: { by: anyone${search} } }\nfields:`]);

const SEARCHES: readonly Pair[] = [
  pair('search added', inGame(['by: anyone }', 'by: anyone, search: [name] }']), ['safe', 'backfill'], {
    before: listed(''),
  }),
  pair('search removed', inGame([', search: [name, blurb]', '']), ['breaking', 'backfill'], {
    before: listed(', search: [name, blurb]'),
  }),
  pair('search in one more text', inGame(['search: [name]', 'search: [blurb, name]']), ['safe', 'backfill'], {
    before: listed(', search: [name]'),
  }),
  // The same words match fewer records than before.
  pair('search in one text fewer', inGame(['search: [name, blurb]', 'search: [name]']), ['breaking', 'backfill'], {
    before: listed(', search: [name, blurb]'),
    differs: 'in which texts a word is looked for is prose in OpenAPI',
  }),
  pair(
    'searched text renamed',
    inGame(['search: [name, blurb]', 'search: [name, about]'], ['blurb: {', 'about: { was: blurb,']),
    ['breaking', 'rebuild'],
    { before: listed(', search: [name, blurb]') },
  ),
];

export const RULE_PAIRS: readonly Pair[] = [...UNIQUE, ...REFERENCES, ...LISTS, ...SEARCHES];
