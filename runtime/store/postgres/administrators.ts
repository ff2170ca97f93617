// Refuses, on PostgreSQL, what would take the right from the last administrator.
import { findAdministrator, lastAdministrator } from '../sql/administrators.js';
import type { Query } from './named.js';
import type { Reading } from './record-text.js';

/** Carries out a write of a transaction; throws conflict if there was an administrator before it, and is none after it. */
export type KeepAdministrator = (query: Query, write: () => Promise<void>) => Promise<void>;

export function createKeepAdministrator({ connections, definitions }: Reading): KeepAdministrator {
  const sql = findAdministrator(definitions);
  if (sql === null) return (_query, write) => write();
  // One transaction at a time: two that each take the right from another administrator would not see each other.
  const lock = connections.prepare(`SELECT pg_advisory_xact_lock(hashtext('punchboard administrators'))`);
  const find = connections.prepare(sql);
  return async (query, write) => {
    await query(lock, []);
    const before = await query(find, []);
    await write();
    if (before.length > 0 && (await query(find, [])).length === 0) throw lastAdministrator();
  };
}
