// Users and their sessions: disable and enable (D49), make an administrator, set a password, end sessions. What changes a user
// goes through the operation of the API.

import { OPERATORS_PAGES } from '../../../auth/sessions.js';
import type { AnyDefinition, Input } from '../../../contract/definition.js';
import { coerce } from '../../../operations/validate.js';
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
function switches({ parameters }: AnyDefinition, id: string, state: Readonly<Record<string, boolean>>): Form[] {
  const offered = CHANGES.filter(({ field, value }) => Object.hasOwn(parameters, field) && value === !state[field]);
  return offered.map(({ field, value, submit }) => button(submit, userPath(id), { [field]: String(value) }));
}

function passwordForm(id: string, refused: FormProblems | null): Form {
  const error = refused?.errors.get('password') ?? null;
  const hint = 'Ends all sessions of the user.';
  const fields = [field({ name: 'password', label: 'New password', type: 'password', error, hint })];
  return form({ action: userPath(id), submit: 'Set password', tone: 'quiet', fields });
}

/** A change of one field of a user. */
interface UserChange {
  readonly field: string;
  /** Null: any value. */
  readonly value: boolean | null;
  readonly submit: string;
  /** The question that comes first; null: there is none. */
  readonly question: { title(name: string): string; readonly note: string } | null;
}

const CHANGES: readonly UserChange[] = [
  {
    field: 'disabled',
    value: true,
    submit: 'Disable',
    question: {
      title: (name) => `Disable ${name}?`,
      note: 'They can no longer log in, their sessions end, and their web hooks pause. Their records stay.',
    },
  },
  { field: 'disabled', value: false, submit: 'Enable', question: null },
  {
    field: 'admin',
    value: true,
    submit: 'Make administrator',
    question: {
      title: (name) => `Make ${name} an administrator?`,
      note: 'Administrators see and change everything.',
    },
  },
  {
    field: 'admin',
    value: false,
    submit: 'Make an ordinary user',
    question: {
      title: (name) => `Make ${name} an ordinary user?`,
      note: 'These pages close for them, and they see and change only what is their own.',
    },
  },
  {
    field: 'password',
    value: null,
    submit: 'Set password',
    question: { title: (name) => `Set the password of ${name}?`, note: 'Their sessions end.' },
  },
];

async function questionOf({ principal, resources }: UserSource, request: PageRequest): Promise<Question | null> {
  const { id = '' } = request.params;
  for (const { field, value, submit, question } of CHANGES) {
    const sent = request.form[field];
    if (question === null || sent === undefined || (value !== null && value !== flagOf(sent))) continue;
    const name = nameOf(principal, await readRecord(resources, callOf(principal, request, { id })));
    const back = { text: 'Leave it as it is', href: userPath(id) };
    const { note } = question;
    return { title: question.title(name), note, submit, click: value !== null, back, typed: null, password: true };
  }
  return null;
}

/** The flag as the operation reads it, which takes several spellings; anything else is refused by the operation, or false. */
function flagOf(sent: unknown): boolean {
  const read = coerce('boolean', sent);
  return read.ok && read.value === true;
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
  const columns = ['User', 'Since', 'Last used', 'Ends', 'API key', 'API version', 'End it'];
  return table({ caption: 'Sessions', columns, rows, empty: 'Nobody is logged in.', next });
}

function sessionRow({ idHash, placement, user, username, created, used, expires, apiKey, version }: ListedSession) {
  return [
    cell(username, { href: userPath(user) }),
    timeCell(created),
    timeCell(used),
    timeCell(expires),
    apiKey === OPERATORS_PAGES ? cell('operators’ pages') : cell(apiKey ?? '–', { code: true }),
    cell(version ?? 'default'),
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
