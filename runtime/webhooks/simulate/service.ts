// The real store and outbox on a database in memory, without any network: for simulations and tests.

import type { Behaviours } from '../../behaviour.js';
import type { AnyDefinition, EventDefinition, Input, Validator } from '../../definition.js';
import { PROFILES } from '../../http/profiles.js';
import { createIds, type Random } from '../../ids.js';
import type { Loaded } from '../../server/load-generated.js';
import type { Outbox } from '../../store/outbox.js';
import { bringToSchema } from '../../store/sqlite/bring-to-schema.js';
import { connectInMemory } from '../../store/sqlite/driver.js';
import { createGroupCommit, type GroupCommit } from '../../store/sqlite/group-commit.js';
import { createOutbox, type OutboxOptions } from '../../store/sqlite/outbox/outbox.js';
import { WEBHOOK_TABLES } from '../../store/sqlite/outbox/tables.js';
import { createSqliteStore, type SqliteStore } from '../../store/sqlite/store.js';
import { hookBehaviours } from '../rules/hooks.js';

type Database = ReturnType<typeof connectInMemory>;

export interface SimulatedOptions extends Pick<OutboxOptions, 'decide' | 'unit'> {
  readonly random: Random;
  /** Lifecycle functions besides the hook's own. */
  readonly behaviours?: Behaviours;
}

/** No outcome depends on what a payload contains, so any payload is accepted. */
const ANY_PAYLOAD: Validator = Object.assign(() => true, { errors: null });

export interface SimulatedService {
  readonly db: Database;
  readonly commits: GroupCommit;
  readonly store: SqliteStore;
  readonly outbox: Outbox;
  definition(name: string): AnyDefinition;
  event(name: string): EventDefinition;
  /** Creates a record as `user`, or as an administrator; its id. Input is assumed to be valid. */
  create(resource: string, input: Input, by: { readonly user: string | null; readonly now: number }): Promise<string>;
  close(): void;
}

/** @param now epoch milliseconds */
export function openSimulated(loaded: Loaded, options: SimulatedOptions, now: number): SimulatedService {
  const db = connectInMemory();
  bringToSchema(db, loaded.schema, now, { extraDdl: [WEBHOOK_TABLES] });
  const commits = createGroupCommit(db);
  const { store, outbox } = assemble(db, commits, { loaded, ...options });
  const definitions = new Map(loaded.generated.definitions.map((each) => [each.name, each]));
  const definition = (name: string): AnyDefinition => {
    const found = definitions.get(name);
    if (found === undefined) throw new Error(`there is no definition of ${name}`);
    return found;
  };
  return {
    db,
    commits,
    store,
    outbox,
    definition,
    event: (name) => loaded.generated.events[name] as EventDefinition,
    async create(resource, input, { user, now: created }) {
      const caller = { user, admin: user === null };
      const change = { definition: definition(resource), caller, input, failures: [], now: created, upload: null };
      return (await store.create(change)).id;
    },
    close() {
      commits.close();
      db.close();
    },
  };
}

function assemble(
  db: Database,
  commits: GroupCommit,
  { loaded, random, behaviours, decide, unit }: SimulatedOptions & { readonly loaded: Loaded },
): Pick<SimulatedService, 'store' | 'outbox'> {
  const { definitions, events } = loaded.generated;
  const ids = createIds(random);
  const store = createSqliteStore({
    db,
    commits,
    definitions,
    profile: PROFILES.plain,
    ids,
    random,
    behaviours: { ...behaviours, ...hookBehaviours },
    publish: (published, now) => void outbox.publish(published, now),
  });
  const outbox = createOutbox({
    db,
    commits,
    definitions: new Map(definitions.map((each) => [each.name, each])),
    events: Object.fromEntries(
      Object.entries(events).map(([name, event]) => [name, { ...event, validate: ANY_PAYLOAD }]),
    ),
    records: store.records,
    ids,
    unit,
    ...(decide && { decide }),
  });
  return { store, outbox };
}
