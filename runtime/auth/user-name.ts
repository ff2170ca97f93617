// The name of a logged-in user in the audit log (D51).

import type { AnyDefinition } from '../contract/definition.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Caller, Records } from '../store/records.js';

/** @returns the user's name, or the id if the user has just been deleted */
export function userName(
  store: Pick<Records, 'get'>,
  principal: AnyDefinition,
  caller: Caller & { readonly user: string },
): MaybePromise<string> {
  return chain(store.get(principal.name, caller.user, caller), (lookup) => {
    const { username } = lookup.found ? (JSON.parse(lookup.text) as { username?: string }) : {};
    return username ?? caller.user;
  });
}
