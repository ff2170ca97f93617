// Users and their sessions: disable and enable (D49), make an administrator, set a password, end sessions. What changes a user
// goes through the operation of the API.

import { OPERATORS_PAGES } from '../../../auth/sessions.js';
import type { AnyDefinition, Input } from '../../../contract/definition.js';
import type { Identity, ListedAccount, ListedSession, Upkeep } from '../../../store/engine.js';
import type { Records } from '../../../store/records.js';
import type { Question } from '../confirm.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, changeOf, nameOf, pathOf, type Resources, readRecord, userPath } from '../resource.js';
import { type FormProblems, refusalOf } from '../sent-form.js';
import {
  button,
  type Cell,
  cell,
  type Form,
  fact,
  field,
  form,
  labelOf,
  nextPage,
  pageView,
  section,
  table,
  timeCell,
} from '../view.js';
import { searchText, textColumns } from '../words.js';

export interface UserSource {
  readonly identity: Pick<Identity, 'accounts' | 'sessions' | 'endSession' | 'endSessions'>;
  readonly upkeep: Pick<Upkeep, 'audit'>;
  readonly principal: AnyDefinition;
  readonly resources: Resources;
  readonly store: Pick<Records, 'find' | 'texts'>;
}

export function userPages(source: UserSource): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/users', run: (request) => showUsers(source, request) },
    { method: 'GET', path: '/users/:id', run: (request) => showUser(source, request, null) },
    {
      method: 'POST',
      path: '/users/:id',
      confirm: (request) => questionOf(source, request),
      run: (request) => change(source, request),
    },
    { method: 'POST', path: '/users/:id/sessions', run: (request) => endAll(source, request) },
    { method: 'GET', path: '/sessions', run: (request) => showSessions(source, request) },
    { method: 'POST', path: '/sessions/:hash', run: (request) => endOne(source, request) },
  ];
}

const SHOWN = 50;

/** All users by name, or those that a search finds. */
async function showUsers({ identity, principal, store }: UserSource, { query }: PageRequest): Promise<PageAnswer> {
  const text = searchText(query.q);
  const after = typeof query.after === 'string' && query.after !== '' ? query.after : null;
  const columns = textColumns(principal);
  const listed = text === '' ? await identity.accounts({ after, limit: SHOWN }) : [];
  const ids =
    text === '' ? listed.map(({ id }) => id) : (await store.find(principal.name, { text, columns, limit: SHOWN })).ids;
  const flags = FLAGS.filter((name) => principal.columns[name] !== undefined);
  const users = await store.texts(principal.name, [...columns, ...flags], ids);
  const next = nextPage(listed, { limit: SHOWN }, ({ username }) => ({ after: username }));
  const [name = 'id', ...others] = columns;
  const rows = ids.flatMap((id) => {
    const user = users.find((one) => one.id === id);
    if (user === undefined) return [];
    const state = { admin: user.admin === 1, disabled: user.disabled === 1 };
    const texts = others.map((column) => cell(String(user[column] || '–')));
    return [[cell(String(user[name]), { href: userPath(id) }), ...texts, stateCell(state)]];
  });
  const links = [{ text: 'New…', href: `/console/records/${principal.name}/new` }];
  const shown = table({ caption: 'Users', columns: ['Name', ...others.map(labelOf), 'State'], rows, next });
  const search = field({ name: 'q', label: 'Search', type: 'search', value: text });
  const sections = [
    section({ form: form({ submit: 'Show', tone: 'quiet', fields: [search] }) }),
    section({ id: 'results', table: shown }),
  ];
  return { page: pageView({ title: 'Users', links, sections }) };
}

const FLAGS = ['admin', 'disabled'];

function stateCell({ admin, disabled }: Pick<ListedAccount, 'admin' | 'disabled'>): Cell {
  if (disabled) return cell('disabled', { tone: 'bad' });
  return admin ? cell('administrator', { tone: 'warn' }) : cell('user', { tone: 'plain' });
}

async function showUser(source: UserSource, request: PageRequest, refused: FormProblems | null): Promise<PageAnswer> {
  const { principal, resources } = source;
  const { id = '' } = request.params;
  const record = await readRecord(resources, callOf(principal, request, { id }));
  const isOn = (name: string): boolean => record[name] === true || record[name] === 1;
  const state = { admin: isOn('admin'), disabled: isOn('disabled') };
  const page = pageView({
    title: nameOf(principal, record),
    trail: [{ text: 'Users', href: '/console/users' }],
    links: [{ text: 'Open the record', href: pathOf(principal.name, id) }],
    problem: refused?.problem || null,
    sections: [
      section({
        facts: [fact('State', stateCell(state)), fact('ID', cell(id, { code: true }))],
        buttons: switches(principal, id, state),
      }),
      section({ heading: 'Password', form: passwordForm(id, refused) }),
      section({
        heading: 'Sessions',
        table: await sessionTable(source, request, id),
        buttons: [button('End all', `${userPath(id)}/sessions`)],
      }),
    ],
  });
  return { page };
}

/** A button for each flag that the principal of this project has. */
function switches(
  { parameters }: AnyDefinition,
  id: string,
  { admin, disabled }: { admin: boolean; disabled: boolean },
): Form[] {
  const offered = [
    { name: 'disabled', on: disabled, turnOn: 'Disable', turnOff: 'Enable' },
    { name: 'admin', on: admin, turnOn: 'Make administrator', turnOff: 'Make an ordinary user' },
  ].filter(({ name }) => Object.hasOwn(parameters, name));
  return offered.map(({ name, on, turnOn, turnOff }) =>
    button(on ? turnOff : turnOn, userPath(id), { [name]: String(!on) }),
  );
}

function passwordForm(id: string, refused: FormProblems | null): Form {
  const error = refused?.errors.get('password') ?? null;
  const hint = 'Ends all sessions of the user.';
  const fields = [field({ name: 'password', label: 'New password', type: 'password', error, hint })];
  return form({ action: userPath(id), submit: 'Set password', tone: 'quiet', fields });
}

/** What is asked before a field is set to a value; what is not in the list is done without a question. */
const QUESTIONS: readonly {
  readonly field: string;
  readonly value: string | null;
  readonly click: boolean;
  readonly title: (name: string) => string;
  readonly note: string;
  readonly submit: string;
}[] = [
  {
    field: 'disabled',
    value: 'true',
    click: true,
    title: (name) => `Disable ${name}?`,
    note: 'They can no longer log in, their sessions end, and their web hooks pause. Their records stay.',
    submit: 'Disable',
  },
  {
    field: 'admin',
    value: 'true',
    click: true,
    title: (name) => `Make ${name} an administrator?`,
    note: 'Administrators see and change everything.',
    submit: 'Make administrator',
  },
  {
    field: 'admin',
    value: 'false',
    click: true,
    title: (name) => `Make ${name} an ordinary user?`,
    note: 'These pages close for them, and they see and change only what is their own.',
    submit: 'Make an ordinary user',
  },
  {
    field: 'password',
    value: null,
    click: false,
    title: (name) => `Set the password of ${name}?`,
    note: 'Their sessions end.',
    submit: 'Set password',
  },
];

async function questionOf({ principal, resources }: UserSource, request: PageRequest): Promise<Question | null> {
  const { id = '' } = request.params;
  const found = QUESTIONS.find(({ field, value }) => {
    const sent = request.form[field];
    return sent !== undefined && (value === null || sent === value);
  });
  if (found === undefined) return null;
  const name = nameOf(principal, await readRecord(resources, callOf(principal, request, { id })));
  const { title, note, submit, click } = found;
  const back = { text: 'Leave it as it is', href: userPath(id) };
  return { title: title(name), note, submit, click, back, typed: null, password: true };
}

const CHANGED = ['disabled', 'admin', 'password'];

async function change(source: UserSource, request: PageRequest): Promise<PageAnswer> {
  const { principal, resources } = source;
  const { id = '' } = request.params;
  const sent = CHANGED.filter((name) => request.form[name] !== undefined);
  const parameters: Input = Object.fromEntries(sent.map((name) => [name, request.form[name]]));
  try {
    await resources
      .operationsOf(principal)
      .update(callOf(principal, request, { id, parameters, conditions: { match: 'any' } }));
  } catch (thrown) {
    return showUser(source, request, refusalOf(thrown, sent));
  }
  return { to: `/users/${id}?done=Saved.` };
}

async function showSessions(source: UserSource, request: PageRequest): Promise<PageAnswer> {
  const sections = [section({ table: await sessionTable(source, request, null) })];
  return { page: pageView({ title: 'Sessions', sections }) };
}

/** @param user null: the sessions of all users */
async function sessionTable({ identity }: UserSource, { query, now }: PageRequest, user: string | null) {
  const [, created, idHash] = /^(\d+) (\w+)$/.exec(typeof query.after === 'string' ? query.after : '') ?? [];
  const after = idHash === undefined ? null : { created: Number(created), idHash };
  const sessions = await identity.sessions({ user, after, now, limit: SHOWN });
  const next = nextPage(sessions, { limit: SHOWN, text: 'Older' }, (last) => ({
    after: `${last.created} ${last.idHash}`,
  }));
  const rows = sessions.map(sessionRow);
  const columns = ['User', 'Since', 'Last used', 'Ends', 'API key', 'End it'];
  return table({ caption: 'Sessions', columns, rows, empty: 'Nobody is logged in.', next });
}

function sessionRow({ idHash, placement, user, username, created, used, expires, apiKey }: ListedSession) {
  return [
    cell(username, { href: userPath(user) }),
    timeCell(created),
    timeCell(used),
    timeCell(expires),
    apiKey === OPERATORS_PAGES ? cell('operators’ pages') : cell(apiKey ?? '–', { code: true }),
    cell('', { button: button('End', `/console/sessions/${idHash}`, { placement, user }) }),
  ];
}

async function endOne({ identity, upkeep, principal }: UserSource, request: PageRequest): Promise<PageAnswer> {
  const { placement, user } = request.form;
  const record = typeof user === 'string' ? user : null;
  await identity.endSession({ idHash: request.params.hash ?? '', placement: String(placement) });
  await upkeep.audit({ ...changeOf(request), ...ENDED, resource: principal.name, record });
  return { to: '/sessions?done=Ended.' };
}

async function endAll({ identity, upkeep, principal }: UserSource, request: PageRequest): Promise<PageAnswer> {
  const { id = '' } = request.params;
  await identity.endSessions(id);
  await upkeep.audit({ ...changeOf(request), ...ENDED, resource: principal.name, record: id });
  return { to: `/users/${id}?done=Ended.` };
}

/** Who was logged in where is not kept. */
const ENDED = { action: 'end sessions', before: null, after: null };
