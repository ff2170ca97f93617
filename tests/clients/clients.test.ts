// The service answers unchanged public clients in the profile wing: the requests that they send, and what they read of the
// answers.

import { PASSWORD, startService, type TestService } from '../support/service.js';
import { type Call, differences } from './call.js';
import { CLIENTS } from './tables.js';

let service: TestService;
let known: ReadonlyMap<string, string>;

beforeAll(async () => {
  service = await startService({ wire: 'wing' });
  known = await prepare();
});
afterAll(() => service.stop());

describe.each(Object.entries(CLIENTS))('%s', (_client, calls) => {
  const kept = new Map<string, string>();
  beforeAll(() => {
    for (const [name, id] of known) kept.set(name, id);
  });

  test.each(calls.map((call, at) => [`${at + 1}. ${call.ask}`, call] as const))('%s', async (_ask, call) => {
    expect(await differences(service.address, call, kept)).toEqual({});
  });
});

test('values that a client would miss are named', async () => {
  const call: Call = { ask: 'GET /api/part/{part}', reads: { name: 'Red cube', id: /./ } };
  expect(await differences(service.address, call, new Map(known))).toEqual({ name: 'Blue cube' });
  const gone: Call = { ask: call.ask, reads: { edit_uri: /./, nothing: /^/, category: /./ } };
  expect(Object.keys(await differences(service.address, gone, new Map(known)))).toEqual([
    'edit_uri',
    'nothing',
    'category',
  ]);
  expect(await differences(service.address, { ...call, status: 404 }, new Map(known))).toMatchObject({ status: 200 });
});

/** What exists before a client runs: a user with a key, a designer and a picture, and stock parts. */
async function prepare(): Promise<ReadonlyMap<string, string>> {
  const [ada, root] = [await service.user('ada'), await service.user('root', true)];
  const kept = new Map([
    ['user', ada.id],
    ['session', ada.session],
    ['password', PASSWORD],
  ]);
  const create = async (
    ask: string,
    parameters: Call['with'],
    keep: string,
    rest: Partial<Call> = {},
  ): Promise<void> => {
    const call: Call = { ask, with: { session_id: '{session}', ...parameters }, reads: {}, keep, ...rest };
    expect(await differences(service.address, call, kept)).toEqual({});
  };
  await create('POST /api/apikey', { name: 'client' }, 'key');
  await create('POST /api/designer', { name: 'Acme' }, 'designer');
  await create('POST /api/file', { name: 'picture' }, 'picture', { as: 'multipart', file: 'png' });
  kept.set('session', root.session);
  await create('POST /api/file', { name: 'stock' }, 'stock', { as: 'multipart', file: 'png' });
  await create('POST /api/part', { name: 'Blue cube' }, 'part');
  // Clients know stock parts by fixed ids.
  await create('POST /api/part', { name: 'Pawn', _use_this_id: 'AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE' }, 'pawn');
  return kept;
}
