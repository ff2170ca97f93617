// A user who is logged in, as the audit log (D51) and the operators' pages call them.

import type { AnyDefinition } from '../contract/definition.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Caller, Records } from '../store/records.js';

/** @returns the user's name, or the id of one who has just been deleted */
export function userName(
  store: Pick<Records, 'get'>,
  principal: AnyDefinition,
  { user }: Caller & { readonly user: string },
): MaybePromise<string> {
  return chain(userRecord(store, principal, user), ({ username }) => String(username ?? user));
}

/** @returns the user as an administrator sees them; empty: they have just been deleted */
export function userRecord(
  store: Pick<Records, 'get'>,
  principal: AnyDefinition,
  user: string,
): MaybePromise<Readonly<Record<string, unknown>>> {
  return chain(store.get(principal.name, user, { user: null, admin: true }), (found) =>
    found.found ? JSON.parse(found.text) : {},
  );
}
