// Web hooks: the hooks by state, the deliveries of one, a message with its attempts and answers; retry, pause and resume
// (D48). Keys and queries of addresses never appear.

import { ServiceError } from '../../../contract/errors.js';
import {
  DELIVERY_STATES,
  type DeliveryReport,
  type DeliveryState,
  type HookReport,
  type MessageReport,
  type Outbox,
} from '../../../store/outbox.js';
import { callbackText, formatOf, HOOK_STATES, type HookState, pageState, stateOf } from '../../../webhooks/report.js';
import type { Question } from '../confirm.js';
import { referredBy } from '../names.js';
import type { PageRequest, PageRoute } from '../page.js';
import { changeOf, pathOf, type Resources, resourceNamed, valueCell } from '../resource.js';
import {
  button,
  type Cell,
  cell,
  choices,
  count,
  fact,
  field,
  form,
  labelOf,
  pageView,
  section,
  type Tone,
  table,
  timeCell,
  timeText,
} from '../view.js';

/** The reports and controls of the outbox. */
type HookReports = Pick<Outbox, 'hooks' | 'hook' | 'deliveries' | 'message' | 'pause' | 'retry'>;
type HookSource = HookReports & { readonly resources: Resources };

/** @param resource name of the resource whose records are the hooks */
export function webhookPages(reports: HookReports, resource: string, resources: Resources): readonly PageRoute[] {
  const hooks: HookSource = { ...reports, resources };
  return [
    { method: 'GET', path: '/webhooks', run: (request) => showHooks(hooks, request) },
    { method: 'GET', path: '/webhooks/:hook', run: (request) => showHook(hooks, resource, request) },
    { method: 'POST', path: '/webhooks/:hook/pause', run: (request) => pause(hooks, request, true) },
    { method: 'POST', path: '/webhooks/:hook/resume', run: (request) => pause(hooks, request, false) },
    {
      method: 'POST',
      path: '/webhooks/:hook/retry',
      confirm: (request) => retryQuestion(hooks, request),
      run: (request) => retrySince(hooks, resource, request),
    },
    { method: 'GET', path: '/webhooks/:hook/deliveries/:delivery', run: (request) => showDelivery(hooks, request) },
    { method: 'POST', path: '/webhooks/:hook/deliveries/:delivery/retry', run: (request) => retryOne(hooks, request) },
  ];
}

const SHOWN = 50;

const TONES: Readonly<Record<HookState, Tone>> = {
  paused: 'plain',
  holding: 'bad',
  failing: 'bad',
  retrying: 'warn',
  well: 'good',
};

async function showHooks(hooks: HookReports, { query }: PageRequest) {
  const state = HOOK_STATES.find((one) => one === query.state) ?? null;
  const all = await hooks.hooks({
    state: state === null ? null : pageState(state),
    after: afterHook(query.after),
    limit: SHOWN,
  });
  const last = all.at(-1);
  const next =
    last === undefined || all.length < SHOWN
      ? null
      : {
          text: 'Next page',
          href: `?${new URLSearchParams({ state: state ?? '', after: `${last.failures_since_last_success} ${last.id}` })}`,
        };
  const states = choices([['', 'any'], ...HOOK_STATES.map((one) => [one, one] as const)], state ?? '');
  const fields = [field({ name: 'state', label: 'State', control: 'select', options: states })];
  const columns = ['Callback', 'State', 'Event', 'Failures', 'Waiting', 'Next attempt'];
  const shown = table({ caption: 'Web hooks', columns, rows: all.map(hookRow), empty: 'There is no such hook.', next });
  const sections = [
    section({ form: form({ submit: 'Show', tone: 'quiet', fields }) }),
    section({ id: 'results', table: shown }),
  ];
  return { page: pageView({ title: 'Web hooks', sections }) };
}

/** `<failures> <id>` of the last hook of the page before. */
function afterHook(after: unknown) {
  const [, failures, id] = /^(\d+) (\S+)$/.exec(typeof after === 'string' ? after : '') ?? [];
  return id === undefined ? null : { failures_since_last_success: Number(failures), id };
}

function hookRow(hook: HookReport): readonly Cell[] {
  return [
    cell(callbackText(hook.callback_uri), { href: `/console/webhooks/${hook.id}` }),
    stateCell(hook),
    cell(hook.event),
    cell(String(hook.failures_since_last_success)),
    cell(String(hook.deliveries)),
    timeCell(hook.nextDue),
  ];
}

function stateCell(hook: HookReport): Cell {
  const { name } = stateOf(hook);
  return cell(name, { tone: TONES[name] });
}

async function hookOf(hooks: HookReports, { params }: PageRequest): Promise<HookReport> {
  const hook = await hooks.hook(params.hook ?? '');
  if (hook === null) throw new ServiceError('not_found', 'There is no such web hook.');
  return hook;
}

/** @param wrongTime what is wrong with the time of a retry that was refused */
async function showHook(hooks: HookSource, resource: string, request: PageRequest, wrongTime: string | null = null) {
  const { query } = request;
  const hook = await hookOf(hooks, request);
  const state = DELIVERY_STATES.find((one) => one === query.state) ?? null;
  const after = typeof query.after === 'string' && query.after !== '' ? query.after : null;
  const deliveries = await hooks.deliveries(hook.id, { states: state === null ? null : [state], after, limit: SHOWN });
  const page = pageView({
    title: callbackText(hook.callback_uri),
    trail: [{ text: 'Web hooks', href: '/console/webhooks' }],
    links: [{ text: 'Open the record', href: pathOf(resource, hook.id) }],
    sections: [
      await hookSection(hooks.resources, resource, hook, request),
      retrySection(hook, request, wrongTime),
      deliveriesForm(state),
      deliveriesSection(deliveries, state),
    ],
  });
  return { page };
}

async function hookSection(resources: Resources, resource: string, hook: HookReport, { now }: PageRequest) {
  const definition = resourceNamed(resources, resource);
  const names = await resources.names(referredBy(definition, { ...hook }));
  const named = (name: string): Cell => valueCell(definition, { ...hook }, name, names);
  const path = `/console/webhooks/${hook.id}`;
  const facts = [
    fact('State', stateCell(hook)),
    fact('Event', hook.event),
    fact('Format', formatOf(hook)),
    fact(`Of ${hook.owner_class.toLowerCase()}`, named('owner_id')),
    fact('User', named('user_id')),
    fact('Failures since the last success', String(hook.failures_since_last_success)),
    fact('Waiting', `${hook.deliveries} (held: ${hook.held}, under way: ${hook.inFlight})`),
    fact('Next attempt', hook.nextDue !== null && hook.nextDue <= now ? 'now' : timeCell(hook.nextDue)),
    fact('Mail to its user', timeCell(hook.noticeSent)),
  ];
  const isPaused = hook.pausedByOperator !== null;
  const buttons = [isPaused ? button('Resume', `${path}/resume`) : button('Pause', `${path}/pause`)];
  return section({ note: stateOf(hook).meaning, facts, buttons });
}

/** Everything that has not been delivered since a time. */
function retrySection({ id, deliveries }: HookReport, { form: sent }: PageRequest, error: string | null) {
  const since = field({
    name: 'since',
    label: 'Since',
    value: error === null ? '' : String(sent.since ?? ''),
    error,
    hint: 'A time in UTC, such as 2026-01-31 12:00; empty: all that is kept.',
  });
  const action = `/console/webhooks/${id}/retry`;
  const note = `What has not been delivered is tried again now; ${count(deliveries, 'delivery', 'deliveries')} waiting.`;
  return section({
    heading: 'Retry',
    note,
    form: form({ action, submit: 'Retry all', tone: 'quiet', fields: [since] }),
  });
}

function deliveriesForm(state: DeliveryState | null) {
  const options = choices(
    [['', 'any'], ...DELIVERY_STATES.map((one) => [one, labelOf(one).toLowerCase()] as const)],
    state ?? '',
  );
  const fields = [field({ name: 'state', label: 'State of the delivery', control: 'select', options })];
  return section({ heading: 'Deliveries', form: form({ submit: 'Show', tone: 'quiet', fields }) });
}

function deliveriesSection(deliveries: readonly DeliveryReport[], state: DeliveryState | null) {
  const last = deliveries.at(-1);
  const next =
    last === undefined || deliveries.length < SHOWN
      ? null
      : { text: 'Older', href: `?${new URLSearchParams({ state: state ?? '', after: last.id })}` };
  const rows = deliveries.map((delivery) => [
    timeCell(delivery.created, { href: `/console/webhooks/${delivery.hook}/deliveries/${delivery.id}` }),
    deliveryState(delivery),
    cell(delivery.type),
    cell(String(delivery.failed)),
    timeCell(delivery.due ?? delivery.ended),
  ]);
  const columns = ['Created', 'State', 'Type', 'Failed attempts', 'Next attempt, or end'];
  return section({
    id: 'results',
    table: table({ caption: 'Deliveries', columns, rows, empty: 'There are no deliveries.', next }),
  });
}

const DELIVERY_TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'plain',
  held: 'warn',
  in_flight: 'plain',
  delivered: 'good',
  cancelled: 'plain',
  given_up: 'bad',
};

/** One that waits for a retry has failed. */
function deliveryState({ state, failed }: DeliveryReport): Cell {
  const isFailed = state === 'waiting' && failed > 0;
  return cell(isFailed ? 'failed, waiting' : labelOf(state).toLowerCase(), {
    tone: isFailed ? 'warn' : DELIVERY_TONES[state],
  });
}

async function showDelivery(hooks: HookReports, { params, query, now }: PageRequest) {
  const { hook = '', delivery = '' } = params;
  const message = await hooks.message(hook, delivery);
  if (message === null) throw new ServiceError('not_found', 'There is no such delivery, or it is no longer kept.');
  const path = `/console/webhooks/${hook}`;
  const page = pageView({
    title: `Delivery of ${timeText(message.created)}`,
    trail: [
      { text: 'Web hooks', href: '/console/webhooks' },
      { text: 'Hook', href: path },
    ],
    sections: [
      deliverySection(message, {
        path: `${path}/deliveries/${delivery}`,
        now,
        before: typeof query.before === 'string' ? Number(query.before) : null,
      }),
    ],
  });
  return { page };
}

interface DeliveryView {
  readonly path: string;
  readonly now: number;
  /** The number of attempts before an operator had it tried again; null: nobody has, on this page. */
  readonly before: number | null;
}

/** Refreshed until the attempt that is due has ended. */
function deliverySection(message: MessageReport, { path, now, before }: DeliveryView) {
  const isDue = message.state === 'in_flight' || (message.state === 'waiting' && (message.due ?? now) <= now);
  const isOver = message.state === 'delivered' || message.state === 'in_flight';
  return section({
    id: 'delivery',
    note: retriedNote(message, before),
    every: isDue ? 1 : null,
    facts: [
      fact('State', deliveryState(message)),
      fact('Delivery-Id', cell(message.id, { code: true })),
      fact('Type', message.type),
      fact('Next attempt', isDue ? 'now' : timeCell(message.due)),
      fact('Ended', timeCell(message.ended)),
      fact('Message', cell(indented(message.message), { long: true })),
    ],
    table: attemptsTable(message),
    buttons: isOver ? [] : [button('Retry now', `${path}/retry`)],
  });
}

/** What came of it, once that is known. */
function retriedNote({ attempts }: MessageReport, before: number | null): string | null {
  if (before === null) return null;
  const last = attempts.at(-1);
  if (last === undefined || attempts.length <= before) return 'It is tried again now.';
  if (last.status === 200) return 'It was tried again, and is delivered.';
  return `It was tried again, and failed again: ${last.outcome}${last.status === null ? '' : ` ${last.status}`}.`;
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function attemptsTable({ attempts }: MessageReport) {
  const rows = attempts.map((one) => [
    timeCell(one.started),
    cell(one.status === null ? one.outcome : `${one.outcome} ${one.status}`, {
      tone: one.status === 200 ? 'good' : 'warn',
    }),
    cell(`${one.ended - one.started} ms`),
    one.answer === null || one.answer === '' ? cell('–') : cell(one.answer, { long: true }),
  ]);
  const columns = ['Attempt', 'Outcome', 'Took', 'Answer'];
  return table({ caption: 'Attempts', columns, rows, empty: 'It has not been attempted yet.' });
}

async function pause(hooks: HookReports, request: PageRequest, on: boolean) {
  const { hook = '' } = request.params;
  await hooks.pause(hook, on, changeOf(request));
  return { to: `/webhooks/${hook}?done=${on ? 'Paused.' : 'Resumed.'}` };
}

async function retryOne(hooks: HookReports, request: PageRequest) {
  const { hook = '', delivery = '' } = request.params;
  const before = (await hooks.message(hook, delivery))?.attempts.length ?? 0;
  await hooks.retry(hook, { delivery }, changeOf(request));
  return { to: `/webhooks/${hook}/deliveries/${delivery}?before=${before}` };
}

/** Epoch milliseconds, 0 for an empty field; null: it is not a time. */
function sinceOf({ form: { since = '' } }: PageRequest): number | null {
  const time = since === '' ? 0 : Date.parse(`${String(since).trim().replace(' ', 'T')}Z`.replace(/ZZ$/, 'Z'));
  return Number.isNaN(time) ? null : time;
}

async function retryQuestion(hooks: HookReports, request: PageRequest): Promise<Question | null> {
  const since = sinceOf(request);
  if (since === null) return null;
  const hook = await hookOf(hooks, request);
  const what =
    since === 0 ? 'Everything that has not been delivered' : `What has not been delivered since ${timeText(since)}`;
  return {
    title: since === 0 ? `Try ${count(hook.deliveries, 'delivery', 'deliveries')} again?` : 'Try deliveries again?',
    note: `${what} is sent to ${callbackText(hook.callback_uri)} now.`,
    submit: 'Retry all',
    back: { text: 'Leave them waiting', href: `/console/webhooks/${hook.id}` },
    ...{ click: true, typed: null, password: false },
  };
}

async function retrySince(hooks: HookSource, resource: string, request: PageRequest) {
  const { hook = '' } = request.params;
  const time = sinceOf(request);
  if (time === null) return showHook(hooks, resource, request, 'Since must be a time, such as 2026-01-31 12:00.');
  const tried = await hooks.retry(hook, { since: time }, changeOf(request));
  return {
    to: `/webhooks/${hook}?done=${encodeURIComponent(`Tried again now, ${count(tried, 'delivery', 'deliveries')}.`)}`,
  };
}
