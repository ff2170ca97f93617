// API keys on the operators' pages (D61): creating a key or renewing its token requires the password and shows the token once;
// deleting a key requires the password, too.

import { makeWorld } from '../service/world.js';
import { runSql } from '../support/database.js';
import { PASSWORD } from '../support/service.js';
import { shared } from '../support/shared.js';
import { type Visitor, visitorOf } from './visitor.js';

const world = shared(() => makeWorld('plain', { console: true }));
let admin: Visitor;
let form: string;
beforeAll(async () => {
  admin = visitorOf(world.address, world.admin.session);
  form = await admin.token();
});

const TOKEN = /([0-9a-z]{26})\.[\w-]{27}/;

async function post(path: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  return (await admin.post(path, { _confirmed: 'yes', _password: PASSWORD, ...values }, form)).text;
}

test('a new key and a renewed token are shown once', async () => {
  const created = await post('/console/records/apikey/new', { name: 'Nightly', scope: 'write' });
  expect(created).toContain('Shown only this once');
  const [first = '', id = ''] = TOKEN.exec(created) ?? [];
  const { text } = await admin.get(`/console/records/apikey/${id}`);
  expect(text).not.toMatch(TOKEN);
  for (const label of ['Scope', 'Expires', 'Last used']) expect(text).toContain(label);
  const ask = (session: string) => world.send('GET', `/api/user/${world.admin.id}`, { session });
  expect((await ask(first)).status).toBe(200);
  const [second = ''] = TOKEN.exec(await post(`/console/records/apikey/${id}/actions/token`)) ?? [];
  expect([(await ask(first)).status, (await ask(second)).status]).toEqual([401, 200]);
  expect((await admin.get(`/console/audit?record=${id}`)).text).not.toMatch(TOKEN);
  await runSql(world.service.service, 'UPDATE session SET created = created - ?', 15 * 60_000 + 1000);
  const deletion = { _confirmed: 'yes', _password: '' };
  for (const [path, values] of [
    [`/console/records/apikey/${id}/delete`, deletion],
    ['/console/records/apikey/selected/delete', { ...deletion, id }],
  ] as const)
    expect(await post(path, values)).toContain('Your password');
});
