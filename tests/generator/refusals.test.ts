// The refusals that the API document declares are exactly those that a caller can get.
import { generate } from '../../generator/generate.js';
import { filesOf } from '../commands/example.js';
import { type OpenApi, openApiText, operationAt } from './openapi-document.js';

const KIT = '../runtime/contract/kit.js';
const OWNED =
  'fields:\n  user: { kind: reference, to: user, default: session.user, need: edit, place: true, on_delete: cascade }\n' +
  '  name: text\n';

/** The statuses of an operation on `/api/piece` and the paths below it. */
function statuses(keys: string, path: string, method: string, more: string): readonly string[] {
  const generation = generate({ files: filesOf(`${PIECE}${keys}${OWNED}${more}`), ledger: null }, KIT);
  const operation = operationAt(JSON.parse(openApiText(generation)) as OpenApi, method, path);
  if (operation === undefined) throw new Error(`there is no ${method} ${path}`);
  return Object.keys(operation.responses).filter((status) => status === '401' || status === '403');
}

const PIECE = '# spec/resources/piece.yaml\ntitle: Piece\nsummary: One.\n';
const HIDDEN = 'access: { read: [user], edit: [user], hidden: true }\n';
/** Every caller may see these records. */
const HIDDEN_FROM_NOBODY = 'access: { read: [{ read: user }], edit: [user], hidden: true }\n';

type Row = readonly [string, keys: string, path: string, method: string, readonly string[], fields?: string];

const ROWS: readonly Row[] = [
  ['a list for administrators', 'access: { edit: [user] }\n', '/api/piece', 'get', ['401', '403']],
  ['a list for everyone who is logged in', 'operations: { list: session }\n', '/api/piece', 'get', ['401']],
  ['a list for everyone', 'operations: { list: anyone }\n', '/api/piece', 'get', []],
  ['an update', 'access: { edit: [user] }\n', '/api/piece/{id}', 'put', ['401', '403']],
  ['a delete of a hidden record', HIDDEN, '/api/piece/{id}', 'delete', ['401']],
  ['a hidden record deleted by anyone', `operations: { delete: anyone }\n${HIDDEN}`, '/api/piece/{id}', 'delete', []],
  [
    'an update of a hidden record by anyone',
    `operations: { update: anyone }\n${HIDDEN}`,
    '/api/piece/{id}',
    'put',
    ['403'],
  ],
  [
    'an update of a record hidden from nobody',
    `operations: { update: anyone }\n${HIDDEN_FROM_NOBODY}`,
    '/api/piece/{id}',
    'put',
    ['401', '403'],
  ],
  [
    'a delete of a record hidden from nobody',
    `operations: { delete: anyone }\n${HIDDEN_FROM_NOBODY}`,
    '/api/piece/{id}',
    'delete',
    ['401', '403'],
  ],
  ['a fetch', 'access: { read: [user], edit: [user] }\n', '/api/piece/{id}', 'get', ['401', '403']],
  ['a fetch of a record that everyone may read', 'access: { read: [{ read: user }] }\n', '/api/piece/{id}', 'get', []],
  ['a fetch of a hidden record', HIDDEN, '/api/piece/{id}', 'get', []],
  ['a create by anyone', 'operations: { create: anyone }\n', '/api/piece', 'post', ['401', '403']],
  [
    'a create by anyone, with a parameter that only administrators may send',
    'operations: { create: anyone }\n',
    '/api/piece',
    'post',
    ['403'],
    '  code: { kind: integer, required: true, set: admin }\n',
  ],
  [
    'a delete of a record that is hidden from all who may not delete it',
    'access: { read: [other, { read: other }], edit: [other], hidden: true }\n',
    '/api/piece/{id}',
    'delete',
    ['401'],
    '  other: { kind: reference, to: box, required: true, need: edit }\n' +
      '# spec/resources/box.yaml\n' +
      'title: Box\nsummary: One.\naccess: { read: [user], edit: [user] }\n' +
      OWNED,
  ],
];

test.each(ROWS.map((row) => [row[0], row] as const))('%s', (_title, [, keys, path, method, wanted, more = '']) =>
  expect(statuses(keys, path, method, more)).toEqual(wanted),
);
