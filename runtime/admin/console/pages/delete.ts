// Before a record is deleted: what would be deleted with it, what would lose its reference, and what prevents it.

import type { AnyDefinition, List, Reference } from '../../../contract/definition.js';
import type { RemovedCount } from '../../../store/records.js';
import { CONFIRMED, type Question, typedField } from '../confirm.js';
import type { RecordPage } from '../listing.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import {
  callOf,
  decidesLogin,
  nameOf,
  pathOf,
  type RecordSource,
  type Resources,
  readRecord,
  resourceNamed,
} from '../resource.js';
import { refusalOf } from '../sent-form.js';
import { cell, count, type Fact, fact, form, pageView, section, type Tone, table } from '../view.js';
import { inSentence, pluralTitle } from '../wording.js';

export type DeletionSource = RecordSource<'removedWith'>;

export function deletePages(resources: Resources, store: DeletionSource['store']): readonly PageRoute[] {
  const source = { resources, store };
  return [
    { method: 'GET', path: '/records/:type/:id/delete', run: (request) => ask(source, request, null) },
    {
      method: 'POST',
      path: '/records/:type/:id/delete',
      confirm: (request) => questionOf(source, request),
      run: (request) => remove(source, request),
    },
  ];
}

/** The name of the record to delete, and the records that are deleted with it. */
async function deletionOf({ resources, store }: DeletionSource, request: PageRequest) {
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const record = await readRecord(resources, callOf(definition, request, { id }));
  const removed = await store.removedWith(type, id);
  const total = removed.reduce((sum, one) => sum + one.count, 0);
  return { definition, name: nameOf(definition, record), removed, total };
}

/** The name has to be typed if other records are deleted with the record. */
async function questionOf(source: DeletionSource, request: PageRequest): Promise<Question> {
  const { type = '', id = '' } = request.params;
  const { definition, name, total } = await deletionOf(source, request);
  const typed = total === 0 ? null : name;
  const back = { text: 'Keep it', href: pathOf(type, id) };
  const title = `Delete “${name}”?`;
  const password = decidesLogin(definition);
  return { title, note: deletionNote(total, 'it'), submit: 'Delete', back, typed, password };
}

/** @param total the other records that would be deleted */
export function deletionNote(total: number, pronoun: 'it' | 'them'): string {
  const others = total === 0 ? '' : ` ${count(total, 'other record')} ${total === 1 ? 'goes' : 'go'} with ${pronoun}.`;
  return `This cannot be undone.${others}`;
}

async function ask(source: DeletionSource, request: PageRequest, problem: string | null): Promise<PageAnswer> {
  const { type = '', id = '' } = request.params;
  const { definition, name, removed, total } = await deletionOf(source, request);
  const rows = await affected(source.resources, definition, request);
  const confirm = form({
    action: `${pathOf(type, id)}/delete`,
    submit: `Delete ${inSentence(definition.title)}`,
    tone: 'danger',
    hidden: [CONFIRMED],
    fields: total === 0 ? [] : [typedField(name)],
  });
  const consequences = table({
    caption: 'Records that refer to it',
    columns: ['Records', 'How many', 'What happens'],
    rows,
    empty: 'No record refers to it.',
  });
  const page = pageView({
    title: `Delete “${name}”?`,
    trail: [{ text: name, href: pathOf(type, id) }],
    problem,
    sections: [
      section({ note: deletionNote(total, 'it'), table: consequences }),
      ...(removed.length === 0 ? [] : [section({ heading: 'Deleted with it', facts: removedFacts(source, removed) })]),
      section({ form: confirm, links: [{ text: 'Keep it', href: pathOf(type, id) }] }),
    ],
  });
  return { page };
}

function removedFacts({ resources }: DeletionSource, removed: readonly RemovedCount[]): readonly Fact[] {
  return removed.map(({ resource, count: number }) => {
    const definition = resources.find(resource);
    return fact(definition === undefined ? resource : pluralTitle(definition), number.toLocaleString('en'));
  });
}

const EFFECTS: Readonly<Record<Reference['onDelete'], readonly [string, Tone]>> = {
  cascade: ['deleted with it', 'bad'],
  set_null: ['kept, without this reference', 'plain'],
  restrict: ['prevents it', 'warn'],
};

interface ReferringResource {
  readonly definition: AnyDefinition;
  readonly reference: Reference;
  /** The list of those records; undefined: there is none, and they are not counted. */
  readonly list: List | undefined;
}

/** A row for each reference that a list counts, and one for all others with the same effect. */
async function affected(resources: Resources, target: AnyDefinition, request: PageRequest) {
  const referring = resources.definitions.flatMap((definition) =>
    definition.references
      .filter(({ to }) => to === target.name)
      .map((reference): ReferringResource => ({ definition, reference, list: listOf(definition, reference) })),
  );
  const counted = referring.map(async ({ definition, reference, list }) => {
    if (list === undefined) return [];
    const { id = '' } = request.params;
    const call = callOf(target, request, { id, name: list.name, parameters: { _items_per_page: 1 } });
    const { paging } = JSON.parse((await resources.operationsOf(target).list(call)).body) as RecordPage;
    if (paging.total_items === 0) return [];
    const href = `${pathOf(target.name, call.id)}/lists/${list.name}`;
    const [effect, tone] = EFFECTS[reference.onDelete];
    return [
      [cell(pluralTitle(definition), { href }), cell(paging.total_items.toLocaleString('en')), cell(effect, { tone })],
    ];
  });
  return [...(await Promise.all(counted)).flat(), ...uncounted(referring)];
}

function listOf({ lists }: AnyDefinition, { to, column }: Reference): List | undefined {
  return lists.find(({ parent, by, where }) => parent === to && by === column && Object.keys(where).length === 0);
}

function uncounted(referring: readonly ReferringResource[]) {
  const others = referring.filter(({ list }) => list === undefined);
  return Object.entries(EFFECTS).flatMap(([onDelete, [effect, tone]]) => {
    const titles = others
      .filter(({ reference }) => reference.onDelete === onDelete)
      .map(({ definition }) => pluralTitle(definition));
    if (titles.length === 0) return [];
    return [[cell([...new Set(titles)].join('\n'), { long: true }), cell('not counted'), cell(effect, { tone })]];
  });
}

async function remove(source: DeletionSource, request: PageRequest): Promise<PageAnswer> {
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(source.resources, type);
  try {
    await source.resources.operationsOf(definition).remove(callOf(definition, request, { id }));
  } catch (thrown) {
    return ask(source, request, refusalOf(thrown, []).problem);
  }
  return { to: `/records/${type}?done=Deleted.` };
}
