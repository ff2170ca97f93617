import { ADMIN, ANYONE, as, refused, removeFolders } from './setup.js';
import { start } from './writes-setup.js';

describe('update', () => {
  afterAll(removeFolders);

  test('OnlyWhatIsSentChanges, as an editor sees it', async () => {
    const { create, update, ada, bob, game, file } = await start();
    const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file, has_proofed_face: 1 });
    const shown = await update('piece', piece, as(bob), { name: 'q', has_proofed_face: 1 });
    expect(shown).toMatchObject({ name: 'q', face_id: file, face: { id: file }, has_proofed_face: true });
    expect(shown).not.toHaveProperty('token');
  });

  test('WhoMayNot', async () => {
    const { create, update, remove, ada, bob, eve, designer } = await start();
    const hook = await create('hook', as(ada), { owner_id: ada });
    const cases: [string, string, typeof ANYONE, string][] = [
      ['designer', designer, as(bob), 'forbidden'],
      ['designer', designer, ANYONE, 'login_required'],
      ['designer', 'none', as(bob), 'not_found'],
      ['hook', hook, as(eve), 'not_found'],
    ];
    for (const [name, id, caller, code] of cases) {
      expect((await refused(update(name, id, caller, { name: 'x' }))).code).toBe(code);
      expect((await refused(remove(name, id, caller))).code).toBe(code);
    }
  });

  test('AnUnchangedReferenceIsNotCheckedAgain', async () => {
    const { create, update, bob, game, file, ada } = await start();
    const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file });
    const same = { name: 'q', face_id: file, has_proofed_face: 0 };
    expect((await update('piece', piece, as(bob), same)).face_id).toBe(file);
    await update('piece', piece, as(ada), { face_id: null });
    expect((await refused(update('piece', piece, as(bob), same))).fields).toEqual(['face_id forbidden']);
  });

  test('ToAnotherOwnerIsConflict (D37)', async () => {
    const { create, update, ada, eve, game, designer, others } = await start();
    expect((await refused(update('game', game, ADMIN, { designer_id: others.designer }))).fields).toEqual([
      'designer_id conflict',
    ]);
    expect((await refused(update('designer', designer, ADMIN, { user_id: eve }))).fields).toEqual(['user_id conflict']);
    const second = await create('designer', as(ada), { name: 'Ada Two' });
    expect((await update('game', game, as(ada), { designer_id: second })).designer_id).toBe(second);
    const file = await create('file', as(ada), { name: 'f', file_type: 'x' });
    expect((await refused(update('file', file, ADMIN, { folder_id: others.folder }))).fields).toEqual([
      'folder_id conflict',
    ]);
  });

  test('AFolderIsNotPutInsideItself', async () => {
    const { create, update, ada } = await start();
    const top = await create('folder', as(ada), { name: 'top' });
    const middle = await create('folder', as(ada), { name: 'middle', folder_id: top });
    const low = await create('folder', as(ada), { name: 'low', folder_id: middle });
    for (const target of [top, middle, low]) {
      expect((await refused(update('folder', top, as(ada), { folder_id: target }))).fields).toEqual([
        'folder_id conflict',
      ]);
    }
    expect((await update('folder', low, as(ada), { folder_id: top })).folder_id).toBe(top);
    expect((await update('folder', low, as(ada), { folder_id: null })).folder_id).toBe(null);
  });
});

describe('remove (D33)', () => {
  test('CascadesAndClears', async () => {
    const { create, remove, json, store, db, ada, game, file } = await start();
    const piece = await create('piece', as(ada), { name: 'p', game_id: game, face_id: file, has_proofed_face: 1 });
    expect(db.prepare('SELECT face_id, has_proofed_face FROM piece').all()).toEqual([
      { face_id: file, has_proofed_face: 1 },
    ]);
    await remove('file', file, as(ada));
    expect(db.prepare('SELECT face_id, has_proofed_face FROM piece').all()).toEqual([
      { face_id: null, has_proofed_face: 0 },
    ]);
    expect(json('piece', piece, ADMIN)).not.toHaveProperty('face');
    await remove('game', game, as(ada));
    expect(store.locate(['piece'], piece)).toBe(-1);
    expect((await refused(remove('game', game, as(ada)))).code).toBe('not_found');
  });

  test('WhatMustStayIsCounted', async () => {
    const { create, remove, ada, designer, game, file } = await start();
    expect(await refused(remove('designer', designer, as(ada)))).toMatchObject({
      code: 'conflict',
      message: 'designer has 1 game',
    });
    await create('game', as(ada), { name: 'Dusk', designer_id: designer });
    expect((await refused(remove('designer', designer, as(ada)))).message).toBe('designer has 2 games');
    await create('download', as(ada), { name: 'd', free: 1, game_id: game, file_id: file });
    expect((await refused(remove('file', file, as(ada)))).message).toBe('file has 1 download');
  });

  test('WhatStaysFurtherDownIsConflictToo', async () => {
    const { db, remove, ada, game } = await start();
    db.exec(`CREATE TABLE keeper (piece_id TEXT REFERENCES piece (id) ON DELETE RESTRICT)`);
    db.exec(`INSERT INTO piece VALUES ('p', 'p', '${game}', NULL, NULL, NULL, 0, 0, '')`);
    db.exec(`INSERT INTO keeper VALUES ('p')`);
    expect((await refused(remove('game', game, as(ada)))).code).toBe('conflict');
  });
});
