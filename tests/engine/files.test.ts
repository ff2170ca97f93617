// One contract for the index of stored bytes, on every engine.
import type { Upload } from '../../runtime/contract/definition.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { ADMIN, as, change, NOW } from '../store/setup.js';
import { fresh } from '../support/shared.js';
import { describeOnEngines } from './records-fixture.js';

const { generated, schema } = loadGenerated(null);
const hash = (letter: string) => letter.repeat(64);

describeOnEngines('files', (open) => {
  const fixture = fresh(() => open({ definitions: generated.definitions, schema }));
  let ada: string;
  beforeEach(async () => {
    ({ id: ada } = await fixture.records.create(change('user', ADMIN, { username: 'ada', password: 'hash' })));
  });

  const upload = async (letter: string): Promise<string> => {
    const bytes: Upload = { name: 'a.png', type: 'image/png', size: 3, width: 1, height: 1, hash: hash(letter) };
    const made = await fixture.records.create({ ...change('file', as(ada), { name: 'a.png' }), upload: bytes });
    return made.id;
  };
  const waiting = async () => (await fixture.files.listReleases(0, 100)).map((release) => release.hash);

  test('what is needed to send a file', async () => {
    const file = await upload('a');
    expect(await fixture.files.findFile(file)).toEqual({
      name: 'a.png',
      type: 'image/png',
      hash: hash('a'),
      key: expect.stringMatching(/^[\w-]{22}$/),
    });
    for (const other of ['none', 'no\0ne', '']) expect(await fixture.files.findFile(other)).toBeNull();
  });

  test('bytes are released with the record that held them, and forgotten once that is handled', async () => {
    const { files, records } = fixture;
    const [first, second] = [await upload('a'), await upload('a')];
    await upload('b');
    expect([await waiting(), await files.isHeld(hash('a'))]).toEqual([[], true]);
    await records.remove('file', first, { caller: as(ada), now: NOW });
    expect([await waiting(), await files.isHeld(hash('a'))]).toEqual([[hash('a')], true]);
    await records.remove('file', second, { caller: as(ada), now: NOW });
    expect(await files.isHeld(hash('a'))).toBe(false);
    await files.deleteReleases(await files.listReleases(0, 100));
    expect([await waiting(), await files.isHeld(hash('b')), await files.isHeld(hash('c'))]).toEqual([[], true, false]);
  });

  test('releases come in order, a few at a time', async () => {
    const { files } = fixture;
    await files.release([]);
    for (const letter of ['e', 'd', 'c']) await files.release([hash(letter)]);
    expect(await waiting()).toEqual([hash('e'), hash('d'), hash('c')]);
    const two = await files.listReleases(0, 2);
    expect(two.map((release) => release.hash)).toEqual([hash('e'), hash('d')]);
    const rest = await files.listReleases(two.at(-1)?.sequence ?? 0, 2);
    expect(rest.map((release) => release.hash)).toEqual([hash('c')]);
    await files.deleteReleases(two);
    expect(await waiting()).toEqual([hash('c')]);
    await files.deleteReleases([]);
  });

  test('N02: the storage of the files of each user is added up, and users above a threshold are reported', async () => {
    const { files, records } = fixture;
    const { id: bob } = await records.create(change('user', ADMIN, { username: 'bob', password: 'hash' }));
    expect(await files.listUsersAbove(1)).toEqual([]);
    const [first] = [await upload('a'), await upload('a'), await upload('b')];
    // A file that an administrator uploads for somebody counts for that user.
    const bytes: Upload = { name: 'b', type: 'text/plain', size: 7, width: null, height: null, hash: hash('c') };
    await records.create({ ...change('file', ADMIN, { user_id: bob }), upload: bytes });
    const taking = async (least: number) =>
      [...(await files.listUsersAbove(least))].sort((one, other) => one.bytes - other.bytes);
    expect(await taking(1)).toEqual([
      { user: bob, bytes: 7 },
      { user: ada, bytes: 9 },
    ]);
    expect([await taking(9), await taking(10)]).toEqual([[{ user: ada, bytes: 9 }], []]);
    await records.remove('file', first ?? '', { caller: as(ada), now: NOW });
    expect(await taking(7)).toEqual([{ user: bob, bytes: 7 }]);
  });

  test('a refused deletion releases nothing', async () => {
    const { records } = fixture;
    const file = await upload('a');
    const designer = (await records.create(change('designer', as(ada), { name: 'D' }))).id;
    const game = (await records.create(change('game', as(ada), { name: 'G', designer_id: designer }))).id;
    await records.create(change('gamedownload', as(ada), { game_id: game, file_id: file }));
    await expect(records.remove('file', file, { caller: as(ada), now: NOW })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await waiting()).toEqual([]);
  });
});
