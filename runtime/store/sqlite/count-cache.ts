// Keeps the counts of long lists until something is written: counting 1,000 rows takes 40 microseconds, as long as composing the
// texts of 15 records, and every page by number asks for the same count again.
import type Database from 'better-sqlite3';
import type { ListReads } from '../records/list.js';

type CountRows = (...bound: Parameters<ListReads['count']>) => RowCounts;
type RowCounts = readonly [rows: number, shown: number];

/** Fewer rows are counted in less time than it takes to notice a write. */
const LONG = 100;
/** Counts that are kept for a list; an entry takes about 300 bytes. */
const MOST = 100;

/** Keeps the counts of a statement, by its values. */
export type CountCache = (count: CountRows) => CountRows;

export function createCountCache(db: Database.Database): CountCache {
  // The rows that this connection has ever written, rolled back or not, and a number that changes with each commit of another.
  const written = db.prepare<[], number>('SELECT total_changes()').pluck();
  const othersVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  const versionNow = () => `${written.get()} ${othersVersion.get()}`;
  return (count) => {
    const kept = new Map<string, { readonly version: string; readonly counts: RowCounts }>();
    return (bound) => {
      const key = JSON.stringify(bound);
      const known = kept.get(key);
      if (known !== undefined && known.version === versionNow()) return known.counts;
      const counts = count(bound);
      if (kept.size === MOST) kept.clear();
      if (counts[0] > LONG) kept.set(key, { version: versionNow(), counts });
      else kept.delete(key);
      return counts;
    };
  };
}
