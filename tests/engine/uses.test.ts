// The records that use a file (D56), on every engine: type by type, as far as the caller may read them.
import type { AnyDefinition, Input } from '../../runtime/contract/definition.js';
import type { Caller, Page } from '../../runtime/store/records.js';
import { SAMPLE } from '../store/sample.js';
import { ADMIN, ANYONE, as, change, FIRST_PAGE, refused } from '../store/setup.js';
import { fresh } from '../support/shared.js';
import { describeOnEngines, type OpenRecords } from './records-fixture.js';

const PAGE: Page = { ...FIRST_PAGE, parent: 'file', list: 'references', size: 2 };

/** Downloads can be read while they are free. */
const HIDDEN = {
  ...(SAMPLE.download as AnyDefinition),
  access: { ...SAMPLE.download?.access, read: [{ when: 'free' }] },
} as AnyDefinition;

/** Ada's picture, on three of her pieces and in a download; Eve has a piece with her own picture. */
async function begin(open: OpenRecords) {
  const fixture = await open({ definitions: Object.values({ ...SAMPLE, download: HIDDEN }) });
  const { records } = fixture;
  const create = async (name: string, caller: Caller, input: Input) =>
    (await records.create(change(name, caller, input))).id;
  const [ada, eve] = [
    await create('user', ADMIN, { username: 'ada' }),
    await create('user', ADMIN, { username: 'eve' }),
  ];
  const owned = async (user: string) => {
    const designer = await create('designer', as(user), { name: 'Games' });
    const game = await create('game', as(user), { name: 'Dawn', designer_id: designer });
    return { game, file: await create('file', as(user), { name: 'face.png', file_type: 'image/png' }) };
  };
  const [own, other] = [await owned(ada), await owned(eve)];
  const piece = (name: string, user = ada, { game, file } = own) =>
    create('piece', as(user), { name, game_id: game, face_id: file });
  const pieces = [await piece('a'), await piece('b'), await piece('c')];
  await piece('d', eve, other);
  const download = await create('download', as(ada), { name: 'e', free: 1, game_id: own.game, file_id: own.file });
  const uses = async (page: Partial<Page> = {}, caller = as(ada)) => {
    const listed = await records.uses('file', { ...PAGE, ...page }, own.file, caller);
    return { ...listed, ids: listed.items.map((item) => (JSON.parse(item) as { id: string }).id) };
  };
  return { ...fixture, uses, create, piece, ada, eve, pieces, download, file: own.file };
}

describeOnEngines('uses', (open) => {
  const world = fresh(() => begin(open));

  test('come type by type, by page number and by cursor', async () => {
    const { uses, pieces, download } = world;
    const all = [...pieces, download];
    expect((await uses({ size: 25 })).ids).toEqual(all);
    expect(await uses({ number: 2 })).toMatchObject({ ids: all.slice(2), total: 4, cursor: null });
    const seen: string[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await uses({ size: 1, cursor });
      expect(page.total).toBe(4);
      seen.push(...page.ids);
      cursor = page.cursor;
    }
    expect(seen).toEqual(all);
    expect((await refused(uses({ cursor: 'garbage' }))).fields).toEqual(['_cursor invalid']);
  });

  test('are shown as far as the caller may read them, and only to callers who may read the file', async () => {
    const { uses, ada, eve, pieces, download, select, records } = world;
    expect((await uses({ size: 25 }, ADMIN)).ids).toEqual([...pieces, download]);
    expect((await refused(uses({}, as(eve)))).code).toBe('forbidden');
    expect((await refused(uses({}, ANYONE))).code).toBe('login_required');
    expect((await refused(records.uses('file', PAGE, 'none', as(ada)))).code).toBe('not_found');
    await select('UPDATE download SET free = 0 RETURNING id');
    expect((await uses({ size: 25 }, ADMIN)).ids).toEqual([...pieces, download]);
    expect(await uses({ size: 25 })).toMatchObject({ ids: pieces, total: 3 });
  });

  test('are the current uses', async () => {
    const { records, ada, pieces, uses, download, create } = world;
    const other = await create('file', as(ada), { name: 'other.png', file_type: 'image/png' });
    await records.update(pieces[0] ?? '', change('piece', as(ada), { face_id: other }));
    expect((await uses({ size: 25 })).ids).toEqual([...pieces.slice(1), download]);
  });
});
