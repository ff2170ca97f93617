import Database from 'better-sqlite3';
import type { ErrorCode } from '../../runtime/contract/errors.js';
import { failed, ServiceError } from '../../runtime/contract/errors.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import { VIEWERS } from '../../runtime/store/sql/viewers.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { propertySql } from '../../runtime/store/sqlite/properties.js';
import { start } from './client.js';
import { definition, OPERATIONS } from './fixture.js';

const { plain, wing } = PROFILES;

// D04, by hand: code, plain status, wing status, the code that plain reports.
const TABLE: readonly [ErrorCode, number, number, string][] = [
  ['required', 422, 441, 'required'],
  ['invalid', 422, 442, 'invalid'],
  ['reference_not_found', 422, 440, 'reference_not_found'],
  ['not_found', 404, 404, 'not_found'],
  ['login_required', 401, 401, 'login_required'],
  ['wrong_password', 401, 454, 'login_required'],
  ['unknown_user', 401, 440, 'login_required'],
  ['forbidden', 403, 450, 'forbidden'],
  ['conflict', 409, 409, 'conflict'],
  ['not_unique', 409, 443, 'not_unique'],
  ['unsupported_file', 415, 444, 'unsupported_file'],
  ['unsupported_media_type', 415, 400, 'unsupported_media_type'],
  ['idempotency_key_reused', 422, 442, 'idempotency_key_reused'],
  ['precondition_failed', 412, 453, 'precondition_failed'],
  ['precondition_required', 428, 441, 'precondition_required'],
  ['too_large', 413, 413, 'too_large'],
  ['rate_limited', 429, 452, 'rate_limited'],
  ['malformed', 400, 400, 'malformed'],
  ['method', 405, 405, 'method'],
  ['unavailable', 503, 503, 'unavailable'],
  ['storage_full', 507, 507, 'storage_full'],
  ['internal', 500, 500, 'internal'],
];

const throwing = (thrown: unknown) => ({
  ...OPERATIONS,
  fetch: () => {
    throw thrown;
  },
  update: () => Promise.reject(thrown),
});

describe.each(TABLE)('%s', (code, plainStatus, wingStatus, plainCode) => {
  const error = new ServiceError(code, 'A sentence.', [], { 'X-Extra': 'yes' });

  test('plain', async () => {
    const service = await start({ profile: plain, operations: throwing(error) });
    for (const method of ['GET', 'PUT']) {
      const reply = await service.send(method, '/api/maker/m1', { headers: { 'X-Request-Id': 'abc' } });
      expect(reply.status).toBe(plainStatus);
      expect(reply.headers).toMatchObject({ 'content-type': 'application/problem+json', 'x-extra': 'yes' });
      expect(reply.json).toEqual({
        type: 'about:blank',
        title: expect.any(String),
        status: plainStatus,
        detail: 'A sentence.',
        code: plainCode,
        request_id: 'abc',
        errors: [],
      });
    }
    await service.close();
  });

  test('wing', async () => {
    const service = await start({ profile: wing, operations: throwing(error) });
    const reply = await service.send('GET', '/api/maker/m1');
    expect(reply.status).toBe(wingStatus);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.text).toBe(`{"error":{"code":${wingStatus},"message":"A sentence.","data":null}}`);
    await service.close();
  });
});

test('plain reports all failures, wing the first', async () => {
  const failures = [
    { field: 'name', code: 'required', message: 'name is required.' },
    { field: 'quantity', code: 'invalid', message: 'quantity must be between 1 and 99.' },
  ] as const;
  const error = failed([...failures]);
  expect(JSON.parse(plain.error(error, 'r').text)).toMatchObject({
    status: 422,
    title: 'Unprocessable Entity',
    errors: failures,
  });
  expect(wing.error(error, 'r').text).toBe('{"error":{"code":441,"message":"name is required.","data":"name"}}');
});

test('anything but a ServiceError becomes an error without detail', async () => {
  for (const thrown of [new Error('secret path'), 'secret', undefined, null, { code: 'secret' }]) {
    const service = await start({ operations: throwing(thrown) });
    const reply = await service.send('GET', '/api/maker/m1');
    expect(reply).toMatchObject({ status: 500, json: { code: 'internal' } });
    expect(reply.text).not.toContain('secret');
    await service.close();
  }
});

test('401 and 503 have the headers that HTTP demands', async () => {
  const login = await start({ operations: throwing(new ServiceError('login_required', 'Log in.')) });
  expect((await login.send('GET', '/api/maker/m1')).headers['www-authenticate']).toBe('Bearer');
  await login.close();
  const busy = await start({ operations: throwing(new ServiceError('unavailable', 'Busy.')) });
  expect((await busy.send('GET', '/api/maker/m1')).headers['retry-after']).toBe('1');
  await busy.close();
});

describe('success', () => {
  const operations = {
    ...OPERATIONS,
    create: () => ({ status: 201 as const, body: '{"id":"x"}', location: '/api/maker/x' }),
    action: () => ({ status: 200 as const, body: '1' }),
  };

  test('plain', async () => {
    const service = await start({ profile: plain, operations });
    const created = await service.send('POST', '/api/maker');
    expect(created).toMatchObject({ status: 201, text: '{"id":"x"}' });
    expect(created.headers).toMatchObject({
      location: '/api/maker/x',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(await service.send('POST', '/api/maker/m1/ship')).toMatchObject({ status: 200, text: '1' });
    await service.close();
  });

  test('wing', async () => {
    const service = await start({ profile: wing, operations });
    const created = await service.send('POST', '/api/maker');
    expect(created).toMatchObject({ status: 200, text: '{"result":{"id":"x"}}' });
    expect(created.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(created.headers.location).toBeUndefined();
    expect(await service.send('POST', '/api/maker/m1/ship')).toMatchObject({ status: 200, text: '{"result":1}' });
    await service.close();
  });
});

describe('dates and booleans', () => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE t (at INTEGER, flag INTEGER)');
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
  const times = definition('time', { columns: { at: { type: 'date' }, flag: { type: 'boolean' } } });
  const shown = (profile: (typeof PROFILES)['plain'], at: number | null, flag: number | null) => {
    db.exec('DELETE FROM t');
    insert.run(at, flag);
    const composing = { definitions: new Map(), dialect: SQLITE, formats: profile };
    const row = { ...composing, definition: times, viewer: VIEWERS.anonymous, alias: 't' };
    const [date, boolean] = (['at', 'flag'] as const).map((column) => propertySql({ kind: 'column', column }, row));
    const sql = `SELECT json_object('at', ${date}, 'flag', ${boolean}) FROM t`;
    return db.prepare(sql).pluck().get();
  };
  afterAll(() => db.close());

  test.each([
    [1767323045678, 1, '{"at":"2026-01-02T03:04:05.678Z","flag":true}', '{"at":"2026-01-02 03:04:05","flag":1}'],
    [1767323045999, 0, '{"at":"2026-01-02T03:04:05.999Z","flag":false}', '{"at":"2026-01-02 03:04:05","flag":0}'],
    [0, 1, '{"at":"1970-01-01T00:00:00.000Z","flag":true}', '{"at":"1970-01-01 00:00:00","flag":1}'],
    [null, null, '{"at":null,"flag":null}', '{"at":null,"flag":null}'],
  ])('SQL: %s %s', (at, flag, plainText, wingText) => {
    expect(shown(plain, at, flag)).toBe(plainText);
    expect(shown(wing, at, flag)).toBe(wingText);
  });

  test('SQL and TypeScript agree on every millisecond', () => {
    for (let at = 1767323045000; at < 1767323046000; at++) {
      expect(shown(plain, at, 1)).toBe(`{"at":"${plain.formatDate(at)}","flag":true}`);
    }
  });

  test('TypeScript', () => {
    expect(plain.formatDate(1767323045678)).toBe('2026-01-02T03:04:05.678Z');
    expect(wing.formatDate(1767323045678)).toBe('2026-01-02 03:04:05');
    expect([plain.formatBoolean(true), plain.formatBoolean(false)]).toEqual([true, false]);
    expect([wing.formatBoolean(true), wing.formatBoolean(false)]).toEqual([1, 0]);
  });
});
