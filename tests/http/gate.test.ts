// A service is exchanged under its requests: nobody who left or dawdles holds it up, and a stop in the middle leaves nothing open.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, get, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createGate, type Gate } from '../../runtime/http/gate.js';
import { start } from '../../runtime/server/main.js';
import { databaseOf } from '../support/database.js';
import { temporaryFolder } from '../support/paths.js';
import { quietly } from '../support/quiet-service.js';

/** Longer than any test may take. Milliseconds. */
const FOR_EVER = 600_000;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server behind a gate. */
async function behind(first: RequestListener): Promise<{ gate: Gate; port: number; server: Server }> {
  const gate = createGate(first);
  const made = createServer(gate.listener);
  server = made;
  await once(made.listen(0, '127.0.0.1'), 'listening');
  return { gate, port: (made.address() as AddressInfo).port, server: made };
}

const says =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.end(text);

function bodyAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });
}

test('AClientThatLeavesWhileItWaitsHoldsUpNoLaterExchange', async () => {
  const { gate, port, server } = await behind(says('first'));
  await gate.exchange(async () => {
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [, response] = await once(server, 'request');
    client.destroy();
    await once(response, 'close');
    return says('second');
  }, FOR_EVER);
  await gate.exchange(async () => says('third'), FOR_EVER);
  expect(await bodyAt(port)).toBe('third');
});

test('WhatIsStillInFlightIsCutWhenPatienceEnds', async () => {
  const { gate, port, server } = await behind(() => undefined);
  const hung = bodyAt(port);
  await once(server, 'request');
  await gate.exchange(async () => says('second'), 10);
  await expect(hung).rejects.toThrow('socket hang up');
  expect(await bodyAt(port)).toBe('second');
});

test('AStopInTheMiddleOfAReloadLeavesNothingOpen', async () => {
  const folder = temporaryFolder('swapped');
  const running = await start({ ...quietly(folder), watch: true });
  const first = running.service;
  const reloading = running.reload();
  while (databaseOf(first).open) await setImmediate();
  await running.stop();
  await reloading;
  expect(running.service).not.toBe(first);
  expect([databaseOf(first).open, databaseOf(running.service).open]).toEqual([false, false]);
  await running.reload();
  expect(databaseOf(running.service).open).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});
