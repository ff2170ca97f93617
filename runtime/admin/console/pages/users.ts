// Users and their sessions: disable and enable (D49), set a role (D65) or a password, end sessions. Changes of users are made by
// the operation of the API.

import { ROLES, type Role, roleOf, roleParameters } from '../../../auth/roles.js';
import { OPERATORS_PAGES } from '../../../auth/sessions.js';
import type { AnyDefinition, Input } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import { coerce } from '../../../operations/validate.js';
import type { Identity, ListedSession, Upkeep } from '../../../store/engine.js';
import type { Question } from '../confirm.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import {
  callOf,
  changeOf,
  nameOf,
  pathOf,
  type RecordSource,
  readRecord,
  type ShownRecord,
  userPath,
} from '../resource.js';
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
import { ROLE_WORDS, searchText, textColumns } from '../wording.js';

export interface UserSource extends RecordSource<'find' | 'texts'> {
  readonly identity: Pick<Identity, 'accounts' | 'sessions' | 'endSession' | 'endSessions'>;
  readonly upkeep: Pick<Upkeep, 'audit'>;
  readonly principal: AnyDefinition;
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
    const texts = others.map((column) => cell(String(user[column] || '–')));
    return [[cell(String(user[name]), { href: userPath(id) }), ...texts, stateCell(user)]];
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

const FLAGS = ['admin', 'disabled', 'operator_role'];

/** @param user as stored, or as the API shows them */
function stateCell(user: ShownRecord): Cell {
  if (isDisabled(user)) return cell('disabled', { tone: 'bad' });
  const role = roleOf(user);
  if (role === 'none') return cell('user', { tone: 'plain' });
  return cell(role === 'admin' ? 'administrator' : role, { tone: 'warn' });
}

function isDisabled({ disabled }: ShownRecord): boolean {
  return disabled === true || disabled === 1;
}

async function showUser(source: UserSource, request: PageRequest, refused: FormProblems | null): Promise<PageAnswer> {
  const { principal, resources } = source;
  const { id = '' } = request.params;
  const record = await readRecord(resources, callOf(principal, request, { id }));
  const page = pageView({
    title: nameOf(principal, record),
    trail: [{ text: 'Users', href: '/console/users' }],
    links: [{ text: 'Open the record', href: pathOf(principal.name, id) }],
    problem: refused?.problem || null,
    sections: [
      section({
        facts: [fact('State', stateCell(record)), fact('ID', cell(id, { code: true }))],
        buttons: switches(principal, id, record),
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

/** A button for each state that the user is not in, where the principal of this project has the fields. */
function switches(principal: AnyDefinition, id: string, user: ShownRecord): Form[] {
  const current: ShownRecord = { disabled: String(isDisabled(user)), role: roleOf(user) };
  const offered = CHANGES.filter(({ field, value }) => {
    if (value === null || value === current[field]) return false;
    const names = Object.keys(parametersOf(principal, field, value));
    return names.every((name) => Object.hasOwn(principal.parameters, name));
  });
  return offered.map(({ field, value, submit }) => button(submit, userPath(id), { [field]: value ?? '' }));
}

function passwordForm(id: string, refused: FormProblems | null): Form {
  const error = refused?.errors.get('password') ?? null;
  const hint = 'Ends all sessions of the user.';
  const fields = [field({ name: 'password', label: 'New password', type: 'password', error, hint })];
  return form({ action: userPath(id), submit: 'Set password', tone: 'quiet', fields });
}

const FIELDS = ['disabled', 'role', 'password'] as const;

/** A change of a user, as a form sends it. */
interface UserChange {
  readonly field: (typeof FIELDS)[number];
  /** Null: any value. */
  readonly value: string | null;
  readonly submit: string;
  /** The title of the question that comes first. */
  title(name: string): string;
  /** The text below the question; null: nothing is asked. */
  readonly note: string | null;
}

const ROLE_NOTES: Readonly<Record<Role, string>> = {
  admin: 'Administrators see and change everything.',
  support: 'They read all of these pages and try deliveries again. Over the API they are an ordinary user.',
  readonly: 'They read all of these pages and change nothing. Over the API they are an ordinary user.',
  none: 'These pages close for them, and they see and change only what is their own.',
};

const CHANGES: readonly UserChange[] = [
  {
    ...{ field: 'disabled', value: 'true', submit: 'Disable' },
    title: (name) => `Disable ${name}?`,
    note: 'They can no longer log in, their sessions end, and their web hooks pause. Their records stay.',
  },
  { field: 'disabled', value: 'false', submit: 'Enable', title: (name) => `Enable ${name}?`, note: null },
  ...ROLES.toReversed().map((role) => ({
    ...{ field: 'role' as const, value: role, submit: `Make ${ROLE_WORDS[role]}` },
    title: (name: string) => `Make ${name} ${ROLE_WORDS[role]}?`,
    note: ROLE_NOTES[role],
  })),
  {
    ...{ field: 'password', value: null, submit: 'Set password' },
    title: (name) => `Set the password of ${name}?`,
    note: 'Their sessions end.',
  },
];

async function questionOf({ principal, resources }: UserSource, request: PageRequest): Promise<Question | null> {
  const { id = '' } = request.params;
  for (const { field, value, submit, title, note } of CHANGES) {
    const sent = request.form[field];
    if (note === null || sent === undefined || (value !== null && value !== sentText(field, sent))) continue;
    const name = nameOf(principal, await readRecord(resources, callOf(principal, request, { id })));
    const back = { text: 'Leave it as it is', href: userPath(id) };
    return { title: title(name), note, submit, click: value !== null, back, password: true };
  }
  return null;
}

/** A value as the operation reads it, which knows several spellings of a flag. It refuses other texts, which are false here. */
function sentText(name: string, sent: unknown): string {
  if (name !== 'disabled') return String(sent);
  const read = coerce('boolean', sent);
  return String(read.ok && read.value === true);
}

/** The parameters of the operation for a field of the form. */
function parametersOf(principal: AnyDefinition, name: string, sent: unknown): Input {
  if (name !== 'role') return { [name]: sent };
  const role = ROLES.find((one) => one === sent);
  if (role === undefined) throw new ServiceError('malformed', 'There is no such role.');
  return roleParameters(principal, role);
}

async function change(source: UserSource, request: PageRequest): Promise<PageAnswer> {
  const { principal, resources } = source;
  const { id = '' } = request.params;
  const sent = FIELDS.filter((name) => request.form[name] !== undefined);
  const parameters: Input = Object.assign({}, ...sent.map((name) => parametersOf(principal, name, request.form[name])));
  try {
    const { update } = resources.operationsOf(principal);
    await update(callOf(principal, request, { id, parameters, conditions: { match: 'any' } }));
  } catch (thrown) {
    return showUser(source, request, refusalOf(thrown, Object.keys(parameters)));
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

async function endOne(source: UserSource, request: PageRequest): Promise<PageAnswer> {
  const { placement, user } = request.form;
  await source.identity.endSession({ idHash: request.params.hash ?? '', placement: String(placement) });
  await auditEnd(source, request, typeof user === 'string' ? user : null);
  return { to: '/sessions?done=Ended.' };
}

async function endAll(source: UserSource, request: PageRequest): Promise<PageAnswer> {
  const { id = '' } = request.params;
  await source.identity.endSessions(id);
  await auditEnd(source, request, id);
  return { to: `/users/${id}?done=Ended.` };
}

/** The entry for ended sessions does not keep who was logged in where. */
function auditEnd({ upkeep, principal }: UserSource, request: PageRequest, record: string | null) {
  const entry = { action: 'end sessions', resource: principal.name, record, before: null, after: null };
  return upkeep.audit({ ...changeOf(request), ...entry });
}
