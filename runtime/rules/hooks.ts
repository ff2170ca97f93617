// What the rest of the service knows about web hooks: their row, and the events that lifecycle functions raise about them.

import type { AuditedValues, NewAudit, OperatorChange } from '../contract/audit.js';
import type { Behaviours } from '../contract/behaviour.js';
import type { AnyDefinition, EventDefinition, Row } from '../contract/definition.js';
import { type ErrorCode, failed, ServiceError } from '../contract/errors.js';

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
  /** The format of its callbacks; absent in a project without that choice. */
  readonly format?: string;
  /** The version of the API whose names its messages have, `newest`, or, if it is absent, `default` (D68). */
  readonly api_version?: string;
};

/** Its `kind` distinguishes it from an event of the service. */
export type HookEvent =
  | { readonly kind: 'subscribed' | 'updated' | 'unsubscribed'; readonly row: HookRow }
  | { readonly kind: 'owner_deleted'; readonly resource: string; readonly id: string }
  /** A user is disabled, which pauses the user's hooks, or enabled again (D49). */
  | { readonly kind: 'account'; readonly id: string; readonly disabled: boolean };

export type AccountEvent = Extract<HookEvent, { readonly kind: 'account' }>;

/** Hooks of one user; each multiplies what an event sends (S39). */
export const MAX_HOOKS = 1000;

/** The resource of a hook's owner. Throws `invalid` if the owner's class does not match the event. */
export function ownerOf(events: Readonly<Record<string, EventDefinition>>, row: HookRow): string {
  const declared = Object.hasOwn(events, row.event) ? events[row.event] : undefined;
  if (declared?.ownerClass === row.owner_class) return declared.owner;
  throw refused('owner_class', 'invalid', `owner_class does not go with the event ${row.event}.`);
}

/** What the store knows about a hook that is created or changed. */
export interface Subscriber {
  readonly owner: string;
  /** Whether its user may edit the owner; null: there is no such owner. */
  readonly mayEdit: boolean | null;
  /** Whether its key is one of the user's. */
  readonly holdsKey: boolean;
}

/** Throws the error that refuses the hook. */
export function checkSubscriber(row: HookRow, { owner, mayEdit, holdsKey }: Subscriber): void {
  if (mayEdit === null) throw refused('owner_id', 'reference_not_found', `owner_id is not the id of any ${owner}.`);
  if (!mayEdit) throw refused('owner_id', 'forbidden', `owner_id: you may not edit this ${owner}.`);
  // Otherwise messages would be signed with somebody else's key, without the knowledge of its owner.
  if (row.api_key_id !== null && !holdsKey) {
    throw refused('api_key_id', 'forbidden', 'api_key_id is not a key of the user who subscribed.');
  }
}

/** @param count of the user's hooks, the new one included */
export function checkCount(count: number): void {
  if (count > MAX_HOOKS) throw new ServiceError('conflict', `A user can have at most ${MAX_HOOKS} web hooks.`);
}

/** The lifecycle functions of the hook itself: its events are handled in the transaction of the write (S12, S22). */
export const hookBehaviours: Behaviours = {
  webhook: {
    afterCreate: (_old, row) => ({ events: [hookEvent('subscribed', row)] }),
    afterUpdate: (_old, row) => ({ events: [hookEvent('updated', row)] }),
    afterDelete: (old) => ({ events: [hookEvent('unsubscribed', old)] }),
  },
};

/** For the lifecycle of anything a hook can belong to: its hooks are deleted with it, and unsubscribe. */
export function ownerDeleted<R extends string>(resource: R, id: string) {
  return { kind: 'owner_deleted', resource, id } as const satisfies HookEvent;
}

/** The audit entry for what an operator does to a web hook besides changing its record. */
export function hookAudit(
  action: 'pause' | 'resume' | 'retry',
  hook: string,
  change: OperatorChange,
  after: AuditedValues | null = null,
): NewAudit {
  return { ...change, action, resource: 'webhook', record: hook, before: null, after };
}

function refused(field: string, code: ErrorCode, message: string): ServiceError {
  return failed([{ field, code, message }]);
}

function hookEvent(kind: 'subscribed' | 'updated' | 'unsubscribed', row: Row | null): HookEvent {
  return { kind, row: row as unknown as HookRow };
}
