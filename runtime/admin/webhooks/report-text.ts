// Hooks, deliveries and attempts as lines of text for operators. Keys and queries of addresses never appear.

import type { DeliveryReport, HookReport, LoggedAttempt, MessageReport } from '../../store/outbox.js';
import { deliveryJson } from '../../webhooks/delivery-report.js';
import { callbackText, hookJson, stateOf, timeText } from '../../webhooks/report.js';
import { table } from '../commands/table.js';

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
  const attempts = report.attempts.map((attempt) => {
    const answer = attempt.answer === null ? '' : `\n${attempt.answer.replace(/^/gm, '  ')}`;
    return `${timeText(attempt.started)}  ${outcomeText(attempt)}${answer}\n`;
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
