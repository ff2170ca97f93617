// The engine on PostgreSQL: a few connections, and everything behind the interface built on them. Any number of servers may
// share a database.
import type { AnyDefinition } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { hasWebhooks, isAccountEvent } from '../../webhooks/rules/hooks.js';
import type { Engine, EngineOptions, OperatorReports, Upkeep } from '../engine.js';
import type { HookReports } from '../outbox.js';
import type { KeeperAccess, SchemaKeeper } from '../schema-keeper.js';
import { createAuditLog, createWriteAudit, type WriteAudit } from './audit.js';
import { bringToSchema } from './bring-to-schema.js';
import { type Connections, createConnections } from './connections.js';
import { explained } from './explained.js';
import { createFileIndex } from './file-index.js';
import { createIdentity, END_SESSIONS } from './identity.js';
import { createPruneOnce } from './once.js';
import { createOperatorReports } from './operator-reports.js';
import { createOutbox, type PostgresOutbox } from './outbox/outbox.js';
import { createCheckedReports } from './outbox/reports.js';
import { createPostgresRecords, type PostgresRecords } from './records.js';
import { createSchemaKeeper } from './schema-keeper.js';
import { engineTables } from './tables.js';

/** Connections of a server, each with the statements of many requests in flight. */
const SIZE = 6;
/** Milliseconds until a connection attempt or a statement counts as failed. */
const TIMEOUT = 10_000;

/** What is behind the interface; only tests use it directly. */
export interface PostgresEngine extends Engine {
  readonly connections: Connections;
}

interface PostgresOptions extends EngineOptions {
  readonly database: string;
}

/** Connects, and brings the database to the schema. Throws StartError. @param now epoch milliseconds */
export function openPostgresEngine(options: PostgresOptions, now: number): Promise<PostgresEngine> {
  return connected(options.database, async (connections) => {
    await bringToSchema({ ...options, connections, extraDdl: engineTables(options.definitions), now });
    const engine = assemble(connections, options);
    await engine.records.makeMissing(now);
    return engine;
  });
}

/** What must be closed after use. */
interface Closable {
  close(): Promise<void>;
}

/** Throws StartError if there is no such database. */
export function openPostgresKeeper(
  database: string,
  { definitions, progress }: Omit<KeeperAccess, 'access'>,
): Promise<SchemaKeeper & Closable> {
  return connected(database, async (connections) => {
    const keeper = createSchemaKeeper({ connections, extraDdl: engineTables(definitions), clock: Date.now, progress });
    await keeper.current();
    return { ...keeper, close: connections.close };
  });
}

/** Throws StartError if the database does not have the tables of web hooks yet. */
export function openPostgresReports(database: string): Promise<HookReports & Closable> {
  return connected(database, async (connections) => ({
    ...(await createCheckedReports(connections)),
    close: connections.close,
  }));
}

export function openPostgresOperatorReports(
  database: string,
  principal: AnyDefinition,
): Promise<OperatorReports & Closable> {
  return connected(database, async (connections) => {
    // Connects: a server that cannot be used is explained.
    await connections.query(connections.prepare('SELECT 1 AS "one"'), []);
    return { ...createOperatorReports(connections, principal), close: connections.close };
  });
}

async function connected<T>(database: string, work: (connections: Connections) => Promise<T>): Promise<T> {
  const connections = createConnections({ url: database, size: SIZE, timeout: TIMEOUT });
  try {
    return await work(connections);
  } catch (error) {
    await connections.close();
    throw explained(error, database);
  }
}

function assemble(connections: Connections, options: PostgresOptions) {
  const writeAudit = createWriteAudit(connections, options.ids);
  const { records, outbox } = assembleRecords({ connections, writeAudit }, options);
  return {
    connections,
    records,
    outbox,
    identity: createIdentity({ ...options, connections }),
    files: createFileIndex(connections, options.definitions),
    schema: createSchemaKeeper({ connections, extraDdl: engineTables(options.definitions), clock: Date.now }),
    upkeep: {
      ...createHealth(connections),
      pruneOnce: createPruneOnce(connections),
      ...createAuditLog(connections, writeAudit),
    },
    // Each is a round trip of its own.
    reads: { begin: () => undefined, end: () => undefined },
    close: connections.close,
  };
}

/** Each needs the other: a change publishes events, and an event may have a record as its payload. */
function assembleRecords(
  { connections, writeAudit }: { readonly connections: Connections; readonly writeAudit: WriteAudit },
  options: PostgresOptions,
): { readonly records: PostgresRecords; readonly outbox: PostgresOutbox | null } {
  let outbox: PostgresOutbox | null = null;
  const endSessions = connections.prepare(END_SESSIONS);
  const publish: PostgresOutbox['publishWithin'] = async (query, events, now) => {
    for (const { id } of events.filter(isAccountEvent)) await query(endSessions, [placementOf(id), id]);
    return outbox === null ? () => undefined : outbox.publishWithin(query, events, now);
  };
  const records = createPostgresRecords({ ...options, connections, publish, writeAudit });
  const { definitions, principal, events, ids, decide, retryUnit: unit } = options;
  if (hasWebhooks(definitions)) {
    const byName = new Map(definitions.map((definition) => [definition.name, definition]));
    const own = { connections, writeAudit, definitions: byName, rowsOf: records.rowsOf };
    outbox = createOutbox({ ...own, principal, events, ids, decide, unit });
  }
  return { records, outbox };
}

function createHealth(connections: Connections): Pick<Upkeep, 'health'> {
  const alive = connections.prepare('SELECT 1 AS "one"');
  const answered = () => true;
  const failed = () => false;
  return { health: () => connections.query(alive, []).then(answered, failed) };
}
