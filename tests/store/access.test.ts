import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { rightExpression } from '../../runtime/store/sql/access.js';
import { ownerExpression } from '../../runtime/store/sql/owner.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { SAMPLE } from './sample.js';
import { ADMIN, ANYONE, as, define, people, removeFolders, setup } from './setup.js';

const composer = { definitions: new Map(Object.entries(SAMPLE)), dialect: SQLITE };
const sql = (resource: string, right: string, user = '@user') =>
  rightExpression(composer, { resource, right, alias: 't', user });

describe('access expressions', () => {
  afterAll(removeFolders);

  test('constant conditions are folded', () => {
    expect(sql('game', 'read')).toBe('1');
    expect(sql('piece', 'edit', 'NULL')).toBe('0');
    expect(sql('download', 'download', 'NULL')).toBe('t."free" = 1');
    expect(sql('receipt', 'edit')).toBe('0');
  });

  test('each level of a path gets an alias', () => {
    expect(sql('associate', 'edit')).toBe(
      'EXISTS (SELECT 1 FROM "designer" x1 WHERE x1."id" = t."designer_id" AND x1."user_id" = @user)',
    );
    expect(sql('game', 'edit')).toBe(
      '(EXISTS (SELECT 1 FROM "designer" x1 WHERE x1."id" = t."designer_id" AND x1."user_id" = @user)' +
        ' OR EXISTS (SELECT 1 FROM "associate" x1 WHERE x1."user_id" = @user AND x1."designer_id" = t."designer_id"))',
    );
  });

  test('cycles and unknown rights are reported at the start', () => {
    const folder = define('folder');
    const cyclic: AnyDefinition = {
      ...folder,
      access: { ...folder.access, edit: [{ through: 'folder_id', to: 'folder' }] },
      references: folder.references.map((reference) => ({ ...reference, place: true, to: 'folder' })),
    };
    const cyclicComposer = { ...composer, definitions: new Map([['folder', cyclic]]) };
    const compose = (right: string) => () =>
      rightExpression(cyclicComposer, { resource: 'folder', right, alias: 't', user: '@user' });
    expect(compose('edit')).toThrow('folder edit -> folder edit');
    expect(compose('nonsense')).toThrow('folder has no right named nonsense');
    expect(() => ownerExpression(cyclicComposer, cyclic, { alias: 't' })).toThrow('folder -> folder');
  });

  test('the chain of owners is followed to the user', () => {
    expect(ownerExpression(composer, define('user'), { alias: 't' })).toBe('t."id"');
    expect(ownerExpression(composer, define('folder'), { alias: 't' })).toBe('t."user_id"');
    expect(ownerExpression(composer, define('piece'), { alias: 't' })).toBe(
      '(SELECT (SELECT o2."user_id" FROM "designer" o2 WHERE o2."id" = o1."designer_id") FROM "game" o1 WHERE o1."id" = t."game_id")',
    );
  });

  test('the right to edit follows from the owner, the associates and the role', async () => {
    const harness = setup();
    const { ada, bob, eve, game, designer } = await people(harness);
    const piece = await harness.create('piece', as(bob), { name: 'p', game_id: game });
    const may = (name: string, id: string, right: string, caller: typeof ANYONE) =>
      harness.store.permission(name, id, right, caller);
    const yes = { allowed: true };
    const no = (code: string) => ({ allowed: false, code });
    for (const [name, id] of [
      ['game', game],
      ['piece', piece],
    ] as const) {
      expect(may(name, id, 'editor', as(ada))).toEqual(yes);
      expect(may(name, id, 'editor', as(bob))).toEqual(yes);
      expect(may(name, id, 'edit', as(eve))).toEqual(no('forbidden'));
      expect(may(name, id, 'edit', ANYONE)).toEqual(no('login_required'));
      expect(may(name, id, 'edit', ADMIN)).toEqual(yes);
    }
    expect(may('designer', designer, 'edit', as(bob))).toEqual(no('forbidden'));
    expect(may('user', eve, 'edit', as(eve))).toEqual(yes);
    expect(may('user', eve, 'edit', as(ada))).toEqual(no('forbidden'));
    expect(may('game', game, 'admin', as(ada))).toEqual(no('forbidden'));
    expect(may('game', game, 'admin', ADMIN)).toEqual(yes);
    expect(may('game', 'none', 'edit', ADMIN)).toEqual(no('not_found'));
    const hook = await harness.create('hook', as(ada), { owner_id: ada });
    expect(may('hook', hook, 'edit', as(ada))).toEqual(yes);
    expect(may('hook', hook, 'edit', as(eve))).toEqual(no('not_found'));
    expect(may('hook', hook, 'edit', ANYONE)).toEqual(no('not_found'));
  });

  test('a right can depend on a list of items in another record', async () => {
    const harness = setup();
    const { ada, bob, eve, game, file } = await people(harness);
    const paid = await harness.create('download', as(ada), { name: 'd', free: 0, game_id: game, file_id: file });
    const free = await harness.create('download', as(ada), { name: 'f', free: 1, game_id: game, file_id: file });
    const part = { id: file, name: 'face.png', file_uri: `/files/${file}/s3` };
    const closed = { id: paid, name: 'd', free: 0 };
    const open = { id: paid, name: 'd', file_id: file, part, free: 0 };
    expect(harness.json('download', free, ANYONE)).toEqual({ id: free, name: 'f', file_id: file, part, free: 1 });
    expect(harness.json('download', free, as(eve))).toEqual({ id: free, name: 'f', file_id: file, part, free: 1 });
    expect(harness.json('download', paid, ANYONE)).toEqual(closed);
    expect(harness.json('download', paid, as(eve))).toEqual(closed);
    expect(harness.json('download', paid, as(bob))).toEqual(open);
    expect(harness.json('download', paid, ADMIN)).toEqual(open);
    const items = JSON.stringify([{ game_id: 'other' }, { game_id: game }]);
    const receipt = await harness.create('receipt', ADMIN, { user_id: eve, items });
    expect(harness.json('download', paid, as(eve))).toEqual(open);
    harness.db.prepare('UPDATE receipt SET refunded = 1 WHERE id = ?').run(receipt);
    expect(harness.json('download', paid, as(eve))).toEqual(closed);
  });
});
