// Loaded into a server in front of everything else: every write in a transaction of its own, as most services do it.

import type { Database } from 'better-sqlite3';
import type { GroupCommit } from '../../runtime/store/sqlite/group-commit.js';

function oneEach(db: Database): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  return {
    async submit<T>(write: () => T) {
      begin.run();
      try {
        const value = write();
        commit.run();
        return value;
      } catch (error) {
        rollback.run();
        throw error;
      }
    },
    close: () => undefined,
  };
}

const commits = require('../../runtime/store/sqlite/group-commit.js') as { createGroupCommit: typeof oneEach };
commits.createGroupCommit = oneEach;
