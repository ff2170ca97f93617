// Migrates a database to the server's schema, as far as a start may; otherwise refuses, naming the command to run.

import type { Schema } from '../../schema/schema.js';
import { wordRule } from '../../schema/words.js';
import type { Migrate } from '../engine.js';
import { permitAtStart } from '../migration-permits.js';
import type { PendingMigration } from '../schema-migrator.js';
import { StartError } from '../start-error.js';
import type { Connections, Query } from './connections.js';
import { applyTo } from './migrate/apply.js';
import { MigrationInProgress } from './migrate/lease.js';
import { type Metadata, readMetadata, schemaIn } from './migrate/metadata.js';
import { migratorName } from './migrate/migrator-name.js';
import { isOnline, isSame, migrationIn } from './migrate/pending.js';
import { refuseOlder } from './oldest-versions.js';

export interface StartTarget {
  readonly connections: Connections;
  readonly schema: Schema;
  /** Repeatable statements for the tables of modules, `CREATE TABLE IF NOT EXISTS ...`. */
  readonly extraDdl: readonly string[];
  readonly migrate: Migrate;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Creates the tables of a new database, leaves a database alone on which the server can run, applies safe online changes to an
 * older one, and refuses any other with StartError. Several servers may start at the same time: one migrates, the others wait.
 */
export async function ensureSchema({ migrate, ...start }: StartTarget): Promise<void> {
  await start.connections.session(async (query) => {
    await refuseOlder(query);
    const metadata = await readMetadata(query);
    if (metadata !== null && canRunOn(metadata, start.schema)) return;
    const holder = await migratorName(query);
    const tick = (): number => performance.now();
    const started = tick();
    await retryWhileUnderWay(query, () => {
      const now = start.now + Math.round(tick() - started);
      return applyTo(query, { ...start, now, holder, permit: permitOnlineAtStart(migrate), tick });
    });
  });
}

/** A start cannot know whether servers of the previous version are running, so it changes nothing that they need. */
function permitOnlineAtStart(migrate: Migrate): (pending: PendingMigration) => void {
  const refuseUnsafe = permitAtStart(migrate);
  return (pending) => {
    refuseUnsafe(pending);
    if (pending.offline.length === 0) return;
    throw new StartError(
      `servers of the previous version could not continue after ${pending.offline.map(({ says }) => says).join('; ')}: ` +
        'stop them and run `punchboard migrate apply`',
    );
  };
}

/** Seconds that a start waits for another server that migrates, or for the lease of a killed server to end. */
const PATIENCE = 90;

async function retryWhileUnderWay(query: Query, work: () => Promise<unknown>): Promise<void> {
  for (let left = PATIENCE; ; left--) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof MigrationInProgress) || left === 0) throw error;
      await query('SELECT pg_sleep(1)');
    }
  }
}

/** True if the schema of the database is newer than the server's, or about to be, and the server can run on it. */
function canRunOn(metadata: Metadata, schema: Schema): boolean {
  const from = schemaIn(metadata);
  const begun = migrationIn(metadata);
  const harmless = begun === null || isOnline(begun.steps);
  if (isSame(from, schema)) {
    if (harmless) return begun !== null;
    throw new StartError(
      `a migration to another schema (revision ${begun?.schema.revision}) was begun: start the server of that version`,
    );
  }
  const isAhead = from.revision > schema.revision && schema.revision >= Number(metadata.get('lowest_revision'));
  return harmless && isAhead && holds(from, schema);
}

/** Another branch may have reached a higher revision without the tables and columns that this server needs. */
function holds(from: Schema, { tables }: Schema): boolean {
  const isSame = (one: TableName, other: TableName): boolean => one.number === other.number && one.name === other.name;
  return tables.every((table) => {
    const stored = from.tables.find((one) => isSame(one, table));
    if (stored === undefined || wordRule(stored) < wordRule(table)) return false;
    return table.columns.every((column) => stored.columns.some((one) => isSame(one, column)));
  });
}

type TableName = Pick<Schema['tables'][number], 'number' | 'name'>;
