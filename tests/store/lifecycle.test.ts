import { ServiceError } from '../../runtime/errors.js';
import { ANYONE, as, NOW, refused, removeFolders } from './setup.js';
import { start } from './writes-setup.js';

describe('lifecycle functions', () => {
  afterAll(removeFolders);

  test('ChangesAndEventsBelongToTheWrite', async () => {
    const published: unknown[] = [];
    const { create, update, remove, json, ada, designer } = await start({
      behaviours: {
        game: {
          beforeCreate: (old, row) => ({ changes: { name: `${row?.name}!` }, events: [['before', old]] }),
          afterCreate: (_, row, now) => ({ events: [['created', row?.name, now]] }),
          beforeUpdate(old, row) {
            if (row?.name === 'bad') throw new ServiceError('conflict', 'not that');
            return { changes: { name: `${old?.name}${row?.name}` } };
          },
          afterUpdate: (old, row) => ({ events: [['updated', old?.name, row?.name]] }),
          beforeDelete: () => undefined,
          afterDelete: (old, row) => ({ events: [['deleted', old?.name, row]] }),
        },
      },
      publish: (events, now) => published.push(...events, now),
    });
    published.length = 0;
    const game = await create('game', as(ada), { name: 'G', designer_id: designer });
    expect(json('game', game, ANYONE)).toMatchObject({ name: 'G!' });
    await update('game', game, as(ada), { name: 'H' });
    expect((await refused(update('game', game, as(ada), { name: 'bad' }))).code).toBe('conflict');
    await remove('game', game, as(ada));
    expect(published).toEqual([
      ['before', null],
      ['created', 'G!', NOW],
      NOW,
      ['updated', 'G!', 'G!H'],
      NOW,
      ['deleted', 'G!H', null],
      NOW,
    ]);
  });

  test('AFailureAfterwardsUndoesTheWrite', async () => {
    let refuse = false;
    const { create, db, ada, designer } = await start({
      behaviours: {
        game: {
          afterCreate() {
            if (refuse) throw new ServiceError('conflict', 'no');
            return undefined;
          },
        },
      },
    });
    refuse = true;
    expect((await refused(create('game', as(ada), { name: 'G', designer_id: designer }))).code).toBe('conflict');
    expect(db.prepare('SELECT count(*) FROM game').pluck().get()).toBe(1);
  });
});
