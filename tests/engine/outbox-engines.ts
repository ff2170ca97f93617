// The engines that an outbox suite runs on: SQLite, PostgreSQL and Citus.

import { describeOnServers, type ServerName } from '../support/servers.js';
import type { ChangeDefinition } from '../webhooks/outbox/outbox-world.js';
import { mayTouchAllShards } from './across-shards.js';
import { fixtureOnSqlite, fixturesOnPostgres, type OutboxFixture, type PostgresFixtures } from './outbox-fixture.js';

/** Describes the suite on each of them, and on Citus checks the shards of its statements. */
export function describeOnOutboxEngines(
  suite: (engine: ServerName | 'SQLite', open: (changed?: ChangeDefinition) => Promise<OutboxFixture>) => void,
): void {
  describe('on SQLite', () => suite('SQLite', fixtureOnSqlite));
  describeOnServers((server, name) => {
    let fixtures: PostgresFixtures;
    beforeAll(async () => {
      fixtures = await fixturesOnPostgres(server());
    });
    afterAll(() => fixtures.close());
    suite(name, (changed) => fixtures.open(changed));
    if (name === 'Citus') test('Each of these statements went to one shard', () => expectRouted(fixtures));
  });
}

async function expectRouted(fixtures: PostgresFixtures): Promise<void> {
  expect((await fixtures.unrouted()).filter(({ text }) => !mayTouchAllShards(text))).toEqual([]);
}
