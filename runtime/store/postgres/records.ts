// The records on PostgreSQL: every statement is prepared once for a connection, and a write is a transaction.

import type { Actions, Behaviours } from '../../behaviour.js';
import type { AnyDefinition } from '../../definition.js';
import { refusal } from '../../errors.js';
import type { Ids, Random } from '../../ids.js';
import { memoize } from '../../memoize.js';
import type { Schema } from '../../schema/schema.js';
import type { Records, WireFormats } from '../records.js';
import { checkAccess } from '../sql/owner.js';
import { countRemovedWith } from '../sql/removed-with.js';
import { listUses, usesOf } from '../sql/uses.js';
import { createKeepAdministrator } from './administrators.js';
import type { WriteAudit } from './audit.js';
import type { Connections } from './connections.js';
import { createCopy } from './copy.js';
import { POSTGRES } from './dialect.js';
import { createLists } from './lists.js';
import { createMadeRecords, type MadeRecords } from './made-records.js';
import { prepareNamed, type Query, run } from './named.js';
import { createWriteOnce } from './once.js';
import { createRecordStatements, idOf, type RecordStatements, type StatementsOf } from './record-statements.js';
import { createReading } from './record-text.js';
import { createRemove } from './removal.js';
import { tableOf } from './table-of.js';
import { createReadUses } from './uses.js';
import { createWriter, createWrites, type PublishWithin, type Writer } from './writes.js';

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
}

/** What other parts of the engine use within their transactions. */
export interface Rows extends Pick<RecordStatements, 'row' | 'text'> {
  /** Deletes a record, and what is deleted with it; nothing happens if there is none. */
  delete(query: Query, id: string): Promise<void>;
}

export interface PostgresRecords extends Records {
  rowsOf(resource: string): Rows;
  /** Makes what the rows of before do not have yet (D40). */
  makeMissing: MadeRecords['makeMissing'];
}

/** Composes every right and statement from the definitions; throws an Error if they are inconsistent. */
export function createPostgresRecords(options: PostgresRecordsOptions): PostgresRecords {
  const { connections } = options;
  const { query } = connections;
  const { context, resources, madeRecords } = createResources(options);
  const at = (name: string) => resourceOf(resources, name);
  const readUses = createReadUses(context.reading, (name) => at(name).statements);
  const uses = memoize((name: string) => usesOf(context.reading, at(name).definition));
  const copy = createCopy(context, options.behaviours ?? {}, (name) => at(name).writer);
  const removedWith = memoize((name: string) =>
    countRemovedWith(context.reading, at(name).definition).map(({ resource, sql }) => ({
      resource,
      count: prepareNamed(connections, sql),
    })),
  );
  return {
    rowsOf: (name) => at(name).rows,
    makeMissing: madeRecords.makeMissing,
    create: (change) => at(change.resource).writes.create(change),
    createAll: (bulk) => at(bulk.resource).writes.createAll(bulk, at(bulk.parent.resource).writer),
    update: (id, change) => at(change.resource).writes.update(id, change),
    remove: (resource, id, caller, now) => at(resource).writes.remove(id, caller, now),
    async removedWith(resource, id) {
      const counts = removedWith(resource).map(async ({ resource: name, count }) => {
        const [row] = await run(query, count(idOf(id)));
        return { resource: name, count: Number(row?.count) };
      });
      return (await Promise.all(counts)).filter(({ count }) => count > 0);
    },
    act: (resource, id, action) => at(resource).writes.act(id, action),
    copy,
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

function createResources(options: PostgresRecordsOptions) {
  const { connections, schema, behaviours = {}, actions = {}, publish = async () => () => undefined } = options;
  const { writeAudit = async () => undefined } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const reading = createReading({ definitions, dialect: POSTGRES, formats: options.profile }, connections);
  const remove = createRemove(reading, schema);
  const statementsOf: StatementsOf = (name) => resourceOf(resources, name).statements;
  const madeRecords = createMadeRecords({ ...options, reading }, statementsOf);
  const shared = {
    writeOnce: createWriteOnce(connections),
    keepAdministrator: createKeepAdministrator(reading),
  };
  const context = { ...options, ...shared, reading, publish, remove, writeAudit, madeRecords };
  const resources: ReadonlyMap<string, Resource> = new Map(
    options.definitions.map((definition) => {
      checkAccess(reading, definition);
      const { name } = definition;
      const statements = createRecordStatements(reading, definition, statementsOf);
      const handwritten = { behaviour: behaviours[name] ?? {}, actions: actions[name] ?? {} };
      const rows: Rows = { ...statements, delete: (query, id) => remove(query, definition, id) };
      const writer = createWriter(context, definition, statements, handwritten);
      const list = createLists(reading, definition, tableOf(schema, definition));
      return [name, { definition, statements, rows, writer, writes: createWrites(writer), list }];
    }),
  );
  return { context, resources, madeRecords };
}

interface Resource {
  readonly definition: AnyDefinition;
  readonly statements: RecordStatements;
  readonly rows: Rows;
  readonly writer: Writer;
  readonly writes: ReturnType<typeof createWrites>;
  readonly list: ReturnType<typeof createLists>;
}

function resourceOf(resources: ReadonlyMap<string, Resource>, name: string): Resource {
  const resource = resources.get(name);
  if (!resource) throw new Error(`there is no definition of ${name}`);
  return resource;
}
