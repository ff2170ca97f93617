// The Store on SQLite: reads answer at once from prepared statements, writes go through the group commit.
import type Database from 'better-sqlite3';
import type { Behaviours, Publish } from '../../behaviour.js';
import type { AnyDefinition } from '../../definition.js';
import type { Ids, Random } from '../../ids.js';
import type { Caller, Store, WireFormats } from '../store.js';
import { type Definitions, rightExpression } from './access.js';
import type { GroupCommit } from './group-commit.js';
import { createLists } from './lists.js';
import { ownerExpression } from './owner.js';
import type { Composing } from './record-text.js';
import { createRecords, type Records, viewerOf } from './records.js';
import { refusal } from './refusal.js';
import { createWrites, type StoreContext } from './writes.js';

export interface SqliteStoreOptions {
  readonly db: Database.Database;
  /** The queue of writes of `db`; whoever else writes shares it. */
  readonly commits: GroupCommit;
  readonly definitions: readonly AnyDefinition[];
  readonly profile: WireFormats;
  readonly ids: Ids;
  readonly random: Random;
  readonly behaviours?: Behaviours;
  /** Takes the events that lifecycle functions give rise to, within the transaction. */
  readonly publish?: Publish;
}

/** A Store whose records hand-written modules can also reach, in functions they submit to the group commit. */
export interface SqliteStore extends Store {
  records(resource: string): Records;
}

/** Composes every right and statement from the definitions; throws an Error where these make no sense. */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { commits } = options;
  const resources = createResources(options);
  const at = ({ name }: Pick<AnyDefinition, 'name'>) => {
    const resource = resources.get(name);
    if (!resource) throw new Error(`there is no definition of ${name}`);
    return resource;
  };
  const textOf = (name: string, id: string | null | undefined, caller: Caller): string | null =>
    (id && at({ name }).records.text(viewerOf(caller), id, caller.user)) || null;
  return {
    records: (name) => at({ name }).records,
    async create(change) {
      const { writes } = at(change.definition);
      // What already failed can only be refused, which takes no transaction.
      return change.failures.length > 0 ? writes.create(change) : commits.submit(() => writes.create(change));
    },
    async update(id, change) {
      const { writes } = at(change.definition);
      return change.failures.length > 0 ? writes.update(id, change) : commits.submit(() => writes.update(id, change));
    },
    remove: (definition, id, caller, now) => commits.submit(() => at(definition).writes.remove(id, caller, now)),
    act: (definition, id, act) => commits.submit(() => at(definition).writes.act(id, act)),
    get: (definition, id, caller) => at(definition).records.get(id, caller),
    may: (definition, id, right, caller) => at(definition).records.permission(right, id, caller),
    exists: (definition, id) => at(definition).records.exists(id),
    secret: (definition, id, password) => (at(definition).records.row(id)?.[password] ?? null) as string | null,
    links: (definition, id) => at(definition).records.links(id),
    related(definition, id, names, caller) {
      const links = at(definition).records.links(id);
      return definition.references
        .filter(({ related, relation }) => related && (names === 'all' || names.includes(relation)))
        .map(({ relation, to }) => ({ name: relation, text: textOf(to, links[relation], caller) }));
    },
    list(definition, page, parentId, caller) {
      const parent = at({ name: page.parent });
      const permission = parent.records.permission('read', parentId, caller);
      if (!permission.allowed) throw refusal(parent.definition, permission.code);
      return at(definition).list(page, parentId, caller);
    },
    close: () => commits.close(),
  };
}

function createResources(options: SqliteStoreOptions) {
  const { db, ids, random, behaviours = {}, publish = () => undefined } = options;
  const definitions = new Map(options.definitions.map((definition) => [definition.name, definition]));
  const composing: Composing = { definitions, formats: options.profile };
  const context: StoreContext = { db, definitions, ids, random, publish };
  const resources = options.definitions.map((definition) => {
    checkRights(definitions, definition);
    const records = createRecords(db, composing, definition);
    const writes = createWrites(context, definition, records, behaviours[definition.name] ?? {});
    return { definition, records, writes, list: createLists(db, composing, definition) };
  });
  return new Map(resources.map((resource) => [resource.definition.name, resource]));
}

/** Composes every right once, so that one that makes no sense is known at start. */
function checkRights(definitions: Definitions, definition: AnyDefinition): void {
  for (const right of ['read', 'edit', ...Object.keys(definition.access.rights)]) {
    rightExpression(definitions, { resource: definition.name, right, alias: 't', user: '@user' });
  }
  ownerExpression(definitions, definition, 't');
}
