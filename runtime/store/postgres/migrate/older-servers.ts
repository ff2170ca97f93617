// Servers of releases before 1.0.0-rc.1 do not prepare a statement again whose answer a migration has changed: all that they
// send on that connection fails from then on, such as the outcomes of callbacks, which are therefore delivered again.
import type { Query } from '../connections.js';
import { type Memory, put } from './memory.js';

/** Noted in databases that no such server has created or migrated. */
export const PREPARES_AGAIN = 'prepares_again';

/**
 * Ends, after the first migration by a server of today, the connections that were opened before its end; who had them opens
 * others. One that is at work is waited for, two seconds at most, and one that holds a lock for a command is left alone.
 */
export async function endOutdated(query: Query, before: Memory): Promise<void> {
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
  await put(query, PREPARES_AGAIN, '1');
}

const OTHERS = `datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
        AND application_name = current_setting('application_name') AND backend_start < migrated`;
