// Opens the service without its network side: database, store, operations, sessions and files.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiKeysOf, createLogin, type Login } from '../auth/login.js';
import { createLoginLimit } from '../auth/login-limit.js';
import { type Cost, createPasswords, type Passwords } from '../auth/passwords.js';
import { createSessions, type Sessions } from '../auth/sessions.js';
import type { Behaviours, Handwritten } from '../contract/behaviour.js';
import type { AnyDefinition, Generated } from '../contract/definition.js';
import { createIds, type Random } from '../contract/ids.js';
import type { VersionTable } from '../contract/versions.js';
import { type Blobs, createBlobs } from '../files/blobs.js';
import { openBlobStore } from '../files/open-store.js';
import { PROFILES, type Profile } from '../http/profiles.js';
import { messagesIn, remembering } from '../http/versions/remembered.js';
import type { VersionSource } from '../http/versions/versions.js';
import { createOperations, type Operations } from '../operations/operations.js';
import * as projectFunctions from '../resources/index.js';
import { RETRY_UNIT } from '../rules/delivery.js';
import { hookBehaviours, MODULE } from '../rules/hooks.js';
import { decide } from '../rules/policy.js';
import { compiledShape, unmetNeeds, unmetText } from '../schema/check-needs.js';
import type { Schema } from '../schema/schema.js';
import type { ServerLimits } from '../store/database-server.js';
import { isServerUrl } from '../store/database-url.js';
import type { Engine, EngineOptions, FileIndex, Migrate } from '../store/engine.js';
import { openEngine } from '../store/open-engine.js';
import type { Quota } from '../store/quota.js';
import type { Records } from '../store/records.js';
import { StartError } from '../store/start-error.js';
import { rolesFor, secureLaterModules } from './later-modules.js';
import { loadGenerated, principalOf } from './load-generated.js';
import { SERVER_PARTS } from './optional-parts.js';

export interface ServiceOptions {
  /** Path of the database file, or URL of a PostgreSQL database. */
  readonly database: string;
  readonly wire: Profile['name'];
  /** Version of the API for callers who name none (D68); the newest by default. */
  readonly defaultVersion?: string;
  /** Output folder of the generator; null: the project's own. */
  readonly generated: string | null;
  /** True: this is a server of the database; a database in a file has only one. */
  readonly owner: boolean;
  /** For ids and secrets. */
  readonly random: Random;
  /** By default the functions of the spec, or else the project's own. */
  readonly handwritten?: Handwritten;
  /** What to do with a database that has an older schema; safe by default. */
  readonly migrate?: Migrate;
  /** Failed logins a minute per address and name (D39); 0, the default: no limit. */
  readonly loginLimit?: number;
  /** What the files of a user may take (D64); 0, the default: any number of bytes. */
  readonly quotaBytes?: number;
  /** The cost of hashing a password; that of production by default. */
  readonly passwordCost?: Cost;
  /** Milliseconds of one step of the retry delay; an hour by default. */
  readonly webhookRetryUnitMs?: number;
  /** Limits for a PostgreSQL database: connections, and the milliseconds of a statement and of the wait for a connection. */
  readonly databaseConnections?: number;
  readonly databaseTimeoutMs?: number;
  readonly databaseWaitMs?: number;
}

/** What a service gets from another process instead of creating it: see `processes/`. */
export interface RemoteParts {
  readonly openEngine: typeof openEngine;
  readonly passwords: Passwords;
  readonly login: Login;
}

export interface Service {
  /** The name under which it claims deliveries; null for a command. */
  readonly server: string | null;
  /** Everything durable. */
  readonly engine: Engine;
  readonly profile: Profile;
  readonly generated: Generated;
  /** The cut versions of the API (D68). */
  readonly versions: VersionSource;
  /** The schema that its definitions need. */
  readonly schema: Schema;
  /** Path of the API document. */
  readonly document: string;
  /** The definitions that are served. */
  readonly definitions: readonly AnyDefinition[];
  readonly principal: AnyDefinition;
  /** The records, as operations use them. */
  readonly store: Records;
  readonly operations: Operations;
  /** The same operations, over a store in which these methods replace its own. */
  operationsOver(methods: Partial<Records>): Operations;
  readonly sessions: Sessions;
  readonly login: Login;
  readonly passwords: Passwords;
  /** What the files of a user may take; null: any number of bytes. */
  readonly quota: Quota | null;
}

/** Name of the only server of a database in a file: what it had claimed before it was killed is still its own (S24). */
const ONLY_SERVER = 'server';

/** The caller closes its engine. Throws StartError. @param now epoch milliseconds */
export async function openService(options: ServiceOptions, now: number, elsewhere?: RemoteParts): Promise<Service> {
  const { generated, schema, document } = loadGenerated(options.generated);
  secureLaterModules(rolesFor(generated, options.wire));
  const principal = principalOf(generated);
  refuseUnmet(schema, generated);
  const { quotaBytes = 0 } = options;
  const quota = quotaBytes === 0 ? null : SERVER_PARTS.quota().quotaOf(generated.definitions, quotaBytes);
  const versions = versionsOf(generated, document, options);
  const chosen = { ...engineOptions({ generated, schema, principal, versions }, options), ...(quota && { quota }) };
  const engine = await (elsewhere?.openEngine ?? openEngine)(chosen, now);
  try {
    return {
      ...serviceOver(engine, { generated, principal, versions, ...elsewhere }, options),
      engine,
      quota,
      schema,
      document,
      server: chosen.server,
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Throws StartError if hand-written code would not find what it needs, as after a rename: a server that
 * cannot run on a schema must not migrate a database to it.
 */
export function refuseUnmet(schema: Schema, generated: Generated): void {
  const unmet = unmetNeeds(compiledShape(schema, generated), generated.handwritten ? 'given' : 'shared').map(unmetText);
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

interface OpenInput {
  readonly generated: Generated;
  readonly schema: Schema;
  readonly principal: AnyDefinition;
  readonly versions: VersionSource;
}

/** The tables of the versions are read now, since gen may write others while the server runs, and parsed when needed. */
function versionsOf(generated: Generated, document: string, { defaultVersion }: ServiceOptions): VersionSource {
  const dates = generated.versions ?? {};
  if (defaultVersion !== undefined && !Object.hasOwn(dates, defaultVersion)) {
    const known = Object.keys(dates).join(', ') || 'none';
    throw new StartError(`there is no version ${defaultVersion} for --default-version: there are ${known}`);
  }
  const read = (date: string) => readFileSync(join(dirname(document), 'versions', `${date}.json`));
  const texts = new Map(Object.keys(dates).map((date) => [date, read(date)]));
  return {
    dates,
    table: (date) => JSON.parse(String(texts.get(date))) as VersionTable,
    standard: defaultVersion ?? null,
  };
}

function engineOptions({ generated, schema, principal, versions }: OpenInput, options: ServiceOptions): EngineOptions {
  const { definitions, events, handwritten: brought = projectFunctions } = generated;
  const { database, wire, owner, random, handwritten = brought } = options;
  const hook = definitions.find(({ servedBy }) => servedBy === MODULE);
  const showMessage = messagesIn(versions, hook, { definitions, profile: PROFILES[wire] });
  return {
    ...(showMessage && { showMessage }),
    database,
    server: owner ? serverName(options) : null,
    schema,
    migrate: options.migrate ?? 'safe',
    definitions,
    events,
    principal,
    apiKeys: apiKeysOf(definitions, principal),
    profile: PROFILES[wire],
    behaviours: { ...declared(handwritten.behaviours, definitions), ...hookBehaviours },
    actions: handwritten.actions,
    decide,
    retryUnit: options.webhookRetryUnitMs ?? RETRY_UNIT,
    ids: createIds(random),
    random,
    serverLimits: reachOf(options),
  };
}

/** The limits that the operator has set. */
function reachOf({ databaseConnections, databaseTimeoutMs, databaseWaitMs }: ServiceOptions): Partial<ServerLimits> {
  return {
    ...(databaseConnections === undefined ? {} : { connections: databaseConnections }),
    ...(databaseTimeoutMs === undefined ? {} : { timeout: databaseTimeoutMs }),
    ...(databaseWaitMs === undefined ? {} : { wait: databaseWaitMs }),
  };
}

/** Each of several servers has its own name, so that what a killed server had claimed is free when its leases end. */
function serverName({ database, random }: ServiceOptions): string {
  return isServerUrl(database) ? urlSafe(random(12)) : ONLY_SERVER;
}

/** The part of the service that handles requests, over an open engine. */
function serviceOver(
  { records, identity }: Engine,
  { generated, principal, versions, ...elsewhere }: Omit<OpenInput, 'schema'> & Partial<RemoteParts>,
  { wire, random, loginLimit = 0, passwordCost }: ServiceOptions,
): Omit<Service, 'document' | 'engine' | 'quota' | 'schema' | 'server'> {
  const definitions = generated.definitions.filter(({ servedBy }) => servedBy === null || servedBy === MODULE);
  const { passwords = createPasswords(passwordCost) } = elsewhere;
  const { hash: hashPassword, verify: verifyPassword } = passwords;
  const profile = PROFILES[wire];
  const newSecret = () => urlSafe(random(20));
  const keys = apiKeysOf(definitions, principal);
  const remember = definitions.filter((one) => one === keys || one.servedBy === MODULE);
  const storeOver = (methods: Partial<Records>) =>
    remembering(Object.assign(Object.create(records) as Records, methods), remember, versions);
  const store = storeOver({});
  const operationsOver = (methods: Partial<Records>) =>
    createOperations({
      ...{ store: storeOver(methods), definitions, hashPassword, verifyPassword, newSecret },
      ...{ lists: profile, extras: profile.extras },
    });
  const operations = operationsOver({});
  const sessions = createSessions(identity, newSecret);
  return {
    ...{ profile, generated, versions, definitions, principal, store, operations, operationsOver, sessions, passwords },
    login: elsewhere.login ?? createLogin({ identity, sessions, passwords, limit: createLoginLimit(loginLimit) }),
  };
}

/** Opens the store of uploaded bytes, a folder or a bucket; throws StartError if it cannot be used. */
export async function openFiles(place: string, random: Random, fileIndex: FileIndex): Promise<Blobs> {
  const store = await openBlobStore(place);
  const newName = () => urlSafe(random(16));
  return createBlobs(store, newName, async (hash) => fileIndex.release([hash]));
}

function urlSafe(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
