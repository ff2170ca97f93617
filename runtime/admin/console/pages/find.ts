// Finds records of all resources by the beginning of a name, a user name, an e-mail address, an SKU, or by an id: by the words of
// those that can be searched, and otherwise by texts that have an index, or a bounded number of records.

import type { AnyDefinition, Row } from '../../../contract/definition.js';
import type { Records } from '../../../store/records.js';
import type { RecordPage } from '../listing.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, pathOf, type Resources } from '../resource.js';
import { cell, type Fact, fact, linesCell, pageView, section } from '../view.js';
import { inSentence, nameColumn, pluralTitle } from '../words.js';

interface FindSource {
  readonly resources: Resources;
  readonly store: Pick<Records, 'locate' | 'find' | 'texts'>;
}

export function findPages(resources: Resources, store: FindSource['store']): readonly PageRoute[] {
  return [{ method: 'GET', path: '/find', run: (request) => find({ resources, store }, request) }];
}

/** Shown of each resource. */
const SHOWN = 6;
const LONGEST = 100;
/** Looked at together; others wait for no more than these. */
const TOGETHER = 8;

interface Found {
  readonly definition: AnyDefinition;
  /** With the texts by which it is found. */
  readonly rows: readonly Row[];
  readonly isComplete: boolean;
}

/** What one types is looked for at once (`live`); what one sends leads to the record, if there is only one. */
async function find(source: FindSource, request: PageRequest): Promise<PageAnswer> {
  const { q = '', live } = request.query;
  const text = String(q).replaceAll('\0', '').trim().slice(0, LONGEST);
  const all = text === '' ? [] : await findAll(source, text, request);
  const matches = all.flatMap(({ definition, rows }) => rows.map((row) => pathTo(definition, row)));
  const [only = ''] = matches;
  if (matches.length === 1 && live === undefined) return { to: only.slice('/console'.length) };
  const beyond = all
    .filter(({ isComplete }) => !isComplete)
    .map(({ definition }) => inSentence(pluralTitle(definition)));
  const note = [
    ...(matches.length > 0 || text === '' ? [] : [`Nothing is found by “${text}”.`]),
    ...(beyond.length === 0 ? [] : [`There are too many ${beyond.join(', ')} to look at all of them.`]),
  ].join(' ');
  const facts = all.filter(({ rows }) => rows.length > 0).map(factOf);
  const shown = section({ id: 'matches', facts: facts.length === 0 ? null : facts, note: note || null });
  return { page: pageView({ title: text === '' ? 'Find' : `Find “${text}”`, sections: [shown] }) };
}

/** Users come first, the others as in the menu. */
async function findAll(source: FindSource, text: string, request: PageRequest): Promise<readonly Found[]> {
  const { resources, store } = source;
  const inOrder = resources.groups().flatMap(({ definitions }) => definitions);
  const all = inOrder.toSorted((one, other) => Number(other.principal) - Number(one.principal));
  const at = await store.locate(
    all.map(({ name }) => name),
    text,
  );
  const byId = all[at];
  if (byId !== undefined) return [await withTexts(store, byId, { ids: [text], isComplete: true })];
  const found: Found[] = [];
  for (let from = 0; from < all.length; from += TOGETHER) {
    const some = all.slice(from, from + TOGETHER);
    found.push(...(await Promise.all(some.map((one) => findIn(source, one, text, request)))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

async function findIn(
  { resources, store }: FindSource,
  definition: AnyDefinition,
  text: string,
  request: PageRequest,
): Promise<Found> {
  const { name, whole } = definition;
  const searched = whole?.search ?? [];
  const columns = textColumns(definition).filter((column) => !searched.includes(column));
  const byText = columns.length === 0 ? NOTHING : await store.find(name, { text, columns, limit: SHOWN });
  if (searched.length === 0) return withTexts(store, definition, byText);
  const call = callOf(definition, request, { parameters: { q: text, _items_per_page: String(SHOWN) } });
  const listed = JSON.parse((await resources.operationsOf(definition).list(call)).body) as RecordPage;
  // Without a letter or digit, it is a list of all.
  const byWords = /[\p{L}\p{N}]/u.test(text) ? listed.items.map(({ id }) => String(id)) : [];
  return withTexts(store, definition, { ...byText, ids: [...new Set([...byText.ids, ...byWords])].slice(0, SHOWN) });
}

const NOTHING = { ids: [], isComplete: true };

/** By what records are found: their name, and what the descriptor says. */
export function textColumns(definition: AnyDefinition): readonly string[] {
  const name = nameColumn(definition);
  return [...new Set([...(name === null ? [] : [name]), ...(definition.finds ?? [])])];
}

async function withTexts(
  store: FindSource['store'],
  definition: AnyDefinition,
  { ids, isComplete }: Awaited<ReturnType<FindSource['store']['find']>>,
): Promise<Found> {
  const rows = ids.length === 0 ? [] : await store.texts(definition.name, textColumns(definition), ids);
  const inOrder = ids.map((id) => rows.find((row) => row.id === id)).filter((row) => row !== undefined);
  return { definition, rows: inOrder, isComplete };
}

/** A link for each, with what else it is found by. */
function factOf({ definition, rows }: Found): Fact {
  const [name = 'id', ...others] = [nameColumn(definition) ?? 'id', ...(definition.finds ?? [])];
  const lines = rows.map((row) => {
    const also = others.filter((column) => column !== name && row[column]).map((column) => String(row[column]));
    const link = cell(String(row[name] || row.id), { href: pathTo(definition, row) });
    return also.length === 0 ? [link] : [link, cell(` ${also.join(' · ')}`)];
  });
  return fact(pluralTitle(definition), linesCell(lines));
}

function pathTo({ name, principal }: AnyDefinition, { id }: Row): string {
  return principal ? `/console/users/${encodeURIComponent(String(id))}` : pathOf(name, String(id));
}
