// The web hooks of the user who is logged in: creating, changing and deleting them, tests with a payload, exchange of the secret
// (D63), and retries. Receivers' answers are not shown (S11).

import { ServiceError } from '../../contract/errors.js';
import type { HookReport } from '../../store/outbox.js';
import { callbackText } from '../../webhooks/report.js';
import type { Question } from '../console/confirm.js';
import { type FieldContext, formFields } from '../console/fields.js';
import type { PageAnswer, PageRequest, PageRoute } from '../console/page.js';
import { hookPages } from '../console/pages/hook.js';
import { type HookExtras, type HookPages, hooksLink } from '../console/pages/hook-source.js';
import { shownOnce } from '../console/pages/shown-once.js';
import { nameOf, readRecord, type ShownRecord } from '../console/resource.js';
import { seenValue } from '../console/save.js';
import { type FormProblems, initialValueName, refusalOf } from '../console/sent-form.js';
import { button, cell, choices, type Field, fact, field, form, pageView, section } from '../console/view.js';
import { type RecordPages, userRecordPages } from './records.js';
import { BASE, callAsUser, listUserRecords, nameById, type PortalSource } from './user-records.js';

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
  const own: RecordPages = {
    source,
    definition: source.hook,
    path: '/webhooks',
    title: 'Web hooks',
    noun: 'web hook',
    nameOf: (record) => callbackText(String(record.callback_uri)),
    deletion: {
      submit: 'Delete',
      note: 'Waiting deliveries are not sent; the address gets an unsubscribe callback.',
    },
    password: false,
    sendsWholeForm: true,
    check: (request) => checkHook(source, request, request.params.id),
    unnamed: OWNER_PARTS,
    fields: (context, request) => hookFields(source, context, request),
    parametersOf: ownerSent,
  };
  return [
    { method: 'GET', path: '/', run: () => ({ to: '/webhooks' }) },
    // These come before the page of a hook, whose path would match `/webhooks/new`.
    ...userRecordPages(own),
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

/** Only the user who created a hook owns it here, even if the caller is an administrator. @returns the hook, without counts */
async function checkHook({ hooks }: PortalSource, { operator }: PageRequest, id = ''): Promise<HookReport> {
  const hook = await hooks.hook(id, 0);
  if (hook?.user_id === operator.caller.user) return hook;
  throw new ServiceError('not_found', 'There is no such web hook.');
}

async function extrasOf(source: PortalSource, hook: HookReport, request: PageRequest): Promise<HookExtras> {
  const path = `${BASE}/webhooks/${hook.id}`;
  const { api_key_id: key } = hook;
  const owner = source.resources.find(source.events.find(hook.event)?.owner ?? '');
  const nameOfOwner = owner && (await nameById(source, owner, request, hook.owner_id));
  const about = nameOfOwner === undefined ? hook.owner_class : `${nameOfOwner} (${hook.owner_class})`;
  const keyName = key === null ? null : await nameById(source, source.key, request, key);
  const signed = keyName === null ? '–' : cell(keyName, { href: `${BASE}/keys/${key}` });
  const record = await readRecord(source.resources, callAsUser(source.hook, request, { id: hook.id }));
  const offers = Object.hasOwn(source.hook.actions, 'exchange');
  return {
    links: [
      { text: 'Edit…', href: `${path}/edit` },
      { text: 'Test…', href: `${path}/test` },
      { text: 'Event', href: `${BASE}/events/${encodeURIComponent(hook.event)}` },
    ],
    facts: [fact('About', about), fact('Signed with', signed)],
    buttons: [
      // The secret is not in the record: no tag says whether somebody has exchanged it.
      ...(offers ? [button('Exchange the secret', `${path}/exchange`)] : []),
      button('Delete', `${path}/delete`, seenValue(source.hook, record)),
    ],
  };
}

/** One field of the form, with the class and the id of the record that an event is about. */
const OWNER = 'owner';
const OWNER_PARTS = ['owner_class', 'owner_id'];

/** Fields that the form shows in its own way, before those that are as in the API. */
const CHOSEN = ['event', ...OWNER_PARTS, 'callback_uri', 'api_key_id'];

async function hookFields(
  source: PortalSource,
  plainContext: FieldContext,
  request: PageRequest,
): Promise<readonly Field[]> {
  const [owners, keys] = await Promise.all([ownersOf(source, request), listUserRecords(source, source.key, request)]);
  const context = withOwner(plainContext);
  const { record } = context;
  const saved = String(record?.[OWNER] ?? '');
  const isOffered = saved === '' || owners?.some(([value]) => value === saved);
  const offered = isOffered ? owners : owners && [...owners, [saved, `the same ${record?.owner_class}`] as const];
  const events = source.events.list().map(({ name, summary }) => [name, `${name}: ${summary}`] as const);
  const named = keys?.items.map((key) => [String(key.id), nameOf(source.key, key)] as const) ?? [];
  const all = formFields(context);
  const plain = (names: readonly string[], more: Partial<Field> = {}): readonly Field[] =>
    all.filter(({ name }) => names.includes(name)).map((one) => ({ ...one, required: true, ...more }));
  const ofKey = { label: 'Signed with', link: { text: 'Make another API key', href: `${BASE}/keys/new` } };
  return [
    select(context, { name: 'event', label: 'Event' }, events),
    ...(offered === null ? plain(OWNER_PARTS) : [select(context, { name: OWNER, label: 'About' }, offered)]),
    ...plain(['callback_uri'], { label: 'Callback address', control: 'input', type: 'url', wide: true }),
    // The id is typed where there are more keys than one page of the list holds.
    ...(keys?.next ? plain(['api_key_id'], ofKey) : [select(context, { name: 'api_key_id', ...ofKey }, named)]),
    ...all.filter(({ name }) => !CHOSEN.includes(name)),
  ];
}

/** The record, what was typed, and the errors with `OWNER` for the class and the id. */
function withOwner(context: FieldContext): FieldContext {
  const { record, typed, errors } = context;
  const wrong = new Set(OWNER_PARTS.flatMap((name) => errors.get(name) ?? []));
  const ownerOf = (values: ShownRecord) => ({ [OWNER]: `${values.owner_class} ${values.owner_id}` });
  const isTyped = typed?.owner_class !== undefined || typed?.owner_id !== undefined;
  return {
    ...context,
    record: record && { ...record, ...ownerOf(record) },
    typed: isTyped ? { ...typed, ...ownerOf({ ...record, ...typed }) } : typed,
    errors: wrong.size === 0 ? errors : new Map([...errors, [OWNER, [...wrong].join(' ')]]),
  };
}

/** If what a hook has is not among the choices, none is chosen, so that saving the form does not change it unnoticed. */
function select(
  { record, typed, errors }: FieldContext,
  shown: Pick<Field, 'name' | 'label'> & Partial<Field>,
  values: readonly Choice[],
): Field {
  const { name } = shown;
  const chosen = String(typed?.[name] ?? record?.[name] ?? '');
  const isOffered = record === null || values.some(([value]) => value === chosen);
  const options = choices(isOffered ? values : [['', '–'], ...values], chosen);
  const was = record === null ? null : String(typed?.[initialValueName(name)] ?? record[name] ?? '');
  return field({ ...shown, was, control: 'select', required: true, options, error: errors.get(name) ?? null });
}

type Choice = readonly [value: string, text: string];

/**
 * The records to whose events the user may subscribe, by class and id: the user, and records of the user. Null: these cannot be
 * listed, or are too many.
 */
async function ownersOf(source: PortalSource, request: PageRequest): Promise<readonly Choice[] | null> {
  const { resources, principal, events } = source;
  const classes = new Map(events.list().map(({ ownerClass, owner }) => [ownerClass, owner]));
  const choiceLists = [...classes].map(async ([name, owner]): Promise<readonly Choice[] | null> => {
    const { caller, name: userName } = request.operator;
    if (owner === principal.name) return [[`${name} ${caller.user}`, `${userName} (${name})`]];
    const definition = resources.find(owner);
    const records = definition === undefined ? null : await listUserRecords(source, definition, request);
    if (definition === undefined || records === null || records.next !== null) return null;
    return records.items.map((one) => [`${name} ${one.id}`, `${nameOf(definition, one)} (${name})`]);
  });
  const all = await Promise.all(choiceLists);
  return all.includes(null) ? null : all.flatMap((choices) => choices ?? []);
}

/** The form with the class and the id for `OWNER`, including their values when the form was opened. */
function ownerSent(sent: PageRequest['form']): PageRequest['form'] {
  const parts = [(name: string) => name, initialValueName].flatMap((named) => {
    if (sent[named(OWNER)] === undefined) return [];
    const [ownerClass = '', id = ''] = String(sent[named(OWNER)]).split(' ');
    return [
      [named('owner_class'), ownerClass],
      [named('owner_id'), id],
    ];
  });
  return { ...sent, ...Object.fromEntries(parts) };
}

/** The form of a test, with the example payload of the event that the address names, or else of the hook's event. */
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
    trail: [hooksLink(BASE), { text: 'Hook', href: path }],
    problem: refused?.problem || null,
    sections: [
      section({
        note: 'One callback of type test is sent now. It counts like any other: a success ends a series of failures.',
        form: form({ action: `${path}/test`, submit: 'Send', fields: [payload] }),
      }),
      section({ heading: 'Examples', links: examples }),
    ],
  });
  return { page };
}

/** Leads to the page of the delivery, whose attempt shows the result. */
async function test(source: PortalSource, request: PageRequest): Promise<PageAnswer> {
  const { hooks, hook: definition, resources } = source;
  const { id = '' } = request.params;
  await checkHook(source, request, id);
  const { payload = '' } = request.form;
  let isAccepted: boolean;
  try {
    const call = callAsUser(definition, request, { id, name: 'test', parameters: { payload } });
    isAccepted = (await resources.operationsOf(definition).action(call)).body === '1';
  } catch (thrown) {
    return showTest(source, request, refusalOf(thrown, ['payload']));
  }
  const { items } = await hooks.deliveries(id, { states: null, after: null, limit: 10 });
  const sent = items.find(({ type }) => type === 'test');
  const done = encodeURIComponent(isAccepted ? 'The test was accepted.' : 'The test was sent, but not accepted.');
  return { to: `/webhooks/${id}${sent === undefined ? '' : `/deliveries/${sent.id}`}?done=${done}` };
}

function exchangeQuestion({ params }: PageRequest): Question {
  return {
    title: 'Exchange the secret?',
    note: 'Callbacks are signed with a new secret from now on, and for a day with the previous one as well, so that the receiver can change over.',
    submit: 'Exchange',
    back: { text: 'Leave it as it is', href: `${BASE}/webhooks/${params.id}` },
    password: true,
  };
}

async function exchange(source: PortalSource, request: PageRequest): Promise<PageAnswer> {
  const { hook: definition, resources } = source;
  const { id = '' } = request.params;
  await checkHook(source, request, id);
  const { action } = resources.operationsOf(definition);
  const { body } = await action(callAsUser(definition, request, { id, name: 'exchange' }));
  const { secret, previous_ends: ends } = JSON.parse(body) as { secret: string; previous_ends: string };
  const facts = [
    fact('Secret', cell(secret, { code: true })),
    fact('Previous secret ends', `${ends.slice(0, 19).replace('T', ' ')} UTC`),
  ];
  return shownOnce({ name: 'The new secret', list: hooksLink(BASE), href: `${BASE}/webhooks/${id}` }, facts);
}
