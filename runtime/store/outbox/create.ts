// Composes the outbox from the verbs of this folder. Each engine adds what differs.
import type { Outbox, OutboxListener } from '../outbox.js';
import type { PublishWithin } from '../unit.js';
import { createClaim, createDue } from './claim.js';
import type { OutboxContext } from './context.js';
import { createDeliveryRows } from './deliveries.js';
import { createHooks } from './hooks.js';
import { createMails } from './mails.js';
import { createPauses } from './pauses.js';
import { createPublish, createPublishWithin, type DueHooks } from './publish.js';
import { createRecovery } from './recovery.js';
import { createReports } from './reports.js';
import { createRetry } from './retry.js';
import { createExchange } from './secrets.js';
import { createSettle } from './settle.js';
import { createStatistics } from './statistics.js';
import { createTest } from './test-callback.js';

/** The outbox, and the function with which a unit of work publishes. */
export interface StoreOutbox extends Outbox {
  readonly publishWithin: PublishWithin<DueHooks>;
}

export type OutboxOptions = Omit<OutboxContext, 'dialect' | 'listener'>;

/** The methods that each engine adds. */
type OfEngines = 'hasForeignWrites' | 'extend' | 'dueMails' | 'pruneLog' | 'pruneOrphans';

/** The tables must exist. */
export function createOutbox(options: OutboxOptions): Omit<StoreOutbox, OfEngines> {
  // The functions of a registered listener replace these.
  const listener: OutboxListener = { due: () => undefined, passedOver: () => undefined };
  const { database } = options;
  const context: OutboxContext = { ...options, dialect: database.dialect, listener };
  const deliveries = createDeliveryRows(context);
  const pauses = createPauses(context);
  const hooks = createHooks(context, { deliveries, pauses });
  const mails = createMails(context);
  const publishWithin = createPublishWithin(context, { deliveries, hooks });
  return {
    publishWithin,
    publish: createPublish(context, publishWithin),
    onDue: (registered) => void Object.assign(listener, registered),
    ...createDue(context),
    claim: createClaim(context),
    ...createRecovery(context),
    settle: createSettle(context, { hooks, mails }),
    test: createTest(context, deliveries),
    settleMail: mails.settleMail,
    ...createReports(database),
    pause: pauses.pause,
    retry: createRetry(context),
    exchange: createExchange(context),
    ...createStatistics(database),
  };
}
