// Changes of the records that are selected in a list: all of them are deleted, or one field of each is set. Each change is made by
// the operation of the API, and a refusal is shown with the name of its record.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { Question } from '../confirm.js';
import { PAGE_SIZES } from '../listing.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, decidesLogin, type Resources, resourceNamed } from '../resource.js';
import { choices, fact, field, form, labelOf, pageView, SELECTION, type Section, section } from '../view.js';
import { choiceTitle, choiceValues, countText, inSentence, pluralTitle } from '../words.js';
import { type DeletionSource, deletionNote } from './delete.js';
import { listLink } from './shown-once.js';

export function selectionPages(resources: Resources, store: DeletionSource['store']): readonly PageRoute[] {
  return [
    {
      method: 'POST',
      path: '/records/:type/selected/delete',
      confirm: (request) => deletionQuestion({ resources, store }, request),
      run: (request) => carryOut(resources, request, deletion(resources, request)),
    },
    {
      method: 'POST',
      path: '/records/:type/selected/set',
      confirm: (request) => changeQuestion(resources, request),
      run: (request) => carryOut(resources, request, fieldChange(resources, request)),
    },
  ];
}

/** The form below a list, whose check boxes are in the rows; none where records can be neither changed nor deleted. */
export function selectionSection(items: AnyDefinition): readonly Section[] {
  const { name, operations } = items;
  const path = `/console/records/${name}/selected`;
  const deletion = { submit: 'Delete…', action: `${path}/delete`, tone: 'danger' } as const;
  const offered = settable(items);
  const heading = `Selected ${inSentence(pluralTitle(items))}`;
  if (operations.update === null || offered.length === 0) {
    if (operations.delete === null) return [];
    return [section({ heading, form: form({ id: SELECTION, ...deletion }) })];
  }
  const options = choices(
    offered.map((one) => [one, labelOf(one)] as const),
    '',
  );
  const fields = [
    field({ name: 'field', label: 'Field', control: 'select', options }),
    field({ name: 'value', label: 'Set to', hint: 'As the list shows it. Leave empty for no value.' }),
  ];
  const others = operations.delete === null ? [] : [deletion];
  const set = { id: SELECTION, action: `${path}/set`, submit: 'Set…', tone: 'quiet', fields, others } as const;
  return [section({ heading, form: form(set) })];
}

/** The parameters whose values can be written as a text. */
function settable({ parameters }: AnyDefinition): readonly string[] {
  const others = ['password', 'json', 'reference'];
  return Object.keys(parameters).filter((name) => {
    const { kind, proves } = parameters[name] ?? {};
    return kind !== undefined && !others.includes(kind) && proves === undefined;
  });
}

/** A page has no more records to select. */
const MOST = Math.max(...PAGE_SIZES);

/** The ids that were selected. Throws malformed if there are none, or more than a page shows. */
function selected({ form: sent }: PageRequest): readonly string[] {
  const ids = [...new Set([sent.id ?? []].flat().map(String))];
  if (ids.length === 0) throw new ServiceError('malformed', 'Select something in the list first.');
  if (ids.length > MOST) throw new ServiceError('malformed', `Select at most ${MOST} records.`);
  return ids;
}

function questionAbout(definition: AnyDefinition): Pick<Question, 'back' | 'click' | 'password'> {
  const back = { text: 'Leave them as they are', href: `/console/records/${definition.name}` };
  return { back, click: true, password: decidesLogin(definition) };
}

/** The number of records has to be typed if others are deleted with them. */
async function deletionQuestion({ resources, store }: DeletionSource, request: PageRequest): Promise<Question> {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const ids = selected(request);
  const removed = await Promise.all(ids.map((id) => store.removedWith(definition.name, id)));
  const total = removed.flat().reduce((sum, one) => sum + one.count, 0);
  const what = countText(definition, ids.length);
  const typed = total === 0 ? null : what;
  const note = deletionNote(total, 'them');
  return { title: `Delete ${what}?`, note, submit: 'Delete', typed, ...questionAbout(definition) };
}

function changeQuestion(resources: Resources, request: PageRequest): Question {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const ids = selected(request);
  const { name, value } = changeIn(definition, request);
  const to = value === '' ? 'to no value' : `to “${String(request.form.value).trim()}”`;
  const title = `Set ${inSentence(labelOf(name))} of ${countText(definition, ids.length)} ${to}?`;
  return { title, note: 'Other fields stay as they are.', submit: 'Set', typed: null, ...questionAbout(definition) };
}

/** The parameter to set, and its value as the operation takes it; a form may have the value as lists show it. */
function changeIn(definition: AnyDefinition, { form: sent }: PageRequest): { name: string; value: string } {
  const name = settable(definition).find((one) => one === sent.field);
  if (name === undefined) throw new ServiceError('malformed', 'Choose a field.');
  const text = String(sent.value ?? '').trim();
  const isShownAs = (value: string): boolean =>
    choiceTitle(definition, name, value).toLowerCase() === text.toLowerCase();
  return { name, value: choiceValues(definition, name)?.find(isShownAs) ?? text };
}

/** A change of each of the selected records. */
interface BulkChange {
  /** The change as a participle, such as `deleted`. */
  readonly done: string;
  run(id: string): MaybePromise<unknown>;
}

function deletion(resources: Resources, request: PageRequest): BulkChange {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const { remove } = resources.operationsOf(definition);
  return { done: 'deleted', run: (id) => remove(callOf(definition, request, { id, conditions: { match: 'any' } })) };
}

function fieldChange(resources: Resources, request: PageRequest): BulkChange {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const { update } = resources.operationsOf(definition);
  const { name, value } = changeIn(definition, request);
  const isCleared = value === '' && definition.parameters[name]?.nullable !== undefined;
  const parameters = { [name]: isCleared ? null : value };
  return {
    done: 'changed',
    run: (id) => update(callOf(definition, request, { id, parameters, conditions: { match: 'any' } })),
  };
}

/** Changes one record after the other; a refusal leaves its record as it is. */
async function carryOut(resources: Resources, request: PageRequest, change: BulkChange): Promise<PageAnswer> {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const ids = selected(request);
  const refused: (readonly [id: string, message: string])[] = [];
  for (const id of ids) {
    try {
      await change.run(id);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      refused.push([id, thrown.failures.map(({ message }) => message).join(' ') || thrown.message]);
    }
  }
  const done = `${countText(definition, ids.length - refused.length)} ${change.done}.`;
  if (refused.length === 0) return { to: `/records/${definition.name}?done=${encodeURIComponent(done)}` };
  const names = await resources.names(refused.map(([id]) => [definition.name, id]));
  const page = pageView({
    title: 'Some were refused',
    trail: [listLink(definition)],
    problem: `${countText(definition, refused.length)} not ${change.done}. ${done}`,
    sections: [section({ facts: refused.map(([id, message]) => fact(names(definition.name, id) ?? id, message)) })],
  });
  return { page };
}
