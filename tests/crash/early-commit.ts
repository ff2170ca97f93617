// A server loads this before everything else, and then answers before writes are committed, which is the mistake that the
// crash test must be able to see. The commit is held back until the process is killed, so that it cannot win a race.

import type { Database } from 'better-sqlite3';
import type { SharedReads } from '../../runtime/store/engine.js';
import type { GroupCommit } from '../../runtime/store/sqlite/group-commit.js';

/** The resources that the writers create. Only the first of these records, and those that it needs, are really committed. */
const HELD = ['boxtop', 'twosidedsluggedset', 'file', 'receipt'];

function heldCommit(db: Database): GroupCommit {
  const any = HELD.map((table) => `EXISTS (SELECT 1 FROM "${table}")`).join(' OR ');
  const isHeld = db.prepare<[], number>(`SELECT ${any}`).pluck();
  return {
    async submit<T>(write: () => T) {
      const held = isHeld.get() === 1;
      if (!db.inTransaction) db.exec('BEGIN IMMEDIATE');
      db.exec('SAVEPOINT one_write');
      try {
        return write();
      } catch (error) {
        db.exec('ROLLBACK TO one_write');
        throw error;
      } finally {
        db.exec('RELEASE one_write');
        if (!held) db.exec('COMMIT');
      }
    },
    close: () => undefined,
  };
}

const transactions = require('../../runtime/store/sqlite/group-commit.js') as {
  createGroupCommit: typeof heldCommit;
  createSharedReads(): SharedReads;
};
transactions.createGroupCommit = heldCommit;
// Reads would share the transaction of the writes, and its end would commit them.
transactions.createSharedReads = () => ({ begin: () => undefined, end: () => undefined });
