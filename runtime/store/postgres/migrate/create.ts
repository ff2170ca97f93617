// Creates the tables of an empty database and the program's own tables. Several servers may start on it at the same time.
import type { SchemaStep } from '../../../schema/plan.js';
import { postgresDdl } from '../../../schema/postgres/ddl.js';
import type { Schema } from '../../../schema/schema.js';
import { StartError } from '../../start-error.js';
import type { Query } from '../connections.js';
import { METADATA_TABLES, type Metadata, putMetadata, readMetadata, recordStep, TABLE_PREFIX } from './metadata.js';
import { PREPARES_AGAIN } from './older-servers.js';
import { codeOf, retryCreation, runTogether, transaction } from './transaction.js';

export interface Tables {
  readonly schema: Schema;
  /** Repeatable statements for the tables of modules, `CREATE TABLE IF NOT EXISTS ...`. */
  readonly extraDdl: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The step in the history of a new database. */
export const CREATION: SchemaStep = { class: 'online', says: 'all tables: created' };

/**
 * Creates all tables in one transaction; a second server waits for it, and gets the metadata that the first has written. Null:
 * this server has created them. Throws StartError if the database holds anything else.
 */
export async function createTables(query: Query, { schema, extraDdl, now }: Tables): Promise<Metadata | null> {
  return retryCreation(() =>
    transaction(query, async () => {
      await runTogether(query, METADATA_TABLES);
      const metadata = await readMetadata(query);
      if (metadata !== null) return metadata;
      await refuseUnsuitable(query);
      await runTogether(query, postgresDdl(schema));
      await runModules(query, extraDdl);
      await putMetadata(query, 'schema', JSON.stringify(schema));
      await putMetadata(query, 'lowest_revision', String(schema.revision));
      await putMetadata(query, 'brought_at', String(now));
      await putMetadata(query, PREPARES_AGAIN, '1');
      await recordStep(query, CREATION, now);
      return null;
    }),
  );
}

/** Creates the tables of modules unless they are unchanged, since a repetition would wait for every writer. */
export async function createModuleTables(query: Query, metadata: Metadata, extraDdl: readonly string[]): Promise<void> {
  if (metadata.get('extra_ddl') === JSON.stringify(extraDdl)) return;
  await retryCreation(() => transaction(query, () => runModules(query, extraDdl)));
}

/** A module's statements may name a table or column that does not exist. @param before the state to report in that case */
export async function runModules(
  query: Query,
  extraDdl: readonly string[],
  before = 'nothing was changed',
): Promise<void> {
  try {
    for (const sql of extraDdl) await query(sql);
    await putMetadata(query, 'extra_ddl', JSON.stringify(extraDdl));
  } catch (error) {
    if (!UNKNOWN_NAME.includes(codeOf(error))) throw error;
    throw new StartError(
      `${before}: the program needs a name that the schema does not have (${(error as Error).message})`,
    );
  }
}

/** The error codes for a table or a column that does not exist. */
export const UNKNOWN_NAME = ['42P01', '42703'];

/**
 * Throws StartError if a database without the program's tables holds anything except objects of extensions, or cannot store every
 * text.
 */
export async function refuseUnsuitable(query: Query): Promise<void> {
  const [foreign] = await query(
    `SELECT c."relname" AS "name" FROM pg_class c
WHERE c."relnamespace" = current_schema()::regnamespace AND c."relkind" IN ('r', 'p', 'v', 'm', 'f', 'S')
AND NOT starts_with(c."relname", '${TABLE_PREFIX}')
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d."objid" = c."oid" AND d."deptype" = 'e')
ORDER BY 1 LIMIT 1`,
  );
  if (foreign !== undefined) {
    throw new StartError(
      `the database holds ${foreign.name}, which this program did not create: choose another database`,
    );
  }
  const [database] = await query(`SELECT current_setting('server_encoding') AS "encoding"`);
  if (database?.encoding === 'UTF8') return;
  throw new StartError(
    `the database has the encoding ${database?.encoding}, which cannot store every text: create it with ENCODING 'UTF8'`,
  );
}
