// Accounts and sessions in SQLite: the table of sessions, and the statements on it and on the principal's table.
import type Database from 'better-sqlite3';
import { hasField } from '../../check-needs.js';
import type { AnyDefinition } from '../../definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { Account, EngineOptions, Identity } from '../engine.js';

/** The table, as a statement that may be run at every start. Dates are epoch milliseconds. */
export const SESSION_TABLE = `
CREATE TABLE IF NOT EXISTS session (
  id_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  stamp TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  api_key_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_user_id_idx ON session (user_id);
CREATE INDEX IF NOT EXISTS session_expires_idx ON session (expires);
`;

export interface IdentityParts extends Pick<EngineOptions, 'apiKeys' | 'principal'> {
  readonly db: Database.Database;
  /** Runs one write in the queue of `db`; resolves when it is durable. */
  readonly submit: <T>(work: () => T) => Promise<T>;
}

interface Found {
  readonly user: string;
  readonly admin: number;
  readonly apiKey: string | null;
  readonly used: number;
}

/** Requires that the tables exist. */
export function createIdentity({ db, submit, apiKeys, principal }: IdentityParts): Identity {
  const table = quoted(principal.name);
  const accounts = {
    one: db.prepare<[string], Account>(`SELECT id, password FROM ${table} WHERE username = ?`),
    any: db.prepare(`SELECT 1 FROM ${table} LIMIT 1`),
    key: apiKeys && db.prepare<[string, string]>(`SELECT 1 FROM ${quoted(apiKeys.name)} WHERE id = ? AND user_id = ?`),
  };
  const sessions = prepareSessions(db, principal);
  return {
    caller({ idHash }, now) {
      const found = sessions.find.get(idHash, now);
      return found === undefined ? null : { ...found, admin: found.admin === 1 };
    },
    account: (username) => accounts.one.get(username) ?? null,
    hasAccounts: () => accounts.any.get() !== undefined,
    ownsKey: (user, key) => accounts.key && accounts.key.get(key, user) !== undefined,
    openSession: ({ idHash, user, password, created, expires, apiKey }) =>
      submit(() => {
        sessions.clear.run(user, created);
        sessions.insert.run(idHash, user, password.slice(-PASSWORD_TAG_LENGTH), created, created, expires, apiKey);
      }),
    touch: ({ idHash }, used, expires) => submit(() => void sessions.touch.run(used, expires, idHash)),
    endSession: ({ idHash }) => submit(() => void sessions.end.run(idHash)),
    prune: (now, limit) => submit(() => sessions.prune.run(now, limit).changes),
  };
}

/**
 * Length of the password tag: a session keeps this many characters from the end of the password's hash. Setting a
 * password, even the same one again, changes the hash, so that the user's sessions end without a search for them.
 */
const PASSWORD_TAG_LENGTH = 16;

function prepareSessions(db: Database.Database, principal: AnyDefinition) {
  const admin = hasField(principal, 'admin') ? 'u.admin' : '0';
  return {
    find: db.prepare<[string, number], Found>(
      `SELECT s.user_id AS user, ${admin} AS admin, s.api_key_id AS apiKey, s.used
       FROM session s JOIN ${quoted(principal.name)} u ON u.id = s.user_id AND substr(u.password, -${PASSWORD_TAG_LENGTH}) = s.stamp
       WHERE s.id_hash = ? AND s.expires > ?`,
    ),
    insert: db.prepare(
      `INSERT INTO session (id_hash, user_id, stamp, created, used, expires, api_key_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    touch: db.prepare('UPDATE session SET used = ?, expires = ? WHERE id_hash = ?'),
    clear: db.prepare('DELETE FROM session WHERE user_id = ? AND expires <= ?'),
    end: db.prepare('DELETE FROM session WHERE id_hash = ?'),
    prune: db.prepare(
      'DELETE FROM session WHERE id_hash IN (SELECT id_hash FROM session WHERE expires <= ? ORDER BY expires LIMIT ?)',
    ),
  };
}
