// Accounts and sessions in SQLite: the table of sessions, and the statements on it and on the principal's table.
import type Database from 'better-sqlite3';
import { hasField } from '../../check-needs.js';
import type { AnyDefinition } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { quoted } from '../../schema/sql-text.js';
import type { Account, AccountPage, EngineOptions, Identity, ListedAccount, ListedSession } from '../engine.js';

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
  readonly created: number;
  readonly used: number;
}

/** Requires that the tables exist. */
export function createIdentity({ db, submit, apiKeys, principal }: IdentityParts): Identity {
  const table = quoted(principal.name);
  const flags = flagsOf(principal);
  const accounts = {
    one: db.prepare<[string], Stored<Account>>(
      `SELECT u.id, u.password, ${flags.disabled} AS disabled FROM ${table} u WHERE u.username = ?`,
    ),
    any: db.prepare(`SELECT 1 FROM ${table} LIMIT 1`),
    key: apiKeys && db.prepare<[string, string]>(`SELECT 1 FROM ${quoted(apiKeys.name)} WHERE id = ? AND user_id = ?`),
  };
  const sessions = prepareSessions(db, principal);
  return {
    caller({ idHash }, now) {
      const found = sessions.find.get(idHash, now);
      return found === undefined ? null : { ...found, admin: found.admin === 1 };
    },
    account(username) {
      const found = accounts.one.get(username);
      return found === undefined ? null : { ...found, disabled: found.disabled === 1 };
    },
    accounts: createAccounts(db, principal),
    hasAccounts: () => accounts.any.get() !== undefined,
    ownsKey: (user, key) => accounts.key && accounts.key.get(key, user) !== undefined,
    openSession: ({ idHash, user, password, created, expires, apiKey }) =>
      submit(() => {
        sessions.clear.run(user, created);
        sessions.insert.run(idHash, user, password.slice(-PASSWORD_TAG_LENGTH), created, created, expires, apiKey);
      }),
    touch: ({ idHash }, used, expires) => submit(() => void sessions.touch.run(used, expires, idHash)),
    endSession: ({ idHash }) => submit(() => void sessions.end.run(idHash)),
    endSessions: (user) => submit(() => sessions.endAll.run(user).changes),
    sessions: ({ user, after, now, limit }) => {
      const { created = Number.MAX_SAFE_INTEGER, idHash = '' } = after ?? {};
      return sessions.page
        .all({ user, created, idHash, now, limit })
        .map((row) => ({ ...row, placement: placementOf(row.user) }));
    },
    prune: (now, limit) => submit(() => sessions.prune.run(now, limit).changes),
  };
}

/** Only reads. */
export function createAccounts(
  db: Database.Database,
  principal: AnyDefinition,
): (page: AccountPage) => readonly ListedAccount[] {
  const flags = flagsOf(principal);
  const page = db.prepare<[string, number], Stored<ListedAccount>>(
    `SELECT u.id, u.username, ${flags.admin} AS admin, ${flags.disabled} AS disabled
     FROM ${quoted(principal.name)} u WHERE u.username > ? ORDER BY u.username LIMIT ?`,
  );
  return ({ after, limit }) =>
    page.all(after ?? '', limit).map((row) => ({ ...row, admin: row.admin === 1, disabled: row.disabled === 1 }));
}

/**
 * Length of the password tag: a session keeps this many characters from the end of the password's hash. Setting a
 * password, even the same one again, changes the hash, so that the user's sessions end without a search for them.
 */
const PASSWORD_TAG_LENGTH = 16;

/** Booleans as SQLite stores them. */
type Stored<T> = { readonly [Name in keyof T]: T[Name] extends boolean ? 0 | 1 : T[Name] };

/** SQL of what a project's principal may lack, over its table as `u`. */
function flagsOf(principal: AnyDefinition) {
  const flag = (name: string) => (hasField(principal, name) ? `u.${name}` : '0');
  return { admin: flag('admin'), disabled: flag('disabled') };
}

/** Ends the sessions of a user, as part of the caller's transaction. */
export function prepareEndSessions(db: Database.Database): Database.Statement<[string]> {
  return db.prepare<[string]>('DELETE FROM session WHERE user_id = ?');
}

function prepareSessions(db: Database.Database, principal: AnyDefinition) {
  const { admin, disabled } = flagsOf(principal);
  const live = `FROM session s JOIN ${quoted(principal.name)} u ON u.id = s.user_id
       AND substr(u.password, -${PASSWORD_TAG_LENGTH}) = s.stamp AND ${disabled} = 0`;
  return {
    find: db.prepare<[string, number], Found>(
      `SELECT s.user_id AS user, ${admin} AS admin, s.api_key_id AS apiKey, s.created, s.used ${live}
       WHERE s.id_hash = ? AND s.expires > ?`,
    ),
    page: db.prepare<object, Omit<ListedSession, 'placement'>>(
      `SELECT s.id_hash AS idHash, s.user_id AS user, u.username, s.created, s.used, s.expires, s.api_key_id AS apiKey ${live}
       WHERE s.expires > @now AND (@user IS NULL OR s.user_id = @user) AND (s.created, s.id_hash) < (@created, @idHash)
       ORDER BY s.created DESC, s.id_hash DESC LIMIT @limit`,
    ),
    endAll: prepareEndSessions(db),
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
