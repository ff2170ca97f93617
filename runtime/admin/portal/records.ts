// Forms for records that users own: they create, change and delete a record by the operations of the API, and show each refusal
// at its field.

import type { AnyDefinition } from '../../contract/definition.js';
import type { Parameters } from '../../operations/call.js';
import type { Question } from '../console/confirm.js';
import { defaultsOf, type FieldContext, withConcurrentChanges } from '../console/fields.js';
import type { PageAnswer, PageRequest, PageRoute } from '../console/page.js';
import { secretFacts, shownOnce } from '../console/pages/shown-once.js';
import type { ShownRecord } from '../console/resource.js';
import { callAsSeen, saveForm, tagField } from '../console/save.js';
import { changedInput, completeForm, createInput, type FormProblems, refusalOf } from '../console/sent-form.js';
import { type Field, form, pageView, section } from '../console/view.js';
import { BASE, callAsUser, createUserNames, type PortalSource } from './user-records.js';

/** Records that users have pages for. */
export interface RecordPages {
  readonly source: PortalSource;
  readonly definition: AnyDefinition;
  /** Path of the list, below the base. */
  readonly path: string;
  /** Title of the list, and the noun for one record. */
  readonly title: string;
  readonly noun: string;
  nameOf(record: ShownRecord): string;
  /** The button that deletes a record, and the effect of deleting. */
  readonly deletion: { readonly submit: string; readonly note: string };
  /** Creating or changing a record requires the password, because it decides what callers may do. */
  readonly password: boolean;
  /** An update sends the whole form, as the resource requires (D18); otherwise only the fields that were changed. */
  readonly sendsWholeForm: boolean;
  /** Fields whose values are ids that mean nothing to the user. */
  readonly unnamed: readonly string[];
  /** Throws not_found for a record that is not the user's. */
  check(request: PageRequest): Promise<unknown>;
  fields(context: FieldContext, request: PageRequest): Promise<readonly Field[]>;
  /** Turns the form into the parameters of the operation. */
  parametersOf(form: Parameters): Parameters;
}

export function userRecordPages(pages: RecordPages): readonly PageRoute[] {
  const { path, password } = pages;
  const confirm = (request: PageRequest) => (password ? passwordQuestion(pages, request) : null);
  return [
    { method: 'GET', path: `${path}/new`, run: (request) => showForm(pages, request, null) },
    { method: 'POST', path: `${path}/new`, confirm, run: (request) => create(pages, request) },
    { method: 'GET', path: `${path}/:id/edit`, run: (request) => showForm(pages, request, null) },
    { method: 'POST', path: `${path}/:id/edit`, confirm, run: (request) => update(pages, request) },
    {
      method: 'POST',
      path: `${path}/:id/delete`,
      confirm: (request) => deleteQuestion(pages, request),
      run: (request) => remove(pages, request),
    },
  ];
}

function passwordQuestion({ path, noun }: RecordPages, { params: { id } }: PageRequest): Question {
  const back = { text: 'Leave it as it is', href: `${BASE}${path}${id === undefined ? '' : `/${id}`}` };
  const title = `Save the ${noun}?`;
  return { title, note: 'This decides what programs may do.', submit: 'Save', back, click: false, password: true };
}

async function recordOf({ source, definition, check }: RecordPages, request: PageRequest) {
  await check(request);
  const call = callAsUser(definition, request, { id: request.params.id ?? '' });
  const { body, version } = await source.resources.operationsOf(definition).fetch(call);
  return { record: JSON.parse(body) as ShownRecord, version };
}

async function showForm(pages: RecordPages, request: PageRequest, refused: FormProblems | null): Promise<PageAnswer> {
  const { source, definition, path, noun } = pages;
  const { id } = request.params;
  const { record = null, version } = id === undefined ? {} : await recordOf(pages, request);
  const operation = record === null ? 'create' : 'update';
  const action = `${BASE}${path}/${record === null ? 'new' : `${id}/edit`}`;
  const sent = completeForm(definition, request.form);
  // A link may fill in a new form.
  const typed = refused !== null ? sent : record === null ? request.query : null;
  const context = {
    ...{ definition, record, typed, action, picked: new Map() },
    body: source.resources.bodyOf(definition, operation),
    initial: record === null ? defaultsOf(definition) : {},
    errors: refused?.errors ?? new Map(),
  };
  const shown: FieldContext = refused?.isStale
    ? await withConcurrentChanges(context, pages.parametersOf(sent), createUserNames(source, request), pages.unnamed)
    : context;
  const fields = await pages.fields(shown, request);
  const hidden = tagField(version, refused && { ...refused, form: request.form });
  const title = record === null ? `New ${noun}` : pages.nameOf(record);
  const page = pageView({
    title,
    trail: [
      { text: pages.title, href: BASE + path },
      ...(record === null ? [] : [{ text: title, href: `${BASE}${path}/${id}` }]),
    ],
    problem: refused?.problem || null,
    sections: [section({ form: form({ action, submit: record === null ? 'Create' : 'Save', fields, hidden }) })],
  });
  return { page };
}

async function create(pages: RecordPages, request: PageRequest): Promise<PageAnswer> {
  const { source, definition, path } = pages;
  const parameters = createInput(definition, pages.parametersOf(completeForm(definition, request.form)));
  try {
    const { create: run } = source.resources.operationsOf(definition);
    const record = JSON.parse((await run(callAsUser(definition, request, { parameters }))).body) as ShownRecord;
    const shown = `${path}/${record.id}`;
    return userShownOnce(pages, record) ?? { to: `${shown}?done=Created.` };
  } catch (thrown) {
    return showForm(pages, request, refusalOf(thrown, Object.keys(definition.parameters)));
  }
}

/** The page with the secrets that only this answer shows; null: there are none. */
export function userShownOnce(
  { definition, path, title, nameOf }: RecordPages,
  record: ShownRecord,
): PageAnswer | null {
  const facts = secretFacts(definition, record);
  const place = { name: nameOf(record), list: { text: title, href: BASE + path }, href: `${BASE}${path}/${record.id}` };
  return facts.length === 0 ? null : shownOnce(place, facts);
}

async function update(pages: RecordPages, request: PageRequest): Promise<PageAnswer> {
  const { source, definition, path, check } = pages;
  const { id = '' } = request.params;
  await check(request);
  try {
    const sent = pages.parametersOf(completeForm(definition, request.form));
    const parameters = pages.sendsWholeForm ? createInput(definition, sent) : changedInput(definition, sent);
    await saveForm(source.resources, callAsUser(definition, request, { id, parameters }), sent);
  } catch (thrown) {
    return showForm(pages, request, refusalOf(thrown, Object.keys(definition.parameters)));
  }
  return { to: `${path}/${id}?done=Saved.` };
}

async function deleteQuestion(pages: RecordPages, request: PageRequest): Promise<Question> {
  const { path, deletion, nameOf } = pages;
  const { record } = await recordOf(pages, request);
  const back = { text: 'Keep it', href: `${BASE}${path}/${request.params.id}` };
  const title = `${deletion.submit} “${nameOf(record)}”?`;
  return { title, ...deletion, back };
}

async function remove(pages: RecordPages, request: PageRequest): Promise<PageAnswer> {
  const { source, definition, path, check } = pages;
  await check(request);
  const call = callAsUser(definition, request, { id: request.params.id ?? '' });
  const { remove: run } = source.resources.operationsOf(definition);
  await run(await callAsSeen(source.resources, call, request.form));
  return { to: `${path}?done=Deleted.` };
}
