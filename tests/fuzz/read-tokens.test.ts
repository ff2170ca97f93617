// Thousands of requests of every kind with read-only tokens leave every record unchanged (D61).

import Database from 'better-sqlite3';
import { generated } from '../../generated/index.js';
import { API_KEYS } from '../../runtime/contract/needs.js';
import { count } from '../support/counts.js';
import { exchange } from '../support/exchange.js';
import { fuzz } from './run.js';
import { createWorld, type World } from './world.js';

const REQUESTS = count(1500, 10_000);

async function tokenOf({ server }: World, session: string): Promise<string> {
  const reply = await exchange(`${server.address}/api/apikey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Reader' }),
  });
  return String((JSON.parse(reply.text) as { readonly token: string }).token);
}

/** Every record, without the times at which keys were used. */
function recordsIn(path: string): string {
  const db = new Database(path, { readonly: true });
  const tables = generated.definitions.map(({ name, columns }) => {
    const shown = Object.keys(columns).filter((column) => name !== API_KEYS || column !== 'last_used');
    const names = shown.map((column) => `"${column}"`).join(', ');
    return [name, db.prepare(`SELECT ${names} FROM "${name}" ORDER BY id`).all()];
  });
  db.close();
  return JSON.stringify(tables);
}

test(`${REQUESTS} requests with read-only tokens write nothing`, async () => {
  const world = await createWorld(['--processes', '2']);
  try {
    const sessions = await Promise.all(world.sessions.map((session) => tokenOf(world, session)));
    const before = recordsIn(world.database);
    const { requests, statuses, wrong } = await fuzz({ ...world, sessions }, { requests: REQUESTS, seed: 61 });
    expect([requests, wrong]).toEqual([REQUESTS, []]);
    expect(recordsIn(world.database)).toBe(before);
    // Otherwise the test would prove nothing.
    for (const status of [200, 403]) expect(statuses[status] ?? 0).toBeGreaterThan(REQUESTS / 20);
  } finally {
    world.server.process.kill('SIGKILL');
    await world.server.ended;
  }
});
