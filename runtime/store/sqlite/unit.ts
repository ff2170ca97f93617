// The unit of work on SQLite: the one connection, in a transaction of the group commit. Every answer is available immediately.
import type Database from 'better-sqlite3';
import { memoize } from '../../contract/memoize.js';
import { type Composer, definitionOf } from '../sql/access.js';
import { NOTHING, type PublishWithin, ready, runSync, type Transact, type Unit } from '../unit.js';
import type { WriteAudit } from './audit.js';
import { createQueries } from './database.js';
import type { GroupCommit } from './group-commit.js';
import type { RecordStatements } from './record-statements.js';
import { createRemove } from './removal.js';

export interface UnitOptions {
  readonly db: Database.Database;
  readonly composer: Composer;
  readonly statementsOf: (resource: string) => RecordStatements;
  readonly publish: PublishWithin;
  readonly writeAudit: WriteAudit;
}

/** Used inside a transaction only. */
export function createUnit({ db, composer, statementsOf: at, publish, writeAudit }: UnitOptions): Unit {
  const remove = memoize((name: string) => createRemove(db, composer, definitionOf(composer.definitions, name)));
  const queries = createQueries(db);
  const unit: Unit = {
    ...queries,
    hold: (sql, parameters) => void queries.rows(sql, parameters),
    lock: (resource, id) => ready(at(resource).row(id)),
    permission: (resource, right, id, caller) => ready(at(resource).permission(right, id, caller)),
    insert: (resource, row) => at(resource).insert(row),
    update: (resource, _old, row, changed) => at(resource).update(row, changed),
    remove(resource, id) {
      remove(resource)(id);
      return NOTHING;
    },
    text: (resource, viewer, id, user) => ready(at(resource).text(viewer, id, user)),
    textOf: (resource, viewer, { id }, user) => ready(at(resource).text(viewer, String(id), user)),
    get: (resource, id, caller) => ready(at(resource).get(id, caller)),
    audit: writeAudit,
    publish: (events, now, trace) => publish(unit, events, now, trace),
    afterCommit: (callback) => callback(),
    flush: () => NOTHING,
  };
  return unit;
}

/** Each piece of work is a write of the group commit. */
export function createTransact(unit: Unit, commits: GroupCommit): Transact {
  return (work, { isRefused, longOf } = {}) => {
    const write = () => runSync(work(unit));
    return isRefused === true ? refused(write) : commits.submit(write, longOf);
  };
}

async function refused<T>(write: () => T): Promise<T> {
  return write();
}
