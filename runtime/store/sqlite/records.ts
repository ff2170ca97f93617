// The records on SQLite: reads return immediately from prepared statements, writes go through the group commit.

import type Database from 'better-sqlite3';
import type { Actions, Behaviours, Publish } from '../../behaviour.js';
import type { AnyDefinition } from '../../definition.js';
import { refusal } from '../../errors.js';
import type { Ids, Random } from '../../ids.js';
import { memoize } from '../../memoize.js';
import type { Caller, Records, WireFormats } from '../records.js';
import { checkAccess } from '../sql/owner.js';
import { countRemovedWith } from '../sql/removed-with.js';
import { listUses, usesOf } from '../sql/uses.js';
import type { Composing } from '../sql/viewers.js';
import { createKeepAdministrator } from './administrators.js';
import type { WriteAudit } from './audit.js';
import { createCopy } from './copy.js';
import { SQLITE } from './dialect.js';
import type { GroupCommit } from './group-commit.js';
import { createLists } from './lists.js';
import { createWriteOnce, type WriteOnce } from './once.js';
import { createRecordStatements, type RecordStatements } from './record-statements.js';
import { createReadUses } from './uses.js';
import { teachWords } from './words.js';
import { createWrites, type StoreContext } from './writes.js';

export interface SqliteRecordsOptions {
  readonly db: Database.Database;
  /** The queue of writes of `db`, shared by everything that writes. */
  readonly commits: GroupCommit;
  readonly definitions: readonly AnyDefinition[];
  readonly profile: WireFormats;
  readonly ids: Ids;
  readonly random: Random;
  readonly behaviours?: Behaviours;
  readonly actions?: Actions;
  /** Publishes the events of changes, within the transaction. */
  readonly publish?: Publish;
  /** Without it no change is audited. */
  readonly writeAudit?: WriteAudit;
}

/** With what other parts of the engine use in functions that they submit to the group commit. */
export interface SqliteRecords extends Records {
  rowsOf(resource: string): RecordStatements;
}

/** Composes every right from the definitions, and throws an Error if they are inconsistent. */
export function createSqliteRecords(options: SqliteRecordsOptions): SqliteRecords {
  const { commits } = options;
  const { context, at } = createResources(options);
  // Created on first use: not every database in a test has its table.
  const writeOnce = memoize((_key: '') => createWriteOnce(options.db));
  const once: WriteOnce = (request, write) => (request.once === undefined ? write() : writeOnce('')(request, write));
  const readUses = createReadUses(options.db, context.composer, (name) => at(name).statements);
  const uses = memoize((name: string) => usesOf(context.composer, at(name).definition));
  const copy = createCopy(context, options.behaviours ?? {}, at);
  const removedWith = memoize((name: string) =>
    countRemovedWith(context.composer, at(name).definition).map(({ resource, sql }) => ({
      resource,
      count: options.db.prepare<{ id: string }, number>(sql).pluck(),
    })),
  );
  return {
    rowsOf: (name) => at(name).statements,
    create(change) {
      const { writes } = at(change.resource);
      const create = () => writes.create(change);
      return change.failures.length > 0 ? refused(create) : commits.submit(() => once(change, create));
    },
    createAll(bulk) {
      const { resource, parent, changes, caller } = bulk;
      const work = () => {
        permitted(at(parent.resource), 'editor', parent.id, caller);
        return at(resource).writes.createAll(changes);
      };
      return commits.submit(() => once(bulk, work), caller.user);
    },
    update(id, change) {
      const { writes } = at(change.resource);
      const update = () => writes.update(id, change);
      return change.failures.length > 0 ? refused(update) : commits.submit(update);
    },
    remove: (resource, id, caller, now) => commits.submit(() => at(resource).writes.remove(id, caller, now)),
    removedWith: (resource, id) =>
      removedWith(resource)
        .map(({ resource: name, count }) => ({ resource: name, count: count.get({ id }) ?? 0 }))
        .filter(({ count }) => count > 0),
    act(resource, id, action) {
      const { writes } = at(resource);
      return commits.submit(() => once(action, () => writes.act(id, action)));
    },
    copy: (resource, id, action) =>
      commits.submit(() => once(action, () => copy(resource, id, action)), action.caller.user),
    get: (resource, id, caller, want) => at(resource).statements.get(id, caller, want),
    permission: (resource, id, right, caller) => at(resource).statements.permission(right, id, caller),
    locate: (resources, id) => resources.findIndex((resource) => at(resource).statements.exists(id)),
    secret: (resource, id, password) => (at(resource).statements.row(id)?.[password] ?? null) as string | null,
    list(resource, page, parentId, caller) {
      if (page.parent === null) return at(resource).list(page, parentId, caller);
      permitted(at(page.parent), 'read', parentId, caller);
      return at(resource).list(page, parentId, caller);
    },
    async uses(resource, page, id, caller) {
      permitted(at(resource), 'read', id, caller);
      return listUses(uses(resource), readUses, { id, page, caller });
    },
  };
}

/** Throws the refusal of a caller who does not hold the right. */
function permitted({ definition, statements }: ReadResource, right: string, id: string, caller: Caller): void {
  const permission = statements.permission(right, id, caller);
  if (!permission.allowed) throw refusal(definition, permission.code);
}

interface ReadResource {
  readonly definition: AnyDefinition;
  readonly statements: RecordStatements;
}

/** A change that has already failed can only be refused, which does not need a transaction. */
async function refused<T>(write: () => T): Promise<T> {
  return write();
}

function createResources(options: SqliteRecordsOptions) {
  const {
    db,
    ids,
    random,
    behaviours = {},
    actions = {},
    publish = () => undefined,
    writeAudit = () => undefined,
  } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const composing: Composing = { definitions, dialect: SQLITE, formats: options.profile };
  teachWords(db);
  const keepAdministrator = createKeepAdministrator(db, definitions);
  const context: StoreContext = { db, composer: composing, ids, random, publish, writeAudit, keepAdministrator };
  for (const definition of options.definitions) checkAccess(composing, definition);
  // Created with the first request for each: all 50 take 4 ms of a start.
  const at = memoize((name: string) => {
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`unknown resource ${name}`);
    const statements = createRecordStatements(db, composing, definition);
    const handwritten = { behaviour: behaviours[name] ?? {}, actions: actions[name] ?? {} };
    const writes = createWrites(context, definition, statements, handwritten);
    return { definition, statements, writes, list: createLists(db, composing, definition) };
  });
  return { context, at };
}
