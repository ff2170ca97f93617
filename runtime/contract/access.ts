// The types of access rights: who may read and edit a record, as clauses over its columns.

import type { Scalar } from './definition.js';
import { API_KEYS } from './needs.js';

/** One way to hold a right on a record; a list of clauses is their union. Administrators hold every right. */
export type Clause =
  | { readonly anyone: true }
  /** The record is the caller's own user record. */
  | { readonly self: true }
  /** The column holds the caller's user id. */
  | { readonly user: string }
  /** The caller holds the right on the record that the column `through` refers to; by default `edit`. */
  | { readonly through: string; readonly to: string; readonly right?: string }
  /** The boolean column is true. */
  | { readonly when: string }
  /** Another right on the same record, such as `edit`. */
  | { readonly right: string }
  /**
   * A record of `member` has the same `by` as this one (or an item of its JSON list `in` does) and names the caller in `user`;
   * with `own`, its `by` is the id of this record.
   */
  | {
      readonly member: string;
      readonly by: string;
      readonly own?: true;
      readonly user: string;
      readonly in?: string;
      readonly where?: Readonly<Record<string, Scalar>>;
    };

export interface Access {
  readonly read: readonly Clause[];
  readonly edit: readonly Clause[];
  /** Additional rights, used by views and actions. */
  readonly rights: Readonly<Record<string, readonly Clause[]>>;
  /** True: callers who may not read it get `not_found`, not `forbidden`. */
  readonly hidden: boolean;
}

/** What no token reaches, whatever its scope: a token could otherwise widen or extend itself. */
export function isClosedToTokens(
  resource: { readonly name: string; readonly principal: boolean },
  writes: boolean,
): boolean {
  return resource.name === API_KEYS || (resource.principal && writes);
}

/**
 * @param need `exists`, or a right on the target of a reference. `use` means `edit` where the target has no right of that name
 * @returns the right that a caller must hold on the target; null: none (D16)
 */
export function neededRight(need: string, { rights }: Pick<Access, 'rights'>): string | null {
  if (need === 'exists') return null;
  return need === 'use' && rights.use === undefined ? 'edit' : need;
}
