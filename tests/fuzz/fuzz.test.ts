// No request makes the service fail: hostile requests by the ten thousand against a real process, in both wire profiles.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { seedOfRun } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { count } from '../support/counts.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { fuzz } from './run.js';
import { createWorld, type World } from './world.js';

const seed = seedOfRun();
const started: World[] = [];

async function world(args: readonly string[], preloads: readonly string[] = []): Promise<World> {
  const created = await createWorld(args, preloads);
  started.push(created);
  return created;
}
afterAll(async () => {
  for (const { server } of started) {
    await server.end();
  }
});

test.each([
  ['plain', []],
  ['wing', ['--trust-proxy', '1']],
])(
  'no request causes a server error: %s',
  async (wire, more) => {
    const target = await world(['--wire', wire, ...more]);
    const { requests, statuses, wrong } = await fuzz(target, { requests: count(500, 500_000), seed });
    console.log(
      `${wire}: ${requests} requests, PUNCHBOARD_SEED=${seed}, answers by status ${JSON.stringify(statuses)}`,
    );
    expect(wrong).toEqual([]);

    // The same process is still running and still works.
    expect([target.server.process.exitCode, target.server.process.signalCode]).toEqual([null, null]);
    const send = clientOf(target.server.address);
    expect((await send('GET', '/readyz')).status).toBe(200);
    const name = { name: 'After the storm' };
    const created = await send('POST', '/api/designer', { session: target.sessions[0] ?? '', parameters: name });
    expect(wire === 'wing' ? created.body.result : created.body).toMatchObject(name);

    // Its metrics and its log agree that no response was a server error.
    expect((await send('GET', '/metrics', { session: METRICS_TOKEN })).text).not.toMatch(/status="5xx"/);
    const { code, stderr } = await target.server.end('SIGTERM');
    // Every line of the log at this level is a failure, except warnings of Node about future versions.
    expect([code, stderr.split('\n').filter((line) => line.startsWith('{'))]).toEqual([0, []]);
    const db = new Database(target.database, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
  },
  count(300_000, 3_600_000),
);

test('a planted bug is detected (null control)', async () => {
  const { server, ...target } = await world([], [join(__dirname, 'planted-bug.js')]);
  const { wrong } = await fuzz({ ...target, server }, { requests: 500, seed });
  expect(wrong.join('\n')).toMatch(/: 500 /);
  expect((await server.end('SIGTERM')).stderr).toContain('planted');
});
