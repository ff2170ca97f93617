import { ADMIN, type ANYONE, as, change, refused, removeFolders } from './setup.js';
import { start } from './writes-setup.js';

describe('create', () => {
  afterAll(removeFolders);

  test('AllFailuresAtOnce', async () => {
    const { store, ada, others } = await start();
    const failure = { field: 'name', code: 'required', message: 'name is required' } as const;
    const input = { game_id: 'none', face_id: others.file };
    expect(await refused(store.create(change('piece', as(ada), input, [failure])))).toEqual({
      code: 'required',
      message: 'name is required',
      fields: ['name required', 'game_id reference_not_found', 'face_id forbidden'],
    });
  });

  test('AFailedReferenceIsNotBlamedTwice', async () => {
    const { store, ada } = await start();
    const failure = { field: 'game_id', code: 'invalid', message: 'no' } as const;
    const { fields } = await refused(store.create(change('piece', as(ada), { game_id: 'none' }, [failure])));
    expect(fields).toEqual(['game_id invalid']);
  });

  test('RefusedReferences', async () => {
    const { create, ada, bob, eve, game, file, designer, others } = await start();
    const fields = async (name: string, caller: typeof ANYONE, input: Record<string, unknown>) =>
      (await refused(create(name, caller, input))).fields;
    const text = await create('file', as(ada), { name: 'notes', file_type: 'text/plain' });
    const piece = { name: 'p', game_id: game };
    expect(await fields('piece', as(eve), piece)).toEqual(['game_id forbidden']);
    expect(await fields('piece', as(ada), { ...piece, face_id: text })).toEqual(['face_id unsupported_file']);
    expect(await fields('piece', as(bob), { ...piece, face_id: file })).toEqual(['face_id forbidden']);
    expect(await fields('piece', ADMIN, { ...piece, face_id: 'none' })).toEqual(['face_id reference_not_found']);
    expect(await fields('game', as(bob), { name: 'g', designer_id: designer })).toEqual(['designer_id forbidden']);
    expect(await fields('file', as(ada), { name: 'f', file_type: 'x', folder_id: others.folder })).toEqual([
      'folder_id forbidden',
    ]);
    expect(await fields('file', ADMIN, { name: 'f', file_type: 'x', user_id: ada, folder_id: others.folder })).toEqual([
      'folder_id conflict',
    ]);
    // `exists` asks for no right; images may be another user's for who may use them.
    await create('associate', as(ada), { designer_id: designer, user_id: eve });
    await create('piece', ADMIN, { ...piece, face_id: others.file });
  });

  test('OnlyAdministratorsSetWhatIsTheirs', async () => {
    const { create, update, ada } = await start();
    expect((await refused(create('user', as(ada), { username: 'x', admin: true }))).fields).toEqual([
      'admin forbidden',
    ]);
    expect((await refused(update('user', ada, as(ada), { admin: true }))).fields).toEqual(['admin forbidden']);
    expect(await update('user', ada, ADMIN, { admin: 1 })).toEqual({ id: ada, username: 'ada', admin: 1 });
  });

  test('UniqueBlamesTheLastColumn', async () => {
    const { create, ada, bob, designer } = await start();
    expect(await refused(create('user', ADMIN, { username: 'ada' }))).toMatchObject({
      code: 'not_unique',
      fields: ['username not_unique'],
    });
    expect((await refused(create('associate', as(ada), { designer_id: designer, user_id: bob }))).fields).toEqual([
      'user_id not_unique',
    ]);
  });

  test('ConstraintsThatValidationLetThrough', async () => {
    const { create, ada, game } = await start();
    expect(await refused(create('piece', as(ada), { game_id: game }))).toMatchObject({
      code: 'required',
      fields: ['name required'],
    });
    // A broken CHECK is a bug of validation: it keeps the engine's error, which names the constraint.
    expect(await refused(create('piece', as(ada), { name: 'x'.repeat(21), game_id: game }))).toMatchObject({
      code: 'SQLITE_CONSTRAINT_CHECK',
      message: 'CHECK constraint failed: piece_name_check',
    });
  });
});
