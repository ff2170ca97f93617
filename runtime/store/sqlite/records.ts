// The records on SQLite: reads return immediately from prepared statements, writes go through the group commit.

import type Database from 'better-sqlite3';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { createAllMissingTargets } from '../records/missing-targets.js';
import { createReads, type Reader, type ReadParts } from '../records/reads.js';
import { createResources, type RecordsOptions } from '../records/resource.js';
import { createWrites } from '../records/writes.js';
import type { Records } from '../records.js';
import { definitionOf } from '../sql/access.js';
import { checkAccess } from '../sql/owner.js';
import { rowsOf } from '../sql/rows.js';
import type { RecordComposer } from '../sql/viewers.js';
import { NOTHING, type Pending, ready, runSync, type Transact, type Unit } from '../unit.js';
import type { WriteAudit } from './audit.js';
import { createDatabase, createTransact, createUnit } from './database.js';
import { SQLITE } from './dialect.js';
import type { GroupCommit } from './group-commit.js';
import { createLists } from './lists.js';
import { createRecordStatements, type RecordStatements } from './record-statements.js';
import { registerWordFunction } from './words.js';

export interface SqliteRecordsOptions extends RecordsOptions {
  readonly db: Database.Database;
  /** The queue of writes of `db`, shared by everything that writes. */
  readonly commits: GroupCommit;
  /** Absent: changes are not audited. */
  readonly writeAudit?: WriteAudit;
}

/** Records, with statements for functions that other parts of the engine submit to the group commit. */
export interface SqliteRecords extends Records {
  rowsOf(resource: string): RecordStatements;
  readonly transact: Transact;
}

/** Composes every right from the definitions, and throws an Error if they are inconsistent. */
export function createSqliteRecords(options: SqliteRecordsOptions): SqliteRecords {
  const { db, commits } = options;
  const { composing, at, unit, resources } = createContext(options);
  for (const definition of options.definitions) checkAccess(composing, definition);
  const transact = createTransact(unit, commits);
  const { read } = createDatabase(db);
  return {
    rowsOf: (name) => at(name).statements,
    transact,
    ...createWrites(transact, resources, SQLITE),
    ...createReads({ composer: composing, at, read, withValue }),
    shownBy(definitions) {
      const shown = createContext({ ...options, definitions });
      // Events are still published as today's definitions show them.
      const { textOf } = shown.unit;
      return {
        ...createReads({ composer: shown.composing, at: shown.at, read, withValue }),
        ...createWrites(createTransact({ ...unit, textOf }, commits), resources, SQLITE),
      };
    },
    locate: (names, id) => names.findIndex((name) => at(name).statements.exists(id)),
  };
}

/** Finds a record by the index of the unique constraint. */
export const withValue: ReadParts['withValue'] = (queries, definition, column, value) =>
  queries.row(`SELECT t."id" FROM ${rowsOf(definition)} WHERE t.${quoted(column)} = @value`, { value });

interface SqliteReader extends Reader {
  readonly statements: RecordStatements;
}

/** Creates the records that existing rows lack (D40), at a start. */
export function createMissingTargets(options: ContextOptions, now: number): void {
  const { unit, resources } = createContext(options);
  const { db, definitions } = options;
  const transaction = db.transaction((work: () => unknown) => work());
  const making = {
    now,
    rows: unit.rows,
    transact: <T>(work: (unit: Unit) => Pending<T>) => ready(transaction.immediate(() => runSync(work(unit))) as T),
  };
  runSync(createAllMissingTargets(resources, definitions, making));
}

type ContextOptions = Omit<SqliteRecordsOptions, 'commits'>;

function createContext(options: ContextOptions) {
  const { db, profile, publish = () => NOTHING, writeAudit = () => undefined } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const composing: RecordComposer = { definitions, dialect: SQLITE, formats: profile };
  registerWordFunction(db);
  // Each reader is created at its first use, since all 50 would take 4 ms of a start.
  const statementsOf = memoize((name: string) =>
    createRecordStatements(db, composing, definitionOf(definitions, name)),
  );
  const at = memoize((name: string): SqliteReader => {
    const definition = definitionOf(definitions, name);
    const statements = statementsOf(name);
    const { get, permission, row } = statements;
    const text: Reader['text'] = (...shown) => ready(statements.text(...shown));
    return { definition, statements, get, permission, row, text, list: createLists(db, composing, definition) };
  });
  const unit = createUnit({ db, composer: composing, statementsOf, publish, writeAudit });
  return { composing, at, unit, resources: createResources({ ...options, composer: composing }) };
}
