// The people who ask, and the role of each on the records of a holder.
import type { Role } from '../document/access.js';

export const names = [
  'anonymous',
  'stranger',
  'associate',
  'owner',
  'administrator',
  'buyer',
  'refundedBuyer',
] as const;
export type Name = (typeof names)[number];

export interface Person {
  readonly name: Name;
  /** Null: no session. */
  readonly session: string | null;
  /** Id of the user; empty for nobody. */
  readonly user: string;
}
export type People = Readonly<Record<Name, Person>>;

/** The people who hold a full set of records of their own. */
export const holders = ['owner', 'stranger', 'associate'] as const;
export type Holder = (typeof holders)[number];

export function isHolder(name: Name): name is Holder {
  return (holders as readonly Name[]).includes(name);
}

/** The role in the table that `person` has on a record of `holder`. */
export function roleOf(person: Name, holder: Holder): Role {
  if (person === 'anonymous' || person === 'administrator') return person;
  if (person === holder) return 'owner';
  return person === 'associate' && holder === 'owner' ? 'associate' : 'stranger';
}
