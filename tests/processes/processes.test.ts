// Several processes serve one database: what one has acknowledged all of them know, and limits and metrics are those of all.

import { count } from '../support/counts.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { startService, type TestService } from '../support/service.js';
import { makeSubscriber } from '../webhooks/subscriber.js';
import { type Connection, connectToEach, workerPids } from './connections.js';

const WRITES = count(200, 10_000);
const LIMIT = 30;
/** The most requests until the metrics must include what a worker reports with a delay. */
const PATIENCE = 10_000;

let service: TestService | null = null;
let connections: readonly Connection[] = [];

async function start(options: Parameters<typeof startService>[0] = {}): Promise<readonly [Connection, Connection]> {
  service = await startService({ processes: 2, ...options });
  connections = await connectToEach(service.address);
  return connections as readonly [Connection, Connection];
}
const running = (): TestService => {
  if (service === null) throw new Error('there is no service');
  return service;
};

afterEach(async () => {
  for (const connection of connections) connection.close();
  await service?.stop();
});

test('what one process has created, another reads', async () => {
  const pair = await start();
  const { address, user } = running();
  const { session, game } = await makeSubscriber(address, (await user('ada')).session);
  let missed = 0;
  for (let at = 0; at < WRITES; at += 1) {
    const [writer, reader] = at % 2 === 0 ? pair : [pair[1], pair[0]];
    const parameters = { name: `box ${at}`, game_id: game };
    const created = await writer.send('POST', '/api/boxtop', { session, parameters });
    const read = await reader.send('GET', `/api/boxtop/${created.body.id}`, { session });
    if (read.body.name !== parameters.name) missed += 1;
  }
  expect(missed).toBe(0);
});

test('a failure names the same places, whoever finds it', async () => {
  const [one] = await start();
  const { address, user } = running();
  const { session, game } = await makeSubscriber(address, (await user('ada')).session);
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

test('requests are limited together', async () => {
  const [one, other] = await start({ rateLimit: LIMIT });
  const { session } = await running().user('ada');
  const first = 20;
  for (let at = 0; at < first; at += 1) await one.send('GET', '/api/status', { session });
  await known(first);
  // What the writer has passed on before comes before its answer to this.
  await other.send('GET', '/readyz');
  const statuses: number[] = [];
  for (let at = first; at < LIMIT + 2; at += 1) {
    statuses.push((await other.send('GET', '/api/status', { session })).status);
  }
  expect(statuses).toEqual([...Array(LIMIT - first).fill(200), 429, 429]);
});

test('failed logins are counted together', async () => {
  const pair = await start({ rateLimit: 1_000, loginLimit: 4 });
  await running().user('ada');
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) {
    const wrong = { username: 'ada', password: 'not her password' };
    statuses.push((await pair[at % 2 === 0 ? 0 : 1].send('POST', '/api/session', { parameters: wrong })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
});

test('the metrics are those of all processes, also of one that was killed, and another takes its place', async () => {
  const pair = await start();
  const { pid } = pair[0];
  for (const [at, connection] of pair.entries()) {
    for (let sent = 0; sent <= at; sent += 1) await connection.send('GET', '/api/status');
  }
  await known(3);
  process.kill(pid, 'SIGKILL');
  pair[0].close();
  connections = await replaced(pid);
  for (const connection of connections) expect((await connection.send('GET', '/api/status')).status).toBe(200);
  await known(5);
});

const COUNTED =
  /^punchboard_request_duration_seconds_count\{operation="fetch",resource="status",status="2xx"\} (\d+)$/m;

/** Resolves when the metrics have as many requests for the status: a process tells what it has counted later. */
async function known(requests: number): Promise<void> {
  const [last] = connections.slice(-1);
  for (let asked = 0; asked < PATIENCE; asked += 1) {
    const { body } = (await last?.send('GET', '/metrics', { session: METRICS_TOKEN })) ?? { body: '' };
    const found = COUNTED.exec(body);
    const now = Number(found?.[1] ?? 0);
    expect(now).toBeLessThanOrEqual(requests);
    if (now === requests) return;
  }
  throw new Error(`the metrics never had ${requests} requests`);
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
