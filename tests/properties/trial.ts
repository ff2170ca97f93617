// One resource under test: its facts, the world it lives in, and the findings; and the helpers that every section uses.
import type { Operation } from '../../runtime/contract/definition.js';
import type { Findings } from '../access/findings.js';
import type { Facts } from './facts.js';
import { isWanted, type Parameter, parametersOf, policyOf, wantsAll } from './reading.js';
import { type HeldRights, holds } from './rights.js';
import type { Answer, Person, SentParameters } from './service.js';
import { ownedBy, valueFor } from './supply.js';
import type { World } from './world.js';

export interface PropertyTrial {
  readonly world: World;
  readonly facts: Facts;
  readonly findings: Findings;
  /** The seed of the random part. */
  readonly seed: number;
  /** Notes a promise that no test can check by the descriptor alone; it is printed with the reason. */
  untested(what: string, reason: string): void;
}

/** HTTP methods by operation (Syntax, table of the document). */
export const METHODS = { create: 'POST', fetch: 'GET', update: 'PUT', delete: 'DELETE' } as const;

/** A part of a resource's test. */
export type Section = (trial: PropertyTrial) => Promise<void>;

/** Whether the service offers the operation, according to the descriptor. */
export function offers({ facts }: PropertyTrial, operation: Operation): boolean {
  return policyOf(facts, operation) !== null;
}

/** A person who may do the operation on the record: the owner if possible. */
export function whoMay(
  { world, facts }: PropertyTrial,
  operation: 'fetch' | 'update' | 'delete',
  held: HeldRights,
): Person {
  const right = operation === 'fetch' ? 'read' : 'edit';
  const may = policyOf(facts, operation) !== 'admin' && holds(world, world.owner, right, held);
  return may ? world.owner : world.admin;
}

/** Creates a record of the owner with these parameters besides or instead of the required ones; undefined leaves one out. */
export async function creating(trial: PropertyTrial, more: SentParameters, as?: Person): Promise<Answer> {
  const { world, facts } = trial;
  const needed = await world.sent(facts.resource, world.owner);
  const maker = as ?? world.maker(facts.resource, world.owner, needed);
  const own = maker === world.admin ? ownedBy(world, facts, world.owner) : {};
  return world.create(maker, facts.resource, withoutUndefined({ ...own, ...needed, ...more }));
}

/** Updates the record with these parameters, and with all others if all are required. */
export async function updating(
  trial: PropertyTrial,
  held: HeldRights,
  more: SentParameters,
  as?: Person,
): Promise<Answer> {
  const { world, facts } = trial;
  const person = as ?? whoMay(trial, 'update', held);
  const needed = await again(trial, held, person);
  return world.enough(
    facts,
    await world.service.ask(person, 'PUT', pathOf(held), withoutUndefined({ ...needed, ...more })),
  );
}

/** What an update has to send again: the current values, or new ones (files of the sender) where administrators see none. */
export async function again(
  { world, facts }: PropertyTrial,
  held: HeldRights,
  sender: Person = world.owner,
): Promise<SentParameters> {
  if (!wantsAll(facts)) return {};
  const unseen = parametersOf(facts).filter((one) => isWanted(facts, one) && held.values[one.name] === undefined);
  const values: Record<string, unknown> = {};
  for (const one of unseen) {
    const holder = one.role === 'upload' && sender.id !== null ? sender : world.owner;
    values[one.name] = await valueFor(world, facts, one, holder);
  }
  return { ...values, ...current(facts, held) };
}

/** The current parameters of the record, without those that only administrators may send. */
export function current(facts: Facts, { values }: HeldRights): SentParameters {
  const known = parametersOf(facts).filter(({ name, facts: { set } }) => set !== 'admin' && values[name] !== undefined);
  return Object.fromEntries(known.map(({ name }) => [name, values[name]]));
}

export function pathOf({ resource, id }: HeldRights): string {
  return `/api/${resource}/${id}`;
}

/** The administrator, if only they may send the parameter, or change the password without the old one. */
export function setter({ world }: PropertyTrial, { facts }: Parameter): Person | undefined {
  return facts.set === 'admin' || facts.kind === 'password' ? world.admin : undefined;
}

/** JSON as text, for comparisons. */
export function text(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

function withoutUndefined(sent: SentParameters): SentParameters {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}
