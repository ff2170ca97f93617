// What comes before the operations: sessions that are over, addresses of bytes, logins, tunnelled methods.

import { clientOf, type Send } from '../support/client.js';
import { runSql } from '../support/database.js';
import { sessionOf } from '../support/quiet-service.js';
import type { Probe } from './findings.js';
import type { Matrix } from './reads.js';

const DAY = 24 * 60 * 60 * 1000;

/** Probes that leave nothing behind but ended sessions and a user. */
export function doors(matrix: Matrix): readonly Probe[] {
  const send = clientOf(matrix.world.running.address);
  return [sessions, logins, bytes, tunnels, controls].map((door) => () => door(matrix, send));
}

async function sessions({ world, findings }: Matrix, send: Send): Promise<void> {
  const { running, people, holdings } = world;
  const owner = people.owner.user;
  const key = `/api/apikey/${holdings.owner.apikey}`;
  const now = Date.now();
  const sixDays = await sessionOf(running, { user: owner, now: now - 6 * DAY });
  const ended = await sessionOf(running, { user: owner, now });
  // This one is last, since a new session deletes those that are over.
  const eightDays = await sessionOf(running, { user: owner, now: now - 8 * DAY });
  const code = async (session: string | null) => codeOf(await send('GET', key, { session }));
  findings.outcome('a session of six days', 'ok', await code(sixDays));
  findings.outcome('a session of eight days', 'login_required', await code(eightDays));
  findings.outcome('a made-up session', 'login_required', await code('x'.repeat(32)));
  findings.outcome('the session named by an id', 'login_required', await code(owner));
  findings.outcome('the end of a session', 'ok', codeOf(await send('DELETE', `/api/session/${ended}`)));
  findings.outcome('an ended session', 'login_required', await code(ended));
  const changed = await sessionOf(running, { user: people.buyer.user, now });
  const table = running.service.principal.name;
  await runSql(running.service, `UPDATE "${table}" SET password = password || 'x' WHERE id = ?`, people.buyer.user);
  const self = await send('GET', `/api/user/${people.buyer.user}`, { session: changed });
  findings.kept('a session from before another password', self.body.email === undefined, 'shows the e-mail address');
  findings.outcome(
    'GET of a session that is over',
    'login_required',
    codeOf(await send('GET', `/api/session/${eightDays}`)),
  );
}

/** A login requires the password, and accepts only an API key of the same user (D13). */
async function logins({ world, findings }: Matrix, send: Send): Promise<void> {
  const [username, password] = ['one-who-logs-in', 'a long and secret one'];
  const parameters = { username, password };
  await world.ask(world.people.administrator, { resource: 'user', operation: 'create', parameters });
  const code = async (more: object) =>
    codeOf(await send('POST', '/api/session', { parameters: { ...parameters, ...more } }));
  findings.outcome('a login', 'ok', await code({}));
  // The plain profile reports a wrong password like an unknown user (D13).
  findings.outcome('a login with another password', 'login_required', await code({ password: 'another one' }));
  findings.outcome("a login with another's key", 'invalid', await code({ api_key_id: world.holdings.owner.apikey }));
}

/** Anybody who has the address of bytes gets them, and nobody else (D25). */
async function bytes({ world, findings }: Matrix, send: Send): Promise<void> {
  const { holdings, running } = world;
  const file = holdings.owner.file;
  const other = holdings.owner['file download'];
  const keyOf = async (id = ''): Promise<string> => {
    const [row] = await runSql(running.service, 'SELECT access_key FROM file WHERE id = ?', id);
    return String(row?.access_key);
  };
  const [key, otherKey] = [await keyOf(file), await keyOf(other)];
  const code = async (path: string, session: string | null = null) => codeOf(await send('GET', path, { session }));
  findings.outcome('bytes by their address', 'ok', await code(`/files/${file}/${key}`));
  const { session } = world.people.stranger;
  for (const wrong of [otherKey, key.slice(0, -1), `${key}x`, 'x'.repeat(key.length), '%00']) {
    const got = await code(`/files/${file}/${wrong}`, session);
    findings.outcome('bytes by another key', 'not_found', got);
  }
}

/** A method in a header replaces that of the request (D12). */
async function tunnels({ world, findings }: Matrix, send: Send): Promise<void> {
  const { session } = world.people.stranger;
  const path = `/api/boxtop/${world.holdings.owner.boxtop}`;
  for (const method of ['PUT', 'DELETE']) {
    const headers = { 'X-HTTP-Method': method };
    const reply = await send('POST', path, { session, headers, parameters: { name: 'mine' } });
    findings.outcome(`${method} in a header`, 'forbidden', codeOf(reply));
  }
}

/** Only administrators control web hooks, and nobody else learns which hooks there are (D48). */
async function controls({ world, findings }: Matrix, send: Send): Promise<void> {
  const { people, holdings } = world;
  const { webhook } = holdings.owner;
  if (webhook === undefined) return;
  for (const name of ['anonymous', 'stranger', 'associate', 'owner', 'administrator'] as const) {
    const refused = name === 'anonymous' ? 'login_required' : name === 'administrator' ? null : 'forbidden';
    const { session } = people[name];
    for (const [id, known] of Object.entries({ [webhook]: 'ok', none: 'not_found' })) {
      const expected = { deliveries: known, 'message?delivery_id=none': 'not_found' };
      for (const [path, outcome] of Object.entries(expected)) {
        const got = codeOf(await send('GET', `/api/webhook/${id}/${path}`, { session }));
        findings.outcome(`${path} of a web hook by ${name}`, refused ?? outcome, got);
      }
      for (const path of ['pause', 'resume', 'retry']) {
        const got = codeOf(await send('POST', `/api/webhook/${id}/${path}`, { session, parameters: {} }));
        findings.outcome(`${path} of a web hook by ${name}`, refused ?? known, got);
      }
    }
  }
}

/** @returns `ok` or the code of the error */
function codeOf({ status, body }: { status: number; body: { code?: string } | null }): string {
  return status < 300 ? 'ok' : (body?.code ?? `status ${status}`);
}
