// Fetch with its parameters: related objects in every spelling, relationships (Must hold 1; D21, D22).

import { parameters } from '../document/parameters.js';
import { records } from '../document/resources.js';
import { documentedNames, type RecordName } from '../document/table.js';
import { shared } from '../support/shared.js';
import { ignored } from './replies.js';
import { makeWorld, type SentParameters, type ShownRecord } from './world.js';

const names: readonly RecordName[] = documentedNames.filter((name) => name !== 'webhook');

const world = shared(makeWorld);

const fetched = async (name: RecordName, id: string, query: string, session: string | null = null) => {
  const reply = await world.send('GET', `${records[name].base}/${id}?${query}`, { session });
  expect([query, reply.status, ignored(reply)]).toEqual([query, 200, []]);
  return reply.body as ShownRecord;
};

/** Relations that the record does not already describe, as a download does its file. */
const relations = (name: RecordName) =>
  Object.entries(records[name].related).filter(([relation]) => !Object.hasOwn(records[name].fields, relation));

interface MadeRecords {
  readonly name: RecordName;
  readonly record: SentParameters;
}

/** The added properties if the named relations are asked: each as the caller sees it (D21). */
async function additions(made: MadeRecords, asked: readonly string[], session: string | null): Promise<SentParameters> {
  const { name, record } = made;
  const wanted = relations(name).filter(([relation]) => asked.includes(relation));
  const entries = wanted.map(
    async ([relation, to]) => [relation, await fetched(to, String(record[`${relation}_id`]), '', session)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

describe.each(names)('%s', (name) => {
  const all = relations(name).map(([relation]) => relation);
  const first = all[0] ?? '';

  test('the document lists them', () => {
    for (const parameter of parameters[name].fetch) {
      expect(['_include_related_objects', '_include_relationships']).toContain(parameter);
    }
    expect(all.length).toBeGreaterThan(0);
  });

  test.each([
    ['1', '_include_related_objects=1', all],
    ['true', '_include_related_objects=true', all],
    ['a name', `_include_related_objects=${first}`, [first]],
    ['names by comma', `_include_related_objects=${all.join(',')}`, all],
    ['names by encoded comma and space', `_include_related_objects=${all.join('%2C%20')}`, all],
    ['names repeated', all.map((each) => `_include_related_objects=${each}`).join('&'), all],
    ['a name twice', `_include_related_objects=${first}&_include_related_objects=${first}`, [first]],
    ['a name that is none', `_include_related_objects=${first},nothing`, [first]],
    ['no name that is one', '_include_related_objects=nothing', []],
    ['0', '_include_related_objects=0', []],
    ['false', '_include_related_objects=false', []],
    ['empty', '_include_related_objects=', []],
  ])('related objects/%s', async (_, query, asked) => {
    const created = await world.make(name);
    for (const session of [null, world.owner.session]) {
      const record = await fetched(name, created.id, '', session);
      const added = await additions({ name, record: created }, asked, session);
      expect(await fetched(name, created.id, query, session)).toEqual({ ...record, ...added });
    }
  });

  test('F35: an included record shows no more than a fetch of it would', async () => {
    const created = await world.make(name);
    for (const session of [null, world.stranger.session, world.admin.session]) {
      const record = await fetched(name, created.id, '_include_related_objects=1', session);
      expect(record).toMatchObject(await additions({ name, record: created }, all, session));
    }
    const open = await fetched(name, created.id, '_include_related_objects=1');
    for (const [relation, to] of relations(name)) {
      const hidden = Object.entries(records[to].fields).flatMap(([field, { view }]) =>
        view === undefined ? [] : [field],
      );
      expect(Object.keys(open[relation] as object).filter((field) => hidden.includes(field))).toEqual([]);
    }
  });

  test.each(['1', 'true'])('relationships/%s', async (yes) => {
    const created = await world.make(name);
    const self = `/api/${name}/${created.id}`;
    const parents = relations(name).map(
      ([relation, to]) => [relation, `/api/${to}/${created[`${relation}_id`]}`] as const,
    );
    const lists = Object.keys(records[name].lists).map((list) => [list, `${self}/${list}`] as const);
    const _relationships: Readonly<Record<string, string>> = { self, ...Object.fromEntries([...parents, ...lists]) };
    const record = await fetched(name, created.id, '');
    expect(await fetched(name, created.id, `_include_relationships=${yes}`)).toEqual({ ...record, _relationships });
    for (const path of Object.values(_relationships)) expect((await world.send('GET', path)).status).toBe(200);
  });

  test.each(['0', 'false', ''])('no relationships/"%s"', async (no) => {
    const { id } = await world.make(name);
    expect(await fetched(name, id, `_include_relationships=${no}`)).not.toHaveProperty('_relationships');
  });

  test('both', async () => {
    const { id } = await world.make(name);
    const record = await fetched(name, id, '_include_relationships=1&_include_related_objects=1');
    expect(record).toHaveProperty('_relationships.self', `/api/${name}/${id}`);
    expect(record).toHaveProperty(`${first}.id`);
  });
});

/** A paid download's file is linked only for callers who may have it; a free one's is linked for everybody (D15). */
test('the file of a download is linked only for callers who may have it', async () => {
  const { id, file_id } = await world.make('gamedownload');
  const link = (session: string | null) => fetched('gamedownload', id, '_include_relationships=1', session);
  expect(await link(null)).not.toHaveProperty('_relationships.file');
  expect(await link(world.owner.session)).toHaveProperty('_relationships.file', `/api/file/${file_id}`);
});

/** D15, D21: folders and their related records are visible only to their owner. */
test('F35: only the owner of private records gets the records that they refer to', async () => {
  const outer = await world.make('folder');
  const inner = await world.make('folder', { folder_id: outer.id });
  const related = await fetched('folder', inner.id, '_include_related_objects=1', world.owner.session);
  expect(related.folder).toEqual(await fetched('folder', outer.id, '', world.owner.session));
  expect(related.user).toHaveProperty('email');
  const download = await world.make('gamedownload', { free: 1 });
  const strangers = await fetched('gamedownload', download.id, '_include_related_objects=1', world.stranger.session);
  expect(strangers.file).not.toHaveProperty('user_id');
});
