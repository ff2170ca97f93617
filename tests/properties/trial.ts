// One resource on trial: its facts, the world it lives in, and what was found. The short ways that every section uses.
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
  /** Numbers the random part follows from. */
  readonly seed: number;
  /** What the descriptor promises and no test can judge by it alone; printed with the reason. */
  untested(what: string, reason: string): void;
}

/** HTTP methods by operation (Syntax, table of the document). */
export const METHODS = { create: 'POST', fetch: 'GET', update: 'PUT', delete: 'DELETE' } as const;

/** A part of a resource's test. */
export type Section = (trial: PropertyTrial) => Promise<void>;

/** Whether the service offers the operation, going by the descriptor. */
export function offers({ facts }: PropertyTrial, operation: Operation): boolean {
  return policyOf(facts, operation) !== null;
}

/** Somebody who may do it to the record: the owner if possible. */
export function whoMay(
  { world, facts }: PropertyTrial,
  operation: 'fetch' | 'update' | 'delete',
  held: HeldRights,
): Person {
  const right = operation === 'fetch' ? 'read' : 'edit';
  const may = policyOf(facts, operation) !== 'admin' && holds(world, world.owner, right, held);
  return may ? world.owner : world.admin;
}

/** A create of the owner's with these parameters beside or instead of those it needs; undefined leaves one out. */
export async function creating(trial: PropertyTrial, more: SentParameters, as?: Person): Promise<Answer> {
  const { world, facts } = trial;
  const needed = await world.sent(facts.resource, world.owner);
  const maker = as ?? world.maker(facts.resource, world.owner, needed);
  const own = maker === world.admin ? ownedBy(world, facts, world.owner) : {};
  return world.create(maker, facts.resource, placed({ ...own, ...needed, ...more }));
}

/** An update of the record with these parameters, and with all where all are wanted. */
export async function updating(
  trial: PropertyTrial,
  held: HeldRights,
  more: SentParameters,
  as?: Person,
): Promise<Answer> {
  const { world, facts } = trial;
  const person = as ?? whoMay(trial, 'update', held);
  const needed = await again(trial, held, person);
  return world.enough(facts, await world.service.ask(person, 'PUT', pathOf(held), placed({ ...needed, ...more })));
}

/** What an update has to send again: as it is, or where even administrators do not see that, another value, of files the sender's own. */
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

/** The parameters of the record as they are, without what only administrators may send. */
export function current(facts: Facts, { values }: HeldRights): SentParameters {
  const known = parametersOf(facts).filter(({ name, facts: { set } }) => set !== 'admin' && values[name] !== undefined);
  return Object.fromEntries(known.map(({ name }) => [name, values[name]]));
}

export function pathOf({ resource, id }: HeldRights): string {
  return `/api/${resource}/${id}`;
}

/** Who may send the parameter, beside whoever may do the operation; nobody else changes a password without the old one. */
export function setter({ world }: PropertyTrial, { facts }: Parameter): Person | undefined {
  return facts.set === 'admin' || facts.kind === 'password' ? world.admin : undefined;
}

/** JSON as one text, to compare. */
export function text(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}

function placed(sent: SentParameters): SentParameters {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}
