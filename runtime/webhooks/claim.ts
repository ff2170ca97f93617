// From due to in flight: what is due, the claim that makes an attempt of it, and the way back after a crash. Sends nothing.
import { ServiceError } from '../errors.js';
import { placementOf } from '../ids.js';
import type { Deliveries } from './deliveries.js';
import { type Attempt, type CallbackType, HOLD_AT, type Outbox } from './delivery.js';
import type { HookRow } from './hook-events.js';
import type { OutboxParts } from './parts.js';

export interface Claims
  extends Pick<Outbox, 'dueHooks' | 'nextDue' | 'othersWrote' | 'hostOf' | 'claim' | 'releaseAll'> {
  /**
   * A delivery of type test, in flight from the start and never claimed; settle ends it (S11, S13).
   * @param payload JSON text
   * Throws not_found when the hook is gone.
   */
  openTest(hook: string, payload: string, now: number): Promise<Attempt>;
  /** S31: after the clock has gone back, a retry waits no longer than its delay from now. */
  rewind(now: number): Promise<void>;
}

interface Claimable {
  readonly id: string;
  readonly type: CallbackType;
  readonly message: string;
  readonly failed: number;
  readonly uri: string | null;
  readonly key: string | null;
}

export function createClaims(parts: OutboxParts, deliveries: Deliveries): Claims {
  const { db, commits, ids, records } = parts;
  const statements = prepare(parts);
  let version: unknown;
  const claimOne = (hook: string, now: number, lease: number): Attempt[] => {
    const row = statements.oldest.get({ hook, now });
    if (row === undefined) return [];
    // Its hook went with the user it belonged to: nobody is left to tell (S38).
    if (row.uri === null) {
      deliveries.cancel(hook);
      return [];
    }
    const id = ids.next(placementOf(hook), now);
    statements.claim.run({ delivery: row.id, id, lease });
    const { type, message, uri, key, failed } = row;
    return [{ id, delivery: row.id, hook, type, message, uri, key, failed, started: now }];
  };
  return {
    dueHooks: (after, until) => statements.hooks.all(after, until),
    nextDue: (now) => statements.next.get(now) ?? null,
    othersWrote() {
      const before = version;
      version = statements.version.get();
      return version !== before;
    },
    hostOf(hook) {
      const uri = statements.uri.get({ hook });
      return typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).host : null;
    },
    async claim(hooks, now, lease) {
      if (hooks.length === 0) return [];
      return commits.submit(() => hooks.flatMap((hook) => claimOne(hook, now, lease)));
    },
    releaseAll: (now) =>
      commits.submit(() => {
        db.prepare(`DELETE FROM webhook_delivery WHERE type = 'test'`).run();
        statements.rewind.run({ now });
        return statements.release.run().changes;
      }),
    rewind: (now) => commits.submit(() => void statements.rewind.run({ now })),
    openTest: (hook, payload, now) =>
      commits.submit(() => {
        const row = records('webhook').row(hook) as HookRow | undefined;
        if (row === undefined) throw new ServiceError('not_found', 'Web hook not found.');
        const attempt = ids.next(placementOf(hook), now);
        const { id, message } = deliveries.add(row, { type: 'test', payload, attempt }, now);
        const key = statements.key.get(row.api_key_id, row.user_id) ?? null;
        const uri = row.callback_uri;
        return { id: attempt, delivery: id, hook, type: 'test', message, uri, key, failed: 0, started: now };
      }),
  };
}

function prepare({ db }: OutboxParts) {
  return {
    hooks: db
      .prepare<[number, number], string>(
        'SELECT DISTINCT webhook_id FROM webhook_delivery WHERE ready > ? AND ready <= ?',
      )
      .pluck(),
    // Another connection's commits change it, our own do not.
    version: db.prepare('PRAGMA data_version').pluck(),
    // The one delivery of a hook that is gone is its unsubscribe, which is attempted once.
    uri: db
      .prepare<{ hook: string }, string | null>(
        `SELECT coalesce((SELECT callback_uri FROM webhook WHERE id = @hook),
           (SELECT snapshot_uri FROM webhook_delivery WHERE webhook_id = @hook AND failed = 0 LIMIT 1))`,
      )
      .pluck(),
    next: db.prepare<[number], number | null>('SELECT min(ready) FROM webhook_delivery WHERE ready > ?').pluck(),
    // Address and key as they are now (S20, S21); a key counts only while it is the creator's.
    oldest: db.prepare<{ hook: string; now: number }, Claimable>(
      `SELECT d.id, d.type, d.message, d.failed, coalesce(d.snapshot_uri, w.callback_uri) AS uri,
         iif(d.type = 'unsubscribe', d.snapshot_key, k.private_key) AS key
       FROM (${OLDEST}) o JOIN webhook_delivery d ON d.id = o.id LEFT JOIN webhook w ON w.id = d.webhook_id
         LEFT JOIN apikey k ON k.id = w.api_key_id AND k.user_id = w.user_id`,
    ),
    claim: db.prepare('UPDATE webhook_delivery SET attempt_id = @id, lease = @lease WHERE id = @delivery'),
    // S24: an attempt of unknown outcome is made once more and was no failure.
    release: db.prepare(
      `UPDATE webhook_delivery SET attempt_id = NULL, lease = NULL, ready = ${READY} WHERE attempt_id IS NOT NULL`,
    ),
    rewind: db.prepare(
      `UPDATE webhook_delivery SET due = @now + max(0, due - coalesce(last_failure, due)),
         last_failure = iif(last_failure IS NULL, NULL, @now),
         ready = iif(ready IS NULL OR attempt_id IS NOT NULL, ready, @now + max(0, due - coalesce(last_failure, due)))
       WHERE coalesce(last_failure, due) > @now`,
    ),
    key: db
      .prepare<[string | null, string], string>('SELECT private_key FROM apikey WHERE id = ? AND user_id = ?')
      .pluck(),
  };
}

/** S4: retries are held while the count is at HOLD_AT or above; first attempts never. */
const READY = `iif(failed > 0 AND coalesce((SELECT failures_since_last_success FROM webhook w
  WHERE w.id = webhook_id), 0) >= ${HOLD_AT}, NULL, due)`;

/** S29: of first attempts the one that was made first, of retries the one that is due first; of these two the elder. */
const OLDEST = `SELECT id FROM (
  SELECT * FROM (SELECT id, ready FROM webhook_delivery
    WHERE webhook_id = @hook AND failed = 0 AND ready <= @now AND (lease IS NULL OR lease <= @now) ORDER BY id LIMIT 1)
  UNION ALL
  SELECT * FROM (SELECT id, ready FROM webhook_delivery
    WHERE webhook_id = @hook AND failed > 0 AND ready <= @now AND (lease IS NULL OR lease <= @now)
    ORDER BY ready, id LIMIT 1)
) ORDER BY ready, id LIMIT 1`;
