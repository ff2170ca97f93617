// Edits of what relates records to each other: unique values, references, lists, filters, order, searches.

import { inBoard, inCard, inConventions, inFile, inGame, type Pair, UNSEEN } from './pair.js';
import type { Edit } from './texts.js';

const PROSE = 'the order of a list is prose in OpenAPI';

/** No two boards that are not issued have the same label. */
const ONE_NOT_ISSUED = 'unique: [[game, name], { fields: [label], where: { issued: null } }]';

const WITH_PATH = inBoard([', unique: true', ', unique: by_serial']);

const UNIQUE: readonly Pair[] = [
  { name: 'a unique value gets a path', edit: WITH_PATH, api: 'safe', data: [] },
  {
    name: 'a unique value loses its path',
    before: WITH_PATH,
    edit: inBoard([', unique: by_serial', ', unique: true']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'field becomes unique',
    edit: inBoard(['label: { kind: text', 'label: { kind: text, unique: true']),
    api: 'breaking',
    data: ['rebuild'],
    differs: UNSEEN,
  },
  { name: 'field no longer unique', edit: inBoard([', unique: true', '']), api: 'safe', data: ['rebuild'] },
  {
    name: 'pair becomes unique',
    edit: inCard(['fields:', 'unique: [[game, name]]\nfields:']),
    api: 'breaking',
    data: ['rebuild'],
    differs: UNSEEN,
  },
  {
    name: 'pair no longer unique',
    edit: inBoard(['unique: [[game, name]]\n', '']),
    api: 'safe',
    data: ['rebuild'],
  },
  {
    name: 'unique among the records of a condition',
    edit: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]),
    api: 'breaking',
    data: ['rebuild'],
    differs: UNSEEN,
  },
  {
    name: 'unique among the records of another condition',
    before: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]),
    edit: inBoard(['where: { issued: null }', 'where: { name: Chess }']),
    api: 'breaking',
    data: ['rebuild'],
    differs: UNSEEN,
  },
  {
    name: 'unique among all records, no longer those of a condition',
    before: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]),
    edit: inBoard(['{ fields: [label], where: { issued: null } }', '[label]']),
    api: 'breaking',
    data: ['rebuild'],
    differs: UNSEEN,
  },
  {
    name: 'no longer unique among the records of a condition',
    before: inBoard(['unique: [[game, name]]', ONE_NOT_ISSUED]),
    edit: inBoard([ONE_NOT_ISSUED, 'unique: [[game, name]]']),
    api: 'safe',
    data: ['rebuild'],
  },
];

const REFERENCES: readonly Pair[] = [
  {
    name: 'deletion of the target takes the record along',
    edit: inBoard(['on_delete: set_null', 'on_delete: cascade']),
    api: 'breaking',
    data: ['rebuild'],
    differs: 'what a deletion takes along is prose in OpenAPI',
  },
  {
    name: 'deletion of the target is refused',
    edit: inConventions(['on_delete: cascade', 'on_delete: restrict']),
    api: 'breaking',
    data: ['rebuild'],
    differs: 'what a deletion takes along is prose in OpenAPI',
  },
  {
    name: 'reference to something else',
    edit: inBoard(['{ kind: reference, to: game, need: exists', '{ kind: reference, to: user, need: exists']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    name: 'reference without a list to something else',
    before: inBoard([', list: expansions', '']),
    edit: inBoard(['{ kind: reference, to: game, need: exists', '{ kind: reference, to: user, need: exists']),
    api: 'breaking',
    data: ['rebuild'],
  },
  {
    // The rule is part of the schema, but existing rows are not checked.
    name: 'target has to have the owner of the record',
    edit: inBoard(['need: exists', 'need: exists, inside: true']),
    api: 'breaking',
    data: ['online'],
    differs: UNSEEN,
  },
  {
    name: 'target may have another owner',
    before: inBoard(['need: exists', 'need: exists, inside: true']),
    edit: inBoard([', inside: true', '']),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'more is needed on the target',
    edit: inBoard(['need: exists', 'need: edit']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'N15: less is needed on the target',
    edit: inConventions(['need: edit', 'need: use']),
    api: 'exposing',
    data: [],
  },
  {
    name: 'another right is needed, which others may hold',
    before: inBoard(['need: exists', 'need: edit']),
    edit: inBoard(['need: edit', 'need: read']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'image without a proof',
    edit: inBoard(['face: { kind: image', 'face: { kind: image, proof: false']),
    api: 'breaking',
    data: ['destructive'],
  },
];

const LISTS: readonly Pair[] = [
  {
    name: 'list with a condition added',
    edit: inCard([
      'where: { identity: MiniCard } }',
      'where: { identity: MiniCard } }, pokercards: { where: { identity: PokerCard } }',
    ]),
    api: 'safe',
    data: [],
  },
  {
    name: 'list with a condition removed',
    edit: inCard(['  game: { lists: { minicards: { where: { identity: MiniCard } } } }\n', '']),
    api: 'breaking',
    data: ['online'],
  },
  {
    name: 'list of a reference added',
    before: inBoard([', list: expansions', '']),
    edit: inBoard(['on_delete: set_null', 'on_delete: set_null, list: expansions']),
    api: 'safe',
    data: ['online'],
  },
  {
    name: 'list of a reference removed',
    edit: inBoard([', list: expansions', '']),
    api: 'breaking',
    data: ['online'],
  },
  { name: 'list renamed', edit: inBoard(['list: expansions', 'list: extras']), api: 'breaking', data: [] },
  {
    name: 'condition of a list changed',
    edit: inCard(['where: { identity: MiniCard }', 'where: { identity: TarotCard }']),
    api: 'breaking',
    data: [],
    differs: 'which records a list holds is prose in OpenAPI',
  },
  {
    name: 'filter added',
    edit: inBoard(['values: [1, 2, 3]', 'filter: true, values: [1, 2, 3]']),
    api: 'safe',
    data: [],
  },
  {
    name: 'ranges added',
    before: inBoard(['values: [1, 2, 3]', 'filter: true, values: [1, 2, 3]']),
    edit: inBoard(['filter: true, values: [1, 2, 3]', 'filter: range, values: [1, 2, 3]']),
    api: 'safe',
    data: [],
  },
  {
    name: 'ranges removed',
    before: inBoard(['values: [1, 2, 3]', 'filter: range, values: [1, 2, 3]']),
    edit: inBoard(['filter: range, values: [1, 2, 3]', 'filter: true, values: [1, 2, 3]']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'filter removed',
    edit: inBoard(['default: matt, filter: true', 'default: matt']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'order changed',
    edit: inBoard(['order: [name]', 'order: [serial]']),
    api: 'breaking',
    data: ['online'],
    differs: PROSE,
  },
  {
    name: 'order turned around',
    edit: inBoard(['order: [name]', 'order: [-name]']),
    api: 'breaking',
    data: ['online'],
    differs: PROSE,
  },
  {
    name: 'order taken away',
    edit: inGame(['order: [name]\n', '']),
    api: 'breaking',
    data: ['online'],
    differs: PROSE,
  },
  {
    name: 'brief description shows more',
    edit: inFile(['brief: [id, name, file_type]', 'brief: [id, name, file_type, file_size]']),
    api: 'safe',
    data: [],
  },
  {
    name: 'brief description shows less',
    edit: inFile(['brief: [id, name, file_type]', 'brief: [id, name]']),
    api: 'breaking',
    data: [],
  },
];

const listed = (search: string): Edit => inGame(['fields:', `operations: { list: { by: anyone${search} } }\nfields:`]);

const SEARCHES: readonly Pair[] = [
  {
    name: 'search added',
    before: listed(''),
    edit: inGame(['by: anyone }', 'by: anyone, search: [name] }']),
    api: 'safe',
    data: ['backfill'],
  },
  {
    name: 'search removed',
    before: listed(', search: [name, blurb]'),
    edit: inGame([', search: [name, blurb]', '']),
    api: 'breaking',
    data: ['backfill'],
  },
  {
    name: 'search of one text more',
    before: listed(', search: [name]'),
    edit: inGame(['search: [name]', 'search: [blurb, name]']),
    api: 'safe',
    data: ['backfill'],
  },
  {
    // The same words match fewer records than before.
    name: 'search of one text less',
    before: listed(', search: [name, blurb]'),
    edit: inGame(['search: [name, blurb]', 'search: [name]']),
    api: 'breaking',
    data: ['backfill'],
    differs: 'in which texts a word is looked for is prose in OpenAPI',
  },
  {
    name: 'searched text renamed',
    before: listed(', search: [name, blurb]'),
    edit: inGame(['search: [name, blurb]', 'search: [name, about]'], ['blurb: {', 'about: { was: blurb,']),
    api: 'breaking',
    data: ['rebuild'],
  },
];

export const RULE_PAIRS: readonly Pair[] = [...UNIQUE, ...REFERENCES, ...LISTS, ...SEARCHES];
