// A moment without file handles passes: whatever could not be done in it is refused truthfully, and can be done afterwards (N03).

import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PNG } from '../../files/samples.js';
import { multipart } from '../../support/exchange.js';
import { BIN } from '../../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../../support/preload.js';
import { askAll } from './features.js';
import { startWorld, stopWorld, type World } from './world.js';

const LIMIT = 64;
/** Starts the command with so few of them, on Node without any option, as it is usually run. */
const FEW = ['/bin/sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh', process.execPath, BIN] as const;

let world: World;
let idle: readonly Socket[] = [];
beforeAll(async () => {
  world = await startWorld({}, { program: [...FEW], env: { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT) } });
});
afterAll(async () => {
  for (const socket of idle) socket.destroy();
  await stopWorld(world);
});

/** Opens connections until the server has no file handle left for one, and closes it. */
async function exhaust(address: string): Promise<readonly Socket[]> {
  const port = Number(new URL(address).port);
  const open: Socket[] = [];
  for (let refused = false; !refused; ) {
    const socket = connect(port, '127.0.0.1');
    open.push(socket);
    refused = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(true)).once('close', () => resolve(true));
      socket.once('connect', () => void isHeld(world).then((held) => held || resolve(false)));
    });
  }
  return open;
}

/** Whether all of them are taken. */
async function isHeld({ server }: World): Promise<boolean> {
  return readdirSync(`/proc/${server.process.pid}/fd`).length >= LIMIT;
}

/** On one connection, which is there before. */
function sendOn(
  agent: Agent,
  path: string,
  form?: ReturnType<typeof multipart>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const method = form === undefined ? 'GET' : 'POST';
    const sent = request(
      `${world.server.address}${path}`,
      { agent, method, headers: form?.headers ?? {} },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end(form?.body);
  });
}

test('N03: what fails for want of file handles is refused as unavailable, and works afterwards', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await sendOn(agent, '/healthz')).status).toBe(200);
  idle = await exhaust(world.server.address);
  const form = multipart([['session_id', world.people.subscriber.session]], {
    part: 'file',
    name: 'a.png',
    bytes: PNG,
  });
  const upload = await sendOn(agent, '/api/file', form);
  expect([upload.status, upload.text]).toEqual([503, expect.stringContaining('too many files and connections')]);
  const pages = [];
  for (const path of ['/docs', '/console', '/assets/docs.js', '/openapi.json'])
    pages.push((await sendOn(agent, path)).status);
  expect(pages.filter((status) => ![200, 303, 503].includes(status))).toEqual([]);
  for (const socket of idle) socket.destroy();
  while (await isHeld(world)) expect((await sendOn(agent, '/healthz')).status).toBe(200);
  const answers = await askAll(world);
  expect(Object.values(answers).flatMap(({ statuses }) => statuses.filter((status) => status >= 405))).toEqual([]);
  expect(answers).toMatchObject({
    'an image': { text: 'image/png 1 1 true' },
    'a sale': { text: 'delivered' },
  });
  agent.destroy();
});
