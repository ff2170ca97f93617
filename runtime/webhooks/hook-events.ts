// What happens to hooks and their owners, as lifecycle functions tell it to the outbox. Pure; nothing is written here.
import type { Behaviours } from '../behaviour.js';
import type { Row } from '../definition.js';

/** A row of the table of hooks. */
export type HookRow = {
  readonly id: string;
  readonly user_id: string;
  readonly owner_class: string;
  readonly owner_id: string;
  readonly event: string;
  readonly callback_uri: string;
  readonly api_key_id: string | null;
  readonly failures_since_last_success: number;
};

/** Told apart from events of the service by their `kind`. */
export type HookEvent =
  | { readonly kind: 'subscribed' | 'updated' | 'unsubscribed'; readonly row: HookRow }
  | { readonly kind: 'owner_deleted'; readonly resource: string; readonly id: string };

/** The lifecycle functions of the hook itself: its events are handled in the transaction of the write (S12, S22). */
export const hookBehaviours: Behaviours = {
  webhook: {
    afterCreate: (_old, row) => ({ events: [told('subscribed', row)] }),
    afterUpdate: (_old, row) => ({ events: [told('updated', row)] }),
    afterDelete: (old) => ({ events: [told('unsubscribed', old)] }),
  },
};

/** For the lifecycle of what a hook can belong to: its hooks go with it, and say so. */
export function ownerDeleted(resource: string, id: string): HookEvent {
  return { kind: 'owner_deleted', resource, id };
}

function told(kind: 'subscribed' | 'updated' | 'unsubscribed', row: Row | null): HookEvent {
  return { kind, row: row as unknown as HookRow };
}
