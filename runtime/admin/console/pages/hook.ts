// The pages of web hooks that operators and owners share: the hooks by state, the deliveries of a hook, a message with its
// attempts, and retries with their results (D48). Keys and queries of addresses never appear.

import { DELIVERY_STATES, type DeliveryState } from '../../../contract/delivery-states.js';
import { isPlacedWith } from '../../../contract/ids.js';
import type { DeliveryList, HookReport } from '../../../store/outbox.js';
import {
  callbackText,
  formatOf,
  HOOK_STATES,
  type HookState,
  pageState,
  stateOf,
  versionOf,
} from '../../../webhooks/report.js';
import type { PageRequest, PageRoute } from '../page.js';
import {
  type Cell,
  cell,
  type Fact,
  fact,
  filterField,
  form,
  labelOf,
  nextPage,
  pageView,
  section,
  type Tone,
  table,
  timeCell,
} from '../view.js';
import { deliveryState, retryOne, showDelivery } from './delivery.js';
import { COUNT_LIMITS, cappedCount, type HookPages, hookOf, hooksLink } from './hook-source.js';
import { retriedSection, retryQuestion, retrySection, retrySince } from './retries.js';

export function hookPages(pages: HookPages): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/webhooks', run: (request) => showHooks(pages, request) },
    { method: 'GET', path: '/webhooks/:hook', run: (request) => showHook(pages, request) },
    {
      method: 'POST',
      path: '/webhooks/:hook/retry',
      confirm: (request) => retryQuestion(pages, request),
      run: async (request) => (await retrySince(pages, request)) ?? showHook(pages, request, WRONG_TIME),
    },
    { method: 'GET', path: '/webhooks/:hook/deliveries/:delivery', run: (request) => showDelivery(pages, request) },
    { method: 'POST', path: '/webhooks/:hook/deliveries/:delivery/retry', run: (request) => retryOne(pages, request) },
  ];
}

const SHOWN = 50;
const WRONG_TIME = 'Since must be a time, such as 2026-01-31 12:00.';

const TONES: Readonly<Record<HookState, Tone>> = {
  paused: 'plain',
  holding: 'bad',
  failing: 'bad',
  retrying: 'warn',
  well: 'good',
};

async function showHooks(pages: HookPages, request: PageRequest) {
  const { query } = request;
  const state = HOOK_STATES.find((one) => one === query.state) ?? null;
  const user = pages.userOf(request);
  const all = await pages.hooks.hooks({
    state: state === null ? null : pageState(state),
    after: afterHook(query.after),
    limit: SHOWN,
    most: COUNT_LIMITS.inList,
    ...(user === undefined ? {} : { user }),
  });
  const next = nextPage(all, { limit: SHOWN }, ({ failures_since_last_success: failures, id }) => {
    return { state: state ?? '', after: `${failures} ${id}` };
  });
  const states = HOOK_STATES.map((one) => [one, one] as const);
  const fields = [filterField({ name: 'state', label: 'State', value: state ?? '' }, states)];
  const columns = ['Callback', 'State', 'Event', 'Failures', 'Waiting', 'Next attempt'];
  const rows = all.map((hook) => hookRow(pages, hook));
  const shown = table({ caption: 'Web hooks', columns, rows, empty: 'There are no such web hooks.', next });
  const sections = [
    section({ form: form({ submit: 'Show', tone: 'quiet', fields }) }),
    section({ id: 'results', table: shown }),
  ];
  return { page: pageView({ title: 'Web hooks', links: pages.links, sections }) };
}

/** `<failures> <id>` of the last hook of the previous page. */
function afterHook(after: unknown) {
  const [, failures, id] = /^(\d{1,15}) ([0-9a-z]{26})$/.exec(typeof after === 'string' ? after : '') ?? [];
  return id === undefined ? null : { failures_since_last_success: Number(failures), id };
}

function hookRow({ base }: HookPages, hook: HookReport): readonly Cell[] {
  return [
    cell(callbackText(hook.callback_uri), { href: `${base}/webhooks/${hook.id}` }),
    stateCell(hook),
    cell(hook.event),
    cell(String(hook.failures_since_last_success)),
    cell(cappedCount(hook.deliveries, COUNT_LIMITS.inList)),
    timeCell(hook.nextDue),
  ];
}

function stateCell(hook: HookReport): Cell {
  const { name } = stateOf(hook);
  return cell(name, { tone: TONES[name] });
}

/** @param wrongTime the message about the time of a retry that was refused */
async function showHook(pages: HookPages, request: PageRequest, wrongTime: string | null = null) {
  const { query } = request;
  const hook = await hookOf(pages, request);
  const state = DELIVERY_STATES.find((one) => one === query.state) ?? null;
  const after = typeof query.after === 'string' && isPlacedWith(query.after, hook.id) ? query.after : null;
  const states = state === null ? null : [state];
  const deliveries = await pages.hooks.deliveries(hook.id, { states, after, limit: SHOWN });
  const { links, facts, buttons } = await pages.more(hook, request);
  const page = pageView({
    title: callbackText(hook.callback_uri),
    trail: [hooksLink(pages.base)],
    links,
    sections: [
      ...(await retriedSection(pages, hook, request)),
      section({ note: stateOf(hook).meaning, facts: [...hookFacts(hook, request), ...facts], buttons }),
      retrySection(pages, hook, request, wrongTime),
      deliveriesForm(state),
      deliveriesSection(pages, deliveries, hook.id, state),
    ],
  });
  return { page };
}

function hookFacts(hook: HookReport, { now }: PageRequest): readonly Fact[] {
  const { deliveries, held, inFlight, nextDue } = hook;
  const waiting = `${cappedCount(deliveries, COUNT_LIMITS.alone)} (held: ${cappedCount(held, COUNT_LIMITS.alone)}, under way: ${inFlight})`;
  return [
    fact('State', stateCell(hook)),
    fact('Event', hook.event),
    fact('Format', formatOf(hook)),
    fact('API version', versionOf(hook)),
    fact('Failures since the last success', String(hook.failures_since_last_success)),
    fact('Waiting', waiting),
    fact('Next attempt', nextDue !== null && nextDue <= now ? 'now' : timeCell(nextDue)),
  ];
}

function deliveriesForm(state: DeliveryState | null) {
  const states = DELIVERY_STATES.map((one) => [one, labelOf(one).toLowerCase()] as const);
  const fields = [filterField({ name: 'state', label: 'State of the delivery', value: state ?? '' }, states)];
  return section({ heading: 'Deliveries', form: form({ submit: 'Show', tone: 'quiet', fields }) });
}

function deliveriesSection(pages: HookPages, { items, next }: DeliveryList, hook: string, state: DeliveryState | null) {
  const rows = items.map((delivery) => [
    timeCell(delivery.created, { href: `${pages.base}/webhooks/${hook}/deliveries/${delivery.id}` }),
    deliveryState(delivery),
    cell(delivery.type),
    cell(String(delivery.failed)),
    timeCell(delivery.due ?? delivery.ended),
  ]);
  const columns = ['Created', 'State', 'Type', 'Failed attempts', 'Next attempt, or end'];
  const older =
    next === null ? null : { text: 'Older', href: `?${new URLSearchParams({ state: state ?? '', after: next })}` };
  const empty = next === null ? 'There are no deliveries.' : 'There are none among the newest deliveries.';
  return section({ id: 'results', table: table({ caption: 'Deliveries', columns, rows, empty, next: older }) });
}
