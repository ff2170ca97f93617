// `punchboard key …` creates, lists, renews and revokes API keys beside a running server, which notices immediately (D61).

import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { shared } from '../support/shared.js';
import { type CommandResult, DATA, run, runUser, serve } from './processes.js';

const folder = temporaryFolder('key');
const server = shared(() => serve(['--port', '0'], folder));
let user: string;

beforeAll(async () => {
  const { stdout } = await runUser(['add', '--username', 'ada'], folder, 'correct horse');
  user = (JSON.parse(stdout) as { id: string }).id;
});

const key = (...args: string[]): Promise<CommandResult> => runHere(['key', ...args], folder, { env: DATA });
const statusWith = async (token: string, method = 'GET') =>
  (await fetch(`${server.address}/api/user/${user}`, { method, headers: { authorization: `Bearer ${token}` } })).status;

test('a key from its creation to its revocation', async () => {
  const none = await key('list', '--username', 'ada');
  expect(none).toMatchObject({ code: 0, stdout: 'The user has no API keys.\n' });
  const added = await key(
    'add',
    '--username',
    'ada',
    '--name',
    'Nightly',
    '--resources',
    'user,game',
    '--scope',
    'write',
    '--api-version',
    'newest',
  );
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const { id, token, ...shown } = JSON.parse(added.stdout) as { id: string; token: string };
  expect(shown).toMatchObject({ user_id: user, scope: 'write', resources: ['user', 'game'], expires: null });
  expect(shown).toMatchObject({ api_version: 'newest' });
  expect(await statusWith(token)).toBe(200);
  const listed = await key('list', '--username', 'ada');
  expect(listed.stdout).toMatch(new RegExp(`^Nightly +${id} +write +user,game +never +.*newest$`, 'm'));
  expect(listed.stdout).not.toContain(token);
  const renewed = JSON.parse((await key('renew', id)).stdout) as { token: string };
  expect([await statusWith(token), await statusWith(renewed.token)]).toEqual([401, 200]);
  expect(await key('revoke', id)).toMatchObject({ code: 0, stdout: '{"success":1}\n' });
  expect(await statusWith(renewed.token)).toBe(401);
});

test('mistakes are reported in one line', async () => {
  const nobody = await key('add', '--username', 'eve', '--name', 'x');
  expect(nobody).toMatchObject({ code: 1, stdout: '', stderr: 'punchboard: There is no user eve.\n' });
  const scope = await key('add', '--username', 'ada', '--name', 'x', '--scope', 'all');
  expect([scope.code, scope.stderr]).toEqual([1, expect.stringMatching(/^punchboard: scope .*\n$/)]);
  const version = await key('add', '--username', 'ada', '--name', 'x', '--api-version', '2026-01-01');
  expect([version.code, version.stderr]).toEqual([
    1,
    'punchboard: api_version: There is no version 2026-01-01; use "newest".\n',
  ]);
  expect((await key('add', '--username', 'ada')).code).toBe(2);
  expect((await run(['key', 'add', '--help'], folder)).stdout).toContain(
    'Example:\n  $ punchboard key add --username ada',
  );
});
