// What is done to the records that are selected in a list: all of them are deleted, or one field of each is set. Each goes through
// the operation of the API, and what is refused is said with the name of its record.

import type { AnyDefinition } from '../../../contract/definition.js';
import { ServiceError } from '../../../contract/errors.js';
import type { Records } from '../../../store/records.js';
import type { Question } from '../confirm.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, type Resources, resourceNamed } from '../resource.js';
import { choices, count, fact, field, form, labelOf, pageView, type Section, section } from '../view.js';
import { choiceTitle, inSentence, pluralTitle } from '../words.js';

interface SelectionSource {
  readonly resources: Resources;
  readonly store: Pick<Records, 'removedWith'>;
}

export function selectionPages(resources: Resources, store: SelectionSource['store']): readonly PageRoute[] {
  const source = { resources, store };
  return [
    {
      method: 'POST',
      path: '/records/:type/selected/delete',
      confirm: (request) => deletionQuestion(source, request),
      run: (request) => carryOut(source, request, DELETION),
    },
    {
      method: 'POST',
      path: '/records/:type/selected/set',
      confirm: (request) => changeQuestion(source, request),
      run: (request) => carryOut(source, request, changeOf(source, request)),
    },
  ];
}

/** The form below a list, whose boxes are in the rows; none: nothing can be done to its records. */
export function selectionSection(items: AnyDefinition): readonly Section[] {
  const { name, operations } = items;
  const path = `/console/records/${name}/selected`;
  const deletion = { submit: 'Delete…', action: `${path}/delete`, tone: 'danger' } as const;
  const offered = settable(items);
  const heading = `Selected ${inSentence(pluralTitle(items))}`;
  if (operations.update === null || offered.length === 0) {
    if (operations.delete === null) return [];
    return [section({ heading, form: form({ id: 'chosen', ...deletion }) })];
  }
  const options = choices(
    offered.map((one) => [one, labelOf(one)] as const),
    '',
  );
  const fields = [
    field({ name: 'field', label: 'Field', control: 'select', options }),
    field({ name: 'value', label: 'Set to', hint: 'As the list shows it; empty: no value.' }),
  ];
  const others = operations.delete === null ? [] : [deletion];
  const set = { id: 'chosen', action: `${path}/set`, submit: 'Set…', tone: 'quiet', fields, others } as const;
  return [section({ heading, form: form(set) })];
}

/** What a text can say. */
function settable({ parameters }: AnyDefinition): readonly string[] {
  const others = ['password', 'json', 'reference'];
  return Object.keys(parameters).filter((name) => {
    const { kind, proves } = parameters[name] ?? {};
    return kind !== undefined && !others.includes(kind) && proves === undefined;
  });
}

/** As many as a page shows. */
const MOST = 100;

/** The ids that were selected. Throws invalid if there are none, or more than a list shows. */
function selected({ form: sent }: PageRequest): readonly string[] {
  const ids = [...new Set([sent.id ?? []].flat().map(String))];
  if (ids.length === 0) throw new ServiceError('malformed', 'Select something in the list first.');
  if (ids.length > MOST) throw new ServiceError('malformed', `Select at most ${MOST} records.`);
  return ids;
}

function countText(definition: AnyDefinition, number: number): string {
  return count(number, inSentence(definition.title), inSentence(pluralTitle(definition)));
}

function questionAbout(definition: AnyDefinition): Pick<Question, 'back' | 'click' | 'password'> {
  const back = { text: 'Leave them as they are', href: `/console/records/${definition.name}` };
  return { back, click: true, password: definition.principal || definition.token !== undefined };
}

/** Where others go with them, their number has to be typed. */
async function deletionQuestion({ resources, store }: SelectionSource, request: PageRequest): Promise<Question> {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const ids = selected(request);
  const removed = await Promise.all(ids.map((id) => store.removedWith(definition.name, id)));
  const total = removed.flat().reduce((sum, one) => sum + one.count, 0);
  const what = countText(definition, ids.length);
  const others = total === 0 ? '' : ` ${count(total, 'other record')} ${total === 1 ? 'goes' : 'go'} with them.`;
  const typed = total === 0 ? null : what;
  return {
    title: `Delete ${what}?`,
    note: `This cannot be undone.${others}`,
    submit: 'Delete',
    typed,
    ...questionAbout(definition),
  };
}

function changeQuestion({ resources }: SelectionSource, request: PageRequest): Question {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const ids = selected(request);
  const { name, value } = changeIn(definition, request);
  const to = value === '' ? 'to no value' : `to “${String(request.form.value).trim()}”`;
  const title = `Set ${inSentence(labelOf(name))} of ${countText(definition, ids.length)} ${to}?`;
  return { title, note: 'Other fields stay as they are.', submit: 'Set', typed: null, ...questionAbout(definition) };
}

interface SelectedChange {
  readonly name: string;
  /** As the operation takes it. */
  readonly value: string;
}

/** A value may be written as lists show it. */
function changeIn(definition: AnyDefinition, { form: sent }: PageRequest): SelectedChange {
  const name = settable(definition).find((one) => one === sent.field);
  if (name === undefined) throw new ServiceError('malformed', 'Choose a field.');
  const text = String(sent.value ?? '').trim();
  const isFlag = definition.parameters[name]?.kind === 'boolean';
  const values = isFlag ? ['true', 'false'] : (definition.options[name] ?? []).map(String);
  const shown = (value: string): string => (isFlag ? FLAGS[value] : undefined) ?? choiceTitle(definition, name, value);
  return { name, value: values.find((one) => shown(one).toLowerCase() === text.toLowerCase()) ?? text };
}

const FLAGS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** What is done to each of the selected records. */
interface Deed {
  /** `deleted`. */
  readonly done: string;
  run(resources: Resources, definition: AnyDefinition, request: PageRequest, id: string): Promise<unknown>;
}

const DELETION: Deed = {
  done: 'deleted',
  run: async (resources, definition, request, id) =>
    resources.operationsOf(definition).remove(callOf(definition, request, { id, conditions: { match: 'any' } })),
};

function changeOf({ resources: all }: SelectionSource, request: PageRequest): Deed {
  const { name, value } = changeIn(resourceNamed(all, request.params.type ?? ''), request);
  return {
    done: 'changed',
    async run(resources, definition, asked, id) {
      const isCleared = value === '' && definition.parameters[name]?.nullable !== undefined;
      const parameters = { [name]: isCleared ? null : value };
      const call = callOf(definition, asked, { id, parameters, conditions: { match: 'any' } });
      return resources.operationsOf(definition).update(call);
    },
  };
}

/** One after the other: what is refused stays, and the others are done. */
async function carryOut({ resources }: SelectionSource, request: PageRequest, deed: Deed): Promise<PageAnswer> {
  const definition = resourceNamed(resources, request.params.type ?? '');
  const ids = selected(request);
  const refused: (readonly [id: string, message: string])[] = [];
  for (const id of ids) {
    try {
      await deed.run(resources, definition, request, id);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      refused.push([id, thrown.failures.map(({ message }) => message).join(' ') || thrown.message]);
    }
  }
  const done = `${countText(definition, ids.length - refused.length)} ${deed.done}.`;
  const list = `/records/${definition.name}`;
  if (refused.length === 0) return { to: `${list}?done=${encodeURIComponent(done)}` };
  const names = await resources.names(refused.map(([id]) => [definition.name, id]));
  const page = pageView({
    title: 'Some were refused',
    trail: [{ text: pluralTitle(definition), href: `/console${list}` }],
    problem: `${countText(definition, refused.length)} not ${deed.done}. ${done}`,
    sections: [section({ facts: refused.map(([id, message]) => fact(names(definition.name, id) ?? id, message)) })],
  });
  return { page };
}
