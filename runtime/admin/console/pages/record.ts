// One record: what it shows, its form, its actions, the lists that belong to it; and the form of a new one. What is sent goes
// through the operations of the API, and what they refuse is shown at its field.

import type { Conditions } from '../../../contract/conditions.js';
import type { AnyDefinition } from '../../../contract/definition.js';
import type { Question } from '../confirm.js';
import {
  changedFrom,
  changedMeanwhile,
  createdFrom,
  type FieldContext,
  type FormProblems,
  recordFields,
  refusalOf,
} from '../fields.js';
import { type Named, referredBy } from '../names.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, nameOf, pathOf, type Resources, resourceNamed, type ShownRecord, valueCell } from '../resource.js';
import { cell, type Fact, type Form, fact, field, form, type Link, labelOf, pageView, section } from '../view.js';
import { pluralTitle } from '../words.js';
import { listTitle } from './records.js';

export function recordPages(resources: Resources): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/records/:type/new', run: (request) => newForm(resources, request, null) },
    {
      method: 'POST',
      path: '/records/:type/new',
      part: ({ type = '' }) => resources.find(type)?.upload ?? null,
      confirm: (request) => passwordQuestion(resources, request),
      run: (request) => create(resources, request),
    },
    { method: 'GET', path: '/records/:type/:id', run: (request) => show(resources, request, null) },
    {
      method: 'POST',
      path: '/records/:type/:id',
      confirm: (request) => passwordQuestion(resources, request),
      run: (request) => update(resources, request),
    },
    {
      method: 'POST',
      path: '/records/:type/:id/actions/:action',
      confirm: (request) => passwordQuestion(resources, request),
      run: (request) => act(resources, request),
    },
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

const NOTHING: FormProblems = { problem: '', errors: new Map() };

function newForm(resources: Resources, request: PageRequest, refused: FormProblems | null): PageAnswer {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const { problem, errors } = refused ?? NOTHING;
  const described = resources.parametersOf(definition, 'create');
  // A link may fill in the form, such as the record that the new one will belong to.
  const typed = refused === null ? request.query : request.form;
  const fields = recordFields({ definition, described, record: null, typed, errors });
  const action = `/console/records/${definition.name}/new`;
  const shown = form({ action, submit: 'Create', fields, upload: definition.upload !== null });
  const title = `New: ${definition.title}`;
  const page = pageView({
    title,
    trail: [listLink(definition)],
    problem: problem || null,
    sections: [section({ form: shown })],
  });
  return { page };
}

async function create(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const parameters = createdFrom(definition, request.form);
  try {
    const { body } = await resources
      .operationsOf(definition)
      .create(callOf(definition, request, { parameters, upload: request.upload }));
    const record = JSON.parse(body) as ShownRecord;
    return shownOnce(definition, record) ?? { to: `/records/${definition.name}/${record.id}?done=Created.` };
  } catch (thrown) {
    const names = [...Object.keys(definition.parameters), definition.upload?.part ?? ''];
    return newForm(resources, request, refusalOf(thrown, names));
  }
}

async function update(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const parameters = changedFrom(definition, request.form);
  try {
    const call = callOf(definition, request, { id, parameters, ...tagged(request) });
    await resources.operationsOf(definition).update(call);
  } catch (thrown) {
    return show(resources, request, { ...refusalOf(thrown, Object.keys(definition.parameters)), action: null });
  }
  return { to: `/records/${type}/${id}?done=Saved.` };
}

async function act(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const { type = '', id = '', action = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const declared = definition.actions[action];
  const parameters = Object.fromEntries(
    Object.keys(declared?.parameters ?? {}).flatMap((name) => (request.form[name] ? [[name, request.form[name]]] : [])),
  );
  try {
    const { location, body } = await resources
      .operationsOf(definition)
      .action(callOf(definition, request, { id, name: action, parameters, ...tagged(request) }));
    const once = declared?.renews === undefined ? null : shownOnce(definition, JSON.parse(body) as ShownRecord);
    if (once !== null) return once;
    const shown = location === undefined ? id : location.slice(location.lastIndexOf('/') + 1);
    return { to: `/records/${type}/${shown}?done=${encodeURIComponent(`${labelOf(action)}: done.`)}` };
  } catch (thrown) {
    return show(resources, request, { ...refusalOf(thrown, Object.keys(parameters)), action });
  }
}

/** A form changes the record that it was opened with (D57). */
function tagged({ form: { [TAG]: version } }: PageRequest): { readonly conditions?: Conditions } {
  return typeof version === 'string' && version !== '' ? { conditions: { match: [Number(version)] } } : {};
}

const TAG = '_tag';

/** The secrets that only this answer shows. */
export function secretFacts({ properties, token }: AnyDefinition, record: ShownRecord): readonly Fact[] {
  const once = Object.keys(properties).filter((name) => properties[name]?.view === 'created');
  const names = [...once, ...(token === undefined ? [] : [token])].filter((name) => record[name] !== undefined);
  return names.map((name) => fact(labelOf(name), cell(String(record[name]), { code: true })));
}

/** The page of the secrets; null: there are none. */
function shownOnce(definition: AnyDefinition, record: ShownRecord): PageAnswer | null {
  const facts = secretFacts(definition, record);
  if (facts.length === 0) return null;
  const page = pageView({
    title: `${nameOf(definition, record)}: copy this now`,
    trail: [listLink(definition)],
    links: [{ text: 'Open the record', href: pathOf(definition.name, String(record.id)) }],
    sections: [section({ heading: 'Shown only this once', facts })],
  });
  return { page };
}

/** @param refused what was sent and refused: the form of the record, or that of an action */
async function show(
  resources: Resources,
  request: PageRequest,
  refused: (FormProblems & { readonly action: string | null }) | null,
): Promise<PageAnswer> {
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const parameters = { _include_related_objects: '1' };
  const call = callOf(definition, request, { id, parameters });
  const { body, version } = await resources.operationsOf(definition).fetch(call);
  const record = JSON.parse(body) as ShownRecord;
  const hidden = version === undefined ? [] : [{ name: TAG, value: String(version) }];
  const names = await resources.names(referredBy(definition, record));
  const facts = [section({ facts: factsOf(definition, record, names) }), ...listsSection(resources, definition, id)];
  const edit = formSection(resources, definition, { record, hidden, request, refused });
  const page = pageView({
    title: nameOf(definition, record),
    trail: [listLink(definition)],
    links: [
      { text: 'History', href: `/console/audit?record=${encodeURIComponent(id)}` },
      ...(definition.operations.delete === null ? [] : [{ text: 'Delete…', href: `${pathOf(type, id)}/delete` }]),
    ],
    problem: refused?.problem || null,
    // What was refused comes first.
    sections:
      refused?.action === null
        ? [...edit, ...facts]
        : [...facts, ...edit, ...actionsSection(definition, id, { hidden, refused })],
  });
  return { page };
}

function listLink(definition: AnyDefinition): Link {
  return { text: pluralTitle(definition), href: `/console/records/${definition.name}` };
}

/** Left out are constants, and descriptions of what a reference already shows. */
function factsOf(definition: AnyDefinition, record: ShownRecord, names: Named) {
  const shown = Object.entries(definition.properties).filter(([name, property]) => {
    if (property.kind === 'constant' || record[name] === undefined) return false;
    return property.kind !== 'description' || record[property.through] === undefined;
  });
  return shown.map(([name]) => fact(labelOf(name), valueCell(definition, record, name, names)));
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
  readonly refused: (FormProblems & { readonly action: string | null }) | null;
}

function formSection(
  resources: Resources,
  definition: AnyDefinition,
  { record, hidden, request, refused }: RecordForm,
) {
  if (definition.operations.update === null) return [];
  const isRefused = refused !== null && refused.action === null;
  const context: FieldContext = {
    definition,
    described: resources.parametersOf(definition, 'update'),
    record,
    typed: isRefused ? request.form : null,
    errors: isRefused ? refused.errors : new Map(),
  };
  const shown = isRefused && refused.isStale ? changedMeanwhile(context, request.form) : context;
  const action = pathOf(definition.name, String(record.id));
  return [section({ heading: 'Edit', form: form({ action, submit: 'Save', hidden, fields: recordFields(shown) }) })];
}

function actionsSection(
  { name, actions }: AnyDefinition,
  id: string,
  { hidden, refused }: Pick<RecordForm, 'hidden' | 'refused'>,
) {
  const forms = Object.entries(actions).map(([action, { parameters }]): Form => {
    const fields = Object.entries(parameters).map(([parameter, { kind }]) =>
      field({
        name: parameter,
        id: `f-${action}-${parameter}`,
        label: labelOf(parameter),
        control: kind === 'json' ? 'textarea' : 'input',
        error: refused?.action === action ? (refused.errors.get(parameter) ?? null) : null,
      }),
    );
    return form({
      action: `${pathOf(name, id)}/actions/${action}`,
      submit: labelOf(action),
      tone: 'quiet',
      hidden,
      fields,
    });
  });
  return forms.length === 0 ? [] : [section({ heading: 'Actions', buttons: forms })];
}
