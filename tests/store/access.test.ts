import type { AnyDefinition } from '../../runtime/contract/definition.js';
import { rightExpression } from '../../runtime/store/sql/access.js';
import { ownerExpression } from '../../runtime/store/sql/owner.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { SAMPLE } from './sample.js';
import { define } from './setup.js';

const composer = { definitions: new Map(Object.entries(SAMPLE)), dialect: SQLITE };
const sql = (resource: string, right: string, user = '@user') =>
  rightExpression(composer, { resource, right, alias: 't', user });

describe('access expressions', () => {
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
});
