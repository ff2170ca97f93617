// Finds records of all resources by an id, by the beginning of a name, a user name, an e-mail address or an SKU, and by words
// where a resource can be searched.

import type { AnyDefinition, Row } from '../../../contract/definition.js';
import type { RecordPage } from '../listing.js';
import type { PageAnswer, PageRequest, PageRoute } from '../page.js';
import { callOf, pathOf, type RecordSource, type Resources, userPath } from '../resource.js';
import { cell, type Fact, fact, pageView, section } from '../view.js';
import { inSentence, nameColumn, pluralTitle, searchText, textColumns } from '../wording.js';

type FindSource = RecordSource<'locate' | 'find' | 'texts'>;

export function findPages(resources: Resources, store: FindSource['store']): readonly PageRoute[] {
  return [{ method: 'GET', path: '/find', run: (request) => find({ resources, store }, request) }];
}

/** Records of a resource that are shown. */
const SHOWN = 6;
/** Resources that are searched before other requests are served. */
const TOGETHER = 8;

interface ResourceMatches {
  readonly definition: AnyDefinition;
  /** The ids of the records, with the texts by which they are found. */
  readonly rows: readonly Row[];
  /** False: not all records were searched. */
  readonly isComplete: boolean;
}

/** A search that was submitted leads to the record if there is only one; a search while the user types (`live`) shows it. */
async function find(source: FindSource, request: PageRequest): Promise<PageAnswer> {
  const { q, live } = request.query;
  const text = searchText(q);
  const all = text === '' ? [] : await findAll(source, text, request);
  const matches = all.flatMap(({ definition, rows }) => rows.map((row) => pathTo(definition, row)));
  const [only = ''] = matches;
  if (matches.length === 1 && live === undefined) return { to: only.slice('/console'.length) };
  const beyond = all
    .filter(({ isComplete }) => !isComplete)
    .map(({ definition }) => inSentence(pluralTitle(definition)));
  const note = [
    ...(matches.length > 0 || text === '' ? [] : [`Nothing matches “${text}”.`]),
    ...(beyond.length === 0 ? [] : [`There are too many ${beyond.join(', ')} to search all of them.`]),
  ].join(' ');
  const facts = all.filter(({ rows }) => rows.length > 0).map(factOf);
  const shown = section({ id: 'matches', facts: facts.length === 0 ? null : facts, note: note || null });
  return { page: pageView({ title: text === '' ? 'Find' : `Find “${text}”`, sections: [shown] }) };
}

/** Users come first, the others as in the menu. */
async function findAll(source: FindSource, text: string, request: PageRequest): Promise<readonly ResourceMatches[]> {
  const { resources, store } = source;
  const inOrder = resources.groups().flatMap(({ definitions }) => definitions);
  const all = inOrder.toSorted((one, other) => Number(other.principal) - Number(one.principal));
  const names = all.map(({ name }) => name);
  const byId = all[await store.locate(names, text)];
  if (byId !== undefined) return [await withTexts(store, byId, { ids: [text], isComplete: true })];
  const matches: ResourceMatches[] = [];
  for (let from = 0; from < all.length; from += TOGETHER) {
    const some = all.slice(from, from + TOGETHER);
    matches.push(...(await Promise.all(some.map((one) => findIn(source, one, text, request)))));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return matches;
}

async function findIn(
  { resources, store }: FindSource,
  definition: AnyDefinition,
  text: string,
  request: PageRequest,
): Promise<ResourceMatches> {
  const { name, whole } = definition;
  const searched = whole?.search ?? [];
  const columns = textColumns(definition).filter((column) => !searched.includes(column));
  const byText = columns.length === 0 ? NOTHING : await store.find(name, { text, columns, limit: SHOWN });
  if (searched.length === 0) return withTexts(store, definition, byText);
  const call = callOf(definition, request, { parameters: { q: text, _items_per_page: String(SHOWN) } });
  const listed = JSON.parse((await resources.operationsOf(definition).list(call)).body) as RecordPage;
  // A text without a letter or digit would list all records.
  const byWords = /[\p{L}\p{N}]/u.test(text) ? listed.items.map(({ id }) => String(id)) : [];
  return withTexts(store, definition, { ...byText, ids: [...new Set([...byText.ids, ...byWords])].slice(0, SHOWN) });
}

const NOTHING = { ids: [], isComplete: true };

async function withTexts(
  store: FindSource['store'],
  definition: AnyDefinition,
  { ids, isComplete }: Awaited<ReturnType<FindSource['store']['find']>>,
): Promise<ResourceMatches> {
  const rows = ids.length === 0 ? [] : await store.texts(definition.name, textColumns(definition), ids);
  const inOrder = ids.map((id) => rows.find((row) => row.id === id)).filter((row) => row !== undefined);
  return { definition, rows: inOrder, isComplete };
}

/** A link to each record, followed by the other texts by which it is found. */
function factOf({ definition, rows }: ResourceMatches): Fact {
  const [name = 'id', ...others] = [nameColumn(definition) ?? 'id', ...(definition.finds ?? [])];
  const lines = rows.map((row) => {
    const also = others.filter((column) => column !== name && row[column]).map((column) => String(row[column]));
    const link = cell(String(row[name] || row.id), { href: pathTo(definition, row) });
    return also.length === 0 ? [link] : [link, cell(` ${also.join(' · ')}`)];
  });
  return fact(pluralTitle(definition), cell('', { lines }));
}

function pathTo({ name, principal }: AnyDefinition, { id }: Row): string {
  return principal ? userPath(String(id)) : pathOf(name, String(id));
}
