// Which keys of a resource hold names, and what each names: columns of its own or of another resource, resources, values, texts.

import { type Naming, renamed } from '../../generator/model/names.js';
import type { Reference } from '../../runtime/contract/definition.js';

const references: readonly Reference[] = [
  { column: 'game_id', relation: 'game', to: 'game', required: true, need: 'edit', onDelete: 'cascade', related: true },
];
const naming: Naming = {
  resource: (name) => `<${name}>`,
  column: (resource, name) => `${resource}.${name}`,
  value: (resource, column, value) => `${resource}.${column}=${value}`,
  inText: (resource, name) => `${resource}:${name}`,
};

/** Hand-written parts of a board, and the same with other names. */
const PARTS: readonly (readonly [string, unknown, unknown])[] = [
  [
    'clauses',
    { read: [{ anyone: true }, { when: 'shared' }, { user: 'user_id' }], edit: [{ through: 'game_id', to: 'game' }] },
    {
      read: [{ anyone: true }, { when: 'board.shared' }, { user: 'board.user_id' }],
      edit: [{ through: 'board.game_id', to: '<game>' }],
    },
  ],
  [
    'a clause about the members of another resource',
    { member: 'receipt', by: 'game_id', user: 'user_id', in: 'items', where: { refunded: null } },
    {
      ...{ member: '<receipt>', by: 'receipt.game_id', user: 'receipt.user_id', in: 'board.items' },
      where: { 'receipt.refunded': 'receipt.refunded=null' },
    },
  ],
  [
    'a right with the name of a key',
    { rights: { where: [{ user: 'user_id' }] } },
    { rights: { where: [{ user: 'board.user_id' }] } },
  ],
  [
    'order, filters, and unique columns',
    { order: ['-name', 'id'], sortable: ['name'], filters: ['id'], uniques: [{ columns: ['name'], where: null }] },
    {
      ...{ order: ['-board.name', 'board.id'], sortable: ['board.name'], filters: ['board.id'] },
      uniques: [{ columns: ['board.name'], where: null }],
    },
  ],
  [
    'a list through another resource',
    { name: 'boards', by: 'game_id', through: { resource: 'game', by: 'user_id' } },
    { name: 'boards', by: 'board.game_id', through: { resource: '<game>', by: 'game.user_id' } },
  ],
  [
    'a copy, and a number of records',
    [
      { kind: 'copy', through: 'game_id', column: 'name' },
      { kind: 'count', of: 'card', by: 'board_id', where: { state: 'live' } },
    ],
    [
      { kind: 'copy', through: 'board.game_id', column: 'game.name' },
      { kind: 'count', of: '<card>', by: 'card.board_id', where: { 'card.state': 'card.state=live' } },
    ],
  ],
  [
    'an action, titles, and a text',
    { sets: { state: 'live' }, titles: { state: { live: 'Live now' } }, text: '{name} of {id}' },
    {
      ...{ sets: { 'board.state': 'board.state=live' }, text: '{board:name} of {board:id}' },
      titles: { 'board.state': { 'board.state=live': 'Live now' } },
    },
  ],
];

test.each(PARTS)('%s', (_, part, expected) => {
  expect(renamed(part, { name: 'board', references }, naming)).toEqual(expected);
});
