// Somebody can always administer (N08, D65): the last enabled administrator cannot be revoked, disabled or deleted in any way.

import { changeUser } from '../../runtime/auth/change-user.js';
import { roleParameters } from '../../runtime/auth/roles.js';
import { shared } from '../support/shared.js';
import { makeWorld, type Person } from './world.js';

const ROOT = { user: null, name: 'root' };
/** In a single round, both might run one after the other by chance. */
const ROUNDS = 5;

const world = shared(makeWorld);

const change = (by: Person, whom: Person, parameters: Readonly<Record<string, unknown>>) =>
  world.send('PUT', `/api/user/${whom.id}`, { parameters: { ...parameters, session_id: by.session } });

test.each([{ admin: false }, { disabled: true }, { admin: false, disabled: true }])(
  'N08: the last administrator cannot be changed to %j, and stays logged in',
  async (parameters) => {
    const { admin } = world;
    const reply = await change(admin, admin, parameters);
    expect([reply.status, reply.body.code]).toEqual([409, 'conflict']);
    expect(reply.body.detail).toMatch(/last administrator/);
    expect((await world.send('GET', `/api/user/${admin.id}`, { session: admin.session })).body).toMatchObject({
      admin: true,
      disabled: false,
    });
  },
);

test.each(['none', 'readonly', 'support'] as const)('N08: a command is refused, too: %s', async (role) => {
  const { service } = world.service;
  const by = { author: ROOT, now: Date.now() };
  const parameters = roleParameters(service.principal, role);
  const revoke = changeUser(service, { username: 'administrator', parameters }, by);
  await expect(revoke).rejects.toMatchObject({ code: 'conflict' });
});

test('N08: a disabled administrator does not count, an enabled one does', async () => {
  const { admin } = world;
  const second = await world.service.user('second', true);
  expect((await change(admin, second, { disabled: true })).status).toBe(200);
  expect((await change(admin, admin, { admin: false })).status).toBe(409);
  expect((await change(admin, second, { disabled: false })).status).toBe(200);
  expect((await change(admin, second, { email: 'second@example.com' })).status).toBe(200);
  expect((await change(admin, second, { admin: false })).status).toBe(200);
});

test('N08: of two commands that each revoke one of the last two, one is refused', async () => {
  const { service } = world.service;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await world.service.user(`round${round}`, true);
    const revoke = (username: string) =>
      changeUser(service, { username, parameters: { admin: false } }, { author: ROOT, now: Date.now() });
    const ends = await Promise.allSettled([revoke('administrator'), revoke(`round${round}`)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await changeUser(
      service,
      { username: 'administrator', parameters: { admin: true } },
      { author: ROOT, now: Date.now() },
    );
    await world.send('PUT', `/api/user/${id}`, { parameters: { admin: false, session_id: world.admin.session } });
  }
});
