// Retries of what a hook has not delivered since a time, on the page of the hook: the form, the question, and the results (D48).

import { canonicalDate } from '../../../operations/dates.js';
import type { HookReport } from '../../../store/outbox.js';
import { callbackText } from '../../../webhooks/report.js';
import type { Question } from '../confirm.js';
import type { PageRequest } from '../page.js';
import { cell, count, fact, field, form, section, timeText } from '../view.js';
import { COUNT_LIMITS, cappedCount, type HookPages, hookOf } from './hook-source.js';

/**
 * The results so far of the retry that the address names: `retried` deliveries at the time `at`; no section if it names none. The
 * browser refreshes the section until all of them have been attempted.
 */
export async function retriedSection({ hooks }: HookPages, hook: HookReport, { query, now }: PageRequest) {
  const [retried, at] = [wholeNumber(query.retried), wholeNumber(query.at)];
  if (retried === 0 || at === 0) return [];
  const attempted = await hooks.retried(hook.id, at, COUNT_LIMITS.attempts);
  const [tried, delivered] = [Math.min(attempted.tried, retried), Math.min(attempted.delivered, retried)];
  const isDue = hook.inFlight > 0 || (hook.nextDue !== null && hook.nextDue <= now);
  const label = `${tried.toLocaleString('en')} of ${count(retried, 'delivery', 'deliveries')} tried again`;
  return [
    section({
      id: 'retried',
      heading: `Retry of ${timeText(at)}`,
      note: `${label}.${retried > COUNT_LIMITS.attempts ? ' Only the newest attempts are counted.' : ''}`,
      every: tried < retried && isDue ? 1 : null,
      progress: { label, value: tried, max: retried },
      facts: [
        fact('Delivered', cell(String(delivered), { tone: delivered > 0 ? 'good' : 'plain' })),
        fact('Failed again', cell(String(tried - delivered), { tone: tried > delivered ? 'warn' : 'plain' })),
        fact('Still to be tried', String(retried - tried)),
      ],
    }),
  ];
}

/** 0: the text is not a whole number. */
function wholeNumber(text: unknown): number {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The form that retries everything not delivered since a time. @param error what is wrong with the time; null: nothing */
export function retrySection(
  { base }: HookPages,
  { id, deliveries }: HookReport,
  { form: sent }: PageRequest,
  error: string | null,
) {
  const since = field({
    name: 'since',
    label: 'Since',
    value: error === null ? '' : String(sent.since ?? ''),
    error,
    hint: 'A time in UTC, such as 2026-01-31 12:00; empty: all that is kept.',
  });
  const action = `${base}/webhooks/${id}/retry`;
  const note = `What has not been delivered is tried again now; waiting: ${cappedCount(deliveries, COUNT_LIMITS.alone)}.`;
  const retry = form({ action, submit: 'Retry all', tone: 'quiet', fields: [since] });
  return section({ heading: 'Retry', note, form: retry });
}

/** The time in epoch milliseconds, 0 if the field is empty; null: it is not a time. A day, or a time as pages show it, is one. */
function sinceOf({ form: { since = '' } }: PageRequest): number | null {
  const text = String(since)
    .trim()
    .replace(/Z$| UTC$/, '')
    .replace('T', ' ');
  if (text === '') return 0;
  const time = canonicalDate(text + '0000-00-00 00:00:00'.slice(text.length));
  return time === null ? null : Date.parse(time);
}

export async function retryQuestion(pages: HookPages, request: PageRequest): Promise<Question | null> {
  const since = sinceOf(request);
  if (since === null) return null;
  const { id, deliveries, callback_uri: uri } = await hookOf(pages, request);
  if (deliveries === 0) return null;
  const selection =
    since === 0 ? 'Everything that has not been delivered' : `What has not been delivered since ${timeText(since)}`;
  const number =
    deliveries < COUNT_LIMITS.alone
      ? count(deliveries, 'delivery', 'deliveries')
      : `${cappedCount(deliveries, COUNT_LIMITS.alone)} deliveries`;
  return {
    title: since === 0 ? `Try ${number} again?` : 'Try deliveries again?',
    note: `${selection} is sent to ${callbackText(uri)} now.`,
    submit: 'Retry all',
    back: { text: 'Leave them waiting', href: `${pages.base}/webhooks/${id}` },
  };
}

/** Null: the time is wrong. */
export async function retrySince(pages: HookPages, request: PageRequest) {
  const { hook = '' } = request.params;
  await pages.check(request);
  const time = sinceOf(request);
  if (time === null) return null;
  const retried = await pages.hooks.retry(hook, { since: time }, pages.changeOf(request));
  if (retried === 0) return { to: `/webhooks/${hook}?done=${encodeURIComponent('There was nothing to try again.')}` };
  return { to: `/webhooks/${hook}?${new URLSearchParams({ retried: String(retried), at: String(request.now) })}` };
}
