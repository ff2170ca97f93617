// Once a process has acknowledged that a password was changed, a user disabled, a session ended or an associate removed, no
// other process answers as if it had not.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';
import { type Server, serve } from '../cli/processes.js';
import { chanceOf, freshSeed } from '../support/chance.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { CHEAP_PASSWORDS } from '../support/quiet-service.js';
import { type Connection, connectToEach } from './connections.js';

const TRIALS = count(40, 10_000);
const PASSWORD = 'correct horse battery';

test('no answer is given under a right that is acknowledged to be lost', async () => {
  const seed = freshSeed();
  const stale = await staleAnswers(seed, {}, TRIALS);
  console.log(`${TRIALS} changed rights, PUNCHBOARD_SEED=${seed}`);
  expect(stale).toEqual({ password: 0, disabled: 0, session: 0, associate: 0 });
});

// The null control: a server that remembers callers.
test('such answers are seen', async () => {
  const preloads = [join(__dirname, 'stale-callers.js'), join(__dirname, '..', 'support', 'cheap-passwords.js')];
  const preload = { NODE_OPTIONS: preloads.map((path) => `--require ${path}`).join(' ') };
  const stale = await staleAnswers(1, preload, 12);
  expect(stale).toMatchObject({ password: expect.any(Number), associate: 0 });
  expect(stale.password + stale.disabled + stale.session).toBeGreaterThan(0);
});

interface People {
  readonly admin: string;
  /** Ids and sessions of whoever owns the box, and of whoever may edit it for now. */
  readonly owner: string;
  readonly helper: string;
}

type Change = 'password' | 'disabled' | 'session' | 'associate';
const CHANGES: readonly Change[] = ['password', 'disabled', 'session', 'associate'];

/** How many answers were given under the right that was lost, by how it was lost. */
async function staleAnswers(seed: number, env: Readonly<Record<string, string>>, trials: number) {
  const { folder, people } = await prepare();
  const options = ['--rate-limit', '0', '--login-limit', '0', '--log-level', 'error', '--processes', '2'];
  const server = await serve(['--port', '0', ...options], folder, {
    DATABASE: join(folder, 'punchboard.db'),
    FILES: join(folder, 'files'),
    ...env,
  });
  const pair = await connectToEach(server.address, server.process.pid);
  const stale = { password: 0, disabled: 0, session: 0, associate: 0 };
  const ground = await prepareBox(pair, people);
  const chance = chanceOf(seed);
  for (let trial = 0; trial < trials; trial += 1) {
    const change = chance.one(CHANGES);
    const [changing, reading] = chance.happens(0.5) ? pair : [pair[1], pair[0]];
    if (await isStale(change, ground, { changing: at(changing), reading: at(reading) })) stale[change] += 1;
  }
  await stopped(server, pair);
  return stale;
}

interface Ground extends People {
  readonly adminSession: string;
  readonly designer: string;
  readonly box: string;
}

interface Sides {
  readonly changing: Connection;
  readonly reading: Connection;
}

/** The helper sees what editors see, loses the right, and looks again. */
async function isStale(change: Change, ground: Ground, { changing, reading }: Sides): Promise<boolean> {
  const { helper, adminSession: session, designer, box } = ground;
  const own = await login(changing, 'helper');
  const associate = { designer_id: designer, user_id: helper };
  const made = await changing.send('POST', '/api/designerassociate', { session, parameters: associate });
  const seesAll = async () => 'top_id' in (await reading.send('GET', `/api/boxtop/${box}`, { session: own })).body;
  if (!(await seesAll())) throw new Error('the helper never had the right');
  const user = `/api/user/${helper}`;
  if (change === 'password') await done(changing.send('PUT', user, { session, parameters: { password: PASSWORD } }));
  if (change === 'disabled') await done(changing.send('PUT', user, { session, parameters: { disabled: true } }));
  if (change === 'session') await done(changing.send('DELETE', `/api/session/${own}`));
  if (change === 'associate')
    await done(changing.send('DELETE', `/api/designerassociate/${made.body.id}`, { session }));
  const isSeen = await seesAll();
  if (change === 'disabled') await done(changing.send('PUT', user, { session, parameters: { disabled: false } }));
  if (change !== 'associate')
    await done(changing.send('DELETE', `/api/designerassociate/${made.body.id}`, { session }));
  return isSeen;
}

async function done(reply: ReturnType<Connection['send']>): Promise<void> {
  const { status, body } = await reply;
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
}

async function login(connection: Connection, username: string): Promise<string> {
  const { body } = await connection.send('POST', '/api/session', { parameters: { username, password: PASSWORD } });
  return body.id as string;
}

async function prepare(): Promise<{ readonly folder: string; readonly people: People }> {
  const folder = temporaryFolder('rights');
  const now = Date.now();
  const service = await openService(
    {
      database: join(folder, 'punchboard.db'),
      ...{ wire: 'plain', generated: null, owner: true, random: randomBytes, passwordCost: CHEAP_PASSWORDS },
    },
    now,
  );
  const add = async (username: string, admin: boolean): Promise<string> =>
    JSON.parse(await addUser(service, { username, password: PASSWORD, admin }, now)).id;
  const people = {
    admin: await add('admin', true),
    owner: await add('owner', false),
    helper: await add('helper', false),
  };
  await service.engine.close();
  return { folder, people };
}

async function prepareBox(pair: readonly Connection[], people: People): Promise<Ground> {
  const connection = at(pair[0]);
  const [adminSession, session] = [await login(connection, 'admin'), await login(connection, 'owner')];
  const make = async (path: string, parameters: object): Promise<string> =>
    (await connection.send('POST', path, { session, parameters })).body.id;
  const designer = await make('/api/designer', { name: 'Harbour Press' });
  const game = await make('/api/game', { name: 'Harbour Lights', designer_id: designer });
  const box = await make('/api/boxtop', { name: 'Box', game_id: game });
  return { ...people, adminSession, designer, box };
}

async function stopped(server: Server, pair: readonly Connection[]): Promise<void> {
  for (const connection of pair) connection.close();
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  if (code !== 0) throw new Error(`the server ended with ${code}: ${stderr}`);
}

function at(connection: Connection | undefined): Connection {
  if (connection === undefined) throw new Error('there is no such connection');
  return connection;
}
