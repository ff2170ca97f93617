// Changes the records that are selected in a list: all of them are deleted, or one field of each is set. Each change is made by
// the operation of the API, and a refusal is shown with the name of its record.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { Question } from '../confirm.js';
import { PAGE_SIZES } from '../listing.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, decidesLogin, type Resources, resourceNamed } from '../resource.js';
import { choices, fact, field, form, labelOf, pageView, SELECTION, type Section, section } from '../view.js';
import { choiceTitle, choiceValues, countText, inSentence, pluralTitle } from '../wording.js';
import { type DeletionSource, deletionNote } from './delete.js';
import { listLink } from './shown-once.js';

export function selectionPages(resources: Resources, store: DeletionSource['store']): readonly PageRoute[] {
  return [
    selectionPage('delete', resources, (selection) => deletion({ resources, store }, selection)),
    selectionPage('set', resources, (selection) => fieldChange(resources, selection)),
  ];
}

/** The records that were selected, and the form that says what happens to them. */
interface Selection {
  readonly definition: AnyDefinition;
  readonly ids: readonly string[];
  readonly request: PageRequest;
}

/** A change of each of the selected records. */
interface BulkChange {
  /** The change as a participle, such as `deleted`. */
  readonly done: string;
  /** What is asked first. */
  question(): MaybePromise<Pick<Question, 'title' | 'note' | 'submit' | 'typed'>>;
  run(id: string): MaybePromise<unknown>;
}

function selectionPage(name: string, resources: Resources, changeOf: (selection: Selection) => BulkChange): PageRoute {
  const selectionOf = (request: PageRequest): Selection => {
    const definition = resourceNamed(resources, request.params.type ?? '');
    return { definition, ids: selected(request), request };
  };
  return {
    method: 'POST',
    path: `/records/:type/selected/${name}`,
    async confirm(request) {
      const selection = selectionOf(request);
      const { definition } = selection;
      const back = { text: 'Leave them as they are', href: `/console/records/${definition.name}` };
      return { ...(await changeOf(selection).question()), back, password: decidesLogin(definition) };
    },
    run(request) {
      const selection = selectionOf(request);
      return carryOut(resources, selection, changeOf(selection));
    },
  };
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
  const labels = offered.map((one) => [one, labelOf(one)] as const);
  const fields = [
    field({ name: 'field', label: 'Field', control: 'select', options: choices(labels, '') }),
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

/** The number of records has to be typed if others are deleted with them. */
function deletion({ resources, store }: DeletionSource, { definition, ids, request }: Selection): BulkChange {
  const { remove } = resources.operationsOf(definition);
  return {
    done: 'deleted',
    async question() {
      const removed = await Promise.all(ids.map((id) => store.removedWith(definition.name, id)));
      const total = removed.flat().reduce((sum, one) => sum + one.count, 0);
      const records = countText(definition, ids.length);
      const typed = total === 0 ? null : records;
      return { title: `Delete ${records}?`, note: deletionNote(total, 'them'), submit: 'Delete', typed };
    },
    run: (id) => remove(callOf(definition, request, { id, conditions: { match: 'any' } })),
  };
}

/** The value may be written as the operation takes it, or as lists show it. */
function fieldChange(resources: Resources, { definition, ids, request }: Selection): BulkChange {
  const { update } = resources.operationsOf(definition);
  const name = settable(definition).find((one) => one === request.form.field);
  if (name === undefined) throw new ServiceError('malformed', 'Choose a field.');
  const text = String(request.form.value ?? '').trim();
  const isShownAs = (value: string): boolean =>
    choiceTitle(definition, name, value).toLowerCase() === text.toLowerCase();
  const value = choiceValues(definition, name)?.find(isShownAs) ?? text;
  const isCleared = value === '' && definition.parameters[name]?.nullable !== undefined;
  const parameters = { [name]: isCleared ? null : value };
  const to = value === '' ? 'to no value' : `to “${text}”`;
  const title = `Set ${inSentence(labelOf(name))} of ${countText(definition, ids.length)} ${to}?`;
  return {
    done: 'changed',
    question: () => ({ title, note: 'Other fields stay as they are.', submit: 'Set' }),
    run: (id) => update(callOf(definition, request, { id, parameters, conditions: { match: 'any' } })),
  };
}

/** Changes one record after the other; a refusal leaves its record as it is. */
async function carryOut(resources: Resources, { definition, ids }: Selection, change: BulkChange): Promise<PageAnswer> {
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
