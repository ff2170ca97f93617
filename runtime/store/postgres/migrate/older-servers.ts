// Servers of releases before 1.0.0-rc.1 never prepare a statement again: once a migration has changed the columns of its result,
// the statement fails on that connection for good. If it stores outcomes, callbacks are delivered again and again.
import type { Query } from '../connections.js';
import { type Metadata, putMetadata } from './metadata.js';

/** The metadata key of databases that such servers have neither created nor last migrated. */
export const PREPARES_AGAIN = 'prepares_again';

/**
 * After the first migration by a later release, ends all connections that were opened before, so that those servers open new
 * ones. It waits up to two seconds for connections that are at work, and leaves alone those on which a command holds a lock.
 */
export async function endOutdated(query: Query, before: Metadata): Promise<void> {
  if (before.has(PREPARES_AGAIN)) return;
  await query(`DO $$
DECLARE migrated timestamptz := clock_timestamp();
BEGIN
  FOR round IN 1..20 LOOP
    EXIT WHEN NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE ${OTHERS});
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity a
      WHERE ${OTHERS} AND state = 'idle' AND NOT EXISTS (
        SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory');
    PERFORM pg_sleep(0.1);
    PERFORM pg_stat_clear_snapshot();
  END LOOP;
END $$`);
  await putMetadata(query, PREPARES_AGAIN, '1');
}

const OTHERS = `datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
        AND application_name = current_setting('application_name') AND backend_start < migrated`;
