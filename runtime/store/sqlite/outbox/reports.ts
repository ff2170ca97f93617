// What operators read about hooks: the list of hooks with what waits for each, and the log of attempts (S40).

import type { Database } from 'better-sqlite3';
import type { HookReport, HookReports, LoggedAttempt } from '../../outbox.js';
import { StartError } from '../../start-error.js';
import { sqliteCode } from '../engine-error.js';
import { openForReading } from '../open.js';

export function createReports(db: Database): HookReports {
  const hooks = db.prepare<[], HookReport>(HOOKS);
  const log = db.prepare<[string, number], LoggedAttempt>(
    `SELECT id, delivery_id AS delivery, type, started, ended, outcome, status, counted
     FROM webhook_attempt WHERE webhook_id = ? ORDER BY sequence DESC LIMIT ?`,
  );
  return { hooks: () => hooks.all(), log: (hook, limit = 100) => log.all(hook, limit) };
}

/** Throws StartError if the database does not have the tables of web hooks yet. */
export function openSqliteReports(database: string): HookReports & { close(): void } {
  const { db, close } = openForReading(database);
  try {
    return { ...createReports(db), close };
  } catch (error) {
    close();
    if (sqliteCode(error) !== 'SQLITE_ERROR') throw error;
    throw new StartError(
      `the database has another schema than this program (${(error as Error).message}): ` +
        'start the server on it, or run `punchboard migrate apply`',
    );
  }
}

const HOOKS = `
SELECT w.*, count(d.id) AS deliveries, count(d.attempt_id) AS inFlight,
  count(d.id) FILTER (WHERE d.ready IS NULL AND d.attempt_id IS NULL) AS held, min(d.ready) AS nextDue,
  m.created AS noticed, m.sent AS noticeSent
FROM webhook w LEFT JOIN webhook_delivery d ON d.webhook_id = w.id LEFT JOIN webhook_mail m ON m.webhook_id = w.id
GROUP BY w.id ORDER BY w.failures_since_last_success DESC, w.id`;
