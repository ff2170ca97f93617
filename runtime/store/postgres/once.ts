// The answers of requests with an idempotency key (D50), in PostgreSQL. Whoever comes second waits for the first to commit.
import { placementOf } from '../../ids.js';
import { ONCE_KEPT, ONCE_STEP, type Once, onceUnder, refuseOtherBody } from '../once.js';
import type { Caller } from '../records.js';
import type { Connections } from './connections.js';
import { prepareNamed, type Query, run } from './named.js';

const TEXT = 'text COLLATE "C"';

/** The table, placed with the user; dates are epoch milliseconds. */
export const ONCE_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS once_answer (
  _shard ${TEXT} NOT NULL,
  id ${TEXT} NOT NULL,
  user_id ${TEXT} NOT NULL,
  body_hash ${TEXT} NOT NULL,
  created bigint NOT NULL,
  answer ${TEXT} NOT NULL,
  CONSTRAINT once_answer_pkey PRIMARY KEY (_shard, id)
)`,
  'CREATE INDEX IF NOT EXISTS once_answer_created_idx ON once_answer (created)',
];

export interface OnceRequest {
  readonly once?: Once;
  readonly caller: Caller;
  readonly now: number;
}

/** Carries out a write within the transaction that `query` belongs to, unless its answer is stored, and stores the answer. */
export type WriteOnce = <T>(
  query: Query,
  request: OnceRequest,
  write: () => Promise<Written<T>>,
) => Promise<Written<T>>;

interface Written<T> {
  readonly result: T;
  readonly committed: () => void;
}

export function createWriteOnce(connections: Connections): WriteOnce {
  const named = (sql: string) => prepareNamed(connections, sql);
  const forget = named('DELETE FROM once_answer WHERE _shard = @shard AND id = @id AND created <= @before');
  const claim = named(
    `INSERT INTO once_answer (_shard, id, user_id, body_hash, created, answer) VALUES (@shard, @id, @user, @bodyHash, @now, '')
     ON CONFLICT DO NOTHING RETURNING id`,
  );
  const find = named('SELECT body_hash AS "bodyHash", answer FROM once_answer WHERE _shard = @shard AND id = @id');
  const put = named('UPDATE once_answer SET answer = @answer WHERE _shard = @shard AND id = @id');
  return async <T>(query: Query, { once, caller: { user }, now }: OnceRequest, write: () => Promise<Written<T>>) => {
    if (once === undefined || user === null) return write();
    return onceUnder(user, once, write, async (id, work) => {
      const place = { shard: placementOf(user), id };
      await run(query, forget({ ...place, before: now - ONCE_KEPT }));
      const claimed = await run(query, claim({ ...place, user, bodyHash: once.bodyHash, now }));
      if (claimed.length > 0) {
        const written = await work();
        await run(query, put({ ...place, answer: JSON.stringify(written.result) }));
        return written;
      }
      const [stored] = await run(query, find(place));
      refuseOtherBody(once, String(stored?.bodyHash));
      return { result: JSON.parse(String(stored?.answer)) as T, committed: () => undefined };
    });
  };
}

export function createPruneOnce(connections: Connections) {
  const prune = prepareNamed(
    connections,
    `WITH old AS (SELECT _shard, id FROM once_answer WHERE created <= @before ORDER BY created LIMIT ${ONCE_STEP})
     DELETE FROM once_answer a USING old WHERE a._shard = old._shard AND a.id = old.id RETURNING a.id`,
  );
  return async (now: number): Promise<boolean> =>
    (await run(connections.query, prune({ before: now - ONCE_KEPT }))).length === ONCE_STEP;
}
