// What operators read about hooks: the list of hooks with what waits for each, and the log of attempts (S40).

import { DatabaseError } from 'pg';
import { placementOf } from '../../../ids.js';
import type { HookReport, HookReports, LoggedAttempt } from '../../outbox.js';
import { StartError } from '../../start-error.js';
import type { Connections } from '../connections.js';
import { prepareNamed } from '../named.js';
import { select } from './select.js';

export function createReports(connections: Pick<Connections, 'prepare' | 'query'>): HookReports {
  const hooks = prepareNamed(connections, HOOKS);
  const log = prepareNamed(
    connections,
    `SELECT id, delivery_id AS delivery, type, started, ended, outcome, status, counted FROM webhook_attempt
     WHERE _shard = @shard AND webhook_id = @hook ORDER BY ended DESC, id DESC LIMIT @limit`,
  );
  return {
    async hooks() {
      const rows = await select<HookReport & { readonly _shard: string }>(connections.query, hooks({}));
      return rows.map(({ _shard, ...hook }) => hook);
    },
    log: (hook, limit = 100) =>
      select<LoggedAttempt>(connections.query, log({ shard: placementOf(hook), hook, limit })),
  };
}

/** Throws StartError if the database does not have the tables of web hooks yet. */
export async function createCheckedReports(connections: Connections): Promise<HookReports> {
  try {
    for (const table of ['webhook', 'webhook_delivery', 'webhook_mail', 'webhook_attempt']) {
      await connections.query(connections.prepare(`SELECT 1 FROM ${table} LIMIT 0`), []);
    }
    return createReports(connections);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new StartError(
      `the database has another schema than this program (${error.message}): ` +
        'start the server on it, or run `punchboard migrate apply`',
    );
  }
}

const HOOKS = `
SELECT w.*, coalesce(d.deliveries, 0) AS deliveries, coalesce(d."inFlight", 0) AS "inFlight", coalesce(d.held, 0) AS held,
  d."nextDue", m.created AS noticed, m.sent AS "noticeSent"
FROM webhook w
  LEFT JOIN (
    SELECT _shard, webhook_id, count(*) AS deliveries, count(attempt_id) AS "inFlight",
      count(*) FILTER (WHERE ready IS NULL AND attempt_id IS NULL) AS held, min(ready) AS "nextDue"
    FROM webhook_delivery GROUP BY _shard, webhook_id
  ) d ON d._shard = w._shard AND d.webhook_id = w.id
  LEFT JOIN webhook_mail m ON m._shard = w._shard AND m.webhook_id = w.id
ORDER BY w.failures_since_last_success DESC, w.id`;
