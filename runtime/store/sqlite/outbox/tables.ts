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
 * A message stays readable once its delivery is over, and is found with its hook. One that was cancelled with its hook has
 * what another attempt would need; the attempt that was under way then is kept too, as it may deliver it all the same.
 *
 * A hook is paused while it has a row that says since when: by an operator, or with the account of its user.
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
CREATE INDEX IF NOT EXISTS webhook_attempt_delivery_idx ON webhook_attempt (webhook_id, delivery_id);
CREATE TABLE IF NOT EXISTS webhook_answer (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  ended INTEGER NOT NULL,
  answer TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS webhook_answer_idx ON webhook_answer (id);
CREATE TABLE IF NOT EXISTS webhook_message (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  type TEXT NOT NULL,
  message TEXT NOT NULL,
  created INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('delivered', 'cancelled', 'given_up')),
  attempt_id TEXT,
  lease INTEGER,
  callback_uri TEXT,
  user_id TEXT,
  api_key_id TEXT
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS webhook_message_idx ON webhook_message (webhook_id, id);
CREATE TABLE IF NOT EXISTS webhook_pause (
  webhook_id TEXT PRIMARY KEY,
  operator INTEGER,
  account INTEGER
) STRICT, WITHOUT ROWID;
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
