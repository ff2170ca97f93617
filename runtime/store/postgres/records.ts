// The records on PostgreSQL: every statement is prepared once per connection, and a write is a transaction.

import type { Row } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { Schema } from '../../schema/schema.js';
import { createAllMissingTargets, type MissingTargetsContext } from '../records/missing-targets.js';
import { createReads, type Reader } from '../records/reads.js';
import { createResources, type RecordsOptions } from '../records/resource.js';
import { createWrites } from '../records/writes.js';
import type { Records } from '../records.js';
import { definitionOf } from '../sql/access.js';
import { checkAccess } from '../sql/owner.js';
import { fromPromise, NOTHING, runAsync, type Transact } from '../unit.js';
import type { WriteAudit } from './audit.js';
import type { Connections } from './connections.js';
import { prepareNamed, type Query, queriesBy } from './database.js';
import { POSTGRES } from './dialect.js';
import { createLists } from './lists.js';
import { createRecordStatements, type RecordStatements, readsOf, type StatementsOf } from './record-statements.js';
import { createReadContext } from './record-text.js';
import { createRemove } from './removal.js';
import { tableOf } from './table-of.js';
import { withValue } from './unique-values.js';
import { createTransact } from './unit.js';

export interface PostgresRecordsOptions extends RecordsOptions {
  readonly connections: Connections;
  readonly schema: Schema;
  /** Absent: changes are not audited. */
  readonly writeAudit?: WriteAudit;
}

/** Operations that other parts of the engine use within their transactions. */
export interface Rows extends Pick<RecordStatements, 'row' | 'text'> {
  /** Deletes a record and everything that is deleted with it, if the record exists. */
  delete(query: Query, id: string): Promise<void>;
}

export interface PostgresRecords extends Records {
  rowsOf(resource: string): Rows;
  readonly transact: Transact;
  /** Creates the records that existing rows lack (D40). */
  createMissingTargets(now: number): Promise<void>;
}

/** Composes every right and statement from the definitions; throws an Error if they are inconsistent. */
export function createPostgresRecords(options: PostgresRecordsOptions): PostgresRecords {
  const { connections } = options;
  const { query } = connections;
  const readers = createReaders(options);
  const { reading, at } = readers;
  const transact = readers.transactIn(readers.statementsOf);
  const resources = createResources({ ...options, composer: reading });
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  const queries = queriesBy((sql, bound) => reading.run(query, prepare(sql), bound) as Promise<readonly Row[]>);
  const readsOver = ({ reading: composer, at: by }: Pick<typeof readers, 'reading' | 'at'>) =>
    createReads({
      ...{ composer, at: by, read: (verb) => runAsync(verb(queries)) },
      withValue: withValue(options.schema),
    });
  for (const definition of options.definitions) {
    checkAccess(reading, definition);
    at(definition.name);
  }
  return {
    rowsOf: (name) => at(name).rows,
    transact,
    createMissingTargets: (now) =>
      runAsync(createAllMissingTargets(resources, options.definitions, making(transact, now))),
    ...createWrites(transact, resources, POSTGRES),
    ...readsOver({ reading, at }),
    shownBy(definitions) {
      const shown = createReaders({ ...options, definitions });
      return { ...readsOver(shown), ...createWrites(readers.transactIn(shown.statementsOf), resources, POSTGRES) };
    },
    async locate(candidates, id) {
      return (await Promise.all(candidates.map((name) => at(name).statements.exists(query, id)))).indexOf(true);
    },
  };
}

/** Each statement outside of `transact` is a transaction of its own. */
function making(transact: Transact, now: number): MissingTargetsContext {
  return {
    now,
    rows: (sql, parameters) => fromPromise(transact((unit) => unit.rows(sql, parameters))),
    transact: (work) => fromPromise(transact(work)),
  };
}

function createReaders(options: PostgresRecordsOptions) {
  const { connections, schema, profile, publish = () => NOTHING } = options;
  const { writeAudit = async () => undefined } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const reading = createReadContext({ definitions, dialect: POSTGRES, formats: profile }, connections);
  const remove = createRemove(reading, schema);
  const statementsOf: StatementsOf = memoize((name: string) =>
    createRecordStatements(reading, definitionOf(definitions, name), statementsOf),
  );
  const at = memoize((name: string): PostgresReader => {
    const definition = definitionOf(definitions, name);
    const statements = statementsOf(name);
    return {
      ...{ definition, statements },
      rows: { ...statements, delete: (query, id) => remove(query, definition, id) },
      ...readsOf(statements, connections.query),
      list: createLists(reading, definition, tableOf(schema, definition)),
    };
  });
  const transactIn = (shown: StatementsOf) =>
    createTransact({ reading, schema, statementsOf, shown, remove, publish, writeAudit });
  return { reading, at, statementsOf, transactIn };
}

interface PostgresReader extends Reader {
  readonly statements: RecordStatements;
  readonly rows: Rows;
}
