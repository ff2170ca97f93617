// Actions and lifecycle functions that descriptors declare, from the request to the response, over the golden spec.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { gen } from '../../generator/commands/gen.js';
import { actions, behaviours, made } from '../generator/golden-handwritten.js';
import { clientOf, type Send } from '../support/client.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let send: Send;
let session: string;
let stranger: string;
let admin: string;

beforeAll(async () => {
  const folder = temporaryFolder('handwritten');
  cpSync(join(ROOT, 'tests', 'generator', 'golden', 'spec'), join(folder, 'spec'), { recursive: true });
  const generated = join(folder, 'generated');
  expect(gen({ spec: join(folder, 'spec'), out: generated, check: false, handwritten: true }).code).toBe(0);
  service = await startService({ generated, handwritten: { behaviours, actions } });
  send = clientOf(service.address);
  session = (await service.user('owner')).session;
  stranger = (await service.user('stranger')).session;
  admin = (await service.user('boss', true)).session;
});

afterAll(() => service?.stop());

async function crate(label: string): Promise<string> {
  const { status, body } = await send('POST', '/api/crate', { session, parameters: { label } });
  expect(status).toBe(201);
  return body.id;
}

describe('actions', () => {
  test('an action gets converted parameters, and answers with the changed record', async () => {
    const id = await crate('weighed');
    const path = `/api/crate/${id}/weigh?scale=exact&tare=12&colour=red`;
    const { status, headers, body } = await send('POST', path, { session });
    expect([status, headers.get('Ignored-Parameters')]).toEqual([200, 'colour']);
    expect(body).toMatchObject({ id, label: 'weighed, exact', moves: 12, capacity: 6 });
    expect((await send('GET', `/api/crate/${id}`)).body).toEqual(body);
  });
  test('all mistakes in its parameters are reported together', async () => {
    const id = await crate('unweighed');
    const { status, body } = await send('POST', `/api/crate/${id}/weigh`, { session, parameters: { tare: -1 } });
    const errors = body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    expect([status, errors.sort()]).toEqual([422, ['scale required', 'tare invalid']]);
  });
  test('the right it names is required', async () => {
    const id = await crate('guarded');
    const parameters = { scale: 'rough' };
    const weigh = async (by: string | null) =>
      (await send('POST', `/api/crate/${id}/weigh`, { session: by, parameters })).status;
    expect([await weigh(null), await weigh(stranger), await weigh(session), await weigh(admin)]).toEqual([
      401, 403, 200, 200,
    ]);
    const open = async (by: string) => await send('POST', `/api/crate/${id}/open`, { session: by });
    expect((await open(session)).status).toBe(403);
    expect((await open(admin)).status).toBe(409);
  });
  test('a refusing action changes nothing', async () => {
    const id = await crate('still');
    const before = (await send('GET', `/api/crate/${id}`)).body;
    const refused = await send('POST', `/api/crate/${id}/open`, { session: admin });
    expect([refused.status, refused.body.detail]).toEqual([409, 'A crate that never moved is not opened.']);
    expect((await send('GET', `/api/crate/${id}`)).body).toEqual(before);
  });
  test('an action without changes answers with the record', async () => {
    const id = await crate('moved twice');
    await send('POST', `/api/crate/${id}/weigh?scale=rough&tare=2`, { session });
    const opened = await send('POST', `/api/crate/${id}/open`, { session: admin });
    expect([opened.status, opened.body.moves]).toEqual([200, 2]);
  });
  test('an unknown record and an unknown action are not found', async () => {
    expect((await send('POST', '/api/crate/none/open', { session: admin })).status).toBe(404);
    expect((await send('POST', `/api/crate/${await crate('closed')}/shut`, { session: admin })).status).toBe(404);
  });
});

describe('lifecycle functions', () => {
  test('before create changes what is stored', async () => {
    const id = await crate('  wide  ');
    expect((await send('GET', `/api/crate/${id}`)).body).toMatchObject({ label: 'wide', moves: 0 });
  });
  test('before update changes or refuses', async () => {
    const id = await crate('moved');
    const put = (capacity: number) => send('PUT', `/api/crate/${id}`, { session, parameters: { capacity } });
    expect((await put(9)).body).toMatchObject({ capacity: 9, moves: 1 });
    const refused = await put(3);
    expect([refused.status, refused.body.detail]).toEqual([409, 'A crate does not shrink.']);
    expect((await send('GET', `/api/crate/${id}`)).body).toMatchObject({ capacity: 9, moves: 1 });
  });
  test('before delete refuses', async () => {
    const [kept, gone] = [await crate('kept'), await crate('gone')];
    for (const label of ['kept 1', 'kept 2']) {
      await send('PUT', `/api/crate/${kept}`, { session, parameters: { label } });
    }
    expect((await send('DELETE', `/api/crate/${kept}`, { session })).status).toBe(409);
    expect((await send('DELETE', `/api/crate/${gone}`, { session })).body).toEqual({ success: 1 });
    expect((await send('GET', `/api/crate/${kept}`)).status).toBe(200);
  });
  test('after create sees the stored row', async () => {
    const parameters = { label: 'Clock', crate_id: await crate('full') };
    expect((await send('POST', '/api/parcel', { session, parameters })).status).toBe(201);
    expect((await send('POST', '/api/parcel', { session, parameters: { label: 'Lost' } })).status).toBe(422);
    expect(made).toEqual(['Clock']);
  });
});
