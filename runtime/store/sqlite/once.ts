// The answers of requests with an idempotency key (D50), in SQLite.
import type Database from 'better-sqlite3';
import { ONCE_KEPT, ONCE_STEP, type Once, onceUnder, refuseOtherBody } from '../once.js';
import type { Caller } from '../records.js';

/** The table, as a statement that may be run at every start. Dates are epoch milliseconds. */
export const ONCE_TABLE = `
CREATE TABLE IF NOT EXISTS once_answer (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  created INTEGER NOT NULL,
  answer TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS once_answer_created_idx ON once_answer (created);
`;

export interface OnceRequest {
  readonly once?: Once;
  readonly caller: Caller;
  readonly now: number;
}

/** Carries out a write within the caller's transaction, unless its answer is stored, and stores the answer. */
export type WriteOnce = <T>(request: OnceRequest, write: () => T) => T;

export function createWriteOnce(db: Database.Database): WriteOnce {
  const find = db.prepare<[string, number], { readonly bodyHash: string; readonly answer: string }>(
    'SELECT body_hash AS bodyHash, answer FROM once_answer WHERE id = ? AND created > ?',
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO once_answer (id, user_id, body_hash, created, answer)
     VALUES (@id, @user, @bodyHash, @now, @answer)`,
  );
  return <T>({ once, caller: { user }, now }: OnceRequest, write: () => T): T => {
    if (once === undefined || user === null) return write();
    return onceUnder(user, once, write, (id, work) => {
      const stored = find.get(id, now - ONCE_KEPT);
      if (stored === undefined) {
        const answer = work();
        put.run({ id, user, bodyHash: once.bodyHash, now, answer: JSON.stringify(answer) });
        return answer;
      }
      refuseOtherBody(once, stored.bodyHash);
      return JSON.parse(stored.answer) as T;
    });
  };
}

export function createPruneOnce(db: Database.Database, submit: <T>(work: () => T) => Promise<T>) {
  const prune = db.prepare<[number]>(
    `DELETE FROM once_answer WHERE id IN (SELECT id FROM once_answer WHERE created <= ? ORDER BY created LIMIT ${ONCE_STEP})`,
  );
  return (now: number): Promise<boolean> => submit(() => prune.run(now - ONCE_KEPT).changes === ONCE_STEP);
}
