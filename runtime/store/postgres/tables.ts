// The tables of a database besides those of its schema, as repeatable statements.
import type { AnyDefinition } from '../../contract/definition.js';
import { hasWebhooks } from '../../rules/hooks.js';
import { SHARD, TYPES } from '../../schema/postgres/ddl.js';
import {
  contentIndexes,
  ENGINE_TABLES,
  type EngineColumn,
  type EngineTable,
  indexStatements,
  OUTBOX_TABLES,
} from '../engine-tables.js';

/** @param definitions all generated definitions */
export function engineTables(definitions: readonly AnyDefinition[]): readonly string[] {
  return [
    ...ENGINE_TABLES.flatMap(tableStatements),
    ...contentIndexes(definitions),
    ...(hasWebhooks(definitions) ? OUTBOX_STATEMENTS : []),
  ];
}

/** Every row is placed. The number of a row is a time, because Citus has no sequence that increases across machines. */
export function tableStatements(table: EngineTable): readonly string[] {
  const { name, columns, key } = table;
  const isNumbered = table.numbered === 'everywhere';
  const primary = isNumbered ? `sequence, ${key}` : key;
  const lines = [
    `${SHARD} ${TYPES.text} NOT NULL`,
    ...(isNumbered ? [`sequence ${TYPES.integer} NOT NULL`] : []),
    ...columns.filter(({ isLater }) => !isLater).map((column) => definitionOf(name, column)),
    `CONSTRAINT ${name}_pkey PRIMARY KEY (${SHARD}, ${primary})`,
    ...columns
      .filter(({ isUnique }) => isUnique)
      .map((column) => `CONSTRAINT ${name}_${column.name}_key UNIQUE (${SHARD}, ${column.name})`),
  ];
  const later = columns.filter(({ isLater }) => isLater);
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${lines.join(',\n  ')}\n)`,
    ...later.map((column) => `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${definitionOf(name, column)}`),
    ...indexStatements(table, SHARD),
  ];
}

function definitionOf(table: string, { name, type, isNullable, check, ...column }: EngineColumn): string {
  const parts = [name, TYPES[type]];
  if (!isNullable) parts.push('NOT NULL');
  if (column.default !== undefined) parts.push(`DEFAULT ${column.default}`);
  if (check !== undefined) parts.push(`CONSTRAINT ${table}_${name}_check CHECK (${check})`);
  return parts.join(' ');
}

/**
 * The tables of the outbox. Everything about a hook has the placement of the hook and of the user who created it, so that each
 * statement about a hook touches one shard; attempts of a hook are found by the primary key among those of its placement.
 *
 * `webhook_subscription` repeats the subscriptions, placed with the owner of the event, so that the hooks of an event are found
 * on one shard, whoever created them. It is only a hint: a row may outlast its hook, or an update of the hook.
 */
export const OUTBOX_STATEMENTS: readonly string[] = [
  ...OUTBOX_TABLES.flatMap(tableStatements),
  'CREATE INDEX IF NOT EXISTS webhook_attempt_ended_idx ON webhook_attempt (ended)',
  'CREATE INDEX IF NOT EXISTS webhook_answer_ended_idx ON webhook_answer (ended)',
  `CREATE INDEX IF NOT EXISTS webhook_message_webhook_id_idx ON webhook_message (${SHARD}, webhook_id, id)`,
  'CREATE INDEX IF NOT EXISTS webhook_message_ended_idx ON webhook_message (ended)',
  `CREATE TABLE IF NOT EXISTS webhook_subscription (
  ${['_shard', 'owner_id', 'event', 'webhook_id'].map((name) => `${name} ${TYPES.text} NOT NULL`).join(',\n  ')},
  CONSTRAINT webhook_subscription_pkey PRIMARY KEY (${SHARD}, owner_id, event, webhook_id)
)`,
];

/** Fills the table of subscriptions for hooks that were copied from another database. It can be repeated. */
export const FILL_SUBSCRIPTIONS = `INSERT INTO webhook_subscription ("${SHARD}", owner_id, event, webhook_id)
SELECT left(owner_id, 2), owner_id, event, id FROM webhook ON CONFLICT DO NOTHING`;
