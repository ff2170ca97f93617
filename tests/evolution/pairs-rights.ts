// Edits of what is offered to which callers: operations, paths, access, actions.

import { IGNORED, inBoard, inCard, inFile, inGame, inSale, type Pair, pair, UNSEEN } from './pair.js';
import type { Edit } from './texts.js';

const OPEN = 'fields:';
const operations = (text: string) => inCard([OPEN, `operations: { ${text} }\n${OPEN}`]);

const OPERATIONS: readonly Pair[] = [
  pair('operation removed', operations('delete: false'), ['breaking']),
  pair('operation added', inSale(['update: false', 'update: true']), ['safe']),
  pair('creating opened to anyone', operations('create: anyone'), ['exposing']),
  pair('fetching needs a session', operations('fetch: session'), ['breaking']),
  pair('updating needs an administrator', operations('update: admin'), ['breaking'], { differs: UNSEEN }),
  pair('creating opened to every user', inSale(['create: admin', 'create: true']), ['exposing']),
  pair('an update needs everything again', inGame(['fields:', 'operations: { update: { required: all } }\nfields:']), [
    'breaking',
  ]),
  pair('path added', inCard([OPEN, `paths: { create: /card-deck }\n${OPEN}`]), ['safe']),
  pair('path removed', inBoard(['paths: { fetch: /board }\n', '']), ['breaking']),
];

const READ_BY_EDITORS = inCard([OPEN, `access: { read: [game] }\n${OPEN}`]);

const ACCESS: readonly Pair[] = [
  pair(
    'readers of the target may read',
    inCard(['access: { read: [game] }', 'access: { read: [game, { read: game }] }']),
    ['exposing'],
    { before: READ_BY_EDITORS, differs: UNSEEN },
  ),
  pair(
    'the right to read follows from another right on the target',
    inCard(['{ read: game }', '{ edit: game }']),
    ['breaking'],
    { before: inCard([OPEN, `access: { read: [{ read: game }] }\n${OPEN}`]), differs: UNSEEN },
  ),
  pair(
    'the same right on the target in another form',
    inCard(['access: { read: [game] }', 'access: { read: [{ edit: game }] }']),
    ['none'],
    { before: READ_BY_EDITORS },
  ),
  pair('fewer may edit', inCard([OPEN, `access: { edit: [] }\n${OPEN}`]), ['breaking'], { differs: UNSEEN }),
  pair('fewer may read', inCard([OPEN, `access: { read: [game] }\n${OPEN}`]), ['breaking'], { differs: UNSEEN }),
  pair('fewer hold a right', inSale(['buyer: [user]', 'buyer: []']), ['breaking'], {
    before: inSale(['edit: [] }', 'edit: [], buyer: [user] }'], ['Cancel, by: admin', 'Cancel, by: buyer']),
    differs: UNSEEN,
  }),
  pair('more may edit', inGame(['edit: [user]', 'edit: [user, shared]']), ['exposing']),
  pair('more may read', inSale(['read: [user]', 'read: anyone']), ['exposing'], {
    differs: 'redocly counts the errors that go, 401 and 403, as breaking',
  }),
  pair('unreadable records are hidden', inGame(['edit: [user] }', 'edit: [user], hidden: true }']), ['breaking']),
];

const ACTIONS: readonly Pair[] = [
  pair('action added', inSale(['  cancel:', '  return: { title: Return, by: editor }\n  cancel:']), ['safe']),
  pair('action removed', inSale(['  cancel: { title: Cancel, by: admin }\n', '']), ['breaking']),
  pair('action renamed', inSale(['  cancel: {', '  revoke: {']), ['breaking']),
  pair(
    'optional parameter of an action added',
    inSale(['      remark:', '      weight: { kind: integer, description: W. }\n      remark:']),
    ['safe'],
  ),
  pair(
    'required parameter of an action added',
    inSale(['      remark:', '      weight: { kind: integer, required: true, description: W. }\n      remark:']),
    ['breaking'],
  ),
  pair(
    'parameter of an action removed',
    inSale(['      remark: { kind: text, max: 200, description: Anything to say. }\n', '']),
    ['breaking'],
    { differs: IGNORED },
  ),
  pair(
    'action opened',
    inSale(['edit: [] }', 'edit: [], buyer: [user] }'], ['Cancel, by: admin', 'Cancel, by: buyer']),
    ['exposing'],
  ),
  pair('action for administrators alone', inSale(['Cancel, by: buyer', 'Cancel, by: admin']), ['breaking'], {
    before: inSale(['edit: [] }', 'edit: [], buyer: [user] }'], ['Cancel, by: admin', 'Cancel, by: buyer']),
    differs: UNSEEN,
  }),
];

const USED = ['max_bytes: 1000000 }', 'max_bytes: 1000000, uses: users }'] as const;
const USES: readonly Pair[] = [
  pair('list of what uses an upload added', inFile(USED), ['safe']),
  pair('list of what uses an upload removed', inFile([USED[1], USED[0]]), ['breaking'], { before: inFile(USED) }),
];

const COPY = '  copy: { title: Copy, copies: name }\n';
const MARK = '  mark: { title: Mark, sets: { starred: true } }\n';
const CARD = 'fields:\n  starred: { kind: boolean, description: Whether it is marked. }\n';

/** The card with the given actions. */
function adding(actions: string): Edit {
  return inCard(['fields:\n', `actions:\n${actions}${CARD}`]);
}

const EFFECTS: readonly Pair[] = [
  pair('action that copies added', inCard([MARK, MARK + COPY]), ['safe'], { before: adding(MARK) }),
  pair('action that copies removed', inCard([COPY, '']), ['breaking'], { before: adding(MARK + COPY) }),
  pair('action copies instead of setting', inCard([MARK, COPY.replace('copy:', 'mark:')]), ['breaking'], {
    before: adding(MARK),
  }),
  pair('action sets another value', inCard(['sets: { starred: true }', 'sets: { starred: false }']), ['breaking'], {
    before: adding(MARK),
    differs: 'what an action does is prose in OpenAPI',
  }),
  pair(
    'field that an action sets renamed',
    inCard(
      ['sets: { starred: true }', 'sets: { marked: true }'],
      ['  starred: { kind', '  marked: { was: starred, kind'],
    ),
    ['breaking', 'rebuild'],
    { before: adding(MARK) },
  ),
];

export const RIGHT_PAIRS: readonly Pair[] = [...OPERATIONS, ...ACCESS, ...ACTIONS, ...EFFECTS, ...USES];
