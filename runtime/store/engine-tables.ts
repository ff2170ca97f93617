// The tables of the service besides those of its schema, the same on every engine: their DDL and the columns that a copy moves
// are derived from this list. Dates are epoch milliseconds. The web hook itself is a generated table.
import type { AnyDefinition } from '../contract/definition.js';
import { CONTENT_HASH, contentIndexName } from '../schema/content-index.js';
import type { Schema } from '../schema/schema.js';
import { quoted } from '../schema/sql-text.js';
import { StartError } from './start-error.js';

export interface EngineTable {
  readonly name: string;
  readonly columns: readonly EngineColumn[];
  /** The column that identifies a row. */
  readonly key: string;
  /** The column whose value determines the placement of a row. */
  readonly placedBy: string;
  /** Rows are numbered in the order of insertion: only on SQLite, where the number replaces the key, or on every engine. */
  readonly numbered?: 'on SQLite' | 'everywhere';
  readonly indexes?: readonly EngineIndex[];
}

export interface EngineColumn {
  readonly name: string;
  readonly type: 'text' | 'integer';
  readonly isNullable?: true;
  readonly default?: number;
  readonly isUnique?: true;
  /** The condition that every value meets. */
  readonly check?: string;
  /** Its name in SQLite files. */
  readonly nameInFiles?: string;
  /** A copy omits the column. */
  readonly isLocal?: true;
  /** A start adds the column to a table that an earlier version of the program created. */
  readonly isLater?: true;
}

/** The name of the table precedes that of the index. */
export interface EngineIndex {
  readonly name: string;
  readonly columns: string;
  readonly where?: string;
  /** Whether its queries concern one placement, or all. */
  readonly isPlaced: boolean;
}

function text(...names: readonly string[]): readonly EngineColumn[] {
  return names.map((name) => ({ name, type: 'text' }));
}

function integer(...names: readonly string[]): readonly EngineColumn[] {
  return names.map((name) => ({ name, type: 'integer' }));
}

function optional(columns: readonly EngineColumn[]): readonly EngineColumn[] {
  return columns.map((column) => ({ ...column, isNullable: true }));
}

/** The claim of a delivery or message in flight. */
const CLAIM: readonly EngineColumn[] = optional([...text('attempt_id'), ...integer('lease')]).map((column) => ({
  ...column,
  isLocal: true,
}));

function oneOf(name: string, values: readonly string[]): EngineColumn {
  return { name, type: 'text', check: `${name} IN (${values.map((value) => `'${value}'`).join(', ')})` };
}

const FAILED: EngineColumn = { name: 'failed', type: 'integer', default: 0 };

/** A session keeps the end of the password's hash as its tag. */
export const SESSION: EngineTable = {
  name: 'session',
  columns: [
    ...[...text('id_hash', 'user_id'), { name: 'password_tag', type: 'text', nameInFiles: 'stamp' } as const],
    ...[...integer('created', 'used', 'expires'), ...optional(text('api_key_id'))],
    // The API version of the session's requests (D68).
    { name: 'api_version', type: 'text', isNullable: true, isLater: true },
  ],
  key: 'id_hash',
  placedBy: 'user_id',
  indexes: [
    { name: 'user_id_idx', columns: 'user_id', isPlaced: true },
    { name: 'expires_idx', columns: 'expires', isPlaced: false },
    { name: 'api_version_idx', columns: 'api_version', where: 'api_version IS NOT NULL', isPlaced: false },
  ],
};

export const AUDIT_ENTRY: EngineTable = {
  name: 'audit_entry',
  columns: [
    ...[...text('id'), ...integer('at'), ...optional(text('user_id')), ...text('name', 'action')],
    ...optional(text('resource', 'record_id', 'before', 'after')),
  ],
  key: 'id',
  placedBy: 'id',
};

/** The answers of requests with an idempotency key (D50). */
const ONCE_ANSWER: EngineTable = {
  name: 'once_answer',
  columns: [...text('id', 'user_id', 'body_hash'), ...integer('created'), ...text('answer')],
  key: 'id',
  placedBy: 'user_id',
  indexes: [{ name: 'created_idx', columns: 'created', isPlaced: false }],
};

/** A hash may have been released several times. */
const RELEASED_FILE: EngineTable = {
  name: 'released_file',
  columns: text('hash'),
  key: 'hash',
  placedBy: 'hash',
  numbered: 'everywhere',
};

/** A ring: each hour of the last 30 days reuses the row of the same hour 30 days earlier. */
const HOUR_FIGURE: EngineTable = {
  name: 'hour_figure',
  columns: [...text('slot'), ...integer('at', 'requests', 'failures', 'milliseconds', 'memory')],
  key: 'slot',
  placedBy: 'slot',
};

export const ENGINE_TABLES: readonly EngineTable[] = [SESSION, AUDIT_ENTRY, ONCE_ANSWER, RELEASED_FILE, HOUR_FIGURE];

/**
 * A delivery exists until it is delivered or given up; its attempts remain in the log.
 *
 * `due` is when the rules allow an attempt, `ready` when the delivery can be claimed: null while it is held (S4) or belongs to a
 * test. A delivery in flight can be claimed again when its lease has ended (S24).
 *
 * First attempts are found in the order of their creation, by an index without `ready`: most deliveries are claimed once, and
 * each index that a claim changes is one more page to write.
 */
const DELIVERY: EngineTable = {
  name: 'webhook_delivery',
  columns: [
    ...[...text('id', 'webhook_id'), oneOf('type', ['subscribe', 'unsubscribe', 'data', 'test']), ...text('message')],
    ...[...integer('created', 'due'), ...optional(integer('ready')), FAILED, ...optional(integer('last_failure'))],
    ...[...CLAIM, ...optional(text('snapshot_uri', 'snapshot_key'))],
  ],
  key: 'id',
  placedBy: 'webhook_id',
  indexes: [
    { name: 'ready_idx', columns: 'ready, webhook_id', where: 'ready IS NOT NULL', isPlaced: false },
    { name: 'first_idx', columns: 'webhook_id, id', where: 'failed = 0', isPlaced: true },
    { name: 'retry_idx', columns: 'webhook_id, ready, id', where: 'failed > 0', isPlaced: true },
    // For lists, which are in the order of ids; a claim changes none of its columns.
    { name: 'failed_idx', columns: 'webhook_id, id', where: 'failed > 0', isPlaced: true },
  ],
};

/**
 * A lease reserves a hook for one attempt in the whole system, and belongs to a server. A test has its own lease, under the
 * delivery's id, and holds up no other delivery. Copies omit leases: an attempt in flight is due again, as after a crash.
 */
const LEASE: EngineTable = {
  name: 'webhook_lease',
  columns: [...text('subject', 'attempt_id', 'server'), ...integer('until')],
  key: 'subject',
  placedBy: 'subject',
};

const ATTEMPT: EngineTable = {
  name: 'webhook_attempt',
  columns: [
    ...[...text('id', 'delivery_id', 'webhook_id', 'type'), ...integer('started', 'ended'), ...text('outcome')],
    ...[...optional(integer('status')), { name: 'counted', type: 'integer', check: 'counted IN (0, 1)' } as const],
  ],
  key: 'id',
  placedBy: 'webhook_id',
  numbered: 'on SQLite',
};

const ANSWER: EngineTable = {
  name: 'webhook_answer',
  columns: [...text('id', 'webhook_id'), ...integer('ended'), ...text('answer')],
  key: 'id',
  placedBy: 'webhook_id',
  numbered: 'on SQLite',
};

/**
 * A message remains readable with its hook after its delivery is over. A message cancelled with its hook keeps what another
 * attempt would need, and also the attempt that was under way, which may still deliver it.
 */
const MESSAGE: EngineTable = {
  name: 'webhook_message',
  columns: [
    ...[...text('id', 'webhook_id', 'type', 'message'), ...integer('created', 'ended')],
    ...[oneOf('state', ['delivered', 'cancelled', 'given_up']), ...CLAIM],
    ...optional(text('callback_uri', 'user_id', 'api_key_id')),
  ],
  key: 'id',
  placedBy: 'webhook_id',
  numbered: 'on SQLite',
};

/** A hook is paused while it has a row, which says since when: by an operator, or with the account of its user. */
const PAUSE: EngineTable = {
  name: 'webhook_pause',
  columns: [...text('webhook_id'), ...optional(integer('operator', 'account'))],
  key: 'webhook_id',
  placedBy: 'webhook_id',
};

/** The secrets of a hook, under its id, once its secret was exchanged; `previous` also signs until `ends` (D63). */
const SECRET: EngineTable = {
  name: 'webhook_secret',
  columns: [...text('id', 'secret'), ...optional(text('previous')), ...integer('ends')],
  key: 'id',
  placedBy: 'id',
};

/** The `traceparent` of the request that caused a delivery, under the delivery's id. Few deliveries have one. */
const TRACE: EngineTable = {
  name: 'webhook_trace',
  columns: text('id', 'traceparent'),
  key: 'id',
  placedBy: 'id',
};

const MAIL: EngineTable = {
  name: 'webhook_mail',
  columns: [
    ...[...text('id'), { name: 'webhook_id', type: 'text', isUnique: true } as const],
    ...[...text('user_id', 'event', 'callback_uri'), ...integer('created'), ...optional(integer('due'))],
    ...[FAILED, ...optional(integer('sent'))],
  ],
  key: 'id',
  placedBy: 'webhook_id',
  indexes: [{ name: 'due_idx', columns: 'due', where: 'due IS NOT NULL', isPlaced: false }],
};

/** The tables of the outbox that a copy moves. */
export const MOVED_OUTBOX: readonly EngineTable[] = [DELIVERY, ATTEMPT, ANSWER, MESSAGE, PAUSE, SECRET, TRACE, MAIL];

export const OUTBOX_TABLES: readonly EngineTable[] = [...MOVED_OUTBOX, LEASE];

/** Indexes of a table. @param placement the column of the placement; null: rows have none */
export function indexStatements({ name, indexes = [] }: EngineTable, placement: string | null): readonly string[] {
  return indexes.map(({ name: index, columns, where, isPlaced }) => {
    const all = isPlaced && placement !== null ? `${placement}, ${columns}` : columns;
    return `CREATE INDEX IF NOT EXISTS ${name}_${index} ON ${name} (${all})${where === undefined ? '' : ` WHERE ${where}`}`;
  });
}

/** The index on each table of uploads. */
export function contentIndexes(definitions: readonly AnyDefinition[]): readonly string[] {
  const uploads = definitions.filter(({ upload }) => upload !== null);
  return uploads.map(
    ({ name }) => `CREATE INDEX IF NOT EXISTS ${quoted(contentIndexName(name))} ON ${quoted(name)} ("${CONTENT_HASH}")`,
  );
}

/** Throws StartError if a resource has the name of a table of the program, since IF NOT EXISTS would not notice the clash. */
export function refuseModuleNames(schema: Schema, extraDdl: readonly string[]): void {
  const created = extraDdl.flatMap((sql) => [...sql.matchAll(/TABLE IF NOT EXISTS "?(\w+)/g)].map(([, name]) => name));
  const taken = schema.tables.find(({ name }) => created.includes(name));
  if (taken === undefined) return;
  throw new StartError(`the program has its own table ${taken.name}: give the resource ${taken.name} another name`);
}
