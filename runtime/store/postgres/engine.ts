// The engine on PostgreSQL: a few connections, and everything behind the interface built on them. Any number of servers may
// share a database.
import type { AnyDefinition } from '../../definition.js';
import { placementOf } from '../../ids.js';
import { hasWebhooks, isAccountEvent } from '../../webhooks/rules/hooks.js';
import { type DatabaseServer, FEWEST_CONNECTIONS, REACH } from '../database-server.js';
import type { Engine, EngineOptions, OperatorReports, Upkeep } from '../engine.js';
import type { HookReports } from '../outbox.js';
import type { KeeperAccess, SchemaKeeper } from '../schema-keeper.js';
import { createAuditLog, createWriteAudit, type WriteAudit } from './audit.js';
import { bringToSchema } from './bring-to-schema.js';
import { type Connections, createConnections } from './connections.js';
import { explained } from './explained.js';
import { createFileIndex } from './file-index.js';
import { createIdentity, END_SESSIONS } from './identity.js';
import { refuseOlder } from './oldest-versions.js';
import { createPruneOnce } from './once.js';
import { createOperatorReports } from './operator-reports.js';
import { createOutbox, type PostgresOutbox } from './outbox/outbox.js';
import { createCheckedReports } from './outbox/reports.js';
import { createPostgresRecords, type PostgresRecords } from './records.js';
import { createSchemaKeeper } from './schema-keeper.js';
import { engineTables } from './tables.js';

/** What is behind the interface; only tests use it directly. */
export interface PostgresEngine extends Engine {
  readonly connections: Connections;
}

interface PostgresOptions extends EngineOptions {
  readonly database: string;
}

/** Connects, and brings the database to the schema. Throws StartError. @param now epoch milliseconds */
export function openPostgresEngine(options: PostgresOptions, now: number): Promise<PostgresEngine> {
  return connected(options, async (connections) => {
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
  return connected({ database }, async (connections) => {
    await connections.session(refuseOlder);
    const keeper = createSchemaKeeper({ connections, extraDdl: engineTables(definitions), clock: Date.now, progress });
    await keeper.current();
    return { ...keeper, close: connections.close };
  });
}

/** Throws StartError if the database does not have the tables of web hooks yet. */
export function openPostgresReports(database: string): Promise<HookReports & Closable> {
  return connected({ database }, async (connections) => ({
    ...(await createCheckedReports(connections)),
    close: connections.close,
  }));
}

export function openPostgresOperatorReports(
  database: string,
  principal: AnyDefinition,
): Promise<OperatorReports & Closable> {
  return connected({ database }, async (connections) => {
    // Connects: a server that cannot be used is explained.
    await connections.query(connections.prepare('SELECT 1 AS "one"'), []);
    return { ...createOperatorReports(connections, principal), close: connections.close };
  });
}

async function connected<T>(
  { database, reach = {} }: Pick<PostgresOptions, 'database' | 'reach'>,
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  const { connections: most, timeout, wait } = { ...REACH, ...reach };
  const size = Math.floor(most / FEWEST_CONNECTIONS);
  const connections = createConnections({ url: database, size, timeout, wait });
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
    databaseServer: { figures: connections.figures, room: createRoom(connections) },
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

/** One question at a time, and an answer in time whatever becomes of it (N26). */
function createHealth(connections: Connections): Pick<Upkeep, 'health'> {
  const alive = connections.prepare('SELECT 1 AS "one"');
  let asked: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    try {
      await connections.query(alive, []);
      return true;
    } catch {
      return false;
    } finally {
      asked = null;
    }
  };
  return {
    health() {
      asked ??= ask();
      const answer = asked;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), HEALTHY);
        void answer.then((healthy) => {
          clearTimeout(timer);
          resolve(healthy);
        });
      });
    },
  };
}

/** Milliseconds within which a database answers that can be used. */
const HEALTHY = 1_000;

function createRoom(connections: Connections): DatabaseServer['room'] {
  const asking = connections.prepare(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true)::int, 0) AS room`,
  );
  return async () => Number((await connections.query(asking, []))[0]?.room);
}
