// The outbox put together: every SQL statement of the module stands in the files imported here. Decides nothing itself.

import { type Claims, createClaims } from './claim.js';
import { createDeliveries } from './deliveries.js';
import type { Outbox } from './delivery.js';
import { createHooks } from './hooks.js';
import { createMails, type Mails } from './mails.js';
import type { OutboxParts } from './parts.js';
import { createEmit, createPublish, type Emit } from './publish.js';
import { createReports, type Reports } from './report.js';
import { createSettle } from './settle.js';

/** The outbox on SQLite, with what the command line, the metrics and the module's own operations need beside it. */
export interface WebhookOutbox extends Outbox, Mails, Reports, Claims {
  /** The door for operators (D36): publishes one event in a transaction of its own. */
  readonly emit: Emit;
}

/** The tables must exist (WEBHOOK_TABLES). */
export function createOutbox(parts: OutboxParts): WebhookOutbox {
  const deliveries = createDeliveries(parts.db, parts.ids);
  const hooks = createHooks(parts, deliveries);
  const publish = createPublish(parts, { deliveries, hooks });
  const mails = createMails(parts);
  return {
    publish,
    emit: createEmit(parts, publish),
    ...createClaims(parts, deliveries),
    settle: createSettle(parts, { hooks, mails }),
    dueMails: mails.dueMails,
    settleMail: mails.settleMail,
    ...createReports(parts),
  };
}
