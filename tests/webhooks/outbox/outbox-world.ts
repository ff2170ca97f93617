// A database with the module's tables, a store and an outbox on it, and the people of a sale: all but HTTP and the network.

import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { AnyDefinition } from '../../../runtime/contract/definition.js';
import { ServiceError } from '../../../runtime/contract/errors.js';
import { createIds } from '../../../runtime/contract/ids.js';
import { PROFILES } from '../../../runtime/http/profiles.js';
import type { Answer } from '../../../runtime/operations/call.js';
import { createOperations, type Operations } from '../../../runtime/operations/operations.js';
import { actions, behaviours } from '../../../runtime/resources/index.js';
import { type Attempt, type Outcome, RETRY_UNIT } from '../../../runtime/rules/delivery.js';
import { hookBehaviours } from '../../../runtime/rules/hooks.js';
import { decide } from '../../../runtime/rules/policy.js';
import { loadGenerated } from '../../../runtime/server/load-generated.js';
import type { StoreOutbox } from '../../../runtime/store/outbox/create.js';
import type { Caller } from '../../../runtime/store/records.js';
import { createDatabase } from '../../../runtime/store/sqlite/database.js';
import { ensureSchema } from '../../../runtime/store/sqlite/ensure-schema.js';
import { createGroupCommit } from '../../../runtime/store/sqlite/group-commit.js';
import { type openLog, SYNCED_BY_SQLITE } from '../../../runtime/store/sqlite/log.js';
import { openDatabase } from '../../../runtime/store/sqlite/open.js';
import { createSqliteOutbox } from '../../../runtime/store/sqlite/outbox/outbox.js';
import { createSqliteRecords, type SqliteRecords } from '../../../runtime/store/sqlite/records.js';
import { OUTBOX_STATEMENTS } from '../../../runtime/store/sqlite/tables.js';
import { createHookTests, type TestHook } from '../../../runtime/webhooks/deliver/hook-tests.js';
import { createWebhookOperations } from '../../../runtime/webhooks/operations.js';
import type { Immediate } from '../../support/answers.js';
import { chanceOf } from '../../support/chance.js';
import { temporaryFolder } from '../../support/paths.js';

/** The secret that every exchange creates. */
export const NEW_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const NOW = Date.UTC(2026, 0, 1);
export const SERVER = 'server';
export const HOUR = 3_600_000;
export const ADMIN: Caller = { user: null, admin: true };

export interface World {
  readonly db: Database.Database;
  readonly store: SqliteRecords;
  readonly outbox: Immediate<StoreOutbox>;
  /** The current time in epoch milliseconds. */
  now: number;
  /** How the receiver of tests answers. */
  receiver: (attempt: Attempt) => Promise<Outcome>;
  /** Ids of the hooks that the outbox has reported as due. */
  readonly woken: string[];
  readonly passedOver: string[];
  definition(resource: string): AnyDefinition;
  make(resource: string, input: Record<string, unknown>, caller?: Caller): Promise<string>;
  /** Runs an operation of web hooks, or of another resource. */
  run(operation: keyof Operations, options: OutboxOptions): Promise<Answer>;
  end(): void;
}

export type ChangeDefinition = (definition: AnyDefinition) => AnyDefinition;

export interface OutboxOptions {
  readonly resource?: string;
  readonly id?: string;
  readonly name?: string;
  readonly parameters?: Record<string, unknown>;
  readonly caller: Caller;
}

/**
 * @param change replaces definitions; the tables stay those of the generated definitions
 * @param logOf the log, if the database is to be served
 */
export function outboxWorld(
  change: ChangeDefinition = (definition) => definition,
  logOf: typeof openLog = () => SYNCED_BY_SQLITE,
): World {
  const { generated, schema } = loadGenerated(null);
  const definitions = generated.definitions.map(change);
  const { events } = generated;
  const opened = openDatabase(join(temporaryFolder('outbox'), 'punchboard.db'), { owner: true });
  const { db } = opened;
  ensureSchema(db, schema, NOW, { extraDdl: OUTBOX_STATEMENTS });
  const commits = createGroupCommit(db, { log: logOf(db) });
  const chance = chanceOf(1);
  const random = (bytes: number) => Uint8Array.from({ length: bytes }, () => chance.below(256));
  const ids = createIds(random);
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const woken: string[] = [];
  const passedOver: string[] = [];
  const outbox = createSqliteOutbox({
    ...{ db, definitions: byName, principal: byName.get('user') as AnyDefinition },
    ...{ events, ids, decide, retryUnit: RETRY_UNIT, database: createDatabase(db, commits.submit) },
    transact: (work, options) => store.transact(work, options),
  });
  outbox.onDue({
    due: (hooks) => void woken.push(...hooks),
    passedOver: (hooks) => void passedOver.push(...hooks),
  });
  const store = createSqliteRecords({
    ...{ db, commits, definitions, ids, random, profile: PROFILES.plain },
    behaviours: { ...behaviours, ...hookBehaviours },
    publish: outbox.publishWithin,
    actions,
  });
  const shared = createOperations({
    ...{ store, definitions, newSecret: String },
    hashPassword: async (text) => text,
    verifyPassword: async () => true,
  });
  const webhookOperations = createWebhookOperations({
    ...{ ...PROFILES.plain, store, outbox, list: shared.list, definitions, newSecret: () => NEW_SECRET },
    checkUri: (uri) => (uri.includes('private') ? 'callback_uri must not lead to a private address.' : null),
    testHook: hookTests(outbox, () => world),
  });
  const world: World = {
    ...{ db, store, outbox: outbox as Immediate<StoreOutbox>, woken, passedOver, now: NOW },
    receiver: async () => ({ class: 'success' }),
    definition: (resource) => byName.get(resource) as AnyDefinition,
    async make(resource, input, caller = ADMIN) {
      const change = { resource, caller, input, failures: [], now: world.now, upload: null };
      return (await store.create(change)).id;
    },
    async run(operation, { resource = 'webhook', id = '', name = '', parameters = {}, caller }) {
      const isOfHooks = resource === 'webhook' || name === 'webhooks';
      const operations = isOfHooks ? { ...shared, ...webhookOperations } : shared;
      const definition = world.definition(resource);
      return operations[operation]({ definition, id, name, parameters, caller, now: world.now, upload: null });
    },
    end() {
      commits.close();
      opened.close();
    },
  };
  return world;
}

function hookTests(outbox: Parameters<typeof createHookTests>[0]['outbox'], world: () => World): TestHook {
  return createHookTests({
    ...{ outbox, server: SERVER },
    attempt: (attempt) => world().receiver(attempt),
    clock: () => world().now,
  });
}

/** The code and field of each failure of a refused run, or the body of the answer. */
export async function resultOf(run: Promise<Answer>): Promise<string> {
  try {
    return (await run).body;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, ...error.failures.map(({ code, field }) => `${field} ${code}`)].join(', ');
  }
}

export interface Sale {
  readonly maker: Caller;
  readonly buyer: Caller;
  readonly designer: string;
  readonly game: string;
  readonly key: string;
  readonly buyerKey: string;
}

/** A designer with a game, and a buyer; both with a key. */
export async function sale(world: World): Promise<Sale> {
  const maker = await person(world, 'maker');
  const buyer = await person(world, 'buyer');
  const designer = await world.make('designer', { name: 'Lot Games' }, maker);
  const game = await world.make('game', { name: 'Lots', designer_id: designer }, maker);
  const key = await world.make('apikey', { name: 'shop' }, maker);
  const buyerKey = await world.make('apikey', { name: 'tracker' }, buyer);
  return { maker, buyer, designer, game, key, buyerKey };
}

export async function person(world: World, username: string, admin = false): Promise<Caller> {
  const user = await world.make('user', {
    username,
    password: `hash of ${username}`,
    email: `${username}@x.org`,
    admin,
  });
  return { user, admin };
}

/** Subscribes the maker to the designer's sales, unless `more` says otherwise. Returns the id of the hook. */
export async function subscribe(world: World, people: Sale, more: Record<string, unknown> = {}): Promise<string> {
  const parameters = {
    owner_class: 'Designer',
    owner_id: people.designer,
    event: 'ItemSold',
    callback_uri: 'https://receiver.example/hook',
    api_key_id: people.key,
    ...more,
  };
  const { body } = await world.run('create', { parameters, caller: people.maker });
  return JSON.parse(body).id;
}

/** Enters a receipt of the buyer for one copy of the game. Returns its id. */
export async function sell(world: World, people: Sale): Promise<string> {
  return world.make('receipt', { user_id: people.buyer.user, items: [{ game_id: people.game, quantity: 1 }] });
}

/** Claims what is due of the hook, one attempt. */
export async function claimOne(world: World, hook: string): Promise<Attempt> {
  const [attempt, ...more] = await world.outbox.claim([hook], world.now, world.now + 40_000, SERVER);
  if (attempt === undefined || more.length > 0) throw new Error(`${more.length + (attempt ? 1 : 0)} attempts claimed`);
  return attempt;
}

/** Claims and settles one attempt of the hook. */
export async function runAttempt(world: World, hook: string, outcome: Outcome): Promise<Attempt> {
  const attempt = await claimOne(world, hook);
  await settle(world, attempt, outcome);
  return attempt;
}

/** Settles one outcome. Returns whether the attempt was current. */
export async function settle(world: World, attempt: Attempt, outcome: Outcome): Promise<boolean | undefined> {
  const [current] = await world.outbox.settle([{ attempt, outcome, ended: world.now }]);
  return current;
}

export const SUCCESS: Outcome = { class: 'success' };
export const REFUSED: Outcome = { class: 'status', status: 500 };
