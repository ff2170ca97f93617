// The engine on PostgreSQL: implements the interface on a few connections. Any number of servers may share a database.
import { POSTGRES_LIMITS } from '../../contract/defaults.js';
import { hasWebhooks } from '../../rules/hooks.js';
import { createAuditLog, createAuditStatement } from '../audit-log.js';
import type { DatabaseServer } from '../database-server.js';
import type { Engine, EngineOptions, Upkeep } from '../engine.js';
import { createPruneOnce } from '../idempotency.js';
import { createIdentity } from '../identity.js';
import type { StoreOutbox } from '../outbox/create.js';
import { createPublisher } from '../outbox/publish.js';
import { createOptionalUpkeep } from '../sql/optional-parts.js';
import type { Database } from '../unit.js';
import { createWriteAudit, type WriteAudit } from './audit.js';
import { type Connections, createConnections } from './connections.js';
import { createDatabase } from './database.js';
import { POSTGRES } from './dialect.js';
import { ensureSchema } from './ensure-schema.js';
import { explainError } from './explain-error.js';
import { createPostgresFiles } from './file-index.js';
import { createPostgresOutbox } from './outbox/outbox.js';
import { createPostgresRecords, type PostgresRecords } from './records.js';
import { createSchemaMigrator } from './schema-migrator.js';
import { engineTables } from './tables.js';
import { userNamed } from './unique-values.js';
import { createRenewWords } from './words.js';

/** The engine with its connections, which only tests use directly. */
export interface PostgresEngine extends Engine {
  readonly connections: Connections;
}

interface PostgresOptions extends EngineOptions {
  readonly database: string;
}

/** Connects, and migrates the database to the schema. Throws StartError. @param now epoch milliseconds */
export function openPostgresEngine(options: PostgresOptions, now: number): Promise<PostgresEngine> {
  return connected(options, async (connections) => {
    await ensureSchema({ ...options, connections, extraDdl: engineTables(options.definitions), now });
    const engine = assemble(connections, options);
    await engine.records.createMissingTargets(now);
    return engine;
  });
}

/** Opens connections for `work`, which keeps them, and closes them if it fails. Throws StartError. */
export async function connected<T>(
  { database, serverLimits = {} }: Pick<PostgresOptions, 'database' | 'serverLimits'>,
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  const { connections: most, timeout, wait } = { ...POSTGRES_LIMITS, ...serverLimits };
  const size = Math.floor(most / POSTGRES_LIMITS.leastConnections);
  const connections = createConnections({ url: database, size, timeout, wait });
  try {
    return await work(connections);
  } catch (error) {
    await connections.close();
    throw explainError(error, database);
  }
}

function assemble(connections: Connections, options: PostgresOptions) {
  const database = createDatabase(connections);
  const auditStatement = createAuditStatement(POSTGRES, options.ids);
  const writeAudit = createWriteAudit(connections, auditStatement);
  const { records, outbox } = assembleRecords({ connections, own: database, writeAudit }, options);
  return {
    connections,
    records,
    outbox,
    identity: createIdentity({ ...options, database, userNamed: userNamed(options) }),
    files: createPostgresFiles(database, options.definitions),
    schema: createSchemaMigrator({ connections, extraDdl: engineTables(options.definitions), clock: Date.now }),
    upkeep: {
      ...createHealth(connections),
      pruneOnce: createPruneOnce(POSTGRES, records.transact),
      renewWords: createRenewWords(records.transact, options.schema),
      ...createAuditLog(database, auditStatement),
      ...createOptionalUpkeep(database, options.definitions),
    },
    databaseServer: { metrics: connections.metrics, readMaxConnections: createRoom(connections) },
    reads: null,
    close: connections.close,
  };
}

interface WritingParts {
  readonly connections: Connections;
  readonly own: Database;
  readonly writeAudit: WriteAudit;
}

/** Records and outbox need each other: a change publishes events, and an event may have a record as its payload. */
function assembleRecords(
  { connections, own: database, writeAudit }: WritingParts,
  options: PostgresOptions,
): { readonly records: PostgresRecords; readonly outbox: StoreOutbox | null } {
  const publisher = createPublisher(POSTGRES);
  const { publish } = publisher;
  const records = createPostgresRecords({ ...options, connections, publish, writeAudit });
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const outbox = hasWebhooks(options.definitions)
    ? createPostgresOutbox({ ...options, database, transact: records.transact, definitions })
    : null;
  if (outbox !== null) publisher.passTo(outbox);
  return { records, outbox };
}

/** Asks the database one question at a time. */
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
    health: () => (asked ??= ask()),
  };
}

function createRoom(connections: Connections): DatabaseServer['readMaxConnections'] {
  const asking = connections.prepare(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - coalesce(current_setting('reserved_connections', true)::int, 0) AS room`,
  );
  return async () => Number((await connections.query(asking, []))[0]?.room);
}
