// Everybody who might try: an anonymous caller, the owner, a stranger, an administrator, and for each membership that a right
// depends on somebody who has it and people who nearly have it.

import type { RawMember } from '../../generator/language/language.js';
import { runSql } from '../support/database.js';
import { clausesOf, type HeldRights, memberField } from './rights.js';
import { ANONYMOUS, type Person, type SentParameters } from './service.js';
import type { PropertyTrial } from './trial.js';
import type { World } from './world.js';

interface Membership {
  readonly clause: RawMember;
  /** The record whose right depends on the membership. */
  readonly on: HeldRights;
}

/** @returns everybody who has a relation to the record; memberships are created as needed */
export async function population({ world }: PropertyTrial, held: HeldRights): Promise<readonly Person[]> {
  const people: Person[] = [ANONYMOUS, world.owner, world.stranger, world.admin];
  for (const membership of memberships(world, held)) people.push(...(await members(world, membership)));
  return people;
}

/** The memberships that the rights of the record depend on, directly or through the rights on other records. */
function memberships(world: World, held: HeldRights, path: readonly string[] = []): readonly Membership[] {
  if (path.includes(held.id)) return [];
  const { access, fields } = world.facts(held.resource);
  const rights = [...new Set(['read', 'edit', ...Object.keys(access)])];
  const clauses = rights.flatMap((right) => clausesOf(access, right));
  const direct = clauses.flatMap((clause) =>
    typeof clause === 'object' && 'member' in clause ? [{ clause, on: held }] : [],
  );
  const through = clauses.flatMap((clause) => {
    const name = typeof clause === 'string' ? clause : 'of' in clause ? clause.of : '';
    const field = fields[name];
    const next = field?.kind === 'reference' ? world.record(field.to ?? '', held.values[`${name}_id`]) : undefined;
    return next === undefined ? [] : memberships(world, next, [...path, held.id]);
  });
  const all = [...direct, ...through];
  return all.filter(
    ({ clause, on }, at) => all.findIndex((one) => one.clause === clause && one.on.id === on.id) === at,
  );
}

/** A member, a member of another record, and for each condition a member who does not meet it. */
async function members(world: World, { clause, on }: Membership): Promise<readonly Person[]> {
  // Without such a reference, people are members of the record itself.
  const reference = world.facts(on.resource).fields[clause.by];
  const shared = reference === undefined ? on.id : (on.values[`${clause.by}_id`] as string);
  const elsewhere = await world.home(reference === undefined ? on.resource : (reference.to ?? ''), world.stranger);
  const where = Object.entries(clause.where ?? {});
  const member = await join(world, clause, { name: 'member', shared, breaking: null });
  const other = await join(world, clause, { name: 'member of another', shared: elsewhere.id, breaking: null });
  const nearly = await Promise.all(
    where.map(([breaking]) => join(world, clause, { name: `member, not ${breaking}`, shared, breaking })),
  );
  return [member, other, ...nearly];
}

interface Joining {
  readonly name: string;
  readonly shared: string;
  /** The condition that is not met; null: all are met. */
  readonly breaking: string | null;
}

async function join(world: World, clause: RawMember, { name, shared, breaking }: Joining): Promise<Person> {
  const person = await world.somebody(name);
  const { fields } = world.facts(clause.member);
  const named = `${clause.by}_id`;
  const where = Object.entries(clause.where ?? {}).map(
    ([key, value]) => [key, key === breaking ? other(value) : value] as const,
  );
  const settable = where.filter(([key]) => !fields[key]?.read_only);
  const sent: SentParameters = {
    ...Object.fromEntries(settable.filter(([, value]) => value !== null)),
    [`${memberField(world, clause)}_id`]: person.id,
    ...(clause.in === undefined ? { [named]: shared } : { [clause.in]: [{ [named]: shared }] }),
  };
  const record = await world.make(clause.member, world.admin, sent);
  for (const [key, value] of where.filter(([key]) => fields[key]?.read_only)) await write(world, record, key, value);
  await world.look(record);
  return person;
}

/** Writes a value that no caller can set to the database. */
async function write({ service }: World, { resource, id }: HeldRights, column: string, value: unknown): Promise<void> {
  const stored = typeof value === 'boolean' ? Number(value) : (value as string | number | null);
  await runSql(service.running.service, `UPDATE "${resource}" SET "${column}" = ? WHERE id = ?`, stored, id);
}

function other(value: unknown): unknown {
  if (value === null) return Date.now();
  return typeof value === 'boolean' ? !value : null;
}
