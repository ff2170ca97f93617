import { ServiceError } from '../../runtime/contract/errors.js';
import { FORM_BODY, MULTIPART_BODY, multipart, type Service, start } from './client.js';
import { MemoryFiles, OPERATIONS } from './fixture.js';

let service: Service;
let files: MemoryFiles;
const boot = async (more: Parameters<typeof start>[0] = {}) => {
  files = new MemoryFiles();
  service = await start({ files, ...more });
};
beforeEach(() => boot());
afterEach(() => service.close());

const file = (value: string, name = 'file') => ({ name, value, filename: 'ring é.png' });
const post = (body: string, path = '/api/upload?session_id=alive') =>
  service.send('POST', path, { headers: MULTIPART_BODY, body });

test('the part that the route names is kept and reaches the operation', async () => {
  const reply = await post(
    multipart([{ name: 'name', value: 'Ring' }, file('bytes'), { name: 'folder_id', value: 'f1' }]),
  );
  expect(reply.status).toBe(201);
  expect(reply.json).toMatchObject({
    parameters: { name: 'Ring', folder_id: 'f1' },
    upload: { name: 'ring é.png', size: 5, hash: 'bytes' },
  });
  expect(files).toMatchObject({ kept: ['bytes'], open: new Set() });
});

test('a session after the file is found', async () => {
  const body = multipart([file('bytes'), { name: 'session_id', value: 'alive' }]);
  expect((await post(body, '/api/upload')).json).toMatchObject({ caller: { user: 'u1' }, upload: { size: 5 } });
});

test('other file parts are dropped and reported as ignored', async () => {
  const reply = await post(multipart([file('other', 'thumb'), file('bytes')]));
  expect(reply.json).toMatchObject({ upload: { hash: 'bytes' } });
  expect(reply.headers['ignored-parameters']).toBe('thumb');
  const stray = await post(multipart([file('stray')]), '/api/maker');
  expect(stray).toMatchObject({ status: 201, json: { upload: null } });
  expect(stray.headers['ignored-parameters']).toBe('file');
  expect(files.kept).toEqual(['bytes']);
});

test.each([
  ['without a name and without bytes is what browsers send if no file was chosen', '', '', null, []],
  ['without a name is stored like any other', 'bytes', '', { name: '', size: 5 }, ['bytes']],
  ['without bytes is stored like any other', '', 'empty.txt', { name: 'empty.txt', size: 0 }, ['']],
])('a part %s', async (_what, value, filename, upload, kept) => {
  const body = multipart([
    { name: 'file', value, filename },
    { name: 'name', value: 'Ring' },
  ]);
  expect((await post(body)).json).toMatchObject({ parameters: { name: 'Ring' }, upload });
  expect(files).toMatchObject({ kept, open: new Set() });
});

// The parser goes on with the bytes it has, and would start a file that nobody ends.
test('a broken part header before a file is refused', async () => {
  const body = multipart([{ name: '\0', value: 'x' }, file('x'.repeat(500))]);
  const head = 'POST /api/upload?session_id=alive HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9999\r\n';
  const bytes = `${head}Content-Type: ${MULTIPART_BODY['Content-Type']}\r\n\r\n${body.slice(0, -100)}`;
  expect(await service.raw(bytes)).toMatch(/^HTTP\/1.1 400 /);
  expect(files).toMatchObject({ kept: [], open: new Set() });
});

test('without the part there is no upload', async () => {
  expect((await post(multipart([{ name: 'file', value: 'text' }]))).json).toMatchObject({
    upload: null,
    parameters: { file: 'text' },
  });
  expect((await service.send('POST', '/api/upload', { headers: FORM_BODY, body: 'a=1' })).json).toMatchObject({
    upload: null,
  });
});

test.each([
  ['at the limit', 1000, 201],
  ['over the limit', 1001, 413],
  ['far over the limit', 3_000_000, 413],
])('%s', async (_name, size, status) => {
  expect((await post(multipart([file('x'.repeat(size))]))).status).toBe(status);
  expect(files.open.size).toBe(0);
});

describe('nothing is left behind', () => {
  test.each([
    ['cut off in the file', multipart([file('bytes')]).slice(0, -12), 400],
    ['cut off in a part without a name', multipart([{ name: 'file', value: '', filename: '' }]).slice(0, -11), 400],
    ['cut off behind the file', multipart([file('bytes'), { name: 'a', value: '1' }]).slice(0, -8), 400],
    ['the part twice', multipart([file('bytes'), file('again')]), 422],
    [
      'a session twice',
      multipart([file('bytes'), { name: 'session_id', value: 'a' }, { name: 'session_id', value: 'b' }]),
      422,
    ],
  ])('%s', async (_name, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(files).toMatchObject({ kept: [], open: new Set() });
  });

  test('without a session', async () => {
    expect(await post(multipart([file('bytes')]), '/api/upload?session_id=dead')).toMatchObject({
      status: 401,
      json: { code: 'login_required' },
    });
    expect(files).toMatchObject({ kept: [], open: new Set() });
  });

  test('the connection breaks', async () => {
    const body = multipart([file('x'.repeat(900))]);
    const head = `POST /api/upload HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_BODY['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    await service.raw(head + body.slice(0, 500), { end: true });
    expect(files).toMatchObject({ kept: [], open: new Set() });
  });

  test('the operation fails', async () => {
    await service.close();
    const discarded: string[] = [];
    const create = () => Promise.reject(new ServiceError('conflict', 'No.'));
    await boot({ operations: { ...OPERATIONS, create } });
    files.discard = async ({ path }) => void discarded.push(path);
    expect((await post(multipart([file('bytes')]))).status).toBe(409);
    expect(discarded).toEqual(['temporary 0']);
  });
});

test('a full disk is reported as storage_full', async () => {
  files.receive = () => Promise.reject(new ServiceError('storage_full', 'Full.'));
  expect(await post(multipart([file('x'.repeat(900))]))).toMatchObject({ status: 507, json: { code: 'storage_full' } });
});
