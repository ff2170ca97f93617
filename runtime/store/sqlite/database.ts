// Runs verbs on SQLite, as reads, or as writes in transactions of the group commit. Every answer is available immediately.
import type Sqlite from 'better-sqlite3';
import type { Row } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { type Composer, definitionOf } from '../sql/access.js';
import {
  type BoundStatement,
  type Database,
  NOTHING,
  type Parameters,
  type PublishWithin,
  type Queries,
  ready,
  runSync,
  type Transact,
  type Unit,
} from '../unit.js';
import type { WriteAudit } from './audit.js';
import { SQLITE } from './dialect.js';
import type { GroupCommit } from './group-commit.js';
import type { RecordStatements } from './record-statements.js';
import { createRemove } from './removal.js';

/** @param submit absent: writes are rejected */
export function createDatabase(db: Sqlite.Database, submit: GroupCommit['submit'] = readsOnly): Database {
  const { rows, row } = createStatements(db);
  const queries = queriesBy({ rows, row });
  const writeAll = (statements: readonly BoundStatement[]) =>
    statements.map(([sql, parameters]) => rows(sql, parameters));
  return {
    dialect: SQLITE,
    read: (verb) => runSync(verb(queries)),
    row,
    write: (sql, parameters) => submit(() => rows(sql, parameters)),
    writeAll: (statements) => submit(() => writeAll(statements)),
    writeSeparately: (verb) => {
      const statements = { ...queries, writeAll: (all: readonly BoundStatement[]) => ready(writeAll(all)) };
      return submit(() => runSync(verb(statements)));
    },
  };
}

/** The queue of a connection that only reads. */
export function readsOnly(): Promise<never> {
  return Promise.reject(new Error('this connection only reads'));
}

export interface UnitOptions {
  readonly db: Sqlite.Database;
  readonly composer: Composer;
  readonly statementsOf: (resource: string) => RecordStatements;
  readonly publish: PublishWithin;
  readonly writeAudit: WriteAudit;
}

/** The unit of work on the one connection; used inside a transaction only. */
export function createUnit({ db, composer, statementsOf: at, publish, writeAudit }: UnitOptions): Unit {
  const remove = memoize((name: string) => createRemove(db, composer, definitionOf(composer.definitions, name)));
  const statements = createStatements(db);
  const unit: Unit = {
    ...queriesBy(statements),
    hold: (sql, parameters) => void statements.rows(sql, parameters),
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

export function createQueries(db: Sqlite.Database): Queries {
  return queriesBy(createStatements(db));
}

function queriesBy({ rows, row }: ReturnType<typeof createStatements>): Queries {
  return {
    rows: <R>(sql: string, parameters: Parameters) => ready(rows<R>(sql, parameters)),
    row: <R>(sql: string, parameters: Parameters) => ready(row<R>(sql, parameters)),
  };
}

/** Each statement is prepared once. */
function createStatements(db: Sqlite.Database) {
  const prepared = memoize((sql: string) => {
    const statement = db.prepare<Parameters, Row>(sql);
    return { statement, isReader: statement.reader, isOfLists: sql.includes('json_each(@') };
  });
  return {
    rows<R = Row>(sql: string, parameters: Parameters): readonly R[] {
      const { statement, isReader, isOfLists } = prepared(sql);
      const values = isOfLists ? withLists(parameters) : parameters;
      if (isReader) return statement.all(values) as readonly unknown[] as readonly R[];
      statement.run(values);
      return NO_ROWS;
    },
    // `get` takes half as long as `all`.
    row: <R = Row>(sql: string, parameters: Parameters) => prepared(sql).statement.get(parameters) as R | undefined,
  };
}

const NO_ROWS: readonly never[] = [];

/** A list is bound as its JSON text. */
function withLists(parameters: Parameters): Parameters {
  const entries = Object.entries(parameters);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? value && JSON.stringify(value) : value]),
  );
}
