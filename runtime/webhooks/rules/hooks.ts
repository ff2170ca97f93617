// What the rest of the service knows about web hooks: their row, and the events that lifecycle functions raise about them.

import type { Behaviours } from '../../behaviour.js';
import type { AnyDefinition, Row } from '../../definition.js';

/** The name of this module in `served_by` of a descriptor. */
export const MODULE = 'webhooks';

/** True for a project with web hooks. */
export function hasWebhooks(definitions: readonly AnyDefinition[]): boolean {
  return definitions.some(({ servedBy }) => servedBy === MODULE);
}

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

/** Its `kind` distinguishes it from an event of the service. */
export type HookEvent =
  | { readonly kind: 'subscribed' | 'updated' | 'unsubscribed'; readonly row: HookRow }
  | { readonly kind: 'owner_deleted'; readonly resource: string; readonly id: string };

/** The lifecycle functions of the hook itself: its events are handled in the transaction of the write (S12, S22). */
export const hookBehaviours: Behaviours = {
  webhook: {
    afterCreate: (_old, row) => ({ events: [hookEvent('subscribed', row)] }),
    afterUpdate: (_old, row) => ({ events: [hookEvent('updated', row)] }),
    afterDelete: (old) => ({ events: [hookEvent('unsubscribed', old)] }),
  },
};

/** For the lifecycle of anything a hook can belong to: its hooks are deleted with it, and unsubscribe. */
export function ownerDeleted(resource: string, id: string): HookEvent {
  return { kind: 'owner_deleted', resource, id };
}

function hookEvent(kind: 'subscribed' | 'updated' | 'unsubscribed', row: Row | null): HookEvent {
  return { kind, row: row as unknown as HookRow };
}
