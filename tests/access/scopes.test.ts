// The scopes of API keys over every operation of the API document (D61): which operations a scope refuses, where the document
// offers tokens, and that refused requests change nothing.

import { API_KEYS } from '../../runtime/contract/needs.js';
import { readDocument } from '../../runtime/server/load-generated.js';
import { runSql } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  /** Names of the ways to log in; empty: no login is needed. */
  readonly security: readonly string[];
}

interface Scope {
  readonly scope: 'read' | 'write';
  readonly resources?: readonly string[];
}

const PLAYER = 'boxtop';
const SCOPES: readonly Scope[] = [
  { scope: 'read' },
  { scope: 'write' },
  { scope: 'read', resources: [PLAYER] },
  { scope: 'write', resources: [PLAYER] },
];

type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly tags: readonly string[]; readonly security: readonly object[] }>>>
>;

const { paths } = JSON.parse(readDocument(null).toString()) as { readonly paths: Paths };
const OPERATIONS: readonly Operation[] = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(
    ([
      method,
      {
        tags: [tag = ''],
        security,
      },
    ]) => {
      return { method: method.toUpperCase(), path, tag, security: security.flatMap((way) => Object.keys(way)) };
    },
  ),
);
const WITH_SESSION = OPERATIONS.filter(({ security }) => security.length > 0);

const service = shared(startService);
let session: string;
beforeAll(async () => {
  ({ session } = await service.user('root', true));
});

/** Whether the scope excludes the operation, or no token may call it. */
function isRefused({ method, path, tag }: Operation, { scope, resources }: Scope): boolean {
  const writes = method !== 'GET';
  if (tag === API_KEYS || (tag === 'user' && writes) || (writes && scope === 'read')) return true;
  // The records that use a file may be of any type.
  return resources !== undefined && (path.endsWith('/references') || !resources.includes(tag));
}

async function send(method: string, path: string, token: string, sent: object | null) {
  const reply = await exchange(`${service.address}${path.replace(/\{\w+\}/g, 'nothing')}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(sent && { 'content-type': 'application/json' }) },
    body: sent === null ? undefined : JSON.stringify(sent),
  });
  return { status: reply.status, body: JSON.parse(reply.text) as Readonly<Record<string, unknown>> };
}

async function tokenOf(scope: Scope): Promise<string> {
  return String((await send('POST', '/api/apikey', session, { name: 'x', ...scope })).body.token);
}

async function rows(): Promise<string> {
  const columns = (name: string) => (name === API_KEYS ? 'id, scope, resources, expires, token' : '*');
  const tables = service.service.definitions.map(async ({ name }) =>
    runSql(service.service, `SELECT ${columns(name)} FROM "${name}" ORDER BY id`),
  );
  return JSON.stringify(await Promise.all(tables));
}

test.each(SCOPES)('a token with the scope $scope for $resources calls just what the scope says', async (scope) => {
  const token = await tokenOf(scope);
  const before = await rows();
  const wrong: string[] = [];
  for (const one of WITH_SESSION) {
    const { status, body } = await send(one.method, one.path, token, one.method === 'GET' ? null : {});
    const isNarrow = status === 403 && body.code === 'insufficient_scope';
    if (isNarrow !== isRefused(one, scope)) wrong.push(`${one.method} ${one.path}: ${status} ${body.code}`);
    if (status === 401) wrong.push(`${one.method} ${one.path}: 401`);
  }
  expect(wrong).toEqual([]);
  expect(await rows()).toBe(before);
  expect(WITH_SESSION.length).toBeGreaterThan(500);
});

test('the document offers tokens for the operations that a token may call', () => {
  const offered = WITH_SESSION.filter(({ security }) => security.includes('token'));
  expect(offered).toEqual(WITH_SESSION.filter((one) => !isRefused(one, { scope: 'write' })));
});
