// The engines that an outbox suite runs on: SQLite, PostgreSQL and Citus.

import { describeOnServers, type ServerName } from '../support/servers.js';
import type { ChangeDefinition } from '../webhooks/outbox/outbox-world.js';
import { mayTouchAllShards } from './across-shards.js';
import { groundOnSqlite, groundsOnPostgres, type OutboxFixture, type PostgresGrounds } from './outbox-ground.js';

/** Describes the suite on each of them, and on Citus what becomes of its statements there. */
export function describeOnOutboxEngines(
  suite: (engine: ServerName | 'SQLite', open: (changed?: ChangeDefinition) => Promise<OutboxFixture>) => void,
): void {
  describe('on SQLite', () => suite('SQLite', groundOnSqlite));
  describeOnServers((server, name) => {
    let grounds: PostgresGrounds;
    beforeAll(async () => {
      grounds = await groundsOnPostgres(server());
    });
    afterAll(() => grounds.close());
    suite(name, (changed) => grounds.open(changed));
    if (name === 'Citus') test('Each of these statements went to one shard', () => expectRouted(grounds));
  });
}

async function expectRouted(grounds: PostgresGrounds): Promise<void> {
  expect((await grounds.unrouted()).filter(({ text }) => !mayTouchAllShards(text))).toEqual([]);
}
