// Several processes serve one database: what one has acknowledged all of them know, and limits and metrics are those of all.

import { Agent, request } from 'node:http';
import { count } from '../support/counts.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService, type TestService } from '../support/service.js';
import { type Received, startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, subscribe } from '../webhooks/subscriber.js';
import { type Connection, connectTo, connectToEach, workerPids } from './connections.js';

const WRITES = count(200, 10_000);
const LIMITS = { rateLimit: 30, loginLimit: 4 };
const SAME_KEYS = count(10, 1_000);
const KILLS = count(2, 20);
/** How many send requests to a process when it is killed. */
const CLIENTS = 8;

type Pair = readonly [Connection, Connection];

let service: TestService | null = null;
/** When it had been. */
let started = 0;
let connections: readonly Connection[] = [];

/** Connections to a new service, which takes the place of the one before. */
async function start(options: Parameters<typeof startService>[0]): Promise<Pair> {
  await stop();
  service = await startService({ processes: 2, console: true, ...options });
  started = Date.now();
  connections = await connectToEach(service.address);
  return connections as Pair;
}

/** Those to a service without limits, which some tests share. */
async function withoutLimits(): Promise<Pair> {
  return service === null ? start({}) : (connections as Pair);
}

async function stop(): Promise<void> {
  for (const connection of connections) connection.close();
  await service?.stop();
}
const running = (): TestService => {
  if (service === null) throw new Error('there is no service');
  return service;
};

afterAll(stop);

test('what one process has created, another reads, whatever else both read', async () => {
  const pair = await withoutLimits();
  const { address, user } = running();
  const { session, game } = await makeSubscriber(address, (await user('ada')).session);
  let missed = 0;
  const rest = keepBusy(address, `/api/game/${game}`);
  for (let at = 0; at < WRITES; at += 1) {
    const [writer, reader] = at % 2 === 0 ? pair : [pair[1], pair[0]];
    const parameters = { name: `box ${at}`, game_id: game };
    const created = await writer.send('POST', '/api/boxtop', { session, parameters });
    const read = await reader.send('GET', `/api/boxtop/${created.body.id}`, { session });
    if (read.body.name !== parameters.name) missed += 1;
  }
  await rest();
  expect(missed).toBe(0);
});

/** Fetches the path on a few connections of its own until the returned function is called. */
function keepBusy(address: string, path: string): () => Promise<void> {
  let isEnough = false;
  const agent = new Agent({ keepAlive: true });
  const fetchOn = (done: () => void): void => {
    if (isEnough) done();
    else request(`${address}${path}`, { agent }, (answer) => answer.resume().once('end', () => fetchOn(done))).end();
  };
  const all = Array.from({ length: 8 }, () => new Promise<void>(fetchOn));
  return async () => {
    isEnough = true;
    await Promise.all(all);
    agent.destroy();
  };
}

test('a failure names the same places, whoever finds it', async () => {
  const [one] = await withoutLimits();
  const { address, user } = running();
  const { session, game } = await makeSubscriber(address, (await user('eve')).session);
  const parameters = { name: '', game_id: game, quantity: 1000 };
  const refused = await one.send('POST', '/api/boxtop', { session, parameters });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [
      { field: 'name', code: 'required', message: 'name is required.' },
      { field: 'quantity', code: 'invalid', message: 'quantity must be between 1 and 99.' },
    ],
  ]);
  const dangling = { name: 'Box', game_id: `${game.slice(0, -1)}${game.endsWith('0') ? '1' : '0'}` };
  const unknown = await one.send('POST', '/api/boxtop', { session, parameters: dangling });
  expect([unknown.status, unknown.body.code]).toEqual([422, 'reference_not_found']);
  // The writer has refused it; the process that asked says so as its own.
  expect((await one.send('DELETE', `/api/game/${dangling.game_id}`, { session })).status).toBe(404);
});

test('D50: what two processes get at the same time with the same key is carried out once', async () => {
  const pair = await withoutLimits();
  const { address, user } = running();
  const { session, game } = await makeSubscriber(address, (await user('kim')).session);
  for (let at = 0; at < SAME_KEYS; at += 1) {
    const sent = { session, key: `key-${at}`, parameters: { name: `box ${at}`, game_id: game } };
    const answers = await Promise.all(pair.map(({ send }) => send('POST', '/api/boxtop', sent)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  }
  const { body } = await pair[0].send('GET', `/api/game/${game}/boxtops?_items_per_page=100`, { session });
  expect(body.paging.total_items).toBe(SAME_KEYS);
  // N01: so are bulk creates.
  const parameters = { name: 'set', game_id: game };
  const set = await pair[0].send('POST', '/api/onesidedsluggedset', { session, parameters });
  const path = `/api/onesidedsluggedset/${set.body.id}/bulk-members`;
  const bulk = { session, key: 'bulk', parameters: { members: [{ name: 'a' }, { name: 'b' }] } };
  const both = await Promise.all(pair.map(({ send }) => send('POST', path, bulk)));
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(both[0]?.body).toEqual(both[1]?.body);
  const members = await pair[0].send('GET', path.replace('bulk-', ''), { session });
  expect(members.body.paging.total_items).toBe(2);
});

test('S13: a user tests one web hook at a time, whatever process is asked', async () => {
  const pair = await withoutLimits();
  const { address, user } = running();
  const subscriber = await makeSubscriber(address, (await user('zoe')).session);
  const { session } = subscriber;
  const receiver = await startHttpReceiver();
  const hook = await subscribe(address, subscriber, receiver.address);
  const isTest = ({ said }: Received) => said.type === 'test';
  const test = ({ send }: Connection) =>
    send('POST', `/api/webhook/${hook.id}/test`, { session, parameters: { payload: {} } });
  let accept = (_status: number): void => undefined;
  receiver.answer = (post) => (isTest(post) ? new Promise((resolve) => (accept = resolve)) : 200);
  const first = test(pair[0]);
  await receiver.until((posts) => posts.find(isTest));
  expect((await test(pair[1])).status).toBe(429);
  accept(200);
  expect((await first).body).toBe('1');
  await receiver.close();
});

test('the metrics are those of all processes, also of one that was killed, and another takes its place', async () => {
  const pair = await withoutLimits();
  const before = await counted(pair[1]);
  for (const [at, connection] of pair.entries()) {
    for (let sent = 0; sent <= at; sent += 1) await connection.send('GET', '/api/status');
  }
  expect(await counted(pair[1])).toBe(before + 3);
  await replace(pair[0]);
  for (const connection of connections) expect((await connection.send('GET', '/api/status')).status).toBe(200);
  for (const connection of connections) expect(await counted(connection)).toBe(before + 5);
});

test("on the operators' pages one that was started later says how long the service has run, and not itself", async () => {
  await replace((await withoutLimits())[0]);
  const { session } = await running().user('operator', true);
  for (const { send } of connections) {
    const least = Date.now() - started;
    const { body } = await send('GET', '/console', { cookie: `punchboard_console=${session}` });
    const [, number, unit] = />(\d+) (second|minute)s?</.exec(body) ?? [];
    const size = unit === 'minute' ? 60_000 : 1000;
    expect(Number(number)).toBeGreaterThanOrEqual(Math.floor(least / size));
  }
});

test('every response that anyone got is counted, however its process was killed', async () => {
  let [victim, witness] = await withoutLimits();
  let [answered, sent] = Array<number>(2).fill(await counted(witness)) as [number, number];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const clients = await connectTo(victim.pid, running().address, CLIENTS);
    const enough = answered + 20 + kill;
    const load = async ({ send }: Connection): Promise<void> => {
      while (answered < enough) {
        sent += 1;
        expect((await send('GET', '/api/status')).status).toBe(200);
        answered += 1;
        if (answered === enough) process.kill(victim.pid, 'SIGKILL');
      }
    };
    await Promise.allSettled(clients.map(load));
    for (const client of clients) client.close();
    [victim, witness] = await replace(victim);
    const found = await counted(witness);
    expect(found).toBeGreaterThanOrEqual(answered);
    expect(found).toBeLessThanOrEqual(sent);
  }
});

test('requests are limited together', async () => {
  const [one, other] = await start(LIMITS);
  const { session } = await running().user('ada');
  const first = 20;
  for (let at = 0; at < first; at += 1) await one.send('GET', '/api/status', { session });
  await reported(one);
  // What the primary has passed on before comes before its answer to this.
  await other.send('GET', '/readyz');
  const statuses: number[] = [];
  for (let at = first; at < LIMITS.rateLimit + 2; at += 1) {
    statuses.push((await other.send('GET', '/api/status', { session })).status);
  }
  expect(statuses).toEqual([...Array(LIMITS.rateLimit - first).fill(200), 429, 429]);
});

test('failed logins are counted together', async () => {
  // A login counts as ten requests, which this limit allows.
  const pair = await start({ ...LIMITS, rateLimit: 1200 });
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) {
    const wrong = { username: 'ada', password: 'not her password' };
    statuses.push((await pair[at % 2 === 0 ? 0 : 1].send('POST', '/api/session', { parameters: wrong })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
});

const COUNTED =
  /^punchboard_request_duration_seconds_count\{operation="fetch",resource="status",status="2xx"\} (\d+)$/m;

/** How many requests for the status the metrics have. */
async function counted(connection: Connection): Promise<number> {
  const { body } = await connection.send('GET', '/metrics', { session: METRICS_TOKEN });
  return Number(COUNTED.exec(body)?.[1] ?? 0);
}

/** Resolves when the process of this connection has reported to the primary whatever its limit has counted. */
async function reported(connection: Connection): Promise<void> {
  const most = async (): Promise<number> => {
    const { body } = await connection.send('GET', '/metrics', { session: METRICS_TOKEN });
    return Number(/^punchboard_buffered_bytes_most (\d+)$/m.exec(body)?.[1]);
  };
  // A report that has these bytes has everything before them.
  await connection.send('POST', '/api/session', { parameters: { username: 'x'.repeat(100_000) } });
  while ((await most()) < 100_000);
}

/** Kills the process of this connection. @returns connections to both once there are two again */
async function replace({ pid }: Connection): Promise<Pair> {
  if (workerPids(process.pid).includes(pid)) process.kill(pid, 'SIGKILL');
  for (const connection of connections) connection.close();
  connections = await replaced(pid);
  return connections as Pair;
}

/** Resolves with connections to the processes that serve once the killed one is gone and there are two again. */
async function replaced(killed: number): Promise<readonly Connection[]> {
  for (;;) {
    await running().service.engine.upkeep.health();
    const pids = workerPids(process.pid);
    if (pids.length === 2 && !pids.includes(killed)) return connectToEach(running().address);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
