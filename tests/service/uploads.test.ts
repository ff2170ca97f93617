// Files: the record of an upload, the returned bytes, and refusals (Must hold 1; D25, D34).

import { records } from '../document/resources.js';
import { GIF, JPEG, PNG, SVG, SVG_SCRIPT, WEBP } from '../files/samples.js';
import type { Reply } from '../support/client.js';
import { shared } from '../support/shared.js';
import { refusal } from './replies.js';
import { makeWorld } from './world.js';

const world = shared(makeWorld);

interface FormPart {
  readonly bytes: Buffer | Blob;
  readonly name?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly session?: string | null;
}

async function upload({
  bytes,
  name = 'lid.png',
  fields = {},
  session = world.owner.session,
}: FormPart): Promise<Reply> {
  const form = new FormData();
  if (session !== null) form.set('session_id', session);
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set('file', bytes instanceof Blob ? bytes : new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(`${world.address}/api/file`, { method: 'POST', body: form });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** Bytes, media type, the size in pixels that the bytes state, and whether a browser may show it in place. */
test.each([
  ['image/png', PNG, 1, 1, 'inline'],
  ['image/jpeg', JPEG, 1, 1, 'inline'],
  ['image/gif', GIF, 1, 1, 'inline'],
  ['image/webp', WEBP, 1, 1, 'inline'],
  ['image/svg+xml', SVG, 30, 20, 'attachment'],
  ['image/svg+xml', SVG_SCRIPT, 3, 2, 'attachment'],
  ['application/octet-stream', Buffer.from('plain text'), null, null, 'attachment'],
])('%s', async (file_type, bytes, image_width, image_height, disposition) => {
  const reply = await upload({ bytes, name: 'lid.dat' });
  expect(reply.status).toBe(201);
  const fields = Object.keys(records.file.fields);
  expect(Object.keys(reply.body).sort()).toEqual(fields.sort());
  const size = bytes.length;
  expect(reply.body).toMatchObject({ name: 'lid.dat', file_type, file_size: size, image_width, image_height });
  expect(reply.body).toMatchObject({ user_id: world.owner.id, folder_id: null, object_type: 'file' });
  const served = await fetch(`${world.address}${reply.body.file_uri}`);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, file_type]);
  expect(served.headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
  expect(served.headers.get('content-security-policy')).toMatch(/sandbox/);
  expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
});

test('parameters besides the bytes', async () => {
  const folder_id = await world.home('folder');
  const { body } = await upload({ bytes: PNG, fields: { name: 'Lid', folder_id } });
  expect(body).toMatchObject({ name: 'Lid', folder_id });
  const { session } = world.owner;
  const renamed = await world.send('PUT', `/api/file/${body.id}`, { session, parameters: { name: 'Bottom' } });
  expect(renamed.body).toEqual({ ...body, name: 'Bottom', date_updated: renamed.body.date_updated });
});

test('only callers with the key get the bytes', async () => {
  const { body } = await upload({ bytes: PNG });
  expect(body.file_uri).toMatch(new RegExp(`^/files/${body.id}/[\\w-]{20,}$`));
  for (const path of [`/files/${body.id}/${'x'.repeat(22)}`, `/files/${body.id}/`, `/files/${body.id}`]) {
    expect([path, (await fetch(`${world.address}${path}`)).status]).toEqual([path, 404]);
  }
});

test('a record belongs to its owner', async () => {
  const { id } = (await upload({ bytes: PNG })).body;
  expect(refusal(await world.send('GET', `/api/file/${id}`))).toEqual(['login_required']);
  expect(refusal(await world.send('GET', `/api/file/${id}`, { session: world.stranger.session }))).toEqual([
    'forbidden',
  ]);
});

test('without a session', async () => {
  expect(refusal(await upload({ bytes: PNG, session: null }))).toEqual(['login_required']);
  expect(refusal(await upload({ bytes: PNG, session: 'dead' }))).toEqual(['login_required']);
});

test('without bytes', async () => {
  const { session } = world.owner;
  const reply = await world.send('POST', '/api/file', { session, parameters: { name: 'Lid' } });
  expect(refusal(reply)).toEqual(['file: required']);
});

/** 50 MiB are accepted, one byte more is not (reference: the file's descriptor, behind.test.ts). */
test('too large', async () => {
  const most = 52428800;
  const over = await upload({ bytes: new Blob([new Uint8Array(most + 1)]) });
  expect(refusal(over)).toEqual(['too_large']);
  const whole = await upload({ bytes: new Blob([new Uint8Array(most)]) });
  expect([whole.status, whole.body.file_size]).toEqual([201, most]);
});

test('the same bytes twice are two files', async () => {
  const [one, other] = [await upload({ bytes: GIF }), await upload({ bytes: GIF })];
  expect(one.body.id).not.toBe(other.body.id);
  const { session } = world.owner;
  expect((await world.send('DELETE', `/api/file/${one.body.id}`, { session })).body).toEqual({ success: 1 });
  expect((await fetch(`${world.address}${other.body.file_uri}`)).status).toBe(200);
});
