// The API keys of the user who is logged in (D61), with which programs log in and callbacks are signed. Secrets are shown once.

import { ServiceError } from '../../contract/errors.js';
import type { Question } from '../console/confirm.js';
import { formFields } from '../console/fields.js';
import { NO_NAMES } from '../console/names.js';
import type { PageAnswer, PageRequest, PageRoute } from '../console/page.js';
import { nameOf, readRecord, type ShownRecord, valueCell } from '../console/resource.js';
import { callAsSeen, seenValue } from '../console/save.js';
import { button, cell, fact, labelOf, pageView, section, table } from '../console/view.js';
import { type RecordPages, userRecordPages, userShownOnce } from './records.js';
import { BASE, callAsUser, listUserRecords, type PortalSource } from './user-records.js';

export function keyPages(source: PortalSource): readonly PageRoute[] {
  const { key: definition } = source;
  const references = definition.references.map(({ column }) => column);
  const pages: RecordPages = {
    source,
    definition,
    path: '/keys',
    title: 'API keys',
    noun: 'API key',
    nameOf: (record) => nameOf(definition, record),
    deletion: {
      submit: 'Revoke',
      note: 'Programs that use it are refused from now on, and web hooks signed with it send nothing more.',
    },
    password: true,
    sendsWholeForm: false,
    unnamed: [],
    check: (request) => keyOf(source, request),
    fields: async (context) => formFields(context).filter(({ name }) => !references.includes(name)),
    parametersOf: (form) => form,
  };
  return [
    { method: 'GET', path: '/keys', run: (request) => showKeys(pages, request) },
    ...userRecordPages(pages),
    { method: 'GET', path: '/keys/:id', run: (request) => showKey(pages, request) },
    {
      method: 'POST',
      path: '/keys/:id/token',
      confirm: (request) => renewQuestion(request),
      run: (request) => renew(pages, request),
    },
  ];
}

/** Throws not_found for a key of another user. */
async function keyOf({ resources, key }: PortalSource, request: PageRequest): Promise<ShownRecord> {
  const { id = '' } = request.params;
  try {
    const record = await readRecord(resources, callAsUser(key, request, { id }));
    if (record.user_id === request.operator.caller.user) return record;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
  }
  throw new ServiceError('not_found', 'There is no such API key.');
}

/** Properties of a key that the list shows, where keys have them. */
const COLUMNS = ['scope', 'expires', 'last_used', 'api_version'];

async function showKeys({ source, definition }: RecordPages, request: PageRequest): Promise<PageAnswer> {
  const listed = await listUserRecords(source, definition, request, request.query.after);
  const { items = [], next = null } = listed ?? {};
  const columns = COLUMNS.filter((name) => Object.hasOwn(definition.properties, name));
  const rows = items.map((key) => [
    cell(nameOf(definition, key), { href: `${BASE}/keys/${key.id}` }),
    ...columns.map((name) => valueCell(definition, key, name, NO_NAMES)),
  ]);
  const shown = table({
    caption: 'API keys',
    columns: ['Name', ...columns.map(labelOf)],
    rows,
    next: next === null ? null : { text: 'Next page', href: `?${new URLSearchParams({ after: next })}` },
  });
  const links = [{ text: 'New API key…', href: `${BASE}/keys/new` }];
  return { page: pageView({ title: 'API keys', links, sections: [section({ table: shown })] }) };
}

async function showKey(pages: RecordPages, request: PageRequest): Promise<PageAnswer> {
  const { source, definition, path, title, deletion } = pages;
  const key = await keyOf(source, request);
  const keyPath = `${BASE}${path}/${key.id}`;
  const references = definition.references.map(({ column }) => column);
  const names = Object.entries(definition.properties).filter(
    ([name, { kind }]) => kind !== 'constant' && key[name] !== undefined && !references.includes(name),
  );
  const seen = seenValue(definition, key);
  const renews = renewal(source) === undefined ? [] : [button('Make a new token', `${keyPath}/token`, seen)];
  const page = pageView({
    title: nameOf(definition, key),
    trail: [{ text: title, href: BASE + path }],
    links: [{ text: 'Edit…', href: `${keyPath}/edit` }],
    sections: [
      section({
        facts: names.map(([name]) => fact(labelOf(name), valueCell(definition, key, name, NO_NAMES))),
        buttons: [...renews, button(deletion.submit, `${keyPath}/delete`, seen)],
      }),
    ],
  });
  return { page };
}

/** The action that renews the token; undefined: keys have no tokens. */
function renewal({ key }: PortalSource): string | undefined {
  return Object.entries(key.actions).find(([, { renews }]) => renews !== undefined)?.[0];
}

function renewQuestion({ params }: PageRequest): Question {
  return {
    title: 'Make a new token?',
    note: 'The current token ends now: programs that still send it are refused.',
    submit: 'Make a new token',
    back: { text: 'Leave it as it is', href: `${BASE}/keys/${params.id}` },
    password: true,
  };
}

async function renew(pages: RecordPages, request: PageRequest): Promise<PageAnswer> {
  const { source, definition, path } = pages;
  const { id = '' } = request.params;
  await keyOf(source, request);
  const name = renewal(source);
  if (name === undefined) throw new ServiceError('not_found', 'API keys have no token.');
  const { action } = source.resources.operationsOf(definition);
  const call = callAsUser(definition, request, { id, name });
  const { body } = await action(await callAsSeen(source.resources, call, request.form));
  return userShownOnce(pages, JSON.parse(body) as ShownRecord) ?? { to: `${path}/${id}?done=Done.` };
}
