// The secrets of hooks, for the signatures of Standard Webhooks (D63), and their exchange: for some time, callbacks carry the
// signatures of both the new and the previous secret.

import { DELIVERIES } from '../contract/defaults.js';
import type { Attempt } from './delivery.js';
import { standardSecret } from './signature.js';

/** The stored state of a hook whose secret was exchanged. */
export interface HookSecrets {
  readonly secret: string;
  /** Null: there was none, as the hook had no key. */
  readonly previous: string | null;
  /** Epoch milliseconds until which `previous` signs too. */
  readonly ends: number;
}

/** The secrets that sign an attempt at `now`. A hook without stored secrets has one that is derived from its key. */
export function secretsAt({ secret, previous, ends }: HookSecrets, now: number): Pick<Attempt, 'secrets'> {
  return { secrets: previous === null || ends <= now ? [secret] : [secret, previous] };
}

/**
 * The stored state once `secret` has replaced the current secret. An exchange that is under way starts again with the same
 * `previous`: if the answer with the new secret got lost, receivers still have the previous one.
 * @param key the hook's private key; null: it has none
 */
export function exchangeSecret(
  stored: HookSecrets | undefined,
  { secret, key, now }: { readonly secret: string; readonly key: string | null; readonly now: number },
): HookSecrets {
  const derived = key === null ? null : standardSecret(key);
  const previous =
    stored === undefined ? derived : stored.previous !== null && stored.ends > now ? stored.previous : stored.secret;
  return { secret, previous, ends: now + DELIVERIES.exchange };
}
