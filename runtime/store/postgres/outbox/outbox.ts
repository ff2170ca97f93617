// The outbox on PostgreSQL: the common outbox with what several servers on one database also need.
import { createOutbox, type OutboxOptions, type StoreOutbox } from '../../outbox/create.js';
import { createPruneOrphans } from '../../outbox/prune.js';
import { createExtend, createLeasedMails } from './leases.js';
import { createNextDue } from './next-due.js';
import { createPruneLog, sweepSubscriptions } from './prune.js';
import { createSettleQueue } from './settle-queue.js';

/** The tables must exist (OUTBOX_STATEMENTS). */
export function createPostgresOutbox(options: OutboxOptions): StoreOutbox {
  const { database } = options;
  const dueTimes = createNextDue((now) => shared.nextDue(now));
  const shared = createOutbox({ ...options, dueTimes });
  const queue = createSettleQueue(shared.settle);
  return {
    ...shared,
    nextDue: dueTimes.read,
    // PostgreSQL does not report this. The scan that follows reads an index of undelivered messages only.
    hasForeignWrites: () => true,
    async claim(...claim) {
      await queue.settled();
      return shared.claim(...claim);
    },
    extend: createExtend(database),
    settle: queue.settle,
    dueMails: createLeasedMails(options),
    pruneLog: createPruneLog(database),
    pruneOrphans: createPruneOrphans(database, [sweepSubscriptions(database)]),
  };
}
