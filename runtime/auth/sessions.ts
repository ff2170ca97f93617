// Sessions in the database (D13): opening, looking up and ending them. Only hashes of their ids are stored.

import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { hasField } from '../check-needs.js';
import type { AnyDefinition } from '../definition.js';
import type { Caller } from '../store/store.js';

/** The table, as text that may be run at every start. Dates are epoch milliseconds. */
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

export const LIFETIME = 7 * 24 * 60 * 60 * 1000;
/** A session in use is extended at most this often, so that reading does not write. */
export const EXTENSION = 60 * 60 * 1000;

/** Runs one write in the store's queue; resolves when it is durable. */
export type Submit = <T>(work: () => T) => Promise<T>;

export interface Session {
  readonly id: string;
  readonly user: string;
  readonly apiKey: string | null;
}

export interface NewSession {
  readonly user: string;
  /** The password hash that was verified; another one ends the session. */
  readonly password: string;
  readonly apiKey: string | null;
}

export interface Sessions {
  /** Who the session speaks for; null when there is none, it is over, or the password has changed since. */
  caller(id: string, now: number): Caller | null;
  open(session: NewSession, now: number): Promise<Session>;
  get(id: string, now: number): Session | null;
  /** Ends it; also when there is none. */
  remove(id: string): Promise<void>;
  /** Deletes some of those that are over, whoever's they are. @returns true: there may be more */
  prune(now: number): Promise<boolean>;
}

export interface SessionSource {
  readonly db: Database;
  readonly submit: Submit;
  /** Whose table holds username, password and, where there are administrators, admin. */
  readonly principal: AnyDefinition;
  /** Fresh URL-safe text of at least 160 random bits. */
  readonly secret: () => string;
}

interface Row {
  readonly user_id: string;
  readonly used: number;
  readonly api_key_id: string | null;
  readonly admin: number;
}

/** The table must exist. */
export function createSessions({ db, submit, principal, secret }: SessionSource): Sessions {
  const statements = prepare(db, principal);
  const extending = new Set<string>();

  const find = (id: string, now: number): Row | undefined => {
    if (!SHAPE.test(id)) return undefined;
    const idHash = sha256(id);
    const row = statements.find.get(idHash, now);
    if (row !== undefined && now - row.used > EXTENSION && !extending.has(idHash)) {
      extending.add(idHash);
      submit(() => statements.extend.run(now, now + LIFETIME, idHash))
        // Not extended: it is tried again with the next use.
        .catch(() => undefined)
        .finally(() => extending.delete(idHash));
    }
    return row;
  };

  return {
    caller(id, now) {
      const row = find(id, now);
      return row === undefined ? null : { user: row.user_id, admin: row.admin === 1, apiKey: row.api_key_id };
    },
    get(id, now) {
      const row = find(id, now);
      return row === undefined ? null : { id, user: row.user_id, apiKey: row.api_key_id };
    },
    async open({ user, password, apiKey }, now) {
      const id = user.slice(0, PLACEMENT) + secret();
      await submit(() => {
        statements.clear.run(user, now);
        statements.insert.run(sha256(id), user, password.slice(-STAMP), now, now, now + LIFETIME, apiKey);
      });
      return { id, user, apiKey };
    },
    async remove(id) {
      if (SHAPE.test(id)) await submit(() => statements.remove.run(sha256(id)));
    },
    prune: (now) => submit(() => statements.prune.run(now, PRUNED).changes === PRUNED),
  };
}

/**
 * Characters from the end of the password's hash that a session keeps: every new password, also the same one again,
 * has another hash, so that its sessions end without anyone looking for them.
 */
const STAMP = 16;
/** Characters of an id that say where its record lives (D37); a session is placed with its user. */
const PLACEMENT = 2;
/** Sessions that one statement deletes at most. */
const PRUNED = 500;
const SHAPE = /^[\w-]{24,80}$/;

function prepare(db: Database, principal: AnyDefinition) {
  const admin = hasField(principal, 'admin') ? 'u.admin' : '0';
  return {
    find: db.prepare<[string, number], Row>(
      `SELECT s.user_id, s.used, s.api_key_id, ${admin} AS admin
       FROM session s JOIN "${principal.name}" u ON u.id = s.user_id AND substr(u.password, -${STAMP}) = s.stamp
       WHERE s.id_hash = ? AND s.expires > ?`,
    ),
    insert: db.prepare(
      `INSERT INTO session (id_hash, user_id, stamp, created, used, expires, api_key_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    extend: db.prepare('UPDATE session SET used = ?, expires = ? WHERE id_hash = ?'),
    clear: db.prepare('DELETE FROM session WHERE user_id = ? AND expires <= ?'),
    remove: db.prepare('DELETE FROM session WHERE id_hash = ?'),
    prune: db.prepare(
      'DELETE FROM session WHERE id_hash IN (SELECT id_hash FROM session WHERE expires <= ? ORDER BY expires LIMIT ?)',
    ),
  };
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
