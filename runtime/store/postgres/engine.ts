// The engine on PostgreSQL: a few connections, and everything behind the interface built on them. Any number of servers may
// share a database.
import { hasWebhooks } from '../../webhooks/rules/hooks.js';
import { withoutPassword } from '../database-url.js';
import type { Engine, EngineOptions } from '../engine.js';
import { StartError } from '../start-error.js';
import { bringToSchema } from './bring-to-schema.js';
import { type Connections, createConnections } from './connections.js';
import { createFileIndex } from './file-index.js';
import { createIdentity } from './identity.js';
import { createOutbox, type PostgresOutbox } from './outbox/outbox.js';
import { createPostgresRecords, type PostgresRecords } from './records.js';
import { createSchemaKeeper } from './schema-keeper.js';
import { engineTables } from './tables.js';

/** Connections of one server that carry statements of all requests. */
const SIZE = 8;
/** Milliseconds until a connection attempt or a statement counts as failed. */
const TIMEOUT = 10_000;

interface PostgresOptions extends EngineOptions {
  readonly database: string;
}

/** Connects, and brings the database to the schema. Throws StartError. @param now epoch milliseconds */
export async function openPostgresEngine(options: PostgresOptions, now: number): Promise<Engine> {
  const connections = createConnections({ url: options.database, size: SIZE, timeout: TIMEOUT });
  try {
    await bringToSchema({ ...options, connections, extraDdl: engineTables(options.definitions), now });
    return assemble(connections, options);
  } catch (error) {
    await connections.close();
    throw explained(error, options.database);
  }
}
