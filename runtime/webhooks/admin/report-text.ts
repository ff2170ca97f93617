// Hooks and attempts as operators read them: lines of text, or JSON. Keys and queries of addresses never appear.

import type { HookReport, LoggedAttempt } from '../../store/outbox.js';
import { HOLD_AT, NOTICE_AT } from '../rules/delivery.js';

/** A hook as a JSON value. Times are RFC 3339; null: not yet, or nothing becomes due by itself. */
export function hookJson(hook: HookReport) {
  return {
    id: hook.id,
    user_id: hook.user_id,
    event: hook.event,
    owner_class: hook.owner_class,
    owner_id: hook.owner_id,
    callback: callbackText(hook.callback_uri),
    api_key_id: hook.api_key_id,
    state: stateOf(hook).name,
    failures_since_last_success: hook.failures_since_last_success,
    deliveries: hook.deliveries,
    held: hook.held,
    in_flight: hook.inFlight,
    next_due: timeText(hook.nextDue),
    mail_written: timeText(hook.noticed),
    mail_sent: timeText(hook.noticeSent),
    date_created: timeText(hook.date_created),
    date_updated: timeText(hook.date_updated),
  };
}

/** An attempt as a JSON value. */
export function attemptJson(attempt: LoggedAttempt) {
  return {
    attempt: attempt.id,
    delivery: attempt.delivery,
    type: attempt.type,
    started: timeText(attempt.started),
    milliseconds: attempt.ended - attempt.started,
    outcome: attempt.outcome,
    status: attempt.status,
    counted: attempt.counted === 1,
  };
}

/** One line for each hook under a line of headings. */
export function hooksText(hooks: readonly HookReport[]): string {
  if (hooks.length === 0) return 'There are no web hooks.\n';
  const rows = hooks.map((hook) => [
    hook.id,
    hook.event,
    stateOf(hook).name,
    String(hook.failures_since_last_success),
    String(hook.deliveries),
    String(hook.held),
    timeText(hook.nextDue) ?? '-',
    callbackText(hook.callback_uri),
  ]);
  return table([['HOOK', 'EVENT', 'STATE', 'FAILURES', 'WAITING', 'HELD', 'NEXT', 'CALLBACK'], ...rows]);
}

/** Everything about one hook, a line each, and what its state means. */
export function hookText(hook: HookReport): string {
  const lines = Object.entries(hookJson(hook)).map(([name, value]) => [name, value === null ? '-' : String(value)]);
  return `${table(lines)}\n${stateOf(hook).meaning}\n`;
}

/** One line for each attempt under a line of headings, in the order of the list. */
export function logText(attempts: readonly LoggedAttempt[]): string {
  const rows = attempts.map((attempt) => [
    timeText(attempt.started) ?? '-',
    attempt.delivery,
    attempt.type,
    attempt.status === null ? attempt.outcome : `${attempt.outcome} ${attempt.status}`,
    `${attempt.ended - attempt.started} ms`,
    attempt.counted === 1 ? 'yes' : 'no',
  ]);
  return table([['STARTED', 'DELIVERY', 'TYPE', 'OUTCOME', 'TOOK', 'COUNTED'], ...rows]);
}

/** An address without its query, which may carry a receiver's secret. */
export function callbackText(uri: string): string {
  return uri.replace(/[?#].*$/s, '?…');
}

/** Sorted from the highest count down. */
const STATES = [
  {
    from: HOLD_AT,
    name: 'holding',
    meaning: `${HOLD_AT} or more failures in a row: only new events are attempted; a success releases the retries.`,
  },
  {
    from: NOTICE_AT,
    name: 'failing',
    meaning: `${NOTICE_AT} or more failures in a row: its user has been sent a mail; retries go on.`,
  },
  { from: 1, name: 'retrying', meaning: 'The last callback failed; it is tried again.' },
  { from: 0, name: 'well', meaning: 'The last callback succeeded, or there was none.' },
] as const;

function stateOf({ failures_since_last_success: failures }: HookReport) {
  return STATES.find(({ from }) => failures >= from) ?? STATES[3];
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** Columns as wide as their widest cell, two spaces between. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}
