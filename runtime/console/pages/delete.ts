// Before a record is deleted: what would be deleted with it, what would lose its reference, and what prevents it.

import type { AnyDefinition, Reference } from '../../definition.js';
import { refusalOf } from '../fields.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, nameOf, pathOf, type Resources, type Shown } from '../resource.js';
import { cell, form, labelOf, pageView, section, type Tone, table } from '../view.js';
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

/** A row for each reference to the resource: how many records have it, where a list says so. */
async function affected(resources: Resources, target: AnyDefinition, request: PageRequest) {
  const { id = '' } = request.params;
  const referring = resources.definitions.flatMap((definition) =>
    definition.references.filter(({ to }) => to === target.name).map((reference) => ({ definition, reference })),
  );
  return Promise.all(
    referring.map(async ({ definition, reference }) => {
      const list = definition.lists.find(
        ({ parent, by, where }) => parent === target.name && by === reference.column && Object.keys(where).length === 0,
      );
      const [effect, tone] = EFFECTS[reference.onDelete];
      const parameters = { _items_per_page: 1 };
      const call = callOf(target, request, { id, name: list?.name ?? '', parameters });
      const total =
        list === undefined
          ? null
          : (JSON.parse((await resources.operationsOf(target).list(call)).body) as Listed).paging.total_items;
      const href = list === undefined ? null : `${pathOf(target.name, id)}/lists/${list.name}`;
      const below = reference.onDelete === 'cascade' ? deeper(resources, definition) : '';
      return [
        cell(`${definition.title}, by ${labelOf(reference.column).toLowerCase()}`, { href }),
        cell(total === null ? 'not counted' : String(total)),
        cell(`${effect}${below}`, { tone: total === 0 ? 'plain' : tone }),
      ];
    }),
  );
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
