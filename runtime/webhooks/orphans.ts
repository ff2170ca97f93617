// Rows that are kept for a hook's sake, once the hook is gone: the mail that was sent for it, and what was held for it when
// it went with its user.
import type { Database } from 'better-sqlite3';
import type { GroupCommit } from '../store/sqlite/group-commit.js';

/** Rows that one step looks at, and so deletes, at most. */
const STEP = 1_000;

/** Tables, and which of their rows nobody needs without the hook. */
const KEPT: readonly (readonly [table: string, useless: string])[] = [
  ['webhook_mail', 'sent IS NOT NULL'],
  ['webhook_delivery', 'attempt_id IS NULL AND snapshot_uri IS NULL'],
];

/** @returns a function that deletes some of them, and says whether there is more to look at now */
export function createOrphans(db: Database, commits: GroupCommit): () => Promise<boolean> {
  const tables = KEPT.map(([table, useless]) => ({
    last: db
      .prepare<[string], string | null>(
        `SELECT max(id) FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${STEP})`,
      )
      .pluck(),
    drop: db.prepare(
      `DELETE FROM ${table} WHERE id > @after AND id <= @last AND ${useless}
         AND NOT EXISTS (SELECT 1 FROM webhook w WHERE w.id = webhook_id)`,
    ),
  }));
  let at = 0;
  let after = '';
  return async () => {
    const { last, drop } = tables[at] as (typeof tables)[number];
    const end = last.get(after) ?? null;
    if (end === null) {
      after = '';
      at = (at + 1) % tables.length;
      return at !== 0;
    }
    const place = { after, last: end };
    await commits.submit(() => drop.run(place));
    after = end;
    return true;
  };
}
