// Refuses, on SQLite, what would take the right from the last administrator.
import type Database from 'better-sqlite3';
import { memoize } from '../../memoize.js';
import type { Definitions } from '../sql/access.js';
import { findAdministrator, lastAdministrator } from '../sql/administrators.js';

/** Carries out a write; throws conflict if there was an administrator before it, and is none after it. */
export type KeepAdministrator = (write: () => void) => void;

export function createKeepAdministrator(db: Database.Database, definitions: Definitions): KeepAdministrator {
  const sql = findAdministrator(definitions);
  if (sql === null) return (write) => write();
  const find = memoize((_key: '') => db.prepare(sql));
  return (write) => {
    const before = find('').get();
    write();
    if (before !== undefined && find('').get() === undefined) throw lastAdministrator();
  };
}
