// Creates the tables of an empty database, and the program's own. Several servers may start on it at the same time.
import type { SchemaStep } from '../../../schema/plan.js';
import { postgresDdl } from '../../../schema/postgres/ddl.js';
import type { Schema } from '../../../schema/schema.js';
import { StartError } from '../../start-error.js';
import type { Query } from '../connections.js';
import { MEMORY_TABLES, type Memory, memoryOf, note, OWN, put } from './memory.js';
import { PREPARES_AGAIN } from './older-servers.js';
import { codeOf, together, transaction } from './transaction.js';

export interface Tables {
  readonly schema: Schema;
  /** Statements that may be repeated, `CREATE TABLE IF NOT EXISTS ...`: the tables of modules. */
  readonly extraDdl: readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What an empty database gets. */
export const CREATION: SchemaStep = { class: 'online', says: 'all tables: created' };

/**
 * Creates all tables in one transaction. A second server waits for it and finds them; null says that this one
 * created them. Throws StartError if the database holds anything else.
 */
export async function createTables(query: Query, { schema, extraDdl, now }: Tables): Promise<Memory | null> {
  return together(() =>
    transaction(query, async () => {
      for (const sql of MEMORY_TABLES) await query(sql);
      const memory = await memoryOf(query);
      if (memory !== null) return memory;
      await refuseForeign(query);
      for (const sql of postgresDdl(schema)) await query(sql);
      await runModules(query, extraDdl);
      await put(query, 'schema', JSON.stringify(schema));
      await put(query, 'lowest_revision', String(schema.revision));
      await put(query, 'brought_at', String(now));
      await put(query, PREPARES_AGAIN, '1');
      await note(query, CREATION, now);
      return null;
    }),
  );
}

/** The tables of modules, where they are not those that were created last: a repetition would wait for every writer. */
export async function createModuleTables(query: Query, memory: Memory, extraDdl: readonly string[]): Promise<void> {
  if (memory.get('extra_ddl') === JSON.stringify(extraDdl)) return;
  await together(() => transaction(query, () => runModules(query, extraDdl)));
}

/** The statements of a module may name a table or column of a resource that does not exist. @param before what was done so far */
export async function runModules(
  query: Query,
  extraDdl: readonly string[],
  before = 'nothing was changed',
): Promise<void> {
  try {
    for (const sql of extraDdl) await query(sql);
    await put(query, 'extra_ddl', JSON.stringify(extraDdl));
  } catch (error) {
    if (!UNKNOWN_NAME.includes(codeOf(error))) throw error;
    throw new StartError(
      `${before}: the program needs a name that the schema does not have (${(error as Error).message})`,
    );
  }
}

/** No such table, no such column. */
export const UNKNOWN_NAME = ['42P01', '42703'];

/** Throws StartError if an empty database holds anything but what an extension brought along. */
export async function refuseForeign(query: Query): Promise<void> {
  const [foreign] = await query(
    `SELECT c."relname" AS "name" FROM pg_class c
WHERE c."relnamespace" = current_schema()::regnamespace AND c."relkind" IN ('r', 'p', 'v', 'm', 'f', 'S')
AND NOT starts_with(c."relname", '${OWN}')
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d."objid" = c."oid" AND d."deptype" = 'e')
ORDER BY 1 LIMIT 1`,
  );
  if (foreign === undefined) return;
  throw new StartError(
    `the database holds ${foreign.name}, which this program did not create: choose another database`,
  );
}
