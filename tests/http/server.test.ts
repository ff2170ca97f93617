import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import express from 'express';
import { createServer, shareReads, stop } from '../../runtime/http/server.js';
import { type Service, start } from './client.js';
import { OPERATIONS } from './fixture.js';

const listening = (server: http.Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

/** Whether Express changed the prototype of a request or response. */
async function changes(nodeMajor: number): Promise<readonly boolean[]> {
  const app = express();
  app.get('/', (_req, res) => void res.json({}));
  const seen: boolean[] = [];
  const handle = app as unknown as { handle(req: object, res: object, next: () => void): void };
  const before = handle.handle;
  handle.handle = function (req, res, next) {
    const prototypes = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)];
    before.call(this, req, res, next);
    seen.push(Object.getPrototypeOf(req) !== prototypes[0], Object.getPrototypeOf(res) !== prototypes[1]);
  };
  const server = createServer(app, nodeMajor);
  const port = await listening(server);
  const status = await new Promise((resolve) =>
    http.get({ port, agent: false }, (res) => resolve(res.resume().statusCode)),
  );
  await stop(server, 1000);
  expect(status).toBe(200);
  return seen;
}

test('before Node 24, requests are created with the prototypes that Express would set', async () => {
  expect(await changes(20)).toEqual([false, false]);
});

test('from Node 24 on, Express sets the prototypes', async () => {
  expect(await changes(24)).toEqual([true, true]);
});

test('requests and responses are still those of Express and of Node', async () => {
  const app = express();
  app.get('/:name', (req, res) => {
    const [request, response] = [req instanceof http.IncomingMessage, res instanceof http.ServerResponse];
    res.json([request, response, req.app === app, res.app === app, req.get('host') !== undefined, req.params.name]);
  });
  const server = createServer(app, 20);
  const port = await listening(server);
  const text = await (await fetch(`http://127.0.0.1:${port}/x`)).text();
  expect(JSON.parse(text)).toEqual([true, true, true, true, true, 'x']);
  await stop(server, 100);
});

test('requests share reads, except those behind another request of their connection', async () => {
  const app = express();
  app.get('/', (_req, res) => void res.json({}));
  const server = createServer(app, 20);
  const calls: string[] = [];
  shareReads(server, { begin: () => void calls.push('begin'), end: () => void calls.push('end') });
  const socket = net.connect(await listening(server), '127.0.0.1');
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const seen: string[][] = [];
  for (const sent of [request, request + request]) {
    socket.write(sent);
    await once(socket, 'data');
    seen.push(calls.splice(0));
  }
  socket.destroy();
  await stop(server, 100);
  expect(seen).toEqual([['begin'], ['begin', 'end', 'begin']]);
});

test('reads are not shared with so many connections that one turn may receive what was sent during it', async () => {
  const app = express();
  app.get('/', (_req, res) => void res.json({}));
  const server = createServer(app, 20);
  const calls: string[] = [];
  shareReads(server, { begin: () => void calls.push('begin'), end: () => void calls.push('end') }, 1);
  const port = await listening(server);
  const sockets = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
  for (const socket of sockets) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  for (const socket of sockets) socket.destroy();
  await stop(server, 100);
  expect(calls.slice(-2)).toEqual(['end', 'begin']);
});

describe('stop', () => {
  let finish: () => void = () => undefined;
  let arrived: Promise<void>;
  let service: Service;
  beforeEach(async () => {
    let arrive: () => void = () => undefined;
    arrived = new Promise((resolve) => {
      arrive = resolve;
    });
    const fetch = () =>
      new Promise<{ status: 200; body: string }>((resolve) => {
        finish = () => resolve({ status: 200, body: '{"late":1}' });
        arrive();
      });
    const ready = () => service.server.listening;
    service = await start({ operations: { ...OPERATIONS, fetch }, ready });
  });

  test('a request in flight finishes, idle connections are closed, and no new one is accepted', async () => {
    const agent = new http.Agent({ keepAlive: true });
    await new Promise((resolve) =>
      http.get({ port: service.port, path: '/healthz', agent }, (res) => res.resume().on('end', resolve)),
    );
    const inFlight = service.send('GET', '/api/maker/m1', { headers: { Connection: 'keep-alive' } });
    await arrived;
    const stopped = stop(service.server, 10_000);
    await expect(service.send('GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
    finish();
    expect(await inFlight).toMatchObject({ status: 200, json: { late: 1 } });
    await stopped;
    agent.destroy();
  });

  test('a request that outlives the deadline is cut off', async () => {
    const cut = service.send('GET', '/api/maker/m1').catch((error: Error) => error.message);
    await arrived;
    await stop(service.server, 1);
    expect(await cut).toMatch(/hang up|ECONNRESET/);
  });

  test('readiness ends with listening', async () => {
    expect((await service.send('GET', '/readyz')).status).toBe(200);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string) =>
      new Promise<number | undefined>((resolve, reject) =>
        http
          .get({ port: service.port, path, agent }, (res) => res.resume().on('end', () => resolve(res.statusCode)))
          .on('error', reject),
      );
    const first = get('/api/maker/m1');
    await arrived;
    const socket = Object.values(agent.sockets)[0]?.[0];
    const stopped = stop(service.server, 10_000);
    // Pipelined behind the request in flight: the connection is not idle yet.
    const replies = new Promise<string>((resolve) => {
      let text = '';
      socket?.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text));
    });
    socket?.write('GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    setImmediate(finish);
    await first;
    expect(await replies).toMatch(/HTTP\/1.1 503 [\s\S]*not ready/);
    await stopped;
    agent.destroy();
  });
});
