// A running service with seven people, three of whom have one record of every resource.

import type { Model, Resource } from '../../generator/model/model.js';
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { createOperations, type Operations } from '../../runtime/operations/operations.js';
import * as ownModules from '../../runtime/resources/index.js';
import { type RunningServer, type StartOptions, start } from '../../runtime/server/main.js';
import { PNG, SVG } from '../files/samples.js';
import { forgetPowerCuts, runSql } from '../support/database.js';
import { databaseAt } from '../support/engine.js';
import { temporaryFolder } from '../support/paths.js';
import { quietly, sessionOf } from '../support/quiet-service.js';
import { PDF } from '../support/references.js';
import { type Ask, askInProcess, askOverHttp } from './ask.js';
import { type Holder, holders, type Name, names, type People, type Person } from './people.js';
import { type Holdings, identifies, parametersOf, type Source } from './values.js';

export interface World {
  readonly model: Model;
  readonly running: RunningServer;
  readonly people: People;
  /** The records of each holder, by resource. */
  readonly holdings: Record<Holder, Holdings>;
  readonly ask: Ask;
  /** Whether the service serves the resource; otherwise it is asked in process. */
  mounted(resource: string): boolean;
  source(holder: Holder): Source;
  stop(): Promise<void>;
}

/** The records to look at could not be created, as somebody was refused what is theirs. */
export class Refused extends Error {}

/** The number of spare users, for references to users that must be unique. */
const SPARES = 400;
/** The number of spare records for other references that must be unique. */
const OTHER_SPARES = 60;

/** The web hook's action does nothing: the matrix tests who may call it, not its effect. */
const handwritten = { ...ownModules, actions: { ...ownModules.actions, webhook: { test: () => undefined } } };

/** Rejects when a record cannot be created. @param more options of the service */
export async function openWorld(model: Model, more: Partial<StartOptions> = {}): Promise<World> {
  const folder = temporaryFolder('access');
  const options = quietly(folder);
  const running = await start({ ...options, ...more, database: await databaseAt(options.database), handwritten });
  forgetPowerCuts(running.service);
  try {
    const people = await makePeople(running);
    const spares = new Map([[running.service.principal.name, await makeUsers(running, SPARES)]]);
    const ask = askEverything(running);
    const holdings = Object.fromEntries(holders.map((holder) => [holder, {}])) as Record<Holder, Holdings>;
    const spare = (name: string) => spares.get(name)?.pop() ?? fail(`out of spare ${name} records`);
    const source = (holder: Holder) => ({ model, holdings: holdings[holder], user: people[holder].user, spare });
    const mounted = (name: string) => running.service.definitions.some((one) => one.name === name);
    const world = { model, running, people, holdings, ask, mounted, source, stop: running.stop };
    for (const resource of identifying(model)) spares.set(resource.name, await makeSpares(world, resource));
    for (const holder of holders) holdings[holder] = await makeRecords(world, holder);
    await befriend(world);
    return world;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function askEverything(running: RunningServer): Ask {
  const { service, address } = running;
  const all: ReadonlyMap<string, AnyDefinition> = new Map(service.generated.definitions.map((one) => [one.name, one]));
  const mounted = new Set(service.definitions.map(({ name }) => name));
  const http = askOverHttp(address);
  const inProcess = askInProcess(operationsOf(running), all);
  // The parent of a list may be mounted although the resource of its items is not.
  const listsOf = (parent: string, list = '') =>
    [...all.values()].find(({ lists }) => lists.some((one) => one.parent === parent && one.name === list))?.name ?? '';
  return (person, question) => {
    const served = question.operation === 'list' ? listsOf(question.resource, question.name) : question.resource;
    return (mounted.has(served) ? http : inProcess)(person, question);
  };
}

/** The operations of all resources, including those that are not served. */
function operationsOf({ service: { engine, generated } }: RunningServer): Operations {
  return createOperations({
    store: engine.records,
    definitions: generated.definitions,
    hashPassword: async (text) => text,
    verifyPassword: async () => true,
    newSecret: () => 's'.repeat(27),
  });
}

const HASH = 'no-password-has-this-hash-';

/** Creates users in the engine: hashing passwords for hundreds of them would take minutes. */
async function makeUsers({ service }: RunningServer, count: number, admin = false): Promise<string[]> {
  const made = Array.from({ length: count }, async () => {
    const username = `spare-${Math.random().toString(36).slice(2)}`;
    const email = `${username}@private.example`;
    const { id } = await service.engine.records.create({
      resource: service.principal.name,
      caller: { user: null, admin: true },
      input: { username, password: `${HASH}${username}`, email, admin },
      failures: [],
      now: Date.now(),
      upload: null,
    });
    return id;
  });
  return Promise.all(made);
}

async function makePeople(running: RunningServer): Promise<People> {
  const made = names.map(async (name): Promise<Person> => {
    if (name === 'anonymous') return { name, session: null, user: '' };
    const [user = ''] = await makeUsers(running, 1, name === 'administrator');
    return {
      name,
      user,
      session: await sessionOf(running, { user, now: Date.now(), apiKey: await keyOf(running, user) }),
    };
  });
  return Object.fromEntries((await Promise.all(made)).map((person) => [person.name, person])) as Record<Name, Person>;
}

/** An API key of the user, which signs for hooks that name no other (S14); null if the project has no keys. */
async function keyOf({ service }: RunningServer, user: string): Promise<string | null> {
  const definition = service.definitions.find(({ name }) => name === 'apikey');
  if (definition === undefined) return null;
  const caller = { user, admin: false };
  const input = { name: 'of the session' };
  return (
    await service.engine.records.create({
      resource: 'apikey',
      caller,
      input,
      failures: [],
      now: Date.now(),
      upload: null,
    })
  ).id;
}

/** The resources whose records identify others, apart from their owners. */
function identifying(model: Model): readonly Resource[] {
  const references = model.resources.flatMap((resource) => resource.references);
  const names = new Set(references.filter((reference) => identifies(model, reference)).map(({ to }) => to));
  return model.resources.filter(({ name }) => names.has(name));
}

async function makeSpares(world: World, resource: Resource): Promise<string[]> {
  const source = world.source('owner');
  const ids: string[] = [];
  for (let made = 0; made < OTHER_SPARES; made += 1) ids.push(await makeRecord(world, 'owner', { resource, source }));
  return ids;
}

/** Creates a record of every resource with all optional parameters, those that others refer to first. */
async function makeRecords(world: World, holder: Holder): Promise<Holdings> {
  const { model, people } = world;
  const held: Record<string, string> = {};
  const source = { ...world.source(holder), holdings: held };
  const waiting = model.resources.filter(({ principal }) => !principal);
  for (const { name } of model.resources.filter(({ principal }) => principal)) held[name] = people[holder].user;
  while (waiting.length > 0) {
    const at = waiting.findIndex((resource) => isReady(resource, held, model));
    const [resource] = waiting.splice(at < 0 ? fail(`nobody can be first: ${waiting.map(({ name }) => name)}`) : at, 1);
    if (resource === undefined) break;
    held[resource.name] = await makeRecord(world, holder, { resource, source });
    if (resource.upload === null) continue;
    for (const [use, bytes] of Object.entries(USES)) {
      held[`${resource.name} ${use}`] = await makeRecord(world, holder, { resource, source, bytes });
    }
  }
  return held;
}

function isReady({ name, references }: Resource, held: Holdings, { resources }: Model): boolean {
  return references.every(
    ({ to }) => to === name || held[to] !== undefined || resources.every((one) => one.name !== to),
  );
}

interface CreateOptions {
  readonly resource: Resource;
  readonly source: Source;
  /** The bytes of an upload; a PNG by default. */
  readonly bytes?: Buffer;
}

/** Files besides the usual PNG: the outline of a shape, a document, a public picture, and a file for a download. */
const USES: Readonly<Record<string, Buffer>> = { svg: SVG, pdf: Buffer.from(PDF), picture: PNG, download: PNG };

/** Creates a record of the holder, as an administrator if only they may. */
export async function makeRecord(world: World, holder: Holder, making: CreateOptions): Promise<string> {
  const { resource, source, bytes = PNG } = making;
  const maker = world.people[resource.operations.create === 'admin' ? 'administrator' : holder];
  const { code, text, body } = await world.ask(maker, {
    resource: resource.name,
    operation: 'create',
    parameters: parametersOf(resource, source, 'all'),
    ...(resource.upload === null ? {} : { bytes }),
  });
  if (code !== 'ok') throw new Refused(`${holder} cannot make a ${resource.name}: ${code} ${text}`);
  return (body as { id: string }).id;
}

/** Makes the associate one of the owner's, and sells a game of the owner to two buyers, of whom one gets a refund. */
async function befriend(world: World): Promise<void> {
  const { people, holdings, running } = world;
  const { owner } = holdings;
  await makeExtra(world, 'designerassociate', { designer_id: owner.designer, user_id: people.associate.user });
  const items = [{ game_id: owner.game }];
  await makeExtra(world, 'receipt', { user_id: people.buyer.user, items });
  const back = await makeExtra(world, 'receipt', { user_id: people.refundedBuyer.user, items });
  await runSql(running.service, 'UPDATE receipt SET refunded = ? WHERE id = ?', Date.now(), back);
  const file_id = await makeExtra(world, 'file', { user_id: people.owner.user }, PNG);
  const free = await makeExtra(world, 'gamedownload', { game_id: owner.game, file_id, free: 1 });
  holdings.owner = { ...owner, 'gamedownload free': free };
}

async function makeExtra(
  { ask, people }: World,
  resource: string,
  parameters: Record<string, unknown>,
  bytes?: Uint8Array,
): Promise<string> {
  const more = bytes === undefined ? {} : { bytes };
  const reply = await ask(people.administrator, { resource, operation: 'create', parameters, ...more });
  if (reply.code !== 'ok') throw new Refused(`nobody can make a ${resource}: ${reply.code} ${reply.text}`);
  return (reply.body as { id: string }).id;
}

function fail(message: string): never {
  throw new Error(message);
}
