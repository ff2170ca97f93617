// Roles on the operators' pages (D65): administrators may do everything there, other users what their `operator_role` allows.
// This gives them no right over the API.

import type { AnyDefinition, Input } from '../contract/definition.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';

/** Roles in ascending order: each may do everything that the roles before it may. Ordinary users have `none`. */
export const ROLES = ['none', 'readonly', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** @param user as stored, or as the API shows them */
export function roleOf(user: Readonly<Record<string, unknown>>): Role {
  if (user.admin === true || user.admin === 1) return 'admin';
  return ROLES.find((role) => role === user.operator_role && role !== 'admin') ?? 'none';
}

/** @returns the user's record as administrators see it; empty: the user has just been deleted */
export function userRecord(
  store: Pick<Records, 'get'>,
  principal: AnyDefinition,
  user: string,
): MaybePromise<Readonly<Record<string, unknown>>> {
  return chain(store.get(principal.name, user, { user: null, admin: true }), (lookup) =>
    lookup.found ? JSON.parse(lookup.text) : {},
  );
}

/** The parameters that give a user this role and no other. */
export function roleParameters({ parameters }: AnyDefinition, role: Role): Input {
  const operatorRole = role === 'admin' || role === 'none' ? null : role;
  const isOffered = operatorRole !== null || Object.hasOwn(parameters, 'operator_role');
  return { admin: role === 'admin', ...(isOffered ? { operator_role: operatorRole } : {}) };
}
