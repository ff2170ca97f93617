// `punchboard user add` runs alongside a running server, with the checks of the API (D35).

import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { shared } from '../support/shared.js';
import { DATA, run as runAlone, serve } from './processes.js';

const PASSWORD = 'correct horse';
const folder = temporaryFolder('user');
const server = shared(() => serve(['--port', '0'], folder));

const run = (args: readonly string[], input?: string) =>
  runHere(args, folder, { env: DATA, ...(input === undefined ? {} : { input: `${input}\n` }) });
const runUser = (args: readonly string[], password: string) => run(['user', ...args, '--password-stdin'], password);
const add = (...args: string[]) => runUser(['add', ...args], PASSWORD);

async function api(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const request =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(server.address + path, { method, ...request });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('user add', () => {
  test('prints the user without the password, who can log in immediately and log out', async () => {
    const { code, stdout, stderr } = await add('--username', 'ada');
    expect([code, stderr]).toEqual([0, '']);
    const user = JSON.parse(stdout) as { id: string };
    expect(user).toMatchObject({ object_type: 'user', username: 'ada', admin: false });
    expect(stdout).not.toContain('scrypt');
    expect(stdout).not.toContain(PASSWORD);

    const session = await api('POST', '/api/session', { username: 'ada', password: PASSWORD });
    expect(session).toMatchObject({ status: 201, body: { object_type: 'session', user_id: user.id } });
    const path = `/api/session/${session.body.id}`;
    expect((await api('GET', path)).body).toEqual(session.body);
    const designer = await api('POST', '/api/designer', { name: 'x', session_id: session.body.id });
    expect(designer).toMatchObject({ status: 201, body: { user_id: user.id } });
    expect(await api('DELETE', path)).toEqual({ status: 200, body: { success: 1 } });
    expect(await api('DELETE', path)).toEqual({ status: 200, body: { success: 1 } });
    expect((await api('GET', path)).status).toBe(401);
    expect((await api('POST', '/api/designer', { name: 'x', session_id: session.body.id })).status).toBe(401);
  });

  test('a new password over the API ends the sessions', async () => {
    const { stdout } = await add('--username', 'eve');
    const { id } = JSON.parse(stdout) as { id: string };
    const log = (password: string) => api('POST', '/api/session', { username: 'eve', password });
    const old = (await log(PASSWORD)).body.id;
    const changed = await api('PUT', `/api/user/${id}`, {
      password: 'another horse',
      old_password: PASSWORD,
      session_id: old,
    });
    expect(changed.status).toBe(200);
    expect((await api('GET', `/api/session/${old}`)).status).toBe(401);
    expect((await log(PASSWORD)).status).toBe(401);
    expect((await log('another horse')).status).toBe(201);
  });

  test('an administrator', async () => {
    const { stdout } = await add('--username', 'root', '--admin');
    expect(JSON.parse(stdout)).toMatchObject({ username: 'root', admin: true });
  });

  test('NotUnique: one line, exit code 1', async () => {
    await add('--username', 'bob');
    const { code, stdout, stderr } = await add('--username', 'bob');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^punchboard: username .*\n$/);
  });

  test('a password is never an argument; without one and without a terminal there is no prompt: exit code 2', async () => {
    const missing = await runAlone(['user', 'add', '--username', 'bob'], folder);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/--password-stdin\n$/)]);
    const argument = await runAlone(['user', 'add', '--username', 'bob', '--password', PASSWORD], folder);
    expect([argument.code, argument.stderr]).toEqual([2, expect.stringMatching(/unknown option '--password'/)]);
  });

  test.each([
    ['', /there is no password on standard input/],
    ['seven77', /^punchboard: password .*8/],
  ])('D47: the password %j is refused in one line, exit code 1', async (password, pattern) => {
    const { code, stdout, stderr } = await runUser(['add', '--username', 'cleo'], password);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(pattern);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('user list, admin, role, disable, enable', () => {
  const user = (...args: string[]) => run(['user', ...args]);
  const log = (username: string) => api('POST', '/api/session', { username, password: PASSWORD });
  const listed = async (username: string) =>
    (JSON.parse((await user('list', '--format', 'json')).stdout) as { username: string }[]).find(
      (one) => one.username === username,
    );

  test('D49: a disabled user cannot log in, their sessions end, and their records are shown as before', async () => {
    const { stdout } = await add('--username', 'gil');
    const { id } = JSON.parse(stdout) as { id: string };
    const session = (await log('gil')).body.id;
    const designer = await api('POST', '/api/designer', { name: 'Lots', session_id: session });
    const disabled = await user('disable', '--username', 'gil');
    expect([disabled.code, disabled.stderr]).toEqual([0, '']);
    expect(JSON.parse(disabled.stdout)).toMatchObject({ id, disabled: true });
    expect((await api('GET', `/api/session/${session}`)).status).toBe(401);
    expect(await log('gil')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await api('POST', '/api/session', { username: 'gil', password: 'a wrong one' })).status).toBe(401);
    expect(await api('GET', `/api/designer/${designer.body.id}`)).toMatchObject({
      status: 200,
      body: { name: 'Lots' },
    });
    expect(await listed('gil')).toEqual({ id, username: 'gil', admin: false, disabled: true, operator_role: null });
    await user('enable', '--username', 'gil');
    // The session does not come back with the account.
    expect((await api('GET', `/api/session/${session}`)).status).toBe(401);
    expect((await log('gil')).status).toBe(201);
  });

  test('D51: what was changed is in the audit log with the values before and after, and without the password', async () => {
    const { id } = JSON.parse((await add('--username', 'hal')).stdout) as { id: string };
    await user('admin', '--username', 'hal');
    await runUser(['passwd', '--username', 'hal'], 'another horse');
    await user('admin', '--username', 'hal', '--revoke');
    expect(await listed('hal')).toMatchObject({ admin: false });
    const { stdout } = await run(['audit', '--record', id, '--format', 'json']);
    expect(stdout).not.toContain('scrypt');
    expect(stdout).not.toContain('another horse');
    const entries = JSON.parse(stdout) as { action: string; before: unknown; after: unknown }[];
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['update', { admin: 1 }, { admin: 0 }],
      ['update', { password: '(hidden)' }, { password: '(hidden)' }],
      ['update', { admin: 0 }, { admin: 1 }],
      ['create', null, expect.objectContaining({ username: 'hal', admin: 0, disabled: 0 })],
    ]);
    expect((await run(['audit', '--record', id])).stdout).toMatch(/ update +user +\w+ +admin: 1 → 0$/m);
    expect((await run(['audit', '--record', 'none'])).stdout).toBe('No entries.\n');
  });

  test('D65: a role takes the place of the right of administrators, and of another role', async () => {
    await add('--username', 'ida');
    for (const [args, role, is] of [
      [['admin'], 'admin', { admin: true, operator_role: null }],
      [['role', 'support'], 'support', { admin: false, operator_role: 'support' }],
      [['role', 'readonly'], 'readonly', { admin: false, operator_role: 'readonly' }],
      [['admin'], 'admin', { admin: true, operator_role: null }],
      [['role', 'none'], '-', { admin: false, operator_role: null }],
      [['role', 'readonly'], 'readonly', { operator_role: 'readonly' }],
      [['admin', '--revoke'], '-', { admin: false, operator_role: null }],
    ] as const) {
      const { code, stderr } = await user(...args, '--username', 'ida');
      expect([args, code, stderr]).toEqual([args, 0, '']);
      expect(await listed('ida')).toMatchObject(is);
      expect((await user('list')).stdout).toMatch(new RegExp(`^ida +\\w+ +${role} +-$`, 'm'));
    }
    const { code, stderr } = await user('role', 'king', '--username', 'ida');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Allowed choices are none, readonly, support/)]);
  });

  test('A user who does not exist: one line, exit code 1', async () => {
    const { code, stderr } = await user('disable', '--username', 'nobody');
    expect([code, stderr]).toEqual([1, 'punchboard: There is no user nobody.\n']);
  });
});

describe('user passwd', () => {
  test('D47: sets it without the old one, and ends the sessions', async () => {
    await add('--username', 'fay');
    const log = (password: string) => api('POST', '/api/session', { username: 'fay', password });
    const { id } = (await log(PASSWORD)).body;
    const { code, stdout, stderr } = await runUser(['passwd', '--username', 'fay'], 'another horse');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ object_type: 'user', username: 'fay' });
    expect((await api('GET', `/api/session/${id}`)).status).toBe(401);
    expect((await log(PASSWORD)).status).toBe(401);
    expect((await log('another horse')).status).toBe(201);
  });

  test('D47: too short, or an unknown user: one line, exit code 1', async () => {
    expect(await runUser(['passwd', '--username', 'fay'], 'short')).toMatchObject({ code: 1, stdout: '' });
    const nobody = await runUser(['passwd', '--username', 'nobody'], PASSWORD);
    expect([nobody.code, nobody.stderr]).toEqual([1, 'punchboard: There is no user nobody.\n']);
  });
});
