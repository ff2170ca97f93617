// The web hooks of the user who is logged in: made, changed and deleted; tested with a payload; their secret exchanged (D63); what
// failed tried again. Receivers' answers are not shown (S11).

import { ServiceError } from '../../contract/errors.js';
import type { HookReport } from '../../store/outbox.js';
import { callbackText } from '../../webhooks/report.js';
import type { Question } from '../console/confirm.js';
import { type FieldContext, formFields } from '../console/fields.js';
import type { PageAnswer, PageRequest, PageRoute } from '../console/page.js';
import { hookPages } from '../console/pages/hook.js';
import type { HookExtras, HookPages } from '../console/pages/hook-source.js';
import { nameOf } from '../console/resource.js';
import { type FormProblems, refusalOf } from '../console/sent-form.js';
import { button, cell, choices, type Field, fact, field, form, pageView, section } from '../console/view.js';
import { BASE, nameById, ownCall, ownRecords, type PortalSource } from './own.js';
import { type OwnPages, ownPages } from './records.js';

export function portalHookPages(source: PortalSource): readonly PageRoute[] {
  const pages: HookPages = {
    base: BASE,
    hooks: source.hooks,
    showsAnswers: false,
    userOf: ({ operator }) => operator.caller.user,
    check: (request) => checkHook(source, request, request.params.hook),
    links: [{ text: 'New web hook…', href: `${BASE}/webhooks/new` }],
    more: (hook, request) => extrasOf(source, hook, request),
    changeOf: ({ now }) => ({ author: null, now }),
  };
  const own: OwnPages = {
    source,
    definition: source.hook,
    path: '/webhooks',
    title: 'Web hooks',
    one: 'web hook',
    nameOf: (record) => callbackText(String(record.callback_uri)),
    deletes: {
      submit: 'Delete',
      note: 'What waits for it is not sent, and its address is told that it is unsubscribed.',
    },
    password: false,
    whole: true,
    check: (request) => checkHook(source, request, request.params.id),
    fields: (context, request) => hookFields(source, context, request),
    sent: ownerSent,
  };
  return [
    { method: 'GET', path: '/', run: () => ({ to: '/webhooks' }) },
    // Before the page of a hook, whose id could be anything.
    ...ownPages(own),
    ...hookPages(pages),
    { method: 'GET', path: '/webhooks/:id/test', run: (request) => showTest(source, request, null) },
    { method: 'POST', path: '/webhooks/:id/test', run: (request) => test(source, request) },
    {
      method: 'POST',
      path: '/webhooks/:id/exchange',
      confirm: (request) => exchangeQuestion(request),
      run: (request) => exchange(source, request),
    },
  ];
}

/** Only the user who made a hook is its owner here, administrators included. @returns the hook, of which nothing is counted */
async function checkHook({ hooks }: PortalSource, { operator }: PageRequest, id = ''): Promise<HookReport> {
  const hook = await hooks.hook(id, 0);
  if (hook?.user_id === operator.caller.user) return hook;
  throw new ServiceError('not_found', 'There is no such web hook.');
}

async function extrasOf(source: PortalSource, hook: HookReport, request: PageRequest): Promise<HookExtras> {
  const path = `${BASE}/webhooks/${hook.id}`;
  const { api_key_id: key } = hook;
  const owner = source.resources.find(source.events.find(hook.event)?.owner ?? '');
  const offers = Object.hasOwn(source.hook.actions, 'exchange');
  return {
    links: [
      { text: 'Edit…', href: `${path}/edit` },
      { text: 'Test…', href: `${path}/test` },
      { text: 'Event', href: `${BASE}/events/${encodeURIComponent(hook.event)}` },
    ],
    facts: [
      fact(
        `Of ${hook.owner_class.toLowerCase()}`,
        owner === undefined ? '–' : await nameById(source, owner, request, hook.owner_id),
      ),
      fact(
        'Signed with',
        key === null ? '–' : cell(await nameById(source, source.key, request, key), { href: `${BASE}/keys/${key}` }),
      ),
    ],
    buttons: [
      ...(offers ? [button('Exchange the secret', `${path}/exchange`)] : []),
      button('Delete', `${path}/delete`),
    ],
  };
}

/** The class and id of what an event is about, in one field of the form. */
const OWNER = 'owner';

/** What people choose by its name comes first; the rest is as the API has it. */
async function hookFields(
  source: PortalSource,
  context: FieldContext,
  request: PageRequest,
): Promise<readonly Field[]> {
  const { record, typed, errors } = context;
  const [owners, keys] = await Promise.all([ownersOf(source, request), ownRecords(source, source.key, request)]);
  const events = source.events.list().map(({ name, summary }) => [name, `${name}: ${summary}`] as const);
  const kept = record === null ? '' : `${record.owner_class} ${record.owner_id}`;
  const isKept = kept === '' || owners?.some(([value]) => value === kept);
  const offered = isKept ? owners : owners && [...owners, [kept, `the same ${record?.owner_class}`] as const];
  const named = (keys?.items ?? []).map((key) => [String(key.id), nameOf(source.key, key)] as const);
  const select = (name: string, label: string, values: readonly Choice[]) => {
    const chosen = String(typed?.[name] ?? (name === OWNER ? kept : record?.[name]) ?? '');
    const wrong = (name === OWNER ? ['owner_class', 'owner_id'] : [name]).flatMap((one) => errors.get(one) ?? []);
    const options = choices(values, chosen);
    return field({ name, label, control: 'select', required: true, options, error: wrong.join(' ') || null });
  };
  const fields = new Map(formFields(context).map((one) => [one.name, one]));
  const take = (name: string, more: Partial<Field> = {}): readonly Field[] => {
    const found = fields.get(name);
    fields.delete(name);
    return found === undefined ? [] : [{ ...found, required: true, ...more }];
  };
  take('event');
  take('api_key_id');
  const owner = [...take('owner_class'), ...take('owner_id')];
  return [
    select('event', 'Event', events),
    ...(offered === null ? owner : [select(OWNER, 'About', offered)]),
    ...take('callback_uri', { label: 'Callback address', control: 'input', type: 'url', wide: true }),
    { ...select('api_key_id', 'Signed with', named), link: { text: 'Make another API key', href: `${BASE}/keys/new` } },
    ...fields.values(),
  ];
}

type Choice = readonly [value: string, text: string];

/** What the user may subscribe to, by class and id: themselves, and what they own. Null: that cannot be listed, or is too much. */
async function ownersOf(source: PortalSource, request: PageRequest): Promise<readonly Choice[] | null> {
  const { resources, principal, events } = source;
  const classes = new Map(events.list().map(({ ownerClass, owner }) => [ownerClass, owner]));
  const found = [...classes].map(async ([name, owner]): Promise<readonly Choice[] | null> => {
    const { caller, name: userName } = request.operator;
    if (owner === principal.name) return [[`${name} ${caller.user}`, `${userName} (${name})`]];
    const definition = resources.find(owner);
    const records = definition === undefined ? null : await ownRecords(source, definition, request);
    if (definition === undefined || records === null || records.next !== null) return null;
    return records.items.map((one) => [`${name} ${one.id}`, `${nameOf(definition, one)} (${name})`]);
  });
  const all = await Promise.all(found);
  return all.includes(null) ? null : all.flatMap((choices) => choices ?? []);
}

function ownerSent({ [OWNER]: owner, ...sent }: PageRequest['form']): PageRequest['form'] {
  if (owner === undefined) return sent;
  const [ownerClass = '', id = ''] = String(owner).split(' ');
  return { ...sent, owner_class: ownerClass, owner_id: id };
}

/** A form with the payload of an event: the example of the hook's own, or of the one that is asked for. */
async function showTest(source: PortalSource, request: PageRequest, refused: FormProblems | null): Promise<PageAnswer> {
  const { query, params } = request;
  const hook = await checkHook(source, request, params.id);
  const path = `${BASE}/webhooks/${hook.id}`;
  const chosen = source.events.find(query.event) ?? source.events.find(hook.event);
  const value = refused === null ? (chosen?.example ?? '{}') : String(request.form.payload ?? '');
  const payload = field({
    ...{ name: 'payload', label: 'Payload', control: 'textarea', required: true, value },
    hint: 'JSON: the example of an event, or anything you write.',
    error: refused?.errors.get('payload') ?? null,
  });
  const examples = source.events.list().map(({ name }) => ({ text: name, href: `?event=${encodeURIComponent(name)}` }));
  const page = pageView({
    title: 'Send a test',
    trail: [
      { text: 'Web hooks', href: `${BASE}/webhooks` },
      { text: 'Hook', href: path },
    ],
    problem: refused?.problem || null,
    sections: [
      section({
        note: 'One callback of type test is sent now. It counts as any other: a success ends a series of failures.',
        form: form({ action: `${path}/test`, submit: 'Send', fields: [payload] }),
      }),
      section({ heading: 'Examples', links: examples }),
    ],
  });
  return { page };
}

/** Leads to the delivery, whose attempt says what came of it. */
async function test(source: PortalSource, request: PageRequest): Promise<PageAnswer> {
  const { hooks, hook: definition, resources } = source;
  const { id = '' } = request.params;
  await checkHook(source, request, id);
  const { payload = '' } = request.form;
  let isAccepted: boolean;
  try {
    const call = ownCall(definition, request, { id, name: 'test', parameters: { payload } });
    isAccepted = (await resources.operationsOf(definition).action(call)).body === '1';
  } catch (thrown) {
    return showTest(source, request, refusalOf(thrown, ['payload']));
  }
  const { items } = await hooks.deliveries(id, { states: null, after: null, limit: 10 });
  const sent = items.find(({ type }) => type === 'test');
  const done = encodeURIComponent(isAccepted ? 'The test was accepted.' : 'The test was sent, and not accepted.');
  return { to: `/webhooks/${id}${sent === undefined ? '' : `/deliveries/${sent.id}`}?done=${done}` };
}

function exchangeQuestion({ params }: PageRequest): Question {
  return {
    title: 'Exchange the secret?',
    note: 'A new secret signs from now on; the one before signs beside it for a day, so that the receiver can take the new one.',
    submit: 'Exchange',
    back: { text: 'Leave it as it is', href: `${BASE}/webhooks/${params.id}` },
    ...{ click: true, typed: null, password: true },
  };
}

async function exchange(source: PortalSource, request: PageRequest): Promise<PageAnswer> {
  const { hook: definition, resources } = source;
  const { id = '' } = request.params;
  await checkHook(source, request, id);
  const { body } = await resources
    .operationsOf(definition)
    .action(ownCall(definition, request, { id, name: 'exchange' }));
  const { secret, previous_ends: ends } = JSON.parse(body) as { secret: string; previous_ends: string };
  const page = pageView({
    title: 'The new secret: copy it now',
    trail: [{ text: 'Web hooks', href: `${BASE}/webhooks` }],
    links: [{ text: 'Go on', href: `${BASE}/webhooks/${id}` }],
    sections: [
      section({
        heading: 'Shown only this once',
        facts: [
          fact('Secret', cell(secret, { code: true })),
          fact('The one before ends', ends.slice(0, 19).replace('T', ' ')),
        ],
      }),
    ],
  });
  return { page };
}
