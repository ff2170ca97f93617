// D47: the length of a password, and that users who change one prove to know the old one; in both profiles.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPasswords } from '../../runtime/auth/passwords.js';
import { clientOf, type Send } from '../support/client.js';
import { runSql } from '../support/database.js';
import { ROOT } from '../support/paths.js';
import { PASSWORD, startService } from '../support/service.js';
import { shared } from '../support/shared.js';

const NEW = 'another horse';

describe.each(['plain', 'wing'] as const)('D47 in %s', (wire) => {
  const service = shared(() => startService({ wire }));
  let send: Send;
  beforeAll(async () => {
    send = clientOf(service.address);
  });

  const login = async (username: string, password: string) =>
    (await send('POST', '/api/session', { parameters: { username, password } })).status;
  const fields = (body: { errors?: { field: string }[]; error?: { data: unknown } }) =>
    body.errors?.map(({ field }) => field) ?? [body.error?.data];

  test.each([
    ['no old password', {}],
    ['none, by null', { old_password: null }],
    ['a wrong one', { old_password: 'guessed it all' }],
  ])('%s: an error that names the field, and nothing changes', async (what, more) => {
    const { id, session } = await service.user(`user-${what.length}`);
    const reply = await send('PUT', `/api/user/${id}`, { session, parameters: { password: NEW, ...more } });
    const code = wire === 'wing' ? { required: 441, invalid: 442 } : { required: 422, invalid: 422 };
    expect(reply.status).toBe(what === 'a wrong one' ? code.invalid : code.required);
    expect(fields(reply.body)).toEqual(['old_password']);
    expect(await send('GET', `/api/session/${session}`)).toMatchObject({ status: 200 });
  });

  test('with the right one, the password changes, and the old one no longer logs in', async () => {
    const { id, session } = await service.user('changer');
    const parameters = { password: NEW, old_password: PASSWORD };
    const alone = { old_password: PASSWORD };
    expect((await send('PUT', `/api/user/${id}`, { session, parameters: alone })).status).toBe(200);
    expect((await send('PUT', `/api/user/${id}`, { session, parameters })).status).toBe(200);
    expect(await login('changer', NEW)).toBeLessThan(300);
    expect(await login('changer', PASSWORD)).toBeGreaterThan(400);
  });

  test('an administrator does not need the old one; nobody can set one shorter than 8 characters', async () => {
    const { id, session } = await service.user('forgetful');
    const chief = await service.user('chief', true);
    const put = (by: string, parameters: object) =>
      send('PUT', `/api/user/${id}`, { session: by, parameters: { ...parameters } });
    const short = await put(chief.session, { password: 'seven77' });
    expect(fields(short.body)).toEqual(['password']);
    expect(fields((await put(session, { password: 'seven77', old_password: PASSWORD })).body)).toEqual(['password']);
    expect((await put(chief.session, { password: NEW })).status).toBe(200);
    expect(await login('forgetful', NEW)).toBeLessThan(300);
  });

  test('an older, shorter password still logs in, and can be replaced', async () => {
    const { id } = await service.user('old-timer');
    const hash = await createPasswords().hash('abc');
    await runSql(service.service, 'UPDATE "user" SET password = ? WHERE id = ?', hash, id);
    const { body } = await send('POST', '/api/session', { parameters: { username: 'old-timer', password: 'abc' } });
    const session = (body.result ?? body).id;
    const parameters = { password: NEW, old_password: 'abc' };
    expect((await send('PUT', `/api/user/${id}`, { session, parameters })).status).toBe(200);
  });
});

test('D47: the API document has old_password only where it is accepted', () => {
  const { components } = JSON.parse(readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8'));
  const { user_create: create, user_update: update, user } = components.schemas;
  expect(update.properties.old_password).toMatchObject({ format: 'password', minLength: 1 });
  expect(update.properties.password).toMatchObject({ minLength: 8 });
  expect(create.properties).not.toHaveProperty('old_password');
  expect(user.properties).not.toHaveProperty('old_password');
});
