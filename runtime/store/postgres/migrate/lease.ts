// Ensures one migrator at a time: a row names it and the end of its lease, so that a dead migrator does not block others forever.
import { POSTGRES_TIMES } from '../../../contract/defaults.js';
import { literal } from '../../../schema/sql-text.js';
import { StartError } from '../../start-error.js';
import type { Connections, Query } from '../connections.js';
import { codeOf } from './transaction.js';

/** Another migrator has the lease. */
export class MigrationInProgress extends StartError {}

export interface Lease {
  /** Extends it within a transaction, until the end of which nobody else can take it. Throws MigrationInProgress if it was lost. */
  renew(query: Query): Promise<void>;
  /** Extends it on another connection for as long as the work takes. */
  during<T>(work: () => Promise<T>): Promise<T>;
  release(): Promise<void>;
}

export interface LeaseRequest {
  readonly connections: Connections;
  /** The unique name of the migrator, for people. */
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Runs work during which nobody else migrates, provided it renews the lease. Throws MigrationInProgress, as `takeLease` does. */
export async function withLease<T>(query: Query, taking: LeaseRequest, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await takeLease(query, taking);
  try {
    return await work(lease);
  } finally {
    // If the connection is broken, the lease ends by itself.
    await lease.release().catch(() => undefined);
  }
}

/** Throws MigrationInProgress, which names the holder, while another migrator is at work. */
export async function takeLease(query: Query, { connections, holder, clock }: LeaseRequest): Promise<Lease> {
  if (!(await tryToTake(query, holder, clock()))) throw underWay(await readHolder(query));
  const renew = async (session: Query): Promise<void> => {
    // A statement with parameters would keep its snapshot until the next one, and CREATE INDEX CONCURRENTLY would wait for it.
    const renewed = await session(
      `UPDATE "_punchboard_migrator" SET "until" = ${clock() + POSTGRES_TIMES.migratorLease} WHERE "holder" = ${literal(holder)} RETURNING 1 AS "one"`,
    );
    if (renewed.length === 0) throw underWay(await readHolder(session));
  };
  return {
    renew,
    during: (work) =>
      connections.session(async (session) => {
        await session('BEGIN');
        await renew(session);
        const result = await work();
        await renew(session);
        await session('COMMIT');
        return result;
      }),
    async release() {
      await query('DELETE FROM "_punchboard_migrator" WHERE "holder" = $1', [holder]);
    },
  };
}

async function tryToTake(query: Query, holder: string, now: number): Promise<boolean> {
  await query('SET lock_timeout = 1000');
  try {
    const rows = await query(
      `INSERT INTO "_punchboard_migrator" AS m ("one", "holder", "until") VALUES (1, $1, $2)
ON CONFLICT ("one") DO UPDATE SET "holder" = excluded."holder", "until" = excluded."until" WHERE m."until" <= $3
RETURNING 1 AS "one"`,
      [holder, now + POSTGRES_TIMES.migratorLease, now],
    );
    return rows.length > 0;
  } catch (error) {
    // The holder is just extending the lease.
    if (codeOf(error) === '55P03') return false;
    throw error;
  }
}

interface Holder {
  readonly name: string;
  readonly until: number;
}

async function readHolder(query: Query): Promise<Holder | null> {
  const [row] = await query('SELECT "holder", "until" FROM "_punchboard_migrator"');
  return row === undefined ? null : { name: String(row.holder), until: Number(row.until) };
}

function underWay(holder: Holder | null): MigrationInProgress {
  if (holder === null) return new MigrationInProgress('another migration has just been under way: try again');
  const until = new Date(holder.until).toISOString();
  return new MigrationInProgress(
    `a migration by ${holder.name} is under way: try again when it is done, or after ${until} if it was killed`,
  );
}
