// The page of one delivery, with its message and its attempts, and the retry of that delivery (D48).

import type { DeliveryState } from '../../../contract/delivery-states.js';
import { ServiceError } from '../../../contract/errors.js';
import type { DeliveryReport, MessageReport } from '../../../store/outbox.js';
import type { PageRequest } from '../page.js';
import {
  button,
  type Cell,
  cell,
  fact,
  labelOf,
  pageView,
  section,
  type Tone,
  table,
  timeCell,
  timeText,
} from '../view.js';
import { type HookPages, hooksLink } from './hook-source.js';

const DELIVERY_TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'plain',
  held: 'warn',
  in_flight: 'plain',
  delivered: 'good',
  cancelled: 'plain',
  given_up: 'bad',
};

/** A waiting delivery that has failed before is shown as failed. */
export function deliveryState({ state, failed }: DeliveryReport): Cell {
  const isFailed = state === 'waiting' && failed > 0;
  return cell(isFailed ? 'failed, waiting' : labelOf(state).toLowerCase(), {
    tone: isFailed ? 'warn' : DELIVERY_TONES[state],
  });
}

export async function showDelivery(pages: HookPages, request: PageRequest) {
  const { hook = '', delivery = '' } = request.params;
  await pages.check(request);
  const message = await pages.hooks.message(hook, delivery);
  if (message === null) throw new ServiceError('not_found', 'There is no such delivery, or it is no longer kept.');
  const path = `${pages.base}/webhooks/${hook}`;
  const page = pageView({
    title: `Delivery of ${timeText(message.created)}`,
    trail: [hooksLink(pages.base), { text: 'Hook', href: path }],
    sections: [deliverySection(pages, message, `${path}/deliveries/${delivery}`, request)],
  });
  return { page };
}

/** The browser refreshes the section until the attempt that is due has ended. */
function deliverySection({ showsAnswers }: HookPages, message: MessageReport, path: string, request: PageRequest) {
  const { query, now } = request;
  const isDue = message.state === 'in_flight' || (message.state === 'waiting' && (message.due ?? now) <= now);
  const isOver = message.state === 'delivered' || message.state === 'in_flight';
  return section({
    id: 'delivery',
    note: retriedNote(message, typeof query.before === 'string' ? Number(query.before) : null),
    every: isDue ? 1 : null,
    facts: [
      fact('State', deliveryState(message)),
      fact('Delivery-Id', cell(message.id, { code: true })),
      fact('Type', message.type),
      fact('Next attempt', isDue ? 'now' : timeCell(message.due)),
      fact('Ended', timeCell(message.ended)),
      fact('Message', cell(indented(message.message), { long: true })),
    ],
    table: attemptsTable(message, showsAnswers),
    buttons: isOver ? [] : [button('Retry now', `${path}/retry`)],
  });
}

/** The result of a retry, once it is known. @param before the number of attempts before the retry; null: there was no retry */
function retriedNote({ attempts }: MessageReport, before: number | null): string | null {
  if (before === null) return null;
  const last = attempts.at(-1);
  if (last === undefined || attempts.length <= before) return 'It is tried again now.';
  if (last.outcome === 'success') return 'It was tried again, and is delivered.';
  return `It was tried again, and failed again: ${last.outcome}${last.status === null ? '' : ` ${last.status}`}.`;
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function attemptsTable({ attempts }: MessageReport, showsAnswers: boolean) {
  const rows = attempts.map((attempt) => [
    timeCell(attempt.started),
    cell(attempt.status === null ? attempt.outcome : `${attempt.outcome} ${attempt.status}`, {
      tone: attempt.outcome === 'success' ? 'good' : 'warn',
    }),
    cell(`${attempt.ended - attempt.started} ms`),
    ...(showsAnswers ? [attempt.answer ? cell(attempt.answer, { long: true }) : cell('–')] : []),
  ]);
  const columns = ['Attempt', 'Outcome', 'Took', ...(showsAnswers ? ['Answer'] : [])];
  return table({ caption: 'Attempts', columns, rows, empty: 'It has not been attempted yet.' });
}

export async function retryOne(pages: HookPages, request: PageRequest) {
  const { hook = '', delivery = '' } = request.params;
  await pages.check(request);
  const before = (await pages.hooks.message(hook, delivery))?.attempts.length ?? 0;
  await pages.hooks.retry(hook, { delivery }, pages.changeOf(request));
  return { to: `/webhooks/${hook}/deliveries/${delivery}?before=${before}` };
}
