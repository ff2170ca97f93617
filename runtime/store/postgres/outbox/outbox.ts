// The outbox on PostgreSQL, composed from the files of this folder, which contain every SQL statement about web hooks.
//
// A hook and everything about it have the placement of the user who created it; every statement about a hook names it, and
// touches one shard. Those that find work or count it ask all of them: `due`, `nextDue`, `dueMails`, `hooks`, `statistics`,
// `recover`, `clockChanged` and the upkeep.

import type { AnyDefinition, EventDefinition } from '../../../definition.js';
import type { Ids } from '../../../ids.js';
import type { decide } from '../../../webhooks/rules/policy.js';
import type { Outbox, OutboxListener } from '../../outbox.js';
import type { Definitions } from '../../sql/access.js';
import { createStatistics, type PrepareSlice, SLICE } from '../../sql/outbox-statistics.js';
import type { ViewerName } from '../../sql/viewers.js';
import type { WriteAudit } from '../audit.js';
import type { Connections } from '../connections.js';
import { prepareNamed, type Query } from '../named.js';
import { createClaims } from './claims.js';
import { createDeliveryRows } from './deliveries.js';
import { createHooks } from './hooks.js';
import { createMails } from './mails.js';
import { createNextDue, type NextDue } from './next-due.js';
import { createPauses } from './pauses.js';
import { createPruneLog, createPruneOrphans } from './prune.js';
import { createPublish, createPublishAlone, type Published } from './publish.js';
import { createRecovery } from './recovery.js';
import { createReports } from './reports.js';
import { createRetry } from './retry.js';
import { select } from './select.js';
import { createSettle } from './settle.js';
import { createSettleQueue } from './settle-queue.js';
import { createTest } from './test-callback.js';

/** What every part of the outbox uses. */
export interface OutboxContext {
  readonly connections: Connections;
  /** All generated definitions, by name. */
  readonly definitions: Definitions;
  /** The resource of users. */
  readonly principal: AnyDefinition;
  readonly events: Readonly<Record<string, EventDefinition>>;
  rowsOf(resource: string): RecordRows;
  readonly ids: Ids;
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly unit: number;
  readonly listener: OutboxListener;
  readonly next: NextDue;
  readonly writeAudit: WriteAudit;
}

/** Without `writeAudit` nothing is audited. */
type OutboxOptions = Omit<OutboxContext, 'listener' | 'next' | 'writeAudit'> &
  Partial<Pick<OutboxContext, 'writeAudit'>>;

/** What the outbox needs of the records of one resource, within the transaction that `query` belongs to. */
export interface RecordRows {
  /** The record's JSON text for one kind of viewer; null if the viewer may not read it, undefined if it does not exist. */
  text(query: Query, viewer: ViewerName, id: string, user: string | null): Promise<string | null | undefined>;
  delete(query: Query, id: string): Promise<void>;
}

/** The outbox, and what the records use of it within their transactions. */
export interface PostgresOutbox extends Outbox {
  /**
   * Part of the transaction that `query` belongs to: one delivery for every hook that is subscribed and still entitled
   * (S28, S37). The events are ServiceEvents and HookEvents. A payload that does not fit its event is a bug and throws an
   * Error.
   * @returns a function that tells the listener, to be called once the transaction is committed
   */
  publishWithin(query: Query, events: readonly unknown[], now: number): Promise<() => void>;
}

/** The tables must exist (OUTBOX_TABLES). */
export function createOutbox(options: OutboxOptions): PostgresOutbox {
  let current: OutboxListener | null = null;
  const listener: OutboxListener = {
    due: (hooks) => current?.due(hooks),
    passedOver: (hooks) => current?.passedOver(hooks),
  };
  const own = { listener, next: createNextDue(options) };
  const context: OutboxContext = { writeAudit: async () => undefined, ...options, ...own };
  const { connections } = context;
  const deliveries = createDeliveryRows(context);
  const pauses = createPauses(context);
  const hooks = createHooks(context, { deliveries, pauses });
  const mails = createMails(context);
  const publish = createPublish(context, { deliveries, hooks });
  const publishAlone = createPublishAlone(context, publish);
  const queue = createSettleQueue(createSettle(context, { hooks, mails }));
  return {
    async publishWithin(query, events, now) {
      const published = await publish(query, events, now);
      return () => report(context, published);
    },
    async publish(event, now, author) {
      const published = await publishAlone(event, now, author);
      report(context, published);
      return published.recipients.length;
    },
    onDue(registered) {
      current = registered;
    },
    ...createClaims(context, deliveries, queue.settled),
    ...createRecovery(context),
    settle: queue.settle,
    test: createTest(context, deliveries),
    dueMails: mails.dueMails,
    settleMail: mails.settleMail,
    ...createReports(connections),
    pause: pauses.pause,
    retry: createRetry(context),
    ...createStatistics(prepareSlices(connections)),
    pruneLog: createPruneLog(context),
    pruneOrphans: createPruneOrphans(context),
  };
}

function report({ listener, next }: OutboxContext, { recipients, passedOver, ofHooks }: Published): void {
  if (ofHooks) next.forget();
  if (recipients.length > 0) listener.due(recipients);
  if (passedOver.length > 0) listener.passedOver(passedOver);
}

/** In the order of the primary key: an id begins with the placement. */
function prepareSlices(connections: Connections): PrepareSlice {
  return (table, columns) => {
    const statement = prepareNamed(
      connections,
      `SELECT count(*) AS "rows", max(t.id) AS "last", ${columns} FROM (
         SELECT * FROM ${table} WHERE (_shard, id) > (left(@after, 2), @after) ORDER BY _shard, id LIMIT ${SLICE}) t`,
    );
    return async (place) =>
      (await select<Record<string, number | string | null>>(connections.query, statement({ ...place })))[0] ?? {};
  };
}
