// Hooks and attempts as operators read them: lines of text, or JSON. Keys and queries of addresses never appear.

import type { Profile } from '../../http/profiles.js';
import { table } from '../../server/table.js';
import type { DeliveryReport, HookPage, HookReport, LoggedAttempt, MessageReport } from '../../store/outbox.js';
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

/** An attempt as a JSON value. */
export function attemptJson(attempt: LoggedAttempt, wire: WireTexts = PLAIN) {
  return {
    object_type: 'webhook_attempt',
    attempt: attempt.id,
    delivery: attempt.delivery,
    type: attempt.type,
    started: wire.formatDate(attempt.started),
    milliseconds: attempt.ended - attempt.started,
    outcome: attempt.outcome,
    status: attempt.status,
    counted: wire.formatBoolean(attempt.counted === 1),
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
  return `${propertiesText(hookJson(hook))}\n${stateOf(hook).meaning}\n`;
}

/** One line for each attempt under a line of headings, in the order of the list. */
export function logText(attempts: readonly LoggedAttempt[]): string {
  const rows = attempts.map((attempt) => [
    timeText(attempt.started) ?? '-',
    attempt.delivery,
    attempt.type,
    outcomeText(attempt),
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

const PAUSED = { name: 'paused', meaning: 'Nothing is attempted, and nothing is lost, until it is resumed.' } as const;

/** What a hook's count, or its pause, means. */
export function stateOf(hook: HookReport): { readonly name: HookState; readonly meaning: string } {
  if (hook.pausedByOperator !== null || hook.pausedWithAccount !== null) return PAUSED;
  return STATES.find(({ from }) => hook.failures_since_last_success >= from) ?? STATES[3];
}

export type HookState = (typeof STATES)[number]['name'] | 'paused';

/** The states of hooks, the worst first. */
export const HOOK_STATES: readonly HookState[] = ['paused', ...STATES.map(({ name }) => name)];

/** The hooks in a state, as the outbox is asked for them. */
export function pageState(state: HookState): NonNullable<HookPage['state']> {
  const at = STATES.findIndex(({ name }) => name === state);
  if (at < 0) return 'paused';
  return { from: STATES[at]?.from ?? 0, below: STATES[at - 1]?.from ?? Number.MAX_SAFE_INTEGER };
}

/** A delivery as a JSON value. */
export function deliveryJson(delivery: DeliveryReport, wire: WireTexts = PLAIN) {
  const { id, hook, type, state, created, due, ended, failed } = delivery;
  const date = (time: number | null) => (time === null ? null : wire.formatDate(time));
  return {
    ...{ id, object_type: 'webhook_delivery', webhook_id: hook, type, state, failed_attempts: failed },
    ...{ created: wire.formatDate(created), due: date(due), ended: date(ended) },
  };
}

/** The same with the message that is sent, its attempts, and the beginning of each answer. */
export function messageJson(report: MessageReport, wire: WireTexts = PLAIN) {
  const attempts = report.attempts.map((one) => ({ ...attemptJson(one, wire), answer: one.answer }));
  return { ...deliveryJson(report, wire), message: report.message, attempts };
}

/** One line for each delivery under a line of headings. */
export function deliveriesText(deliveries: readonly DeliveryReport[]): string {
  if (deliveries.length === 0) return 'There are no deliveries.\n';
  const rows = deliveries.map(({ id, type, state, created, due, ended, failed }) => [
    ...[id, type, state, String(failed), timeText(created) ?? '-'],
    ...[timeText(due) ?? '-', timeText(ended) ?? '-'],
  ]);
  return table([['DELIVERY', 'TYPE', 'STATE', 'FAILED', 'CREATED', 'DUE', 'ENDED'], ...rows]);
}

/** Everything about one delivery. */
export function messageText(report: MessageReport): string {
  const attempts = report.attempts.map((one) => {
    const answer = one.answer === null ? '' : `\n${one.answer.replace(/^/gm, '  ')}`;
    return `${timeText(one.started)}  ${outcomeText(one)}${answer}\n`;
  });
  return `${propertiesText(deliveryJson(report))}\n${report.message}\n\n${attempts.join('')}`;
}

/** A line for each property of a JSON value. */
function propertiesText(json: object): string {
  return table(Object.entries(json).map(([name, value]) => [name, value === null ? '-' : String(value)]));
}

function outcomeText({ outcome, status }: Pick<LoggedAttempt, 'outcome' | 'status'>): string {
  return status === null ? outcome : `${outcome} ${status}`;
}

function timeText(time: number | null): string | null {
  return time === null ? null : PLAIN.formatDate(time);
}

/** How times in epoch milliseconds and flags are written. */
type WireTexts = Pick<Profile, 'formatDate' | 'formatBoolean'>;

const PLAIN: WireTexts = {
  formatDate: (time) => new Date(time).toISOString(),
  formatBoolean: (value) => value,
};
