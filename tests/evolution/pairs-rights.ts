// Edits of what is offered to which callers: operations, paths, access, actions.

import { IGNORED, inBoard, inCard, inFile, inGame, inSale, type Pair, UNSEEN } from './pair.js';
import type { Edit } from './texts.js';

const OPEN = 'fields:';
const operations = (text: string) => inCard([OPEN, `operations: { ${text} }\n${OPEN}`]);

const OPERATIONS: readonly Pair[] = [
  {
    name: 'operation removed',
    edit: operations('delete: false'),
    api: 'breaking',
    data: [],
  },
  { name: 'operation added', edit: inSale(['update: false', 'update: true']), api: 'safe', data: [] },
  {
    name: 'creating opened to anyone',
    edit: operations('create: anyone'),
    api: 'exposing',
    data: [],
  },
  {
    name: 'fetching needs a session',
    edit: operations('fetch: session'),
    api: 'breaking',
    data: [],
  },
  {
    name: 'updating needs an administrator',
    edit: operations('update: admin'),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  { name: 'creating opened to every user', edit: inSale(['create: admin', 'create: true']), api: 'exposing', data: [] },
  {
    name: 'an update needs everything again',
    edit: inGame(['fields:', 'operations: { update: { required: all } }\nfields:']),
    api: 'breaking',
    data: [],
  },
  { name: 'path added', edit: inCard([OPEN, `paths: { create: /card-deck }\n${OPEN}`]), api: 'safe', data: [] },
  { name: 'path removed', edit: inBoard(['paths: { fetch: /board }\n', '']), api: 'breaking', data: [] },
];

const READ_BY_EDITORS = inCard([OPEN, `access: { read: [game] }\n${OPEN}`]);

const ACCESS: readonly Pair[] = [
  {
    name: 'whoever may read the target may read',
    before: READ_BY_EDITORS,
    edit: inCard(['access: { read: [game] }', 'access: { read: [game, { read: game }] }']),
    api: 'exposing',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'who may read follows from another right of the target',
    before: inCard([OPEN, `access: { read: [{ read: game }] }\n${OPEN}`]),
    edit: inCard(['{ read: game }', '{ edit: game }']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'the right of the target is said in another way',
    before: READ_BY_EDITORS,
    edit: inCard(['access: { read: [game] }', 'access: { read: [{ edit: game }] }']),
    api: 'none',
    data: [],
  },
  {
    name: 'fewer may edit',
    edit: inCard([OPEN, `access: { edit: [] }\n${OPEN}`]),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'fewer may read',
    edit: inCard([OPEN, `access: { read: [game] }\n${OPEN}`]),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  {
    name: 'fewer hold a right',
    before: inSale(['edit: [] }', 'edit: [], buyer: [user] }'], ['Cancel, by: admin', 'Cancel, by: buyer']),
    edit: inSale(['buyer: [user]', 'buyer: []']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
  { name: 'more may edit', edit: inGame(['edit: [user]', 'edit: [user, shared]']), api: 'exposing', data: [] },
  {
    name: 'more may read',
    edit: inSale(['read: [user]', 'read: anyone']),
    api: 'exposing',
    data: [],
    differs: 'redocly counts the errors that go, 401 and 403, as breaking',
  },
  {
    name: 'what may not be read is hidden',
    edit: inGame(['edit: [user] }', 'edit: [user], hidden: true }']),
    api: 'breaking',
    data: [],
  },
];

const ACTIONS: readonly Pair[] = [
  {
    name: 'action added',
    edit: inSale(['  cancel:', '  return: { title: Return, by: editor }\n  cancel:']),
    api: 'safe',
    data: [],
  },
  { name: 'action removed', edit: inSale(['  cancel: { title: Cancel, by: admin }\n', '']), api: 'breaking', data: [] },
  {
    name: 'action renamed',
    edit: inSale(['  cancel: {', '  revoke: {']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'optional parameter of an action added',
    edit: inSale(['      remark:', '      weight: { kind: integer, description: W. }\n      remark:']),
    api: 'safe',
    data: [],
  },
  {
    name: 'required parameter of an action added',
    edit: inSale(['      remark:', '      weight: { kind: integer, required: true, description: W. }\n      remark:']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'parameter of an action removed',
    edit: inSale(['      remark: { kind: text, max: 200, description: Anything to say. }\n', '']),
    api: 'breaking',
    data: [],
    differs: IGNORED,
  },
  {
    name: 'action opened',
    edit: inSale(['edit: [] }', 'edit: [], buyer: [user] }'], ['Cancel, by: admin', 'Cancel, by: buyer']),
    api: 'exposing',
    data: [],
  },
  {
    name: 'action for administrators alone',
    before: inSale(['edit: [] }', 'edit: [], buyer: [user] }'], ['Cancel, by: admin', 'Cancel, by: buyer']),
    edit: inSale(['Cancel, by: buyer', 'Cancel, by: admin']),
    api: 'breaking',
    data: [],
    differs: UNSEEN,
  },
];

const USED = ['max_bytes: 1000000 }', 'max_bytes: 1000000, uses: users }'] as const;
const USES: readonly Pair[] = [
  { name: 'list of what uses an upload added', edit: inFile(USED), api: 'safe', data: [] },
  {
    name: 'list of what uses an upload removed',
    before: inFile(USED),
    edit: inFile([USED[1], USED[0]]),
    api: 'breaking',
    data: [],
  },
];

const COPY = '  copy: { title: Copy, copies: name }\n';
const MARK = '  mark: { title: Mark, sets: { starred: true } }\n';
const CARD = 'fields:\n  starred: { kind: boolean, description: Whether it is marked. }\n';

/** The card with the given actions. */
function adding(actions: string): Edit {
  return inCard(['fields:\n', `actions:\n${actions}${CARD}`]);
}

const EFFECTS: readonly Pair[] = [
  { name: 'action that copies added', before: adding(MARK), edit: inCard([MARK, MARK + COPY]), api: 'safe', data: [] },
  {
    name: 'action that copies removed',
    before: adding(MARK + COPY),
    edit: inCard([COPY, '']),
    api: 'breaking',
    data: [],
  },
  {
    name: 'action copies instead of setting',
    before: adding(MARK),
    edit: inCard([MARK, COPY.replace('copy:', 'mark:')]),
    api: 'breaking',
    data: [],
  },
  {
    name: 'action sets another value',
    before: adding(MARK),
    edit: inCard(['sets: { starred: true }', 'sets: { starred: false }']),
    api: 'breaking',
    data: [],
    differs: 'what an action does is prose in OpenAPI',
  },
  {
    name: 'field that an action sets renamed',
    before: adding(MARK),
    edit: inCard(
      ['sets: { starred: true }', 'sets: { marked: true }'],
      ['  starred: { kind', '  marked: { was: starred, kind'],
    ),
    api: 'breaking',
    data: ['rebuild'],
  },
];

export const RIGHT_PAIRS: readonly Pair[] = [...OPERATIONS, ...ACCESS, ...ACTIONS, ...EFFECTS, ...USES];
