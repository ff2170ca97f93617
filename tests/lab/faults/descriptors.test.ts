// A server survives a moment without file handles: requests that fail in it are refused truthfully, and work afterwards (N03).

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { PNG } from '../../files/samples.js';
import { multipart } from '../../support/exchange.js';
import { BIN } from '../../support/paths.js';
import { CHEAP_PASSWORDS_SCRIPT, preloading } from '../../support/preload.js';
import { askAll } from './features.js';
import { startWorld, stopWorld, type World } from './world.js';

const LIMIT = 64;
/** Starts the command with few file handles, on Node without any option, as it is usually run. */
const FEW = ['/bin/sh', '-c', `ulimit -n ${LIMIT}; exec "$@"`, 'sh', process.execPath, BIN] as const;

let world: World;
beforeAll(async () => {
  world = await startWorld({}, { program: [...FEW], env: { NODE_OPTIONS: preloading(CHEAP_PASSWORDS_SCRIPT) } });
});
afterAll(async () => {
  await stopWorld(world);
});

/** Limits the server to the numbers in use, so that it cannot open anything: the first free number is beyond the limit. */
function exhaust({ server }: World): void {
  const taken = new Set(readdirSync(`/proc/${server.process.pid}/fd`).map(Number));
  let free = 0;
  while (taken.has(free)) free += 1;
  limitTo(server.process.pid, free);
}

function limitTo(pid: number | undefined, limit: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${LIMIT}`]);
}

/** Sends a request on the agent's only connection, which is already open when handles run out. */
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

test('N03: requests that fail for lack of file handles are refused as unavailable, and work afterwards', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await sendOn(agent, '/healthz')).status).toBe(200);
  exhaust(world);
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
  limitTo(world.server.process.pid, LIMIT);
  const answers = await askAll(world);
  expect(Object.values(answers).flatMap(({ statuses }) => statuses.filter((status) => status >= 405))).toEqual([]);
  expect(answers).toMatchObject({
    'an image': { text: 'image/png 1 1 true' },
    'a sale': { text: 'delivered' },
  });
  agent.destroy();
});
