// The rows of deliveries: how one is made and how those of a hook are cancelled. Knows nothing of attempts.
import type { Database } from 'better-sqlite3';
import { type Ids, placementOf } from '../ids.js';
import type { CallbackType } from './delivery.js';
import type { HookRow } from './hook-events.js';
import { messageText } from './message.js';

export interface NewDelivery {
  readonly type: CallbackType;
  /** JSON text. */
  readonly payload: string;
  /** Unsubscribe only: address and key as they were when the hook was deleted (S9). */
  readonly snapshot?: { readonly uri: string; readonly key: string | null };
  /** Test only: the attempt it was made for; no claim ever takes it. */
  readonly attempt?: string;
}

export interface Deliveries {
  /** A new row, due at once; its id and the message it holds (S25). */
  add(hook: HookRow, made: NewDelivery, now: number): { readonly id: string; readonly message: string };
  /** Nothing more of this hook goes out (S22). */
  cancel(hook: string): void;
}

/** Rows are placed with their hook. */
export function createDeliveries(db: Database, ids: Ids): Deliveries {
  const insert = db.prepare(
    `INSERT INTO webhook_delivery
       (id, webhook_id, type, message, created, due, ready, attempt_id, snapshot_uri, snapshot_key)
     VALUES (@id, @hook, @type, @message, @now, @now, iif(@attempt IS NULL, @now, NULL), @attempt, @uri, @key)`,
  );
  // Twice, because each index holds one part.
  const cancel = db.prepare('DELETE FROM webhook_delivery WHERE webhook_id = ? AND failed = 0');
  const cancelRetries = db.prepare('DELETE FROM webhook_delivery WHERE webhook_id = ? AND failed > 0');
  return {
    add(hook, { type, payload, snapshot, attempt = null }, now) {
      const id = ids.next(placementOf(hook.id), now);
      const message = messageText({ ...hook, type }, payload);
      const { uri = null, key = null } = snapshot ?? {};
      insert.run({ id, hook: hook.id, type, message, now, attempt, uri, key });
      return { id, message };
    },
    cancel(hook) {
      cancel.run(hook);
      cancelRetries.run(hook);
    },
  };
}
