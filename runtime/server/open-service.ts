// Opens the service without its network side: database, store, operations, sessions and files.

import type { Database } from 'better-sqlite3';
import { apiKeysOf, createLogin, type Login } from '../auth/login.js';
import { createLoginLimit } from '../auth/login-limit.js';
import { createPasswords } from '../auth/passwords.js';
import { createSessions, type Sessions } from '../auth/sessions.js';
import type { Actions, Behaviours } from '../behaviour.js';
import { compiledShape, unmetNeeds, unmetText } from '../check-needs.js';
import type { AnyDefinition, Generated } from '../definition.js';
import { type Blobs, createBlobs } from '../files/blobs.js';
import { PROFILES, type Profile } from '../http/profiles.js';
import { createIds, type Random } from '../ids.js';
import { createOperations, type Operations } from '../operations/operations.js';
import * as own from '../resources/index.js';
import type { Schema } from '../schema/schema.js';
import type { FileIndex, Identity } from '../store/engine.js';
import type { Outbox } from '../store/outbox.js';
import type { Migrate } from '../store/sqlite/bring-to-schema.js';
import { engineTables, openSqliteEngine, type SqliteEngine } from '../store/sqlite/engine.js';
import { explained } from '../store/sqlite/open.js';
import { createOutbox } from '../store/sqlite/outbox/outbox.js';
import { WEBHOOK_TABLES } from '../store/sqlite/outbox/tables.js';
import type { Presence } from '../store/sqlite/presence.js';
import { StartError } from '../store/sqlite/start-error.js';
import type { SqliteStore } from '../store/sqlite/store.js';
import { RETRY_UNIT } from '../webhooks/rules/delivery.js';
import { hasWebhooks, hookBehaviours, MODULE } from '../webhooks/rules/hooks.js';
import { loadGenerated } from './load-generated.js';

export interface ServiceOptions {
  /** Path of the database file. */
  readonly database: string;
  readonly wire: Profile['name'];
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  /** True: this is the one server of the database. */
  readonly owner: boolean;
  /** For ids and secrets. */
  readonly random: Random;
  /** The project's own by default. */
  readonly handwritten?: Handwritten;
  /** What to do with a database that has an older schema; safe by default. */
  readonly migrate?: Migrate;
  /** Failed logins a minute per address and name (D39); 0, the default: no limit. */
  readonly loginLimit?: number;
  /** Milliseconds of one step of the retry delay; an hour by default. */
  readonly webhookRetryUnitMs?: number;
}

/** The hand-written functions that descriptors declare, by resource. */
export interface Handwritten {
  readonly behaviours: Behaviours;
  readonly actions: Actions;
}

export interface Service {
  /** The engine's own connection, for tests that inspect rows; the service itself does not use it. */
  readonly db: Database;
  readonly profile: Profile;
  readonly generated: Generated;
  /** Path of the API document. */
  readonly document: string;
  /** The definitions that are served. */
  readonly definitions: readonly AnyDefinition[];
  readonly principal: AnyDefinition;
  readonly store: SqliteStore;
  readonly operations: Operations;
  readonly sessions: Sessions;
  readonly login: Login;
  readonly identity: Identity;
  readonly fileIndex: FileIndex;
  /** Null in a project without web hooks. */
  readonly webhooks: Outbox | null;
  /** The outbox of the web hooks. Throws StartError in a project without them. */
  readonly outbox: Outbox;
  /** Whether the database file is still the one that was opened. */
  readonly present: Presence;
  /** Writes what is queued and closes the database. */
  close(): void;
}

/** Throws StartError. @param now epoch milliseconds */
export function openService(options: ServiceOptions, now: number): Service {
  const { generated, schema, document } = loadGenerated(options.generated);
  const principal = principalOf(generated);
  refuseUnmet(schema, generated);
  const { webhooks, ...service } = assemble({ generated, schema, principal }, options, now);
  return {
    ...service,
    webhooks,
    document,
    get outbox() {
      if (webhooks !== null) return webhooks;
      throw new StartError(`no descriptor declares \`served_by: ${MODULE}\`: there are no web hooks`);
    },
  };
}

function principalOf({ definitions }: Generated): AnyDefinition {
  const principal = definitions.find((definition) => definition.principal);
  if (principal === undefined) throw new StartError('no descriptor declares `principal: true`: nobody can log in');
  return principal;
}

/**
 * Throws StartError if hand-written code would not find what it needs, as after a rename: a server that
 * cannot run on a schema must not migrate a database to it.
 */
export function refuseUnmet(schema: Schema, generated: Generated): void {
  const unmet = unmetNeeds(compiledShape(schema, generated)).map(unmetText);
  if (unmet.length === 0) return;
  throw new StartError(`${unmet.join('; ')}: the database is left unchanged; fix the descriptors and run gen`);
}

/** The functions that descriptors declare; a resource that merely shares its name with one of ours has none. */
function declared(behaviours: Behaviours, definitions: readonly AnyDefinition[]): Behaviours {
  const lifecycles = new Map(definitions.map(({ name, lifecycle }) => [name, lifecycle]));
  return Object.fromEntries(
    Object.entries(behaviours).map(([name, steps]) => [
      name,
      Object.fromEntries((lifecycles.get(name) ?? []).map((step) => [step, steps[step]])),
    ]),
  );
}

/** The tables that are not part of the schema, as repeatable statements. */
export function moduleTables(definitions: readonly AnyDefinition[]): readonly string[] {
  return [...engineTables(definitions), ...webhookTables(definitions)];
}

function webhookTables(definitions: readonly AnyDefinition[]): readonly string[] {
  return hasWebhooks(definitions) ? [WEBHOOK_TABLES] : [];
}

interface Loaded {
  readonly generated: Generated;
  readonly schema: Schema;
  readonly principal: AnyDefinition;
}

function assemble(loaded: Loaded, options: ServiceOptions, now: number): Omit<Service, 'document' | 'outbox'> {
  const { definitions: all, events } = loaded.generated;
  const { wire, random, handwritten = own, webhookRetryUnitMs = RETRY_UNIT } = options;
  const profile = PROFILES[wire];
  const ids = createIds(random);
  let webhooks: Outbox | null = null;
  const engine = openSqliteEngine(
    {
      ...loaded,
      database: options.database,
      owner: options.owner,
      migrate: options.migrate ?? 'safe',
      definitions: all,
      tables: webhookTables(all),
      apiKeys: apiKeysOf(all, loaded.principal),
      profile,
      ids,
      random,
      behaviours: { ...declared(handwritten.behaviours, all), ...hookBehaviours },
      publish: (published, at) => void webhooks?.publish(published, at),
    },
    now,
  );
  try {
    const { db, commits, records } = engine;
    const definitions = new Map(all.map((definition) => [definition.name, definition]));
    const parts = { db, commits, definitions, events, records: records.records, ids, unit: webhookRetryUnitMs };
    webhooks = hasWebhooks(all) ? createOutbox(parts) : null;
    return { ...serviceOver(engine, loaded, options), profile, webhooks };
  } catch (error) {
    engine.close();
    throw explained(error, options.database);
  }
}

/** The part of the service that handles requests, over an open engine. */
function serviceOver(
  engine: SqliteEngine,
  { generated, principal }: Loaded,
  { random, handwritten = own, loginLimit = 0 }: ServiceOptions,
): Omit<Service, 'document' | 'outbox' | 'profile' | 'webhooks'> {
  const { db, present, records: store, identity, files: fileIndex, close } = engine;
  const definitions = generated.definitions.filter(({ servedBy }) => servedBy === null || servedBy === MODULE);
  const passwords = createPasswords();
  const operations = createOperations({
    store,
    definitions,
    hashPassword: passwords.hash,
    verifyPassword: passwords.verify,
    actions: handwritten.actions,
  });
  const sessions = createSessions(identity, () => urlSafe(random(20)));
  const login = createLogin({ identity, sessions, passwords, limit: createLoginLimit(loginLimit) });
  return {
    db,
    present,
    generated,
    definitions,
    principal,
    store,
    operations,
    sessions,
    login,
    identity,
    fileIndex,
    close,
  };
}

/** Opens the folder of uploaded bytes; throws StartError if it cannot be created. */
export async function openFiles(folder: string, random: Random, fileIndex: FileIndex): Promise<Blobs> {
  try {
    return await createBlobs(
      folder,
      () => urlSafe(random(16)),
      (hash) => fileIndex.release([hash]),
    );
  } catch (error) {
    throw new StartError(
      `the files folder cannot be created (${(error as Error).message}): choose another with --files`,
    );
  }
}

function urlSafe(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
