// The page of a record: its properties, its form, its actions, the lists that belong to it; and the form of a new record. Forms
// are carried out by operations of the API, and each refusal is shown at its field.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { Parameters } from '../../../operations/call.js';
import type { Question } from '../confirm.js';
import {
  defaultsOf,
  type FieldContext,
  formFields,
  typesText,
  uploadFields,
  withConcurrentChanges,
} from '../fields.js';
import { type NameLookup, referredBy } from '../names.js';
import type { FilePart, PageAnswer, PageRequest, PageRoute } from '../page.js';
import {
  type FieldMatches,
  findChoices,
  formReferences,
  type PickerSource,
  targetOf,
  uploadPart,
  withMatches,
} from '../picker.js';
import {
  callOf,
  decidesLogin,
  imageIn,
  nameOf,
  pathOf,
  type Resources,
  resourceNamed,
  type ShownRecord,
  valueCell,
} from '../resource.js';
import { saveForm, tagField, tagged } from '../save.js';
import { changedInput, completeForm, createInput, type FormProblems, fieldsText, refusalOf } from '../sent-form.js';
import { cell, type Form, fact, form, labelOf, pageView, type Section, section } from '../view.js';
import { listTitle } from './records.js';
import { listLink, recordShownOnce } from './shown-once.js';

export function recordPages(source: PickerSource): readonly PageRoute[] {
  const { resources } = source;
  const confirm = (request: PageRequest) => passwordQuestion(resources, request);
  const part: PageRoute['part'] = ({ type = '', field = '' }) => filePart(resources, type, field);
  return [
    { method: 'GET', path: '/records/:type/new', run: (request) => newForm(source, request, null) },
    {
      method: 'POST',
      path: '/records/:type/new',
      part: ({ type = '' }) => resources.find(type)?.upload ?? null,
      confirm,
      run: (request) => create(source, request),
    },
    { method: 'POST', path: '/records/:type/new/again/:field', part, run: (request) => again(source, request) },
    { method: 'GET', path: '/records/:type/:id', run: (request) => show(source, request, null) },
    { method: 'POST', path: '/records/:type/:id', confirm, run: (request) => update(source, request) },
    { method: 'POST', path: '/records/:type/:id/again/:field', part, run: (request) => again(source, request) },
    { method: 'POST', path: '/records/:type/:id/actions/:action', confirm, run: (request) => act(source, request) },
  ];
}

/** A question for records that decide who may log in; other records are changed without one. */
function passwordQuestion(resources: Resources, { params }: PageRequest): Question | null {
  const { type = '', id } = params;
  const definition = resourceNamed(resources, type);
  if (!decidesLogin(definition)) return null;
  const back = { text: 'Leave it as it is', href: id === undefined ? `/console/records/${type}` : pathOf(type, id) };
  const note = 'It decides who may log in, and as what.';
  return { title: `${definition.title}: save?`, note, submit: 'Save', back, click: false, password: true };
}

/** A form that was submitted, and is shown again. */
interface Attempt extends FormProblems {
  readonly form: Parameters;
  /** The action whose form it is; null: it is the form of the record. */
  readonly action: string | null;
  /** The searches for references, by parameter. */
  readonly searches: ReadonlyMap<string, FieldMatches>;
}

const NEW: Attempt = { problem: '', errors: new Map(), form: {}, action: null, searches: new Map() };

async function newForm(source: PickerSource, request: PageRequest, attempt: Attempt | null): Promise<PageAnswer> {
  const definition = resourceNamed(source.resources, request.params.type ?? '');
  // A link may fill in the form, such as the record that the new one will belong to.
  const { problem, errors, form: typed, searches } = attempt ?? { ...NEW, form: request.query };
  const action = `/console/records/${definition.name}/new`;
  const fields = formFields({
    definition,
    body: source.resources.bodyOf(definition, 'create'),
    record: null,
    initial: defaultsOf(definition),
    typed,
    errors,
    picked: await formReferences(source, request, { definition, record: null, form: typed }, searches),
    action,
  });
  const all = [...uploadFields(definition, errors), ...fields];
  const shown = form({ action, submit: 'Create', fields: all, upload: definition.upload !== null });
  const page = pageView({
    title: `New: ${definition.title}`,
    trail: [listLink(definition)],
    problem: problem || null,
    sections: [section({ form: shown })],
  });
  return { page };
}

async function create(source: PickerSource, request: PageRequest): Promise<PageAnswer> {
  const { resources } = source;
  const definition = resourceNamed(resources, request.params.type ?? '');
  const sent = await matched(source, request, { definition, record: null });
  if (sent.errors.size > 0) return newForm(source, request, sent);
  const parameters = createInput(definition, sent.form);
  try {
    const { create: run } = resources.operationsOf(definition);
    const { body } = await run(callOf(definition, request, { parameters, upload: request.upload }));
    const record = JSON.parse(body) as ShownRecord;
    return recordShownOnce(definition, record) ?? { to: `/records/${definition.name}/${record.id}?done=Created.` };
  } catch (thrown) {
    const names = [...Object.keys(definition.parameters), definition.upload?.part ?? ''];
    return newForm(source, request, { ...sent, ...refusalOf(thrown, names) });
  }
}

async function update(source: PickerSource, request: PageRequest): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const sent = await matched(source, request, { definition, record: { id } });
  if (sent.errors.size > 0) return show(source, request, sent);
  const parameters = changedInput(definition, sent.form);
  try {
    await saveForm(resources, callOf(definition, request, { id, parameters }), sent.form);
  } catch (thrown) {
    return show(source, request, { ...sent, ...refusalOf(thrown, Object.keys(definition.parameters)) });
  }
  return { to: `/records/${type}/${id}?done=Saved.` };
}

/** The submitted form, with the single matches of what was typed for references. */
async function matched(
  source: PickerSource,
  request: PageRequest,
  { definition, record }: { readonly definition: AnyDefinition; readonly record: ShownRecord | null },
): Promise<Attempt> {
  const sent = completeForm(definition, request.form);
  const { form: meant, errors, searches } = await withMatches(source, request, { definition, record, form: sent });
  return { ...NEW, form: meant, errors, searches, problem: fieldsText(errors.size).join('') };
}

/** The form again, with nothing saved: with the matches of a search, or with an uploaded file. */
async function again(source: PickerSource, request: PageRequest): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id, field: name = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const target = targetOf(resources, definition, name);
  if (target === null) throw new ServiceError('not_found', 'There is no such reference.');
  const sent = completeForm(definition, request.form);
  const record = id === undefined ? null : { id };
  const attempt = { ...NEW, form: sent };
  const showAgain = (one: Attempt) => (record === null ? newForm(source, request, one) : show(source, request, one));
  if (request.upload === null) {
    const matches = await findChoices(source, request, { definition, record, form: sent }, target);
    return showAgain({ ...attempt, searches: new Map([[name, matches]]) });
  }
  try {
    const { upload } = request;
    const { accepts } = target.reference;
    if (accepts !== undefined && !accepts.includes(upload.type))
      throw new ServiceError('unsupported_file', `The file is not one of ${typesText(accepts)}`);
    const call = callOf(target.target, request, { upload });
    const { body } = await resources.operationsOf(target.target).create(call);
    const stored = await showAgain({ ...attempt, form: { ...sent, [name]: (JSON.parse(body) as ShownRecord).id } });
    return { ...stored, stored: true };
  } catch (thrown) {
    return showAgain({ ...attempt, errors: new Map([[name, refusalOf(thrown, []).problem]]) });
  }
}

/** The part of a form with the file that a reference takes; null: it takes none. */
function filePart(resources: Resources, type: string, name: string): FilePart | null {
  const definition = resources.find(type);
  const upload = definition && targetOf(resources, definition, name)?.target.upload;
  return upload ? { part: uploadPart(name), maxBytes: upload.maxBytes } : null;
}

async function act(source: PickerSource, request: PageRequest): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id = '', action = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const { parameters: taken = {}, renews } = definition.actions[action] ?? {};
  const names = Object.keys(taken);
  const sent = completeForm({ parameters: taken }, request.form);
  const parameters = Object.fromEntries(names.flatMap((name) => (sent[name] ? [[name, sent[name]]] : [])));
  try {
    const { action: run } = resources.operationsOf(definition);
    const call = callOf(definition, request, { id, name: action, parameters, ...tagged(request.form) });
    const { location, body } = await run(call);
    const once = renews === undefined ? null : recordShownOnce(definition, JSON.parse(body) as ShownRecord);
    if (once !== null) return once;
    const newId = location === undefined ? id : location.slice(location.lastIndexOf('/') + 1);
    const { title } = resources.bodyOf(definition, action);
    return { to: `/records/${type}/${newId}?done=${encodeURIComponent(`${title || labelOf(action)}: done.`)}` };
  } catch (thrown) {
    return show(source, request, { ...NEW, form: sent, ...refusalOf(thrown, names), action });
  }
}

async function show(source: PickerSource, request: PageRequest, attempt: Attempt | null): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const parameters = { _include_related_objects: '1' };
  const call = callOf(definition, request, { id, parameters });
  const { body, version } = await resources.operationsOf(definition).fetch(call);
  const record = JSON.parse(body) as ShownRecord;
  const parts = { record, hidden: tagField(version, attempt), request, attempt };
  const names = await resources.names(referredBy(definition, record));
  const facts = [section({ facts: factsOf(definition, record, names) }), ...listsSection(resources, definition, id)];
  const edit = await formSection(source, definition, parts);
  const page = pageView({
    title: nameOf(definition, record),
    trail: [listLink(definition)],
    links: [
      { text: 'History', href: `/console/audit?record=${encodeURIComponent(id)}` },
      ...(definition.operations.delete === null ? [] : [{ text: 'Delete…', href: `${pathOf(type, id)}/delete` }]),
    ],
    problem: attempt?.problem || null,
    // A form with errors comes first.
    sections:
      attempt?.action === null
        ? [...edit, ...facts]
        : [...facts, ...edit, ...actionSections(resources, definition, parts)],
  });
  return { page };
}

/** The properties of a record, without constants and descriptions of records that a reference already shows. */
function factsOf(definition: AnyDefinition, record: ShownRecord, names: NameLookup) {
  const shown = Object.entries(definition.properties).filter(([name, property]) => {
    if (property.kind === 'constant' || record[name] === undefined) return false;
    return property.kind !== 'description' || record[property.through] === undefined;
  });
  const image = imageIn(record);
  const picture = image === null ? [] : [fact('Picture', cell('Open the picture', { href: image, image }))];
  return [...picture, ...shown.map(([name]) => fact(labelOf(name), valueCell(definition, record, name, names)))];
}

function listsSection({ definitions }: Resources, { name }: AnyDefinition, id: string) {
  const links = definitions.flatMap((items) =>
    items.lists
      .filter(({ parent, where }) => parent === name && Object.keys(where).length === 0)
      .map((list) => ({ text: listTitle(items, list.name), href: `${pathOf(name, id)}/lists/${list.name}` })),
  );
  return links.length === 0 ? [] : [section({ heading: 'Lists', links })];
}

interface RecordForm {
  readonly record: ShownRecord;
  readonly hidden: Form['hidden'];
  readonly request: PageRequest;
  readonly attempt: Attempt | null;
}

async function formSection(
  source: PickerSource,
  definition: AnyDefinition,
  { record, hidden, request, attempt }: RecordForm,
): Promise<readonly Section[]> {
  const { resources } = source;
  if (definition.operations.update === null) return [];
  const { form: typed, errors, searches, isStale } = attempt?.action === null ? attempt : NEW;
  const action = pathOf(definition.name, String(record.id));
  const { required, examples } = resources.bodyOf(definition, 'create');
  const body = { ...resources.bodyOf(definition, 'update'), required, examples };
  const context = { definition, body, record, initial: {}, typed, errors, picked: new Map(), action };
  const shown: FieldContext = isStale ? await withConcurrentChanges(context, typed, resources.names) : context;
  const picked = await formReferences(source, request, { definition, record, form: shown.typed ?? {} }, searches);
  const fields = formFields({ ...shown, picked });
  return [section({ heading: 'Edit', form: form({ action, submit: 'Save', hidden, fields }) })];
}

/** Actions without parameters as buttons, and the others each as a form. */
function actionSections(resources: Resources, definition: AnyDefinition, parts: RecordForm): readonly Section[] {
  const all = Object.keys(definition.actions).map((action) => actionForm(resources, definition, { ...parts, action }));
  const buttons = all.filter(({ fields }) => fields.length === 0);
  return [
    ...(buttons.length === 0 ? [] : [section({ heading: 'Actions', buttons })]),
    ...all.filter(({ fields }) => fields.length > 0).map((one) => section({ heading: one.submit, form: one })),
  ];
}

function actionForm(
  resources: Resources,
  definition: AnyDefinition,
  { record, hidden, attempt, action }: RecordForm & { readonly action: string },
): Form {
  const { parameters = {} } = definition.actions[action] ?? {};
  const path = `${pathOf(definition.name, String(record.id))}/actions/${action}`;
  const body = resources.bodyOf(definition, action);
  const { form: typed, errors } = attempt?.action === action ? attempt : NEW;
  const context = { body, record: null, initial: {}, typed, errors, picked: new Map(), action: path };
  const fields = formFields({ ...context, definition: { parameters } });
  const submit = body.title || labelOf(action);
  // Forms on the page may have fields of the same name.
  const renamed = fields.map((one) => ({ ...one, id: `f-${action}-${one.name}` }));
  return form({ action: path, submit, tone: 'quiet', hidden, fields: renamed });
}
