// What a person should see of a record: which properties, and with which code a refusal comes. It follows from views and rights.
import type { Operation } from '../../runtime/contract/definition.js';
import { type Property, policyOf, propertiesOf, typeOf } from './reading.js';
import { type HeldRights, holds, type KnownRecord } from './rights.js';
import type { Person } from './service.js';

/** Names of the properties that `person` sees, sorted. @param created true for the answer of the create */
export function seen(known: KnownRecord, person: Person, held: HeldRights, created = false): readonly string[] {
  const facts = known.facts(held.resource);
  const fixed = ['id', 'date_created', 'date_updated', ...Object.keys(typeOf(facts))];
  const shown = propertiesOf(facts).filter((property) => sees(known, person, { property, held, created }));
  return [...new Set([...fixed, ...shown.map(({ name }) => name)])].sort();
}

interface Look {
  readonly property: Property;
  readonly held: HeldRights;
  readonly created: boolean;
}

export function sees(known: KnownRecord, person: Person, { property, held, created }: Look): boolean {
  const { view, role, field } = property;
  // There is a description only if there is a record to describe.
  if (role === 'brief' && (held.values[`${field}_id`] ?? null) === null) return false;
  if (view === 'nobody') return false;
  if (view === 'created') return created;
  // The answer to a create is that for somebody who may edit the record.
  if (created && view === 'editor') return true;
  return view === 'anyone' || holds(known, person, view === 'editor' ? 'edit' : view, held);
}

/** `ok`, or the code that refuses `person` the operation on the record (D14, D15). */
export function outcomeOf(
  known: KnownRecord,
  person: Person,
  operation: Exclude<Operation, 'create'>,
  held: HeldRights,
): string {
  const facts = known.facts(held.resource);
  const policy = policyOf(facts, operation);
  if (policy === null) return 'method';
  const refused = admitted(policy, person);
  if (refused !== null) return refused;
  return permitted(known, person, operation === 'fetch' ? 'read' : 'edit', held);
}

/** `ok`, or the code for a caller who does not hold the right. */
export function permitted(known: KnownRecord, person: Person, right: string, held: HeldRights): string {
  if (holds(known, person, right, held)) return 'ok';
  // Only callers who may read a hidden record learn that it exists.
  if (known.facts(held.resource).hidden && !holds(known, person, 'read', held)) return 'not_found';
  return person.id === null ? 'login_required' : 'forbidden';
}

/** The code for a caller who may not even start; null: they may. */
export function admitted(policy: 'anyone' | 'session' | 'admin', { id, admin }: Person): string | null {
  if (policy === 'anyone' || admin) return null;
  if (id === null) return 'login_required';
  return policy === 'admin' ? 'forbidden' : null;
}
