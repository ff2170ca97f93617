// Keeps the counts of long lists until something is written: counting 1,000 rows takes 40 microseconds, as long as composing the
// texts of 15 records, and every page by number asks for the same count again.
import type Database from 'better-sqlite3';
import type { ListReads } from '../records/list.js';

type CountRows = (...bound: Parameters<ListReads['count']>) => RowCounts;
type RowCounts = readonly [rows: number, shown: number];

/** The counts of shorter lists are not worth their memory. */
const LONG = 100;
/** The most counts that are kept for a statement; each takes about 300 bytes. */
const MOST = 100;

/** Keeps the counts of a statement, by its values. */
export type CountCache = (count: CountRows) => CountRows;

export function createCountCache(db: Database.Database): CountCache {
  // The number of rows that this connection has ever written, rolled back or not.
  const totalChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
  // A number that changes with each commit of another connection.
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  const versionNow = () => `${totalChanges.get()} ${dataVersion.get()}`;
  return (count) => {
    const kept = new Map<string, { readonly version: string; readonly counts: RowCounts }>();
    return (bound) => {
      const key = JSON.stringify(bound);
      // The version is read first, so that a commit of another process during the count makes it outdated.
      const version = versionNow();
      const known = kept.get(key);
      if (known?.version === version) return known.counts;
      const counts = count(bound);
      kept.delete(key);
      if (counts[0] <= LONG) return counts;
      if (kept.size === MOST) kept.clear();
      kept.set(key, { version, counts });
      return counts;
    };
  };
}
