// Logging in: missing parameters are reported together, wrong ones are not distinguished (D13, D39).

import { createLoginLimit } from '../../runtime/auth/login-limit.js';
import { createSessionRoutes } from '../../runtime/auth/session-routes.js';
import type { ServiceError } from '../../runtime/contract/errors.js';
import { PROFILES } from '../../runtime/http/profiles.js';
import type { Route, RouteRequest } from '../../runtime/http/routes.js';
import { fresh } from '../support/shared.js';
import { NOW, USER, world } from './world.js';

const auth = fresh(world);

const login = (parameters: Record<string, unknown>, address = '127.0.0.1') =>
  auth.login(parameters, { address, now: NOW });
const refusal = (parameters: Record<string, unknown>): Promise<unknown> =>
  login(parameters).then(
    () => null,
    (error: unknown) => error,
  );

describe('login', () => {
  test('missing parameters are required', async () => {
    await expect(login({})).rejects.toMatchObject({
      code: 'required',
      failures: [{ field: 'username' }, { field: 'password' }],
    });
    await expect(login({ username: 'ada', password: '' })).rejects.toMatchObject({
      failures: [{ field: 'password', code: 'required' }],
    });
  });

  test('values of another type are invalid', async () => {
    await expect(login({ username: ['a', 'b'], password: 1 })).rejects.toMatchObject({
      failures: [
        { field: 'username', code: 'invalid' },
        { field: 'password', code: 'invalid' },
      ],
    });
  });

  test('a wrong user and a wrong password get the same answer in plain, 440 and 454 in wing', async () => {
    const [user, password] = [
      (await refusal({ username: 'bob', password: 'secret' })) as ServiceError,
      (await refusal({ username: 'ada', password: 'guess' })) as ServiceError,
    ];
    const plain = PROFILES.plain.error(user, 'r');
    expect(plain.status).toBe(401);
    expect(plain).toEqual(PROFILES.plain.error(password, 'r'));
    expect([user, password].map((error) => PROFILES.wing.error(error, 'r').status)).toEqual([440, 454]);
    expect([user.message, user.failures, user.headers]).toEqual([
      password.message,
      password.failures,
      password.headers,
    ]);
  });

  test('an api key must be the user’s own', async () => {
    expect((await login({ username: 'ada', password: 'secret', api_key_id: 'a7-mine' })).apiKey).toBe('a7-mine');
    for (const key of ['b3-other', 'none']) {
      await expect(login({ username: 'ada', password: 'secret', api_key_id: key })).rejects.toMatchObject({
        failures: [{ field: 'api_key_id', code: 'invalid' }],
      });
    }
    await expect(login({ username: 'ada', password: 'guess', api_key_id: 'none' })).rejects.toMatchObject({
      code: 'wrong_password',
    });
  });

  const wrong = (name: string) => refusal({ username: name, password: 'wrong' });

  test('F21: ten failed logins a minute are allowed per address and name; successful ones do not count', async () => {
    for (let n = 0; n < 20; n += 1) await login({ username: 'ada', password: 'secret' });
    for (let n = 0; n < 10; n += 1) expect(await wrong('ada')).toMatchObject({ code: 'wrong_password' });
    const refused = (await refusal({ username: 'ada', password: 'secret' })) as ServiceError;
    expect(refused).toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) },
    });
    const seconds = refused.headers['Retry-After'];
    expect(refused.message).toMatch(new RegExp(`^Too many logins have failed; try again in ${seconds} seconds?\\.$`));
    await login({ username: 'ada', password: 'secret' }, '127.0.0.2');
    expect(await refusal({ username: 'bob', password: 'x' })).toMatchObject({ code: 'unknown_user' });
  });

  test('F21: sixty failed logins a minute are allowed per address, whatever the names', async () => {
    for (let n = 0; n < 60; n += 1) expect(await wrong(`name${n}`)).toMatchObject({ code: 'unknown_user' });
    expect(await wrong('another')).toMatchObject({ code: 'rate_limited' });
    expect(await refusal({ username: 'ada', password: 'secret' })).toMatchObject({ code: 'rate_limited' });
    await login({ username: 'ada', password: 'secret' }, '127.0.0.2');
  });

  test('F21: a limit of 0 means no limit', () => {
    expect(createLoginLimit(0)).toBeNull();
  });

  test('F21: concurrent logins do not count as failures, and are not a way around the limit', async () => {
    const right = Array.from({ length: 20 }, () => login({ username: 'ada', password: 'secret' }));
    await Promise.all(right);
    const codes = (await Promise.all(Array.from({ length: 30 }, () => wrong('ada')))) as ServiceError[];
    expect(codes.filter(({ code }) => code === 'wrong_password')).toHaveLength(10);
  });
});

describe('session routes', () => {
  const request = (parts: Partial<RouteRequest>): RouteRequest => ({
    ...{ id: '', parameters: {}, caller: { user: null, admin: false }, session: null, upload: null },
    ...{ address: '127.0.0.1', now: NOW },
    ...parts,
  });

  test('create, fetch, delete, delete again', async () => {
    const [create, fetch, remove] = createSessionRoutes(auth.sessions, auth.login) as [Route, Route, Route];
    const shape = ({ method, base, withId }: Route) => [method, base, withId];
    expect([create, fetch, remove].map(shape)).toEqual([
      ['POST', '/api/session', false],
      ['GET', '/api/session', true],
      ['DELETE', '/api/session', true],
    ]);
    const created = await create.run(request({ parameters: { username: 'ada', password: 'secret' } }));
    const session = JSON.parse(created.body) as { id: string };
    expect(session).toEqual({ id: expect.any(String), object_type: 'session', user_id: USER, api_key_id: null });
    expect(created).toMatchObject({ status: 201, location: `/api/session/${session.id}` });
    expect(await fetch.run(request({ id: session.id }))).toEqual({ status: 200, body: created.body });
    expect(await remove.run(request({ id: session.id }))).toEqual({ status: 200, body: '{"success":1}' });
    expect(await remove.run(request({ id: session.id }))).toEqual({ status: 200, body: '{"success":1}' });
    expect(() => fetch.run(request({ id: session.id }))).toThrow(expect.objectContaining({ code: 'login_required' }));
  });
});
