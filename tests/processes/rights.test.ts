// Once a process or server has acknowledged that a password was changed, a user disabled, a session ended or an associate
// removed, no process still answers under the old right.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addUser } from '../../runtime/auth/add-user.js';
import { openService } from '../../runtime/server/open-service.js';
import { isServerUrl } from '../../runtime/store/database-url.js';
import { type Server, serve } from '../cli/processes.js';
import { chanceOf, seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../support/postgres.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../support/preload.js';
import { CHEAP_PASSWORDS } from '../support/quiet-service.js';
import { type Connection, connectToAll } from './connections.js';

const TRIALS = count(12, 10_000);
const CONTROL_TRIALS = 12;
const PASSWORD = 'correct horse battery';
const PROCESSES = ['--processes', '2'];

/** The servers of a case: the options of each, all on one database. */
interface Arrangement {
  readonly name: string;
  readonly servers: readonly (readonly string[])[];
  /** @returns the database */
  begin(folder: string): Promise<string>;
  end(): Promise<void>;
}

const ARRANGEMENTS: readonly Arrangement[] = [
  {
    name: 'two processes',
    servers: [PROCESSES],
    begin: async (folder) => join(folder, 'punchboard.db'),
    end: async () => undefined,
  },
  ...(hasPostgres ? [onPostgres()] : []),
];

function onPostgres(): Arrangement {
  let postgres: SharedPostgres | null = null;
  return {
    name: 'two servers on PostgreSQL, one of them two processes',
    servers: [PROCESSES, []],
    async begin() {
      postgres = await sharePostgres();
      return postgres.createDatabase();
    },
    end: async () => postgres?.stop(),
  };
}

test.each(ARRANGEMENTS)('no response follows a right whose loss is acknowledged: $name', async (arrangement) => {
  const seed = seedOfRun();
  const stale = await staleAnswers(arrangement, { seed, trials: TRIALS, preloads: [] });
  console.log(`${arrangement.name}: ${TRIALS} changed rights, PUNCHBOARD_SEED=${seed}`);
  expect(stale).toEqual({ password: 0, disabled: 0, session: 0, associate: 0 });
});

// Null control: servers that remember callers. The short form covers one of the cases.
test.each(ARRANGEMENTS.slice(0, count(1, ARRANGEMENTS.length)))(
  'such responses are detected: $name',
  async (arrangement) => {
    const preloads = [join(__dirname, 'stale-callers.js')];
    const stale = await staleAnswers(arrangement, { seed: 1, trials: CONTROL_TRIALS, preloads });
    expect(stale).toMatchObject({ password: expect.any(Number), associate: 0 });
    expect(stale.password + stale.disabled + stale.session).toBeGreaterThan(0);
  },
);

interface People {
  readonly admin: string;
  /** Ids and sessions of the user who owns the box, and of the user who may edit it for now. */
  readonly owner: string;
  readonly helper: string;
}

type Change = 'password' | 'disabled' | 'session' | 'associate';
const CHANGES: readonly Change[] = ['password', 'disabled', 'session', 'associate'];

interface Run {
  readonly seed: number;
  readonly trials: number;
  /** Scripts that are preloaded into the servers. */
  readonly preloads: readonly string[];
}

/** The number of responses under a lost right, by how it was lost. */
async function staleAnswers(arrangement: Arrangement, { seed, trials, preloads }: Run) {
  const folder = temporaryFolder('rights');
  const database = await arrangement.begin(folder);
  const people = await prepare(database);
  const servers = await Promise.all(
    arrangement.servers.map((options) => start(options, { folder, database, preloads })),
  );
  const connections = (await Promise.all(servers.map(connectToAll))).flat();
  // Requests share reads only on a file.
  const others = isServerUrl(database) ? [] : (await Promise.all(servers.map(connectToAll))).flat();
  const stale = { password: 0, disabled: 0, session: 0, associate: 0 };
  const fixture = await prepareBox(connections, people);
  const chance = chanceOf(seed);
  const stopReading = readMeanwhile(others, fixture);
  for (let trial = 0; trial < trials; trial += 1) {
    const change = chance.one(CHANGES);
    const changing = chance.one(connections);
    const reading = chance.one(connections.filter((other) => other !== changing));
    if (await isStale(change, fixture, { changing, reading })) stale[change] += 1;
  }
  await stopReading();
  for (const connection of [...connections, ...others]) connection.close();
  for (const server of servers) await stopped(server);
  await arrangement.end();
  return stale;
}

/** Each process has other requests to answer, with which the requests of a trial must not share reads. @returns stops them */
function readMeanwhile(
  others: readonly Connection[],
  { adminSession: session, box }: RightsFixture,
): () => Promise<void> {
  let isOver = false;
  const read = async ({ send }: Connection): Promise<void> => {
    while (!isOver) await done(send('GET', `/api/boxtop/${box}`, { session }));
  };
  const reading = Promise.all(others.map(read));
  return async () => {
    isOver = true;
    await reading;
  };
}

interface Where {
  readonly folder: string;
  readonly database: string;
  readonly preloads: readonly string[];
}

function start(options: readonly string[], { folder, database, preloads }: Where): Promise<Server> {
  const limits = ['--rate-limit', '0', '--login-limit', '0', '--log-level', 'error'];
  return serve(['--port', '0', ...limits, ...options], folder, {
    [isServerUrl(database) ? 'DATABASE_URL' : 'DATABASE']: database,
    FILES: join(folder, 'files'),
    NODE_OPTIONS: preloading(...preloads, CHEAP_PASSWORDS_SCRIPT),
  });
}

interface RightsFixture extends People {
  readonly adminSession: string;
  readonly designer: string;
  readonly box: string;
}

interface Sides {
  readonly changing: Connection;
  readonly reading: Connection;
}

/** The helper sees what editors see, loses the right, and requests it again. */
async function isStale(change: Change, fixture: RightsFixture, { changing, reading }: Sides): Promise<boolean> {
  const { helper, adminSession: session, designer, box } = fixture;
  const own = await login(changing, 'helper');
  const associate = { designer_id: designer, user_id: helper };
  const created = await changing.send('POST', '/api/designerassociate', { session, parameters: associate });
  const seesAll = async () => 'top_id' in (await reading.send('GET', `/api/boxtop/${box}`, { session: own })).body;
  if (!(await seesAll())) throw new Error('the helper never had the right');
  const user = `/api/user/${helper}`;
  if (change === 'password') await done(changing.send('PUT', user, { session, parameters: { password: PASSWORD } }));
  if (change === 'disabled') await done(changing.send('PUT', user, { session, parameters: { disabled: true } }));
  if (change === 'session') await done(changing.send('DELETE', `/api/session/${own}`));
  if (change === 'associate')
    await done(changing.send('DELETE', `/api/designerassociate/${created.body.id}`, { session }));
  const isSeen = await seesAll();
  if (change === 'disabled') await done(changing.send('PUT', user, { session, parameters: { disabled: false } }));
  if (change !== 'associate')
    await done(changing.send('DELETE', `/api/designerassociate/${created.body.id}`, { session }));
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

async function prepare(database: string): Promise<People> {
  const now = Date.now();
  const service = await openService(
    {
      ...{ database, wire: 'plain', generated: null, owner: true, random: randomBytes },
      passwordCost: CHEAP_PASSWORDS,
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
  return people;
}

async function prepareBox([connection]: readonly Connection[], people: People): Promise<RightsFixture> {
  if (connection === undefined) throw new Error('there is no connection');
  const [adminSession, session] = [await login(connection, 'admin'), await login(connection, 'owner')];
  const make = async (path: string, parameters: object): Promise<string> =>
    (await connection.send('POST', path, { session, parameters })).body.id;
  const designer = await make('/api/designer', { name: 'Harbour Press' });
  const game = await make('/api/game', { name: 'Harbour Lights', designer_id: designer });
  const box = await make('/api/boxtop', { name: 'Box', game_id: game });
  return { ...people, adminSession, designer, box };
}

async function stopped(server: Server): Promise<void> {
  const { code, stderr } = await server.end('SIGTERM');
  if (code !== 0) throw new Error(`the server ended with ${code}: ${stderr}`);
}
