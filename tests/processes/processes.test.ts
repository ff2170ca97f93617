// Several processes serve one database: each knows what another has acknowledged, and limits and metrics are shared.

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
/** How many clients send requests to a process when it is killed. */
const CLIENTS = 8;

type Pair = readonly [Connection, Connection];

let service: TestService | null = null;
/** When the service was started. */
let started = 0;
let connections: readonly Connection[] = [];

/** Connections to a new service, which replaces the previous one. */
async function start(options: Parameters<typeof startService>[0]): Promise<Pair> {
  await stop();
  service = await startService({ processes: 2, console: true, ...options });
  started = Date.now();
  connections = await connectToEach(service.address);
  return connections as Pair;
}

/** Connections to a service without limits, which some tests share. */
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

test('a process reads what another has created, whatever else both read', async () => {
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

/** Fetches the path on a few connections until the returned function is called. */
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

test('a failure names the same places, whichever process detects it', async () => {
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
  // The writer refused the request; the process that received it reports the refusal as its own.
  expect((await one.send('DELETE', `/api/game/${dangling.game_id}`, { session })).status).toBe(404);
});

test('D50: two requests with the same key, sent to two processes at the same time, are executed once', async () => {
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
  // N01: this also holds for bulk creates.
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

test('S13: a user can test one web hook at a time, whichever processes receive the requests', async () => {
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

test('the metrics cover all processes, even a killed one, and another process replaces it', async () => {
  const pair = await withoutLimits();
  const before = await countRequests(pair[1]);
  for (const [at, connection] of pair.entries()) {
    for (let sent = 0; sent <= at; sent += 1) await connection.send('GET', '/api/status');
  }
  expect(await countRequests(pair[1])).toBe(before + 3);
  await replace(pair[0]);
  for (const connection of connections) expect((await connection.send('GET', '/api/status')).status).toBe(200);
  for (const connection of connections) expect(await countRequests(connection)).toBe(before + 5);
});

test("on the operators' pages, a process that was started later shows how long the service has run", async () => {
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

test('every response that a client received is counted, however its process was killed', async () => {
  let [victim, witness] = await withoutLimits();
  let [answered, sent] = Array<number>(2).fill(await countRequests(witness)) as [number, number];
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
    const reportedCount = await countRequests(witness);
    expect(reportedCount).toBeGreaterThanOrEqual(answered);
    expect(reportedCount).toBeLessThanOrEqual(sent);
  }
});

test('all processes share one limit of requests', async () => {
  const [one, other] = await start(LIMITS);
  const { session } = await running().user('ada');
  const first = 20;
  for (let at = 0; at < first; at += 1) await one.send('GET', '/api/status', { session });
  await untilReported(one);
  // Whatever the primary passed on earlier arrives before its answer to this.
  await other.send('GET', '/readyz');
  const statuses: number[] = [];
  for (let at = first; at < LIMITS.rateLimit + 2; at += 1) {
    statuses.push((await other.send('GET', '/api/status', { session })).status);
  }
  expect(statuses).toEqual([...Array(LIMITS.rateLimit - first).fill(200), 429, 429]);
});

test('all processes share one count of failed logins', async () => {
  // A login costs ten requests, which this limit allows.
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

/** The number of requests for the status in the metrics. */
async function countRequests(connection: Connection): Promise<number> {
  const { body } = await connection.send('GET', '/metrics', { session: METRICS_TOKEN });
  return Number(COUNTED.exec(body)?.[1] ?? 0);
}

/** Resolves once the process of this connection has reported to the primary what its limit has counted. */
async function untilReported(connection: Connection): Promise<void> {
  const most = async (): Promise<number> => {
    const { body } = await connection.send('GET', '/metrics', { session: METRICS_TOKEN });
    return Number(/^punchboard_buffered_bytes_most (\d+)$/m.exec(body)?.[1]);
  };
  // A report with these bytes includes everything before them.
  await connection.send('POST', '/api/session', { parameters: { username: 'x'.repeat(100_000) } });
  while ((await most()) < 100_000);
}

/** Kills the process of this connection. @returns connections to both processes once there are two again */
async function replace({ pid }: Connection): Promise<Pair> {
  if (workerPids(process.pid).includes(pid)) process.kill(pid, 'SIGKILL');
  for (const connection of connections) connection.close();
  connections = await untilReplaced(pid);
  return connections as Pair;
}

/** Resolves with connections to the serving processes once the killed one is gone and there are two again. */
async function untilReplaced(killed: number): Promise<readonly Connection[]> {
  for (;;) {
    await running().service.engine.upkeep.health();
    const pids = workerPids(process.pid);
    if (pids.length === 2 && !pids.includes(killed)) return connectToEach(running().address);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
