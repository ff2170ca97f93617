// The tables of the outbox, as statements that may be executed at every start. The hook itself is a generated table.

/**
 * Dates are epoch milliseconds. A delivery exists until it is delivered or given up; its attempts stay in the log.
 *
 * `due` is when a delivery may be attempted by the rules, `ready` when it can be claimed: null while it is held (S4) or
 * belongs to a test. A delivery in flight can be claimed again when its lease has ended (S24).
 *
 * First attempts are found in the order they were created, by an index without `ready`: most deliveries are claimed once,
 * and each index that a claim changes is one more page to write.
 *
 * A lease makes a hook one attempt's in the whole system, and belongs to a server; a test has one of its own, under the
 * delivery's id, and keeps nothing else waiting.
 *
 * The log of attempts has no index: each would cost a page per attempt, and operators who read a log can wait.
 */
export const WEBHOOK_TABLES = `
CREATE TABLE IF NOT EXISTS webhook_delivery (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('subscribe', 'unsubscribe', 'data', 'test')),
  message TEXT NOT NULL,
  created INTEGER NOT NULL,
  due INTEGER NOT NULL,
  ready INTEGER,
  failed INTEGER NOT NULL DEFAULT 0,
  last_failure INTEGER,
  attempt_id TEXT,
  lease INTEGER,
  snapshot_uri TEXT,
  snapshot_key TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_delivery_ready_idx ON webhook_delivery (ready, webhook_id) WHERE ready IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhook_delivery_first_idx ON webhook_delivery (webhook_id, id) WHERE failed = 0;
CREATE INDEX IF NOT EXISTS webhook_delivery_retry_idx ON webhook_delivery (webhook_id, ready) WHERE failed > 0;
CREATE TABLE IF NOT EXISTS webhook_lease (
  subject TEXT PRIMARY KEY,
  attempt_id TEXT NOT NULL,
  server TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhook_attempt (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  type TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  counted INTEGER NOT NULL CHECK (counted IN (0, 1))
) STRICT;
CREATE TABLE IF NOT EXISTS webhook_mail (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  event TEXT NOT NULL,
  callback_uri TEXT NOT NULL,
  created INTEGER NOT NULL,
  due INTEGER,
  failed INTEGER NOT NULL DEFAULT 0,
  sent INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS webhook_mail_due_idx ON webhook_mail (due) WHERE due IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhook_owner_event_idx ON webhook (owner_id, event);
`;
