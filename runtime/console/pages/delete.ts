// Before a record is deleted: what would be deleted with it, what would lose its reference, and what prevents it.

import type { AnyDefinition, List, Reference } from '../../definition.js';
import { refusalOf } from '../fields.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, nameOf, pathOf, type Resources, type Shown } from '../resource.js';
import { cell, form, pageView, section, type Tone, table } from '../view.js';
import { type Listed, resourceNamed } from './records.js';

export function deletePages(resources: Resources): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/records/:type/:id/delete', run: (request) => ask(resources, request, null) },
    { method: 'POST', path: '/records/:type/:id/delete', run: (request) => remove(resources, request) },
  ];
}

async function ask(resources: Resources, request: PageRequest, problem: string | null): Promise<PageAnswer> {
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  const record = JSON.parse(
    (await resources.operationsOf(definition).fetch(callOf(definition, request, { id }))).body,
  ) as Shown;
  const name = nameOf(definition, record);
  const rows = await affected(resources, definition, request);
  const confirm = form({
    action: `${pathOf(type, id)}/delete`,
    submit: `Delete ${definition.title.toLowerCase()}`,
    tone: 'danger',
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
      section({ note: 'This cannot be undone.', table: consequences }),
      section({ buttons: [confirm], links: [{ text: 'Keep it', href: pathOf(type, id) }] }),
    ],
  });
  return { page };
}

const EFFECTS: Readonly<Record<Reference['onDelete'], readonly [string, Tone]>> = {
  cascade: ['deleted with it', 'bad'],
  set_null: ['kept, without this reference', 'plain'],
  restrict: ['prevents it', 'warn'],
};

interface Referring {
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
      .map((reference): Referring => ({ definition, reference, list: listOf(definition, reference) })),
  );
  const counted = referring.map(async ({ definition, reference, list }) => {
    if (list === undefined) return [];
    const call = callOf(target, request, {
      id: request.params.id ?? '',
      name: list.name,
      parameters: { _items_per_page: 1 },
    });
    const { paging } = JSON.parse((await resources.operationsOf(target).list(call)).body) as Listed;
    if (paging.total_items === 0) return [];
    const href = `${pathOf(target.name, call.id)}/lists/${list.name}`;
    const [effect, tone] = EFFECTS[reference.onDelete];
    const below = reference.onDelete === 'cascade' ? deeper(resources, definition) : '';
    return [[cell(definition.title, { href }), cell(String(paging.total_items)), cell(`${effect}${below}`, { tone })]];
  });
  return [...(await Promise.all(counted)).flat(), ...uncounted(referring)];
}

function listOf({ lists }: AnyDefinition, { to, column }: Reference): List | undefined {
  return lists.find(({ parent, by, where }) => parent === to && by === column && Object.keys(where).length === 0);
}

function uncounted(referring: readonly Referring[]) {
  const others = referring.filter(({ list }) => list === undefined);
  return Object.entries(EFFECTS).flatMap(([onDelete, [effect, tone]]) => {
    const titles = others
      .filter(({ reference }) => reference.onDelete === onDelete)
      .map(({ definition }) => definition.title);
    if (titles.length === 0) return [];
    return [[cell([...new Set(titles)].join('\n'), { long: true }), cell('not counted'), cell(effect, { tone })]];
  });
}

/** What goes with those records in turn. */
function deeper({ definitions }: Resources, { name }: AnyDefinition): string {
  const going = definitions.filter(({ references }) =>
    references.some(({ to, onDelete }) => to === name && onDelete === 'cascade'),
  );
  return going.length === 0 ? '' : `, and its ${going.map(({ plural }) => plural).join(', ')}`;
}

async function remove(resources: Resources, request: PageRequest): Promise<PageAnswer> {
  const { type = '', id = '' } = request.params;
  const definition = resourceNamed(resources, type);
  try {
    await resources.operationsOf(definition).remove(callOf(definition, request, { id }));
  } catch (thrown) {
    return ask(resources, request, refusalOf(thrown, []).problem);
  }
  return { to: `/records/${type}?done=Deleted.` };
}
