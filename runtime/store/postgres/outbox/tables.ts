// The tables of the outbox in PostgreSQL, as statements that may be executed at every start. The hook itself is a generated table.

import { SHARD } from '../../../schema/postgres/ddl.js';

const TEXT = 'text COLLATE "C"';
const PLACED = `"${SHARD}" ${TEXT} NOT NULL`;

/**
 * Everything about one hook has the hook's placement, which is that of the user who created it, so that each statement
 * about a hook touches one shard.
 *
 * Dates are epoch milliseconds; `due`, `ready`, the leases, messages and pauses are as on SQLite. What the log lacks there it has here too:
 * attempts of one hook are found among those of its placement, by the primary key.
 *
 * `webhook_subscription` repeats who is subscribed to what, placed with the owner that an event is about: the hooks of an
 * event are found on one shard, whoever created them. It is a hint: a row may outlast its hook, or what the hook was before.
 */
export const OUTBOX_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS webhook_delivery (
  ${PLACED},
  id ${TEXT} NOT NULL,
  webhook_id ${TEXT} NOT NULL,
  type ${TEXT} NOT NULL CONSTRAINT webhook_delivery_type_check CHECK (type IN ('subscribe', 'unsubscribe', 'data', 'test')),
  message ${TEXT} NOT NULL,
  created bigint NOT NULL,
  due bigint NOT NULL,
  ready bigint,
  failed bigint NOT NULL DEFAULT 0,
  last_failure bigint,
  attempt_id ${TEXT},
  lease bigint,
  snapshot_uri ${TEXT},
  snapshot_key ${TEXT},
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY ("${SHARD}", id)
)`,
  'CREATE INDEX IF NOT EXISTS webhook_delivery_ready_idx ON webhook_delivery (ready, webhook_id) WHERE ready IS NOT NULL',
  `CREATE INDEX IF NOT EXISTS webhook_delivery_first_idx ON webhook_delivery ("${SHARD}", webhook_id, id) WHERE failed = 0`,
  `CREATE INDEX IF NOT EXISTS webhook_delivery_retry_idx ON webhook_delivery ("${SHARD}", webhook_id, ready, id) WHERE failed > 0`,
  `CREATE TABLE IF NOT EXISTS webhook_lease (
  ${PLACED},
  subject ${TEXT} NOT NULL,
  attempt_id ${TEXT} NOT NULL,
  server ${TEXT} NOT NULL,
  until bigint NOT NULL,
  CONSTRAINT webhook_lease_pkey PRIMARY KEY ("${SHARD}", subject)
)`,
  `CREATE TABLE IF NOT EXISTS webhook_attempt (
  ${PLACED},
  id ${TEXT} NOT NULL,
  delivery_id ${TEXT} NOT NULL,
  webhook_id ${TEXT} NOT NULL,
  type ${TEXT} NOT NULL,
  started bigint NOT NULL,
  ended bigint NOT NULL,
  outcome ${TEXT} NOT NULL,
  status bigint,
  counted bigint NOT NULL CONSTRAINT webhook_attempt_counted_check CHECK (counted IN (0, 1)),
  CONSTRAINT webhook_attempt_pkey PRIMARY KEY ("${SHARD}", id)
)`,
  'CREATE INDEX IF NOT EXISTS webhook_attempt_ended_idx ON webhook_attempt (ended)',
  `CREATE TABLE IF NOT EXISTS webhook_answer (
  ${PLACED},
  id ${TEXT} NOT NULL,
  webhook_id ${TEXT} NOT NULL,
  ended bigint NOT NULL,
  answer ${TEXT} NOT NULL,
  CONSTRAINT webhook_answer_pkey PRIMARY KEY ("${SHARD}", id)
)`,
  'CREATE INDEX IF NOT EXISTS webhook_answer_ended_idx ON webhook_answer (ended)',
  `CREATE TABLE IF NOT EXISTS webhook_message (
  ${PLACED},
  id ${TEXT} NOT NULL,
  webhook_id ${TEXT} NOT NULL,
  type ${TEXT} NOT NULL,
  message ${TEXT} NOT NULL,
  created bigint NOT NULL,
  ended bigint NOT NULL,
  state ${TEXT} NOT NULL CONSTRAINT webhook_message_state_check CHECK (state IN ('delivered', 'cancelled', 'given_up')),
  attempt_id ${TEXT},
  lease bigint,
  callback_uri ${TEXT},
  user_id ${TEXT},
  api_key_id ${TEXT},
  CONSTRAINT webhook_message_pkey PRIMARY KEY ("${SHARD}", id)
)`,
  `CREATE INDEX IF NOT EXISTS webhook_message_webhook_id_idx ON webhook_message ("${SHARD}", webhook_id, id)`,
  'CREATE INDEX IF NOT EXISTS webhook_message_ended_idx ON webhook_message (ended)',
  `CREATE TABLE IF NOT EXISTS webhook_pause (
  ${PLACED},
  webhook_id ${TEXT} NOT NULL,
  operator bigint,
  account bigint,
  CONSTRAINT webhook_pause_pkey PRIMARY KEY ("${SHARD}", webhook_id)
)`,
  `CREATE TABLE IF NOT EXISTS webhook_mail (
  ${PLACED},
  id ${TEXT} NOT NULL,
  webhook_id ${TEXT} NOT NULL,
  user_id ${TEXT} NOT NULL,
  event ${TEXT} NOT NULL,
  callback_uri ${TEXT} NOT NULL,
  created bigint NOT NULL,
  due bigint,
  failed bigint NOT NULL DEFAULT 0,
  sent bigint,
  CONSTRAINT webhook_mail_pkey PRIMARY KEY ("${SHARD}", id),
  CONSTRAINT webhook_mail_webhook_id_key UNIQUE ("${SHARD}", webhook_id)
)`,
  'CREATE INDEX IF NOT EXISTS webhook_mail_due_idx ON webhook_mail (due) WHERE due IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS webhook_subscription (
  ${PLACED},
  owner_id ${TEXT} NOT NULL,
  event ${TEXT} NOT NULL,
  webhook_id ${TEXT} NOT NULL,
  CONSTRAINT webhook_subscription_pkey PRIMARY KEY ("${SHARD}", owner_id, event, webhook_id)
)`,
];

/** Fills the table of subscriptions for hooks that were copied from another database; may be repeated. */
export const FILL_SUBSCRIPTIONS = `INSERT INTO webhook_subscription ("${SHARD}", owner_id, event, webhook_id)
SELECT left(owner_id, 2), owner_id, event, id FROM webhook ON CONFLICT DO NOTHING`;
