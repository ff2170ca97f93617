// Hooks as operators read them, as JSON values. Keys and queries of addresses never appear.

import { HOLD_AT, NOTICE_AT } from '../rules/delivery.js';
import type { HookPage, HookReport } from '../store/outbox.js';
import { PLAIN_TEXTS } from './delivery-report.js';

/** A hook as a JSON value. Times are RFC 3339; null: not yet, or nothing becomes due by itself. */
export function hookJson(hook: HookReport) {
  return {
    id: hook.id,
    user_id: hook.user_id,
    event: hook.event,
    format: formatOf(hook),
    api_version: versionOf(hook),
    owner_class: hook.owner_class,
    owner_id: hook.owner_id,
    callback: callbackText(hook.callback_uri),
    api_key_id: hook.api_key_id,
    state: stateOf(hook).name,
    paused_by_operator: timeText(hook.pausedByOperator),
    paused_with_account: timeText(hook.pausedWithAccount),
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

/** The format of its callbacks; a project may have only one format. */
export function formatOf({ format = 'form' }: Pick<HookReport, 'format'>): string {
  return format;
}

/** The version of the API whose names its messages have. */
export function versionOf({ api_version: version = 'default' }: Pick<HookReport, 'api_version'>): string {
  return version;
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
  { from: 1, name: 'retrying', meaning: 'The last callback failed; what was not delivered is tried again.' },
  { from: 0, name: 'well', meaning: 'The last callback succeeded, or there was none.' },
] as const;

const PAUSED = { name: 'paused', meaning: 'Nothing is attempted, and nothing is lost, until it is resumed.' } as const;

/** What a hook's count, or its pause, means. */
export function stateOf(hook: HookReport): { readonly name: HookState; readonly meaning: string } {
  if (hook.pausedByOperator !== null || hook.pausedWithAccount !== null) return PAUSED;
  return STATES.find(({ from }) => hook.failures_since_last_success >= from) ?? STATES[3];
}

export type HookState = (typeof STATES)[number]['name'] | 'paused';

/** The states of hooks, the worst first. */
export const HOOK_STATES: readonly HookState[] = ['paused', ...STATES.map(({ name }) => name)];

/** The query that lists the hooks in a state. */
export function pageState(state: HookState): NonNullable<HookPage['state']> {
  const at = STATES.findIndex(({ name }) => name === state);
  if (at < 0) return 'paused';
  return { from: STATES[at]?.from ?? 0, below: STATES[at - 1]?.from ?? Number.MAX_SAFE_INTEGER };
}

export function timeText(time: number | null): string | null {
  return time === null ? null : PLAIN_TEXTS.formatDate(time);
}
