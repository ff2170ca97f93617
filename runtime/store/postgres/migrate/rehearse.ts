// Rehearses a migration on a copy of the database: measures everything before and after, and reports unexpected differences.
// PostgreSQL copies a database only while nobody is connected to it.

import { CommandError } from '../../../contract/command-error.js';
import type { Schema } from '../../../schema/schema.js';
import { quoted } from '../../../schema/sql-text.js';
import { rehearseOn } from '../../migrate/measure.js';
import { type Progress, withSingleStepProgress } from '../../progress.js';
import type { Rehearsal } from '../../schema-migrator.js';
import { fromPromise, runAsync } from '../../unit.js';
import type { Connections, Query } from '../connections.js';
import { sessionOf } from '../session.js';
import { createMeasureDialect } from './measure.js';
import { readMetadata, schemaIn, TABLE_PREFIX } from './metadata.js';
import { migrationIn } from './pending.js';
import { codeOf } from './transaction.js';

export interface PostgresRehearsal {
  readonly connections: Connections;
  readonly schema: Schema;
  /** Migrates the copy to the schema. */
  readonly apply: (query: Query, copy: Connections) => Promise<unknown>;
  /** Undefined: nobody watches. */
  readonly progress?: Progress | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly tick: () => number;
}

/** Throws CommandError with the reason if no copy can be made. */
export async function rehearse(rehearsing: PostgresRehearsal): Promise<Rehearsal> {
  const { connections, progress } = rehearsing;
  const source = await connections.session(nameOf);
  const copy = `${TABLE_PREFIX}_rehearsal_${source.slice(0, LONGEST_NAME)}`;
  // The session needs a database other than the one to be copied; every server has these two.
  const besides = connections.of(source === 'postgres' ? 'template1' : 'postgres');
  return besides.session(async (query) => {
    await withSingleStepProgress(progress, 'copy of the database', () => makeCopy(query, source, copy));
    const copied = connections.of(copy);
    try {
      return await copied.session((session) => rehearseCopy(session, copied, rehearsing));
    } finally {
      await query(`DROP DATABASE IF EXISTS ${quoted(copy)} WITH (FORCE)`);
    }
  });
}

/** PostgreSQL cuts names at 63 bytes. The prefix marks the copy as the program's: a leftover copy is dropped with its data. */
const LONGEST_NAME = 40;

async function nameOf(query: Query): Promise<string> {
  const [row] = await query(
    `SELECT current_database() AS "name", (SELECT count(*) FROM pg_extension WHERE "extname" = 'citus') AS "citus"`,
  );
  if (Number(row?.citus) > 0)
    throw new CommandError(
      'a database on Citus cannot be copied for a rehearsal: restore a backup to another cluster, and run `punchboard migrate apply` there',
    );
  return String(row?.name);
}

async function makeCopy(query: Query, source: string, copy: string): Promise<void> {
  try {
    // A killed rehearsal has left its copy, which holds all the data.
    await query(`DROP DATABASE IF EXISTS ${quoted(copy)}`);
    await query(`CREATE DATABASE ${quoted(copy)} TEMPLATE ${quoted(source)}`);
  } catch (error) {
    if (codeOf(error) === '42501') {
      throw new CommandError(
        'a rehearsal makes a copy of the database: give the user the right CREATEDB, and let it own the database',
      );
    }
    if (codeOf(error) !== '55006') throw error;
    const sessions = await query(
      'SELECT DISTINCT coalesce(nullif("application_name", \'\'), "usename"::text) AS "who" FROM pg_stat_activity WHERE "datname" IN ($1, $2)',
      [source, copy],
    );
    const who = sessions.map((row) => row.who).join(', ');
    throw new CommandError(
      `PostgreSQL copies a database only while nobody is connected to it (connected: ${who}): ` +
        'stop the servers for the rehearsal, or rehearse on a restored backup',
    );
  }
}

async function rehearseCopy(
  query: Query,
  copied: Connections,
  { schema, apply, progress, tick }: PostgresRehearsal,
): Promise<Rehearsal> {
  const metadata = await readMetadata(query);
  if (metadata !== null && migrationIn(metadata) !== null) {
    throw new CommandError('a migration was begun and is not finished: run `punchboard migrate apply` first');
  }
  const session = sessionOf(query);
  const from = metadata === null ? null : schemaIn(metadata);
  return runAsync(
    rehearseOn({
      ...{ session, measureDialect: createMeasureDialect(session), from, schema, progress, tick },
      apply: () => fromPromise(apply(query, copied)),
    }),
  );
}
