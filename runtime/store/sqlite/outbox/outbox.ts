// The outbox on SQLite, composed from the files of this folder, which contain every SQL statement about web hooks.

import type { Database } from 'better-sqlite3';
import type { AnyDefinition, EventDefinition } from '../../../definition.js';
import type { Ids } from '../../../ids.js';
import type { decide } from '../../../webhooks/rules/policy.js';
import type { Outbox, OutboxListener } from '../../outbox.js';
import type { Definitions } from '../../sql/access.js';
import { createStatistics } from '../../sql/outbox-statistics.js';
import type { WriteAudit } from '../audit.js';
import type { GroupCommit } from '../group-commit.js';
import type { RecordStatements } from '../record-statements.js';
import { createClaims, createDeliveryRows } from './deliveries.js';
import { createHooks } from './hooks.js';
import { createMails } from './mails.js';
import { createPauses } from './pauses.js';
import { createPruneLog, createPruneOrphans } from './prune.js';
import { createPublish, createPublishWithin } from './publish.js';
import { createReports } from './reports.js';
import { createRetry } from './retry.js';
import { createSettle } from './settle.js';
import { prepareSlices } from './statistics.js';

/** What every part of the outbox uses. */
export interface OutboxContext {
  readonly db: Database;
  /** The queue of writes of `db`. */
  readonly commits: GroupCommit;
  /** All generated definitions, by name. */
  readonly definitions: Definitions;
  /** The resource of users. */
  readonly principal: AnyDefinition;
  readonly events: Readonly<Record<string, EventDefinition>>;
  rowsOf(resource: string): RecordStatements;
  readonly ids: Ids;
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly unit: number;
  readonly listener: OutboxListener;
  readonly writeAudit: WriteAudit;
}

/** Without `writeAudit` nothing is audited. */
export type OutboxOptions = Omit<OutboxContext, 'listener' | 'writeAudit'> & Partial<Pick<OutboxContext, 'writeAudit'>>;

/** With what the records use. */
export interface SqliteOutbox extends Outbox {
  /**
   * Part of the caller's transaction: one delivery for every hook that is subscribed and still entitled (S28, S37).
   * The events are ServiceEvents and HookEvents. A payload that does not fit its event is a bug and throws an Error.
   */
  publishWithin(events: readonly unknown[], now: number): void;
}

/** The tables must exist (WEBHOOK_TABLES). */
export function createOutbox(options: OutboxOptions): SqliteOutbox {
  let current: OutboxListener | null = null;
  const listener: OutboxListener = {
    due: (hooks) => current?.due(hooks),
    passedOver: (hooks) => current?.passedOver(hooks),
  };
  const context: OutboxContext = { writeAudit: () => undefined, ...options, listener };
  const { db, commits } = context;
  const deliveries = createDeliveryRows(context);
  const pauses = createPauses(context);
  const hooks = createHooks(context, { deliveries, pauses });
  const publishWithin = createPublishWithin(context, { deliveries, hooks });
  const mails = createMails(context);
  return {
    publishWithin,
    publish: createPublish(context, publishWithin),
    onDue(listener) {
      current = listener;
    },
    ...createClaims(context, deliveries),
    settle: createSettle(context, { hooks, mails }),
    dueMails: mails.dueMails,
    settleMail: mails.settleMail,
    ...createReports(db),
    pause: pauses.pause,
    retry: createRetry(context),
    ...createStatistics(prepareSlices(db)),
    pruneLog: createPruneLog(db, commits),
    pruneOrphans: createPruneOrphans(db, commits),
  };
}
