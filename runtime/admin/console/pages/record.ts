// One record: what it shows, its form, its actions, the lists that belong to it; and the form of a new one. What is sent goes
// through the operations of the API, and what they refuse is shown at its field.

import type { Conditions } from '../../../contract/conditions.js';
import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { Parameters } from '../../../operations/call.js';
import type { Question } from '../confirm.js';
import { changedMeanwhile, defaultsOf, type FieldContext, formFields, typesText, uploadFields } from '../fields.js';
import { type Named, referredBy } from '../names.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { type Found, lookFor, type PickerSource, pickedIn, targetOf, uploadPart, withMatches } from '../picker.js';
import {
  callOf,
  imageIn,
  nameOf,
  pathOf,
  type Resources,
  resourceNamed,
  type ShownRecord,
  valueCell,
} from '../resource.js';
import {
  changedFrom,
  completed,
  createdFrom,
  type FormProblems,
  fieldsText,
  overtaken,
  refusalOf,
} from '../sent-form.js';
import { cell, type Form, fact, form, labelOf, pageView, type Section, section } from '../view.js';
import { listTitle } from './records.js';
import { listLink, shownOnce } from './shown-once.js';

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

/** What changes who may log in, and as what, takes the password; other records are changed without a question. */
function passwordQuestion(resources: Resources, { params }: PageRequest): Question | null {
  const { type = '', id } = params;
  const { principal, title, token } = resourceNamed(resources, type);
  if (!principal && token === undefined) return null;
  const back = { text: 'Leave it as it is', href: id === undefined ? `/console/records/${type}` : pathOf(type, id) };
  const note = 'It decides who may log in, and as what.';
  return { title: `${title}: save?`, note, submit: 'Save', back, click: false, typed: null, password: true };
}

/** A form that was sent, and is shown again. */
interface Attempt extends FormProblems {
  readonly form: Parameters;
  /** The action whose form it is; null: that of the record. */
  readonly action: string | null;
  /** What was looked for, by parameter. */
  readonly found: ReadonlyMap<string, Found>;
}

const NEW: Attempt = { problem: '', errors: new Map(), form: {}, action: null, found: new Map() };

async function newForm(source: PickerSource, request: PageRequest, attempt: Attempt | null): Promise<PageAnswer> {
  const definition = resourceNamed(source.resources, request.params.type ?? '');
  // A link may fill in the form, such as the record that the new one will belong to.
  const { problem, errors, form: typed, found } = attempt ?? { ...NEW, form: request.query };
  const action = `/console/records/${definition.name}/new`;
  const fields = formFields({
    definition,
    body: source.resources.bodyOf(definition, 'create'),
    record: null,
    initial: defaultsOf(definition),
    typed,
    errors,
    picked: await pickedIn(source, request, { definition, record: null, form: typed }, found),
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
  const parameters = createdFrom(definition, sent.form);
  try {
    const { body } = await resources
      .operationsOf(definition)
      .create(callOf(definition, request, { parameters, upload: request.upload }));
    const record = JSON.parse(body) as ShownRecord;
    return shownOnce(definition, record) ?? { to: `/records/${definition.name}/${record.id}?done=Created.` };
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
  const parameters = changedFrom(definition, sent.form);
  try {
    const call = callOf(definition, request, { id, parameters, ...tagged(request) });
    await resources.operationsOf(definition).update(call);
  } catch (thrown) {
    return show(source, request, { ...sent, ...refusalOf(thrown, Object.keys(definition.parameters)) });
  }
  return { to: `/records/${type}/${id}?done=Saved.` };
}

/** The form as it was meant: with what was typed for references, where one record matches. */
async function matched(
  source: PickerSource,
  request: PageRequest,
  { definition, record }: { readonly definition: AnyDefinition; readonly record: ShownRecord | null },
): Promise<Attempt> {
  const sent = completed(definition, request.form);
  const { form: meant, errors, found } = await withMatches(source, request, { definition, record, form: sent });
  return { ...NEW, form: meant, errors, found, problem: fieldsText(errors.size).join('') };
}

/** The form once more, nothing saved: with what matches a name, or with a file from disk. */
async function again(source: PickerSource, request: PageRequest): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id, field: name = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const target = targetOf(resources, definition, name);
  if (target === null) throw new ServiceError('not_found', 'There is no such reference.');
  const sent = completed(definition, request.form);
  const record = id === undefined ? null : { id };
  const attempt = { ...NEW, form: sent };
  const shown = (one: Attempt) => (record === null ? newForm(source, request, one) : show(source, request, one));
  if (request.upload === null) {
    const found = await lookFor(source, request, { definition, record, form: sent }, target);
    return shown({ ...attempt, found: new Map([[name, found]]) });
  }
  try {
    const { upload } = request;
    const { accepts } = target.reference;
    if (accepts !== undefined && !accepts.includes(upload.type))
      throw new ServiceError('unsupported_file', `The file is not one of ${typesText(accepts)}`);
    const call = callOf(target.target, request, { upload });
    const { body } = await resources.operationsOf(target.target).create(call);
    const stored = await shown({ ...attempt, form: { ...sent, [name]: (JSON.parse(body) as ShownRecord).id } });
    return { ...stored, stored: true };
  } catch (thrown) {
    return shown({ ...attempt, errors: new Map([[name, refusalOf(thrown, []).problem]]) });
  }
}

/** The file from disk that a reference takes. */
function filePart(resources: Resources, type: string, name: string): ReturnType<NonNullable<PageRoute['part']>> {
  const definition = resources.find(type);
  const upload = definition && targetOf(resources, definition, name)?.target.upload;
  return upload ? { part: uploadPart(name), maxBytes: upload.maxBytes } : null;
}

async function act(source: PickerSource, request: PageRequest): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id = '', action = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const declared = definition.actions[action];
  const sent = completed({ parameters: declared?.parameters ?? {} }, request.form);
  const parameters = Object.fromEntries(
    Object.keys(declared?.parameters ?? {}).flatMap((name) => (sent[name] ? [[name, sent[name]]] : [])),
  );
  try {
    const { location, body } = await resources
      .operationsOf(definition)
      .action(callOf(definition, request, { id, name: action, parameters, ...tagged(request) }));
    const once = declared?.renews === undefined ? null : shownOnce(definition, JSON.parse(body) as ShownRecord);
    if (once !== null) return once;
    const shown = location === undefined ? id : location.slice(location.lastIndexOf('/') + 1);
    const { title } = resources.bodyOf(definition, action);
    return { to: `/records/${type}/${shown}?done=${encodeURIComponent(`${title || labelOf(action)}: done.`)}` };
  } catch (thrown) {
    const names = Object.keys(declared?.parameters ?? {});
    return show(source, request, { ...NEW, form: sent, ...refusalOf(thrown, names), action });
  }
}

/** A form changes the record that it was opened with (D57). */
function tagged({ form: { [TAG]: version } }: PageRequest): { readonly conditions?: Conditions } {
  return typeof version === 'string' && version !== '' ? { conditions: { match: [Number(version)] } } : {};
}

const TAG = '_tag';

async function show(source: PickerSource, request: PageRequest, attempt: Attempt | null): Promise<PageAnswer> {
  const { resources } = source;
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const parameters = { _include_related_objects: '1' };
  const call = callOf(definition, request, { id, parameters });
  const { body, version } = await resources.operationsOf(definition).fetch(call);
  const record = JSON.parse(body) as ShownRecord;
  // A form that was not saved still changes the record that it was opened with.
  const tag = attempt?.isStale === true ? version : (attempt?.form[TAG] ?? version);
  const hidden = tag === undefined ? [] : [{ name: TAG, value: String(tag) }];
  const parts = { record, hidden, request, attempt };
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
    // What was refused comes first.
    sections:
      attempt?.action === null
        ? [...edit, ...facts]
        : [...facts, ...edit, ...actionSections(resources, definition, parts)],
  });
  return { page };
}

/** Left out are constants, and descriptions of what a reference already shows. */
function factsOf(definition: AnyDefinition, record: ShownRecord, names: Named) {
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
  const { form: typed, errors, found, isStale } = attempt?.action === null ? attempt : NEW;
  const action = pathOf(definition.name, String(record.id));
  const { required, examples } = resources.bodyOf(definition, 'create');
  const body = { ...resources.bodyOf(definition, 'update'), required, examples };
  const context = { definition, body, record, initial: {}, typed, errors, picked: new Map(), action };
  const shown: FieldContext = isStale ? await overtakenForm(resources, context) : context;
  const picked = await pickedIn(source, request, { definition, record, form: shown.typed ?? {} }, found);
  const fields = formFields({ ...shown, picked });
  return [section({ heading: 'Edit', form: form({ action, submit: 'Save', hidden, fields }) })];
}

async function overtakenForm(
  resources: Resources,
  context: FieldContext & { readonly definition: AnyDefinition },
): Promise<FieldContext> {
  const { definition, record, typed } = context;
  const to = new Map(definition.references.map((one) => [one.column, one.to]));
  const changes = overtaken(definition, record ?? {}, typed ?? {});
  const ids = changes.flatMap(({ name, was, now }) => [was, now].map((id) => [to.get(name) ?? '', id] as const));
  const names = await resources.names(ids);
  return changedMeanwhile(context, typed ?? {}, (name, id) => names(to.get(name) ?? '', id));
}

/** Buttons together, and each form for itself. */
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
  // Forms of one page may have fields of one name.
  const own = fields.map((one) => ({ ...one, id: `f-${action}-${one.name}` }));
  return form({ action: path, submit, tone: 'quiet', hidden, fields: own });
}
