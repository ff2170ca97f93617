// D57 on every engine: each change of a record raises its version by one, and a write whose condition names another is refused,
// even if two run concurrently. `records-fixture.ts` refuses a change by any suite that does not raise it.
import type { Conditions } from '../../runtime/contract/conditions.js';
import type { Input, Upload } from '../../runtime/contract/definition.js';
import { actions, behaviours } from '../../runtime/resources/index.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import type { IdempotencyKey } from '../../runtime/store/idempotency.js';
import type { Caller } from '../../runtime/store/records.js';
import { ADMIN, ANYONE, as, change, NOW, refused } from '../store/setup.js';
import { count } from '../support/counts.js';
import { fresh } from '../support/shared.js';
import { describeOnEngines } from './records-fixture.js';

const { generated, schema } = loadGenerated(null);
const PICTURE: Upload = { name: 'a.png', type: 'image/png', size: 3, width: 1, height: 1, hash: 'a'.repeat(64) };

describeOnEngines('versions', (open) => {
  const fixture = fresh(() => open({ definitions: generated.definitions, schema, behaviours, actions }));
  let ada: string;
  let game: string;
  beforeEach(async () => {
    ada = await make('user', ADMIN, { username: 'ada', password: 'hash' });
    const designer = await make('designer', as(ada), { name: 'Ada Games' });
    game = await make('game', as(ada), { name: 'Dawn', designer_id: designer });
  });

  const make = async (resource: string, caller: Caller, input: Input, upload: Upload | null = null) =>
    (await fixture.records.create({ ...change(resource, caller, input), upload })).id;
  const update = async (id: string, input: Input, conditions?: Conditions, caller = as(ada)) =>
    fixture.records.update(id, { ...change('game', caller, input), ...(conditions && { conditions }) });
  const act = async (name: string, conditions?: Conditions, idempotencyKey?: IdempotencyKey) =>
    fixture.records.act('game', game, {
      ...{ name, caller: as(ada), input: {}, failures: [], now: NOW + 1 },
      ...(conditions && { conditions }),
      ...(idempotencyKey && { idempotencyKey }),
    });
  const versionOf = async (resource: string, id: string) => {
    const record = await fixture.records.get(resource, id, ADMIN);
    return record.found ? record.version : record.code;
  };

  test('a new record has version 1, each update adds one, and an update without changes keeps it', async () => {
    expect((await fixture.records.create(change('game', as(ada), await gameInput()))).version).toBe(1);
    expect((await update(game, { name: 'Dusk' })).version).toBe(2);
    expect((await update(game, { name: 'Noon' })).version).toBe(3);
    expect(await versionOf('game', game)).toBe(3);
    // The version does not depend on what else is read: only the record, or related ones, too.
    const record = await fixture.records.get('game', game, as(ada), { objects: ['designer'], links: true });
    expect(record).toMatchObject({ found: true, version: 3 });
  });

  const gameInput = async (): Promise<Input> => {
    const [row] = (await fixture.select(`SELECT designer_id FROM game WHERE id = '${game}'`)) as {
      designer_id: string;
    }[];
    return { name: 'Other', designer_id: row?.designer_id };
  };

  test('the text of a record does not contain it', async () => {
    const record = await fixture.records.get('game', game, ADMIN);
    expect(record.found && record.text).not.toContain('_version');
  });

  test('an action raises it, and one that changes nothing keeps it', async () => {
    expect((await act('public')).version).toBe(2);
    expect((await act('public')).version).toBe(2);
    expect((await act('undo_public')).version).toBe(3);
  });

  test('a cleared reference raises it, even if its target is deleted with another record', async () => {
    const file = await make('file', as(ada), { name: 'a.png' }, PICTURE);
    const pad = await make('scorepad', as(ada), { name: 'Pad', game_id: game, image_id: file });
    await fixture.records.remove('file', file, { caller: as(ada), now: NOW });
    expect(await versionOf('scorepad', pad)).toBe(2);
    const folder = await make('folder', as(ada), { name: 'Folder' });
    const inside = await make('file', as(ada), { name: 'b.png', folder_id: folder }, PICTURE);
    await fixture.records.remove('folder', folder, { caller: as(ada), now: NOW });
    expect(await versionOf('file', inside)).toBe(2);
  });

  test('a copy has a version of its own', async () => {
    await update(game, { name: 'Dusk' });
    const action = { name: 'copy', caller: as(ada), input: {}, failures: [], now: NOW };
    const copy = await fixture.records.copy('game', game, action);
    expect([copy.version, await versionOf('game', copy.id), await versionOf('game', game)]).toEqual([1, 1, 2]);
    const stale = fixture.records.copy('game', game, { ...action, conditions: { match: [1] } });
    expect((await refused(stale)).code).toBe('precondition_failed');
  });

  test.each<[string, Conditions, boolean]>([
    ['its own', { match: [1] }, true],
    ['one of several', { match: [7, 1] }, true],
    ['any', { match: 'any' }, true],
    ['another', { match: [2] }, false],
    ['none', { match: [] }, false],
    ['not another', { noneMatch: [2] }, true],
    ['not its own', { noneMatch: [2, 1] }, false],
    ['not any', { noneMatch: 'any' }, false],
  ])('a write on condition of %s', async (_, conditions, isMet) => {
    const writes = [
      async () => update(game, { name: 'Dusk' }, conditions),
      async () => act('public', conditions),
      async () => fixture.records.remove('game', game, { caller: as(ada), now: NOW, conditions }),
    ];
    for (const write of writes.slice(isMet ? 2 : 0)) {
      if (isMet) await write();
      else await expect(write()).rejects.toMatchObject({ code: 'precondition_failed', headers: { ETag: '"1"' } });
    }
    expect(await versionOf('game', game)).toBe(isMet ? 'not_found' : 1);
  });

  test('the right is checked before the condition, and the condition before the parameters', async () => {
    const stale = { match: [7] };
    expect((await refused(update('none', { name: 'x' }, stale))).code).toBe('not_found');
    expect((await refused(update(game, { name: 'x' }, stale, ANYONE))).code).toBe('login_required');
    const failures = [{ field: 'name', code: 'required' as const, message: 'name is required' }];
    const both = fixture.records.update(game, { ...change('game', as(ada), {}), failures, conditions: stale });
    expect((await refused(both)).code).toBe('precondition_failed');
  });

  test('the stored answer of an action has the version of that time', async () => {
    const idempotencyKey = { key: 'k', bodyHash: 'h' };
    expect((await act('public', { match: [1] }, idempotencyKey)).version).toBe(2);
    await update(game, { name: 'Dusk' });
    expect(await act('public', { match: [1] }, idempotencyKey)).toMatchObject({ version: 2 });
  });

  test('of two updates with one version, exactly one wins', async () => {
    for (let round = 1; round <= count(5, 100); round++) {
      const both = ['left', 'right'].map((name) => update(game, { name: `${name} ${round}` }, { match: [round] }));
      const ends = await Promise.allSettled(both);
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await versionOf('game', game)).toBe(round + 1);
    }
  });
});
