// Create, update and delete: who is authorized, what is passed to the store, and the response.
import type { ServiceError } from '../../runtime/errors.js';
import type { Call } from '../../runtime/operations/call.js';
import { createOperations, type Operations } from '../../runtime/operations/operations.js';
import { ADMIN, ANONYMOUS, BOOK, call, FakeStore, FOUND, OWNER, SHELF } from './fixture.js';

let store: FakeStore;
let hashed: string[];
let operations: Operations;
beforeEach(() => {
  store = new FakeStore();
  hashed = [];
  const hashPassword = async (text: string) => {
    hashed.push(text);
    return `hash of ${text}`;
  };
  const verifyPassword = async (text: string, stored: string) => stored === `hash of ${text}`;
  operations = createOperations({ store, definitions: [BOOK, SHELF], hashPassword, verifyPassword });
});

async function refused(operation: keyof Operations, request: Call): Promise<ServiceError> {
  return Promise.resolve()
    .then(() => operations[operation](request))
    .then(
      () => Promise.reject(new Error('was answered')),
      (error: ServiceError) => error,
    );
}
const UPLOAD = { name: 'p.png', type: 'image/png', size: 1, width: 1, height: 1, hash: 'ab' };

describe('create', () => {
  const MINIMAL = { name: 'One', shelf_id: 's1' };
  test('OK', async () => {
    expect(await operations.create(call({ ...MINIMAL, extra: 1 }, { id: '' }))).toEqual({
      status: 201,
      body: FOUND,
      location: '/api/book/b7',
      ignored: ['extra'],
    });
    expect(store.changes).toMatchObject([
      { resource: 'book', caller: OWNER, input: MINIMAL, failures: [], now: 1_700_000_000_000, upload: null },
    ]);
  });
  test('Anonymous', async () => {
    expect(await refused('create', call(MINIMAL, { caller: ANONYMOUS }))).toMatchObject({ code: 'login_required' });
    expect(store.changes).toEqual([]);
  });
  describe('AnIdOfTheAdministrators', () => {
    const ID = 'A4D9F1E0-52C2-11E3-9F5B-3D1C6B6A7C20';
    const create = (id: string, request: object) =>
      operations.create(call({ ...MINIMAL, _use_this_id: id }, { id: '', caller: ADMIN, ...request }));
    test('IsUsed', async () => {
      expect((await create(ID, {})).ignored).toEqual([]);
      expect(store.changes[0]?.id).toBe(ID);
    });
    test.each([
      ['forbidden', ID, { caller: OWNER }],
      ['invalid', 'a/b', {}],
      ['invalid', 'a', {}],
    ])('%s', async (code, id, request) => {
      await Promise.resolve(create(id, request)).catch(() => undefined);
      expect(store.changes[0]?.failures).toMatchObject([{ field: '_use_this_id', code }]);
      expect(store.changes[0]?.id).toBeUndefined();
    });
    test('IsIgnoredWhereAnOwnerGivesThePlacement', async () => {
      const references = BOOK.references.map((one, at) => (at === 0 ? { ...one, place: true as const } : one));
      const placed = { ...BOOK, name: 'placed', references };
      const passwords = { hashPassword: async () => '', verifyPassword: async () => true };
      const { create: run } = createOperations({ store, definitions: [placed], ...passwords });
      const request = call({ ...MINIMAL, _use_this_id: ID }, { id: '', caller: ADMIN, definition: placed });
      expect((await run(request)).ignored).toEqual(['_use_this_id']);
      expect(store.changes[0]?.id).toBeUndefined();
    });
  });
  test('PasswordIsHashed', async () => {
    await operations.create(call({ ...MINIMAL, secret: 'open sesame' }));
    expect(store.changes[0]?.input.secret).toBe('hash of open sesame');
  });
  test('FailuresReachTheStoreWithoutPassword', async () => {
    const error = await refused('create', call({ shelf_id: 's1', secret: 'open sesame', quantity: 0 }));
    expect(error).toMatchObject({ code: 'required', failures: [{ field: 'name' }, { field: 'quantity' }] });
    expect({ ...store.changes[0]?.input }).toEqual({ shelf_id: 's1' });
    expect(hashed).toEqual([]);
  });
  test('IgnoredIsToldWithTheError', async () => {
    const error = await refused('create', call({ nmae: 'One', shelf_id: 's1' }));
    expect(error).toMatchObject({ code: 'required', ignored: ['nmae'] });
  });
  test('AdministratorsOnly', async () => {
    const request = call({}, { definition: SHELF, upload: UPLOAD });
    expect(await refused('create', request)).toMatchObject({ code: 'forbidden' });
    expect(await refused('create', { ...request, caller: ANONYMOUS })).toMatchObject({ code: 'login_required' });
    expect(await operations.create({ ...request, caller: ADMIN })).toMatchObject({ status: 201 });
    expect(store.changes[0]?.upload).toBe(UPLOAD);
  });
  test('UploadMissing', async () => {
    const error = await refused('create', call({}, { definition: SHELF, caller: ADMIN }));
    expect(error.failures).toMatchObject([{ field: 'plan', code: 'required' }]);
  });
});

describe('update', () => {
  test('OK', async () => {
    expect(await operations.update(call({ quantity: '2', due: null }))).toEqual({
      status: 200,
      body: FOUND,
      ignored: [],
    });
    expect({ ...store.changes[0]?.input }).toEqual({ quantity: 2, due: null });
  });
  test('AnonymousBeforeAnythingElse', async () => {
    store.allowed = { allowed: false, code: 'not_found' };
    const error = await refused('update', call({ quantity: 0 }, { caller: ANONYMOUS }));
    expect(error).toMatchObject({ code: 'login_required', failures: [] });
  });
  test('NothingKnownReturnsTheRecord', async () => {
    expect(await operations.update(call({ extra: 1, bottom_id: 'f' }))).toEqual({
      status: 200,
      body: FOUND,
      ignored: ['extra'],
    });
    expect(store.changes).toEqual([]);
  });
  test('NothingKnownStillTakesTheRight', async () => {
    store.allowed = { allowed: false, code: 'forbidden' };
    expect(await refused('update', call({}))).toMatchObject({ code: 'forbidden' });
  });
  test('NoHashForWhoMayNotEdit', async () => {
    store.allowed = { allowed: false, code: 'forbidden' };
    expect(await refused('update', call({ secret: 'open sesame' }))).toMatchObject({ code: 'forbidden' });
    expect(hashed).toEqual([]);
  });
  test('PasswordIsHashed', async () => {
    await operations.update(call({ secret: 'open sesame' }));
    expect(store.changes[0]?.input.secret).toBe('hash of open sesame');
  });
  describe('D47: changing a password requires the old one', () => {
    const NEW = { secret: 'open sesame' };
    beforeEach(() => {
      store.hash = 'hash of let me in';
    });
    test.each([
      ['missing', NEW, 'required'],
      ['null', { ...NEW, old_secret: null }, 'required'],
      ['wrong', { ...NEW, old_secret: 'guessed it' }, 'invalid'],
      ['wrong beside other mistakes', { ...NEW, old_secret: 'guessed it', quantity: 0 }, 'invalid'],
    ])('%s', async (_, parameters, code) => {
      const { failures } = await refused('update', call(parameters));
      expect(failures.find(({ field }) => field === 'old_secret')).toMatchObject({ code });
      expect(failures).toHaveLength('quantity' in parameters ? 2 : 1);
      expect(hashed).toEqual([]);
    });
    test('right: the store never sees its text', async () => {
      await operations.update(call({ ...NEW, old_secret: 'let me in' }));
      expect({ ...store.changes[0]?.input }).toEqual({ secret: 'hash of open sesame' });
    });
    test('neither an administrator nor the first password needs one', async () => {
      await operations.update(call(NEW, { caller: ADMIN }));
      store.hash = null;
      await operations.update(call(NEW));
      expect(store.changes).toHaveLength(2);
    });
    test('alone it changes nothing; a create knows no such parameter', async () => {
      expect(await operations.update(call({ old_secret: 'let me in' }))).toMatchObject({ body: FOUND, ignored: [] });
      expect(store.changes).toEqual([]);
      const made = await operations.create(call({ name: 'One', shelf_id: 's1', old_secret: 'x' }, { id: '' }));
      expect(made.ignored).toEqual(['old_secret']);
    });
  });
  test('FailuresReachTheStore', async () => {
    expect(await refused('update', call({ name: '' }))).toMatchObject({ code: 'required' });
    expect(store.changes).toHaveLength(1);
  });
});

describe('remove', () => {
  test('OK', async () => {
    expect(await operations.remove(call({ x: 1 }))).toEqual({ status: 200, body: '{"success":1}', ignored: ['x'] });
  });
  test('Anonymous', async () => {
    expect(await refused('remove', call({}, { caller: ANONYMOUS }))).toMatchObject({ code: 'login_required' });
  });
  test('NotOffered', async () => {
    expect(await refused('remove', call({}, { definition: SHELF }))).toMatchObject({ code: 'method' });
  });
});
