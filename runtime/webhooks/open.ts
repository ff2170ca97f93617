// The part of the module that every opened service has, also that of a command: the outbox, and who is told of new work.

import type { AnyDefinition } from '../definition.js';
import { createOutbox, type WebhookOutbox } from './outbox.js';
import type { OutboxParts } from './parts.js';
import { decide } from './policy.js';

/** What `served_by` of a descriptor calls this module. */
export const MODULE = 'webhooks';

export interface OpenedWebhooks {
  readonly outbox: WebhookOutbox;
  /** From now on told of what happens to hooks, within the transaction that made it so. */
  listen(listener: Listener): void;
}

export type Listener = Required<Pick<OutboxParts, 'woken' | 'passedOver'>>;

/** True for a project with web hooks. */
export function hasWebhooks(definitions: readonly AnyDefinition[]): boolean {
  return definitions.some(({ servedBy }) => servedBy === MODULE);
}

/** The tables must exist (WEBHOOK_TABLES). */
export function openWebhooks(parts: Omit<OutboxParts, 'decide' | keyof Listener>): OpenedWebhooks {
  let told: Listener | null = null;
  return {
    outbox: createOutbox({
      ...parts,
      decide,
      woken: (hooks) => told?.woken(hooks),
      passedOver: (hooks) => told?.passedOver(hooks),
    }),
    listen(listener) {
      told = listener;
    },
  };
}
