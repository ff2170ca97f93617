// Records are found by the words of their texts (D44), on every engine: what a word finds, for whom, and that it is current.
import fc from 'fast-check';
import { searchWords } from '../../runtime/schema/text-words.js';
import type { Caller, Page } from '../../runtime/store/records.js';
import { mustFind, spelling, texts, written } from '../schema/word-oracle.js';
import { ADMIN, ANYONE, as, change, NOW, refused } from '../store/setup.js';
import { fresh } from '../support/shared.js';
import { describeOnEngines, type OpenRecords } from './records-fixture.js';
import { PAGE, SEARCHED } from './search-sample.js';

async function begin(open: OpenRecords) {
  const fixture = await open(SEARCHED);
  const { records } = fixture;
  const create = async (name: string, caller: Caller, input: Record<string, unknown>) =>
    (await records.create(change(name, caller, input))).id;
  const ada = await create('user', ADMIN, { username: 'ada' });
  const designer = await create('designer', as(ada), { name: 'Ada Games' });
  const game = await create('game', as(ada), { name: 'Dawn', designer_id: designer });
  const file = await create('file', as(ada), { name: 'rules.pdf', file_type: 'application/pdf' });
  const add = (name: string, more = {}) => create('download', as(ada), { name, game_id: game, file_id: file, ...more });
  const list = async (words: readonly string[], caller = ANYONE, page: Partial<Page> = {}) => {
    const listed = await records.list('download', { ...PAGE, words, ...page }, '', caller);
    return { ...listed, names: listed.items.map((item) => JSON.parse(item).name as string) };
  };
  const names = async (words: readonly string[], caller?: Caller) => (await list(words, caller)).names.sort();
  return { ...fixture, ada, game, file, add, list, names, create, records };
}

describeOnEngines('search', (open) => {
  const world = fresh(() => begin(open));

  test('each word of a search must begin a word of the record, and a short one must equal it', async () => {
    const { add, names } = world;
    await add('Châteaux & Dragons');
    await add('Dragon Castle', { note: 'for 2, ages 10+' });
    await add('castle');
    expect(await names(['dragon'])).toEqual(['Châteaux & Dragons', 'Dragon Castle']);
    expect(await names(['dragon', 'chat'])).toEqual(['Châteaux & Dragons']);
    expect(await names(['castle', 'dragons'])).toEqual([]);
    expect(await names(['rag'])).toEqual([]);
    expect(await names(['10'])).toEqual(['Dragon Castle']);
    expect(await names(['castle', '2'])).toEqual(['Dragon Castle']);
    expect(await names(['ca'])).toEqual([]);
    expect(await names([])).toHaveLength(3);
  });

  test('finds a record by its new words right after a change, and no longer by its old ones', async () => {
    const { add, names, records, ada, game, file, create, select } = world;
    const id = await add('Harbour', { note: 'lights' });
    const other = await add('Harbour Lights');
    const update = async (input: Record<string, unknown>) => records.update(id, change('download', as(ada), input));
    await update({ name: 'Port' });
    expect([await names(['harbour']), await names(['port', 'lights'])]).toEqual([['Harbour Lights'], ['Port']]);
    await update({ note: null });
    expect(await names(['lights'])).toEqual(['Harbour Lights']);
    await update({ file_id: file });
    expect(await names(['port'])).toEqual(['Port']);
    await records.remove('download', other, { caller: as(ada), now: NOW });
    expect(await names(['harbour'])).toEqual([]);
    const designer = await create('designer', as(ada), { name: 'Second' });
    const second = await create('game', as(ada), { name: 'Dusk', designer_id: designer });
    await add('Port too', { game_id: second });
    await records.remove('game', game, { caller: as(ada), now: NOW });
    expect(await names(['port'], ADMIN)).toEqual(['Port too']);
    await records.remove('game', second, { caller: as(ada), now: NOW });
    expect(await select('SELECT * FROM download_words')).toEqual([]);
  });

  test('everybody finds records that everybody may read, and administrators find all', async () => {
    const { add, names, records, ada } = world;
    const id = await add('Open', { note: 'shared' });
    await add('Hidden', { note: 'shared', free: 0 });
    expect(await names(['shared'])).toEqual(['Open']);
    expect(await names(['shared'], as(ada))).toEqual(['Open']);
    expect(await names(['shared'], ADMIN)).toEqual(['Hidden', 'Open']);
    const withdraw = { name: 'withdraw', caller: as(ada), input: {}, failures: [], now: NOW };
    await records.act('download', id, withdraw);
    expect(await names(['shared'])).toEqual([]);
    expect(await names(['shared'], ADMIN)).toEqual(['Hidden', 'Open']);
  });

  test('results have pages, an order and filters', async () => {
    const { add, list, create, ada } = world;
    const other = await create('file', as(ada), { name: 'other.pdf', file_type: 'application/pdf' });
    const ids: string[] = [];
    for (const name of ['Fox three', 'Fox one', 'Fox two'])
      ids.push(await add(name, { file_id: name === 'Fox two' ? other : world.file }));
    await add('Hare one');
    const byId = ['Fox three', 'Fox one', 'Fox two'];
    const first = await list(['fox'], ANYONE, { size: 2 });
    expect(first).toMatchObject({ names: byId.slice(0, 2), total: 3 });
    expect(await list(['fox'], ANYONE, { size: 2, cursor: first.cursor })).toMatchObject({
      names: byId.slice(2),
      total: 3,
      cursor: null,
    });
    expect((await list(['fox'], ANYONE, { size: 2, number: 2 })).names).toEqual(byId.slice(2));
    expect((await list(['fox'], ANYONE, { descending: true })).names).toEqual([...byId].reverse());
    expect((await list(['fox'], ANYONE, { orderBy: '-name' })).names).toEqual(['Fox two', 'Fox three', 'Fox one']);
    expect(await list(['fox'], ANYONE, { filters: { file_id: other } })).toMatchObject({
      names: ['Fox two'],
      total: 1,
    });
    const elsewhere = await refused(list(['one'], ANYONE, { size: 2, cursor: first.cursor }));
    expect(elsewhere.fields).toEqual(['_cursor invalid']);
  });

  test('a search finds exactly the texts that have its words, in any script', async () => {
    const { add, names } = world;
    const seed = Number(process.env.PUNCHBOARD_SEED ?? 7);
    const drawn = fc.sample(fc.tuple(texts, spelling), { seed, numRuns: 25 });
    for (const [at, [text, spelt]] of drawn.entries()) await add(`x${at + 100}`, { note: spelt(written(text, '、')) });
    for (const [search, spelt] of fc.sample(fc.tuple(texts, spelling), { seed: seed + 1, numRuns: 60 })) {
      // A single run matches more often than several.
      for (const runs of [search, search.slice(0, 1), search.slice(0, 1).map((run) => run.slice(0, 2))]) {
        const wanted = drawn.flatMap(([text], at) => (mustFind(text, runs) ? [`x${at + 100}`] : []));
        expect([seed, runs, await names(searchWords(spelt(written(runs))))]).toEqual([seed, runs, wanted]);
      }
    }
  });

  test('words beyond the first 64 of a record are not found, nor letters beyond the first 40 of a word', async () => {
    const { add, names } = world;
    const many = Array.from({ length: 70 }, (_, at) => `word${at + 100}`);
    await add('first', { note: many.join(' ') });
    expect([await names(['word162']), await names(['word163'])]).toEqual([['first'], []]);
    const long = 'x'.repeat(40);
    await add('long', { note: `${long}y` });
    expect([await names([long]), await names([`${long}y`])]).toEqual([['long'], []]);
  });
});
