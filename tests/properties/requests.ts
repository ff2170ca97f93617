// A valid request for any operation of a resource, new each time, derived from its path, its method and the descriptor.
import { nameOfCopy } from './copies.js';
import type { PromisedOperation } from './document.js';
import type { Facts } from './facts.js';
import { beside, isOnce } from './list-items.js';
import { columnOf, parametersIn } from './reading.js';
import type { HeldRights } from './rights.js';
import type { Bytes, Person, SentParameters } from './service.js';
import { isScarce, mayMeet, ownedBy, uniqueSets } from './supply.js';
import { again, type PropertyTrial } from './trial.js';
import { valued } from './uniques.js';
import { sample } from './values.js';
import { FILES, Unmade } from './world.js';

export interface ValidRequest {
  /** A person who may send the request. */
  readonly person: Person;
  readonly method: string;
  readonly path: string;
  readonly sent?: SentParameters | undefined;
  readonly bytes?: Bytes | undefined;
}

const SCARCE = 'too few records can differ in what is unique';

/** Rejects with `Unmade` if nobody can create the records that it needs. */
export async function validRequest(trial: PropertyTrial, { method, path }: PromisedOperation): Promise<ValidRequest> {
  const { world, facts } = trial;
  const { admin } = world;
  const [, bulk] = /\/bulk-([^/]+)$/.exec(path) ?? [];
  if (bulk !== undefined) return { person: admin, method, ...(await bulkOf(trial, path, bulk)) };
  if (method === 'POST' && !path.includes('{id}')) return createRequest(trial, path);
  const by = /\/\{(?!id\})(\w+)\}$/.exec(path)?.[1];
  if (by !== undefined) return lookupRequest(trial, path, by);
  const action = method === 'GET' ? undefined : /\{id\}\/(.+)$/.exec(path)?.[1];
  if (action !== undefined && mayMeet(world, facts, action)) throw new Unmade(SCARCE);
  const held = path.includes('{id}') ? await recordAt(trial, path) : null;
  const at = path.replace('{id}', held?.id ?? '');
  if (method === 'GET') return { person: admin, method, path: at };
  if (held === null) throw new Unmade(`nothing is known of ${method} ${path}`);
  if (action !== undefined) return { person: admin, method, path: at, sent: inputOf(facts, action) };
  return {
    person: admin,
    method,
    path: at,
    sent: method === 'PUT' || method === 'PATCH' ? await again(trial, held) : {},
  };
}

/** A fetch at the path of a unique value. */
async function lookupRequest(trial: PropertyTrial, path: string, column: string): Promise<ValidRequest> {
  const { facts, world } = trial;
  const field = Object.keys(facts.fields).find((name) => columnOf(facts, name) === column) ?? '';
  const record = await valued(trial, field);
  if (record === null) throw new Unmade(`no record has a ${column}`);
  const at = path.replace(`{${column}}`, encodeURIComponent(String(record.value)));
  return { person: world.admin, method: 'GET', path: at };
}

async function createRequest({ world, facts }: PropertyTrial, path: string): Promise<ValidRequest> {
  const { resource, upload } = facts;
  if (isScarce(world, facts)) throw new Unmade(SCARCE);
  const needed = await world.sent(resource, world.owner);
  const person = world.maker(resource, world.owner, needed);
  const sent = person === world.admin ? { ...ownedBy(world, facts, world.owner), ...needed } : needed;
  const bytes = upload && { part: upload.part, name: 'sample', bytes: FILES['image/png'] ?? new Uint8Array() };
  return { person, method: 'POST', path, sent, bytes };
}

/** A new record of the resource, or a parent of its lists. */
async function recordAt({ world, facts }: PropertyTrial, path: string): Promise<HeldRights> {
  const parent = /^\/api\/(\w+)\/\{id\}\//.exec(path)?.[1] ?? facts.resource;
  if (parent !== facts.resource) return world.home(parent, world.owner);
  return world.make(facts.resource, world.owner);
}

/** A bulk create of two records below a new one. */
async function bulkOf(trial: PropertyTrial, path: string, list: string) {
  const held = await trial.world.make(parentIn(path), trial.world.owner);
  return { path: path.replace('{id}', held.id), sent: { [list]: await bulkItems(trial, path, 2) } };
}

/** The items of a bulk create at the path; they are equal if nothing has to be unique. */
export async function bulkItems(trial: PropertyTrial, path: string, many: number): Promise<readonly SentParameters[]> {
  const { world, facts } = trial;
  const { fields, resource } = facts;
  const by = Object.keys(fields).find((name) => fields[name]?.to === parentIn(path) && fields[name]?.bulk) ?? '';
  if (isOnce(trial, by)) throw new Unmade('no two items can be in one list');
  const items: SentParameters[] = [];
  for (let at = 0; at < many; at++) {
    const [first] = uniqueSets(facts).length === 0 ? items : [];
    const { [columnOf(facts, by)]: _, ...item } = first ?? (await world.sent(resource, world.owner));
    items.push({ ...item, ...(await beside(trial, by, world.owner)) });
  }
  return items;
}

function parentIn(path: string): string {
  return /^\/api\/(\w+)\//.exec(path)?.[1] ?? '';
}

/** The required parameters of an action. */
function inputOf({ actions, ...facts }: Facts, segment: string): SentParameters {
  const { parameters = {}, copies } = actions[segment] ?? {};
  const all = copies === undefined ? parameters : nameOfCopy({ actions, ...facts }, copies);
  const needed = parametersIn(all).filter(({ required }) => required);
  return Object.fromEntries(needed.map((one) => [one.name, sample(one.facts)]));
}
