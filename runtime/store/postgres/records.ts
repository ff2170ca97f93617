// The records on PostgreSQL: every statement is prepared once for a connection, and a write is a transaction.

import type { Actions, Behaviours } from '../../contract/behaviour.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { refusal } from '../../contract/errors.js';
import type { Ids, Random } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import type { Schema } from '../../schema/schema.js';
import type { Quota } from '../quota.js';
import { type Making, makeAllMissing } from '../records/carry-out.js';
import { createResources } from '../records/resource.js';
import { createWrites } from '../records/writes.js';
import type { Records, WireFormats } from '../records.js';
import { idOf } from '../sql/ids.js';
import { checkAccess } from '../sql/owner.js';
import { countRemovedWith } from '../sql/removed-with.js';
import { listUses, usesOf } from '../sql/uses.js';
import { awaited, NOTHING, type PublishWithin, sent, type Transact } from '../unit.js';
import type { WriteAudit } from './audit.js';
import type { Connections } from './connections.js';
import { POSTGRES } from './dialect.js';
import { createLists } from './lists.js';
import { prepareNamed, type Query, run } from './named.js';
import { createRecordStatements, type RecordStatements, type StatementsOf } from './record-statements.js';
import { createReading } from './record-text.js';
import { createRemove } from './removal.js';
import { tableOf } from './table-of.js';
import { createTransact } from './unit.js';
import { createReadUses } from './uses.js';

export interface PostgresRecordsOptions {
  readonly connections: Connections;
  readonly definitions: readonly AnyDefinition[];
  readonly profile: WireFormats;
  readonly schema: Schema;
  readonly ids: Ids;
  readonly random: Random;
  readonly behaviours?: Behaviours;
  readonly actions?: Actions;
  readonly publish?: PublishWithin;
  /** Without it no change is audited. */
  readonly writeAudit?: WriteAudit;
  readonly quota?: Pick<Quota, 'failure'>;
}

/** What other parts of the engine use within their transactions. */
export interface Rows extends Pick<RecordStatements, 'row' | 'text'> {
  /** Deletes a record, and what is deleted with it; nothing happens if there is none. */
  delete(query: Query, id: string): Promise<void>;
}

export interface PostgresRecords extends Records {
  rowsOf(resource: string): Rows;
  readonly transact: Transact;
  /** Makes what the rows of before do not have yet (D40). */
  makeMissing(now: number): Promise<void>;
}

/** Composes every right and statement from the definitions; throws an Error if they are inconsistent. */
export function createPostgresRecords(options: PostgresRecordsOptions): PostgresRecords {
  const { connections } = options;
  const { query } = connections;
  const { reading, at, transact } = createReaders(options);
  const resources = createResources({ ...options, composer: reading });
  const readUses = createReadUses(reading, (name) => at(name).statements);
  const uses = memoize((name: string) => usesOf(reading, at(name).definition));
  const removedWith = memoize((name: string) =>
    countRemovedWith(reading, at(name).definition).map(({ resource, sql }) => ({
      resource,
      count: prepareNamed(connections, sql),
    })),
  );
  return {
    rowsOf: (name) => at(name).rows,
    transact,
    makeMissing: (now) => awaited(makeAllMissing(resources, options.definitions, making(transact, now))),
    ...createWrites(transact, resources, POSTGRES),
    async removedWith(resource, id) {
      const counts = removedWith(resource).map(async ({ resource: name, count }) => {
        const [row] = await run(query, count(idOf(id)));
        return { resource: name, count: Number(row?.count) };
      });
      return (await Promise.all(counts)).filter(({ count }) => count > 0);
    },
    get: (resource, id, caller, want) => at(resource).statements.get(query, id, caller, want),
    permission: (resource, id, right, caller) => at(resource).statements.permission(query, right, id, caller),
    async locate(candidates, id) {
      return (await Promise.all(candidates.map((name) => at(name).statements.exists(query, id)))).indexOf(true);
    },
    async secret(resource, id, password) {
      return ((await at(resource).statements.row(query, id))?.[password] ?? null) as string | null;
    },
    async list(resource, page, parentId, caller) {
      if (page.parent === null) return at(resource).list(query, page, parentId, caller);
      const parent = at(page.parent);
      const permission = await parent.statements.permission(query, 'read', parentId, caller);
      if (!permission.allowed) throw refusal(parent.definition, permission.code);
      return at(resource).list(query, page, parentId, caller);
    },
    async uses(resource, page, id, caller) {
      const { definition, statements } = at(resource);
      const permission = await statements.permission(query, 'read', id, caller);
      if (!permission.allowed) throw refusal(definition, permission.code);
      return listUses(uses(resource), readUses, { id, page, caller });
    },
  };
}

/** Each statement beside a transaction is one of its own. */
function making(transact: Transact, now: number): Making {
  return {
    now,
    rows: (sql, parameters) => sent(transact((unit) => unit.rows(sql, parameters))),
    transact: (work) => sent(transact(work)),
  };
}

function createReaders(options: PostgresRecordsOptions) {
  const { connections, schema, profile, publish = () => NOTHING } = options;
  const { writeAudit = async () => undefined } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const reading = createReading({ definitions, dialect: POSTGRES, formats: profile }, connections);
  const remove = createRemove(reading, schema);
  const at = (name: string): Reader => {
    const reader = readers.get(name);
    if (reader === undefined) throw new Error(`there is no definition of ${name}`);
    return reader;
  };
  const statementsOf: StatementsOf = (name) => at(name).statements;
  const readers: ReadonlyMap<string, Reader> = new Map(
    options.definitions.map((definition) => {
      checkAccess(reading, definition);
      const statements = createRecordStatements(reading, definition, statementsOf);
      const rows: Rows = { ...statements, delete: (query, id) => remove(query, definition, id) };
      const list = createLists(reading, definition, tableOf(schema, definition));
      return [definition.name, { definition, statements, rows, list }];
    }),
  );
  return { reading, at, transact: createTransact({ reading, schema, statementsOf, remove, publish, writeAudit }) };
}

interface Reader {
  readonly definition: AnyDefinition;
  readonly statements: RecordStatements;
  readonly rows: Rows;
  readonly list: ReturnType<typeof createLists>;
}
