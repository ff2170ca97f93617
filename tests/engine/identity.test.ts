// One contract for accounts and sessions, on every engine.

import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { placementOf } from '../../runtime/contract/ids.js';
import { postgresDdl } from '../../runtime/schema/postgres/ddl.js';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { versionColumn } from '../../runtime/schema/version.js';
import type { Identity, StoredSession } from '../../runtime/store/engine.js';
import { createIdentity } from '../../runtime/store/identity.js';
import { createUserKeys } from '../../runtime/store/operator-reports.js';
import { createDatabase as createPostgresDatabase } from '../../runtime/store/postgres/database.js';
import { engineTables } from '../../runtime/store/postgres/tables.js';
import {
  CLAIM_UNIQUE,
  uniqueKeysOf,
  uniqueParameters,
  userNamed as userNamedOnPostgres,
} from '../../runtime/store/postgres/unique-values.js';
import { createDatabase } from '../../runtime/store/sqlite/database.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { userNamed } from '../../runtime/store/sqlite/engine.js';
import { engineTables as sqliteTables } from '../../runtime/store/sqlite/tables.js';
import { remembering, type UnroutedStatement, unrouted } from '../support/routing.js';
import { describeOnServers, openDatabase, type TestServer } from '../support/servers.js';
import { mayTouchAllShards } from './across-shards.js';

function column(number: number, name: string, part: Partial<Column> = {}): Column {
  return { number, name, type: 'text', nullable: false, default: null, check: null, references: null, ...part };
}

const USERS: Table = {
  number: 1,
  name: 'member',
  columns: [
    column(2, 'id'),
    column(3, 'username'),
    column(4, 'password'),
    column(5, 'admin', { type: 'integer', default: 0 }),
    column(15, 'operator_role', { nullable: true }),
  ],
  uniques: [['username']],
  indexes: [],
};
const KEYS: Table = {
  number: 6,
  name: 'token',
  columns: [
    column(7, 'id'),
    column(8, 'user_id'),
    ...['seal', 'scope', 'resources'].map((name, at) => column(9 + at, name, { nullable: true })),
    ...['expires', 'last_used'].map((name, at) => column(12 + at, name, { type: 'integer', nullable: true })),
    versionColumn(14),
  ],
  uniques: [],
  indexes: [],
};
const SCHEMA: Schema = { revision: 9, tables: [USERS, KEYS] };
const shown = (name: string) => [name, { kind: 'column', column: name }] as const;
const PRINCIPAL = {
  name: 'member',
  properties: Object.fromEntries(['admin', 'operator_role'].map(shown)),
} as unknown as AnyDefinition;
const API_KEYS = {
  name: 'token',
  token: 'seal',
  properties: Object.fromEntries(['scope', 'resources', 'expires', 'last_used'].map(shown)),
} as unknown as AnyDefinition;

const [ADA, BOB] = ['a7-ada', 'b3-bob'] as const;
const PASSWORD = 'scrypt$the-hash-of-a-password';
const [NOW, WEEK] = [1_700_000_000_000, 7 * 86_400_000];

interface Key {
  readonly seal: string;
  readonly scope: string;
  readonly resources: string;
  readonly expires: number;
}

interface IdentityFixture {
  readonly identity: Identity;
  readonly keys: ReturnType<typeof createUserKeys>;
  addUser(id: string, username: string, admin: 0 | 1, role?: string): Promise<void>;
  addKey(id: string, user: string, key?: Partial<Key>): Promise<void>;
  setPassword(user: string, password: string): Promise<void>;
  /** Statements that touched more than one shard of Citus. */
  unrouted(): Promise<readonly UnroutedStatement[]>;
  end(): Promise<void>;
}

async function onSqlite(): Promise<IdentityFixture> {
  const db = connectInMemory();
  db.exec([...sqliteDdl(SCHEMA), ...sqliteTables([])].join(';'));
  const submit = async <T>(work: () => T): Promise<T> => work();
  return {
    keys: createUserKeys(createDatabase(db, submit), PRINCIPAL, API_KEYS),
    identity: createIdentity({
      ...{ database: createDatabase(db, submit), principal: PRINCIPAL, apiKeys: API_KEYS },
      userNamed: userNamed(PRINCIPAL),
    }),
    addUser: async (id, username, admin, role) =>
      void db.prepare('INSERT INTO member VALUES (?, ?, ?, ?, ?)').run(id, username, PASSWORD, admin, role ?? null),
    addKey: async (id, user, { seal = '', scope = 'read', resources = 'null', expires = NOW + WEEK } = {}) =>
      void db
        .prepare('INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, NULL, 1)')
        .run(id, user, seal, scope, resources, expires),
    setPassword: async (user, password) =>
      void db.prepare('UPDATE member SET password = ? WHERE id = ?').run(password, user),
    unrouted: async () => [],
    end: async () => void db.close(),
  };
}

async function onServer(server: TestServer): Promise<IdentityFixture> {
  const ddl = [...postgresDdl(SCHEMA), ...engineTables([]), ...engineTables([])];
  const { url, connections } = await openDatabase(server, ddl);
  const watched = remembering(connections);
  const run = (text: string, ...values: (string | number)[]) => connections.query(connections.prepare(text), values);
  const [username] = uniqueKeysOf(USERS);
  if (username === undefined) throw new Error('nothing is unique');
  return {
    // Reads all shards, since the operator who lists keys need not be a user.
    keys: createUserKeys(createPostgresDatabase(connections), PRINCIPAL, API_KEYS),
    identity: createIdentity({
      ...{ database: createPostgresDatabase(watched), principal: PRINCIPAL, apiKeys: API_KEYS },
      userNamed: userNamedOnPostgres({ schema: SCHEMA, principal: PRINCIPAL }),
    }),
    async addUser(id, name, admin, role = '') {
      const sql = "INSERT INTO member VALUES ($1, $2, $3, $4, $5, nullif($6, ''))";
      await run(sql, placementOf(id), id, name, PASSWORD, admin, role);
      await run(CLAIM_UNIQUE, ...(uniqueParameters(username, { username: name }) ?? []), id);
    },
    addKey: async (id, user, { seal = '', scope = 'read', resources = 'null', expires = NOW + WEEK } = {}) =>
      void (await run(
        'INSERT INTO token VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, 1)',
        ...[placementOf(id), id, user, seal, scope, resources, expires],
      )),
    setPassword: async (user, password) =>
      void (await run(
        'UPDATE member SET password = $3 WHERE "_shard" = $1 AND id = $2',
        placementOf(user),
        user,
        password,
      )),
    unrouted: () => unrouted(url, watched.calls.values()),
    end: () => connections.close(),
  };
}

/** The times of a session that was opened, and not used since. */
const TIMES = { created: NOW, used: NOW };

describe('on SQLite', () => describeContract(onSqlite));

describeOnServers((server) => describeContract(() => onServer(server())));

function describeContract(open: () => Promise<IdentityFixture>): void {
  let fixture: IdentityFixture;
  let identity: Identity;
  beforeEach(async () => {
    fixture = await open();
    ({ identity } = fixture);
  });
  afterEach(async () => {
    expect((await fixture.unrouted()).filter(({ text }) => !mayTouchAllShards(text))).toEqual([]);
    await fixture.end();
  });

  const session = (user: string, part: Partial<StoredSession> = {}): StoredSession => ({
    idHash: `hash of ${user}`,
    placement: placementOf(user),
    user,
    password: PASSWORD,
    created: NOW,
    expires: NOW + WEEK,
    apiKey: null,
    version: null,
    ...part,
  });

  test('an account is found by its whole name', async () => {
    expect(await identity.hasAccounts()).toBe(false);
    await fixture.addUser(ADA, 'ada', 0);
    await fixture.addUser(BOB, "bob's", 1);
    expect(await identity.hasAccounts()).toBe(true);
    expect(await identity.account("bob's")).toEqual({ id: BOB, password: PASSWORD, disabled: false });
    for (const other of ['', 'Ada', 'ad', 'ada ', 'bob'])
      expect([other, await identity.account(other)]).toEqual([other, null]);
  });

  test('accounts are listed by name, with what they may do', async () => {
    await fixture.addUser(BOB, 'bob', 0, 'support');
    await fixture.addUser(ADA, 'ada', 1);
    expect(await identity.accounts({ after: null, limit: 9 })).toEqual([
      { id: ADA, username: 'ada', admin: true, disabled: false, operator_role: null },
      { id: BOB, username: 'bob', admin: false, disabled: false, operator_role: 'support' },
    ]);
    expect(await identity.accounts({ after: 'ada', limit: 9 })).toMatchObject([{ id: BOB }]);
  });

  test('a session represents its user until it is over', async () => {
    await fixture.addUser(ADA, 'ada', 0);
    await fixture.addUser(BOB, 'bob', 1);
    await identity.openSession(session(ADA));
    await identity.openSession(session(BOB, { apiKey: 'b3-key', version: '2027-01-15' }));
    const none = { apiKey: null, version: null };
    expect(await identity.caller(session(ADA), NOW)).toEqual({ user: ADA, admin: false, ...none, ...TIMES });
    const options = { apiKey: 'b3-key', version: '2027-01-15' };
    expect(await identity.caller(session(BOB), NOW)).toEqual({ user: BOB, admin: true, ...options, ...TIMES });
    expect(await identity.caller(session(ADA), NOW + WEEK)).toBeNull();
    expect(await identity.caller(session(ADA, { idHash: 'another' }), NOW)).toBeNull();
    await identity.touch(session(ADA), NOW + 5, NOW + WEEK + 5);
    expect(await identity.caller(session(ADA), NOW + WEEK)).toMatchObject({ used: NOW + 5 });
    await identity.endSession(session(ADA));
    await identity.endSession(session(ADA));
    expect(await identity.caller(session(ADA), NOW)).toBeNull();
    expect(await identity.caller(session(BOB), NOW)).not.toBeNull();
  });

  test('another password ends the session', async () => {
    await fixture.addUser(ADA, 'ada', 0);
    await identity.openSession(session(ADA));
    await fixture.setPassword(ADA, 'scrypt$the-hash-of-another-one');
    expect(await identity.caller(session(ADA), NOW)).toBeNull();
  });

  test('only its owner owns a key', async () => {
    await fixture.addKey('a7-key', ADA);
    expect(await identity.keyOf(ADA, 'a7-key')).toEqual({ version: null });
    for (const [user, key] of [
      [BOB, 'a7-key'],
      [ADA, 'a7-none'],
      [ADA, 'a7-k\0ey'],
    ] as const)
      expect([key, await identity.keyOf(user, key)]).toEqual([key, null]);
  });

  test('a token represents the user of its key, within its scope, until the key expires', async () => {
    await fixture.addUser(ADA, 'ada', 1);
    const key = { seal: 'hash', scope: 'write', resources: '["game"]', expires: NOW };
    await fixture.addKey('a7-key', ADA, key);
    const token = { id: 'a7-key', hash: 'hash' };
    const scope = { writes: true, resources: ['game'] };
    const found = { caller: { user: ADA, admin: true, apiKey: 'a7-key', scope }, used: null };
    expect(await identity.token(token, NOW - 1)).toEqual(found);
    expect(await identity.token(token, NOW)).toBeNull();
    expect(await identity.token({ ...token, hash: 'another' }, NOW - 1)).toBeNull();
    expect(await identity.token({ ...token, id: 'a7-none' }, NOW - 1)).toBeNull();
    await identity.touchKey('a7-key', NOW - 1);
    await identity.touchKey('a7-key', NOW - 2);
    expect(await identity.token(token, NOW - 1)).toEqual({ ...found, used: NOW - 1 });
  });

  test('the keys of a user are listed, of whom there may be none', async () => {
    const { keys, addUser, addKey } = fixture;
    await addUser('c5-cy', 'cy', 0);
    expect([await keys?.('nobody'), await keys?.('cy')]).toEqual([null, []]);
    await addKey('c5-two', 'c5-cy', { scope: 'write', resources: '["game"]' });
    await addKey('c5-one', 'c5-cy');
    const shown = { name: null, api_version: null, expires: new Date(NOW + WEEK).toISOString(), last_used: null };
    expect(await keys?.('cy')).toEqual([
      { id: 'c5-one', scope: 'read', resources: null, ...shown },
      { id: 'c5-two', scope: 'write', resources: ['game'], ...shown },
    ]);
  });

  test('sessions that are over are pruned a few at a time', async () => {
    await fixture.addUser(ADA, 'ada', 0);
    await fixture.addUser(BOB, 'bob', 0);
    for (const at of [1, 2, 3])
      await identity.openSession(session(BOB, { idHash: `old ${at}`, expires: NOW + 10 * at }));
    await identity.openSession(session(ADA));
    expect(await identity.prune(NOW + 30, 2)).toBe(2);
    expect(await identity.prune(NOW + 30, 2)).toBe(1);
    expect(await identity.prune(NOW + 30, 2)).toBe(0);
    expect(await identity.caller(session(ADA), NOW)).not.toBeNull();
  });
}
