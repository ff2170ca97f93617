// Loaded into a server in front of everything else: answers before writes are committed and before bytes are in place,
// which is the mistake that the crash test must be able to see.

import type { Database } from 'better-sqlite3';
import type { Blobs } from '../../runtime/files/blobs.js';
import type { GroupCommit } from '../../runtime/store/sqlite/group-commit.js';

/** Milliseconds. Bytes wait longer, so that some are missing behind a record that is there. */
const COMMIT_DELAY = 30;
const BYTES_DELAY = 200;

function earlyCommit(db: Database): GroupCommit {
  const commit = (): void => void (db.inTransaction && db.exec('COMMIT'));
  return {
    async submit<T>(write: () => T) {
      if (!db.inTransaction) {
        db.exec('BEGIN IMMEDIATE');
        setTimeout(commit, COMMIT_DELAY);
      }
      db.exec('SAVEPOINT one_write');
      try {
        return write();
      } catch (error) {
        db.exec('ROLLBACK TO one_write');
        throw error;
      } finally {
        db.exec('RELEASE one_write');
      }
    },
    close: commit,
  };
}

function earlyKeep(blobs: Blobs): Blobs {
  return {
    ...blobs,
    async keep(received) {
      setTimeout(() => void blobs.keep(received).catch(() => undefined), BYTES_DELAY);
      const { name, size, hash } = received;
      return { name, size, hash, type: 'application/octet-stream', width: null, height: null };
    },
  };
}

const commits = require('../../runtime/store/sqlite/group-commit.js') as { createGroupCommit: typeof earlyCommit };
commits.createGroupCommit = earlyCommit;
const files = require('../../runtime/files/blobs.js') as { createBlobs: (...args: unknown[]) => Promise<Blobs> };
const { createBlobs } = files;
files.createBlobs = async (...args) => earlyKeep(await createBlobs(...args));
