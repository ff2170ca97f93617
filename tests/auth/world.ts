// A database file with a user, for the tests of sessions and logins.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { apiKeysOf, createLogin, type Login } from '../../runtime/auth/login.js';
import { createLoginLimit } from '../../runtime/auth/login-limit.js';
import { createPasswords } from '../../runtime/auth/passwords.js';
import { createSessions, type Sessions } from '../../runtime/auth/sessions.js';
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { createIdentity } from '../../runtime/store/identity.js';
import { createDatabase } from '../../runtime/store/sqlite/database.js';
import { userNamed } from '../../runtime/store/sqlite/engine.js';
import { createModuleTables, engineTables } from '../../runtime/store/sqlite/tables.js';
import { temporaryFolder } from '../support/paths.js';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const NOW = 1_700_000_000_000;
export const USER = 'a7-user-one';

export interface World {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly login: Login;
  /** The number of writes that were submitted. */
  writes(): number;
  setPassword(password: string): Promise<void>;
  end(): void;
}

const TABLES = `
CREATE TABLE "user" (id TEXT PRIMARY KEY, username TEXT UNIQUE, password TEXT, admin INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE apikey (id TEXT PRIMARY KEY, user_id TEXT) STRICT, WITHOUT ROWID;
INSERT INTO apikey VALUES ('a7-mine', '${USER}'), ('b3-other', 'b3-user-two');
`;

export async function world(): Promise<World> {
  const folder = temporaryFolder('sessions');
  const db = new Sqlite(join(folder, 'test.db'));
  for (let times = 0; times < 2; times += 1) createModuleTables(db, engineTables([]));
  db.exec(TABLES);
  const passwords = createPasswords({ n: 16, r: 8, p: 1 });
  db.prepare('INSERT INTO "user" VALUES (?, ?, ?, 0)').run(USER, 'ada', await passwords.hash('secret'));

  let writes = 0;
  const definitions = [
    { name: 'user', principal: true, properties: { admin: { kind: 'column', column: 'admin' } } },
    { name: 'apikey', properties: {}, references: [{ column: 'user_id', to: 'user' }] },
  ] as unknown as AnyDefinition[];
  const principal = definitions[0] as AnyDefinition;
  const submit = async <T>(work: () => T): Promise<T> => {
    writes += 1;
    return work();
  };
  const secret = (): string => randomBytes(20).toString('base64url');
  const limit = createLoginLimit(10);
  const identity = createIdentity({
    ...{ database: createDatabase(db, submit), apiKeys: apiKeysOf(definitions, principal), principal },
    userNamed: userNamed(principal),
  });
  const sessions = createSessions(identity, secret);
  return {
    db,
    sessions,
    login: createLogin({ identity, sessions, passwords, limit }),
    writes: () => writes,
    async setPassword(password) {
      db.prepare('UPDATE "user" SET password = ?').run(await passwords.hash(password));
    },
    end: () => void db.close(),
  };
}
