// D57, D58 over HTTP, in both profiles: the tag of every response with one record, conditional writes, and PATCH.
import { errors } from '../document/errors.js';
import { clientOf, type Reply, type Send } from '../support/client.js';
import { count } from '../support/counts.js';
import { exchange } from '../support/exchange.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

describe.each(['plain', 'wing'] as const)('with the profile %s', (wire) => {
  const service = shared(() => startService({ wire }));
  let send: Send;
  let session: string;
  let designer: string;
  let game: string;
  beforeAll(async () => {
    send = clientOf(service.address);
    ({ session } = await service.user('ada'));
    designer = recordOf(await own('POST', '/api/designer', { name: 'Ada Games' })).id;
  });
  beforeEach(async () => {
    game = recordOf(await own('POST', '/api/game', { name: 'Dawn', designer_id: designer })).id;
  });

  const own = (method: string, path: string, parameters?: object, headers: Record<string, string> = {}) =>
    send(method, path, { session, headers, ...(parameters && { parameters: { ...parameters } }) });
  const put = (parameters: object, headers?: Record<string, string>, method = 'PUT') =>
    own(method, `/api/game/${game}`, parameters, headers);
  const recordOf = ({ body }: Reply) => (wire === 'plain' ? body : body.result);
  const tagOf = ({ headers }: Reply) => headers.get('etag');
  const codeOf = ({ status, body }: Reply) => (wire === 'plain' ? body.code : status);
  const refusal = (code: 'precondition_failed' | 'malformed' | 'not_found' | 'unsupported_media_type') =>
    wire === 'plain' ? code : errors[code].wing;

  test('every response with one record has its tag, and no other response has one', async () => {
    const created = await own('POST', '/api/game', { name: 'Noon', designer_id: designer });
    expect(tagOf(created)).toBe('"1"');
    expect(tagOf(await own('GET', `/api/game/${game}`))).toBe('"1"');
    expect(tagOf(await own('GET', `/api/game/${game}?_include_related_objects=1`))).toBe('"1"');
    expect(tagOf(await put({ name: 'Dusk' }))).toBe('"2"');
    expect(tagOf(await put({}))).toBe('"2"');
    expect(tagOf(await put({ name: 'Night' }, {}, 'PATCH'))).toBe('"3"');
    expect(tagOf(await own('POST', `/api/game/${game}/public`, {}))).toBe('"4"');
    expect(tagOf(await own('DELETE', `/api/game/${game}/public`))).toBe('"5"');
    expect(tagOf(await own('POST', `/api/game/${game}/copy`, {}))).toBe('"1"');
    for (const path of [`/api/designer/${designer}/games`, '/api/game/_options', '/api/game/none']) {
      expect([path, tagOf(await own('GET', path))]).toEqual([path, null]);
    }
    expect(tagOf(await own('DELETE', `/api/game/${game}`))).toBeNull();
  });

  test('a fetch never answers 304, since its contents can change without the record', async () => {
    const { status } = await own('GET', `/api/game/${game}`, undefined, { 'if-none-match': '"1"' });
    expect(status).toBe(200);
  });

  test('a replayed create has the tag of the first answer', async () => {
    const key = { 'idempotency-key': `key of ${game}`.replaceAll(' ', '-') };
    const create = () => own('POST', '/api/game', { name: 'Noon', designer_id: designer }, key);
    const { id } = recordOf(await create());
    await own('PUT', `/api/game/${id}`, { name: 'Later' });
    const again = await create();
    expect([recordOf(again).name, tagOf(again)]).toEqual(['Noon', '"1"']);
  });

  const stale = { 'if-match': '"7"' };
  test.each<[string, (headers: Record<string, string>) => Promise<Reply>]>([
    ['PUT', (headers) => put({ name: 'Dusk' }, headers)],
    ['PUT of nothing', (headers) => put({}, headers)],
    ['PATCH', (headers) => put({ name: 'Dusk' }, headers, 'PATCH')],
    ['an action', (headers) => own('POST', `/api/game/${game}/public`, {}, headers)],
    ['a copy', (headers) => own('POST', `/api/game/${game}/copy`, {}, headers)],
    ['DELETE', (headers) => own('DELETE', `/api/game/${game}`, undefined, headers)],
  ])('%s with a stale tag is refused, and done with that of today', async (_, write) => {
    const refused = await write(stale);
    expect([codeOf(refused), tagOf(refused)]).toEqual([refusal('precondition_failed'), '"1"']);
    if (wire === 'wing') expect(refused.body.error.data).toBe('"1"');
    expect(recordOf(await own('GET', `/api/game/${game}`)).name).toBe('Dawn');
    expect((await write({ 'if-match': '"1"' })).status).toBeLessThan(300);
  });

  test.each([
    ['"1"', true],
    ['"9", "1"', true],
    ['  "1"  ,\t"2"', true],
    ['*', true],
    ['W/"1"', false],
    ['"9"', false],
    ['"01"', false],
    ['"one", ""', false],
  ])('If-Match: %s', async (tags, isMet) => {
    const answer = await put({ name: 'Dusk' }, { 'if-match': tags });
    expect(codeOf(answer)).toBe(isMet ? (wire === 'plain' ? undefined : 200) : refusal('precondition_failed'));
  });

  test.each(['1', '"1', '', '*, "1"', '"1" "2"', 'W/1', '"a b"x'])('If-Match: %s is malformed', async (tags) => {
    expect(codeOf(await put({ name: 'Dusk' }, { 'if-match': tags }))).toBe(refusal('malformed'));
  });

  test.each([
    ['"9"', true],
    ['"1"', false],
    ['W/"1"', false],
    ['*', false],
  ])('If-None-Match: %s', async (tags, isMet) => {
    const answer = await put({ name: 'Dusk' }, { 'if-none-match': tags });
    expect(codeOf(answer)).toBe(isMet ? (wire === 'plain' ? undefined : 200) : refusal('precondition_failed'));
  });

  test('a refusal says which condition failed', async () => {
    const says = async (headers: Record<string, string>) => (await put({ name: 'Dusk' }, headers)).text;
    expect(await says(stale)).toContain('The record has changed meanwhile');
    expect(await says({ 'if-none-match': '*' })).toContain('If-None-Match excludes the record as it is');
  });

  test('a forbidden change is refused as forbidden, not for its condition', async () => {
    const missing = await own('PUT', '/api/game/none', { name: 'x' }, stale);
    expect(codeOf(missing)).toBe(refusal('not_found'));
    const nobody = await send('PUT', `/api/game/${game}`, { parameters: { name: 'x' }, headers: stale });
    expect(codeOf(nobody)).toBe(wire === 'plain' ? 'login_required' : errors.forbidden.wing);
  });

  test.each(['application/json', 'application/merge-patch+json'])('a PATCH of %s', async (type) => {
    const { session: _, ...request } = { session, method: 'PATCH', body: '{"description":"Long","name":"Dusk"}' };
    const headers = { authorization: `Bearer ${session}`, 'content-type': type };
    const path = `${service.address}/api/game/${game}`;
    expect((await exchange(path, { ...request, headers })).status).toBe(200);
    // Null clears, as in RFC 7396.
    expect((await exchange(path, { ...request, headers, body: '{"description":null}' })).status).toBe(200);
    expect(recordOf(await own('GET', `/api/game/${game}`))).toMatchObject({ name: 'Dusk', description: null });
  });

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'a PATCH of %s is not read',
    async (type) => {
      const refused = await put({ name: 'x' }, { 'content-type': type }, 'PATCH');
      expect(codeOf(refused)).toBe(refusal('unsupported_media_type'));
      expect(refused.headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
    },
  );

  test('PUT does not accept a merge patch', async () => {
    const refused = await put({ name: 'x' }, { 'content-type': 'application/merge-patch+json' });
    expect(codeOf(refused)).toBe(refusal('unsupported_media_type'));
  });

  test('of writers that start with one tag, exactly one wins', async () => {
    for (let round = 1; round <= count(3, 50); round++) {
      const writes = ['a', 'b', 'c', 'd'].map((name) => put({ name }, { 'if-match': `"${round}"` }));
      const met = (await Promise.all(writes)).filter(({ status }) => status === 200);
      expect(met.map(tagOf)).toEqual([`"${round + 1}"`]);
    }
  });
});
