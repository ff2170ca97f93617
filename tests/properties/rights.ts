// The holders of each right on a record, derived from the clauses of the descriptors and the values of the records.
import type { RawClause, RawMember, RawTargetRight } from '../../generator/language/language.js';
import type { Facts } from './facts.js';
import type { Person, SentParameters } from './service.js';

/** A record that a test created, as an administrator sees it. */
export interface HeldRights {
  readonly resource: string;
  readonly id: string;
  readonly values: SentParameters;
}

/** What is known: the facts of each resource, and the records. */
export interface KnownRecord {
  facts(resource: string): Facts;
  record(resource: string, id: unknown): HeldRights | undefined;
  records(resource: string): readonly HeldRights[];
}

/** @returns whether the descriptors give `person` the right on the record */
export function holds(known: KnownRecord, person: Person, right: string, held: HeldRights): boolean {
  if (person.admin) return true;
  const { access } = known.facts(held.resource);
  return clausesOf(access, right).some((clause) => fits(known, person, clause, held));
}

/** By default, anybody reads and only administrators edit. */
export function clausesOf(access: Facts['access'], right: string): readonly RawClause[] {
  return access[right] ?? (right === 'read' ? ['anyone'] : []);
}

function fits(known: KnownRecord, person: Person, clause: RawClause, held: HeldRights): boolean {
  if (typeof clause !== 'string' && 'member' in clause)
    return person.id !== null && isMember(known, person.id, clause, held);
  if (typeof clause !== 'string') return holdsOnTarget(known, person, clause, held);
  if (clause === 'anyone') return true;
  if (clause === 'self') return held.id === person.id;
  if (clause === 'editor') return holds(known, person, 'edit', held);
  const field = known.facts(held.resource).fields[clause];
  if (field === undefined) return holds(known, person, clause, held);
  if (field.kind === 'boolean') return Boolean(held.values[clause]);
  const id = held.values[`${clause}_id`];
  if (isPrincipal(known, field.to)) return id !== null && id === person.id;
  return holdsOnTarget(known, person, { right: 'edit', of: clause }, held);
}

function holdsOnTarget(known: KnownRecord, person: Person, { right, of }: RawTargetRight, held: HeldRights): boolean {
  const { to = '' } = known.facts(held.resource).fields[of] ?? {};
  const id = held.values[`${of}_id`];
  const target =
    isPrincipal(known, to) && id !== null ? { resource: to, id: String(id), values: { id } } : known.record(to, id);
  return target !== undefined && holds(known, person, right, target);
}

function isMember(known: KnownRecord, user: string, clause: RawMember, held: HeldRights): boolean {
  const column = `${clause.by}_id`;
  const isOwn = known.facts(held.resource).fields[clause.by] === undefined;
  const shared = isOwn ? held.id : held.values[column];
  const who = memberField(known, clause);
  return known.records(clause.member).some(({ values }) => {
    const named = clause.in === undefined ? [values] : ((values[clause.in] ?? []) as readonly SentParameters[]);
    const where = Object.entries(clause.where ?? {});
    return (
      values[`${who}_id`] === user &&
      named.some((one) => one[column] === shared) &&
      where.every(([name, value]) => values[name] === value)
    );
  });
}

/** The reference of the joining resource that names its user. */
export function memberField(known: KnownRecord, { member }: RawMember): string {
  const reference = Object.entries(known.facts(member).fields).find(([, { to }]) => isPrincipal(known, to));
  if (reference === undefined) throw new Error(`no ${member} names a user`);
  return reference[0];
}

export function isPrincipal(known: KnownRecord, resource: string | undefined): boolean {
  return resource !== undefined && known.facts(resource).principal === true;
}
