// What commands read about hooks in PostgreSQL, beside a server or without one; and hooks that came from another database.

import { commandsOn } from '../../runtime/store/open-engine.js';
import { FILL_SUBSCRIPTIONS } from '../../runtime/store/postgres/tables.js';
import { StartError } from '../../runtime/store/start-error.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../support/postgres.js';
import { fixturesOnPostgres, type PostgresFixtures } from './outbox-fixture.js';
import { type OutboxScene, outboxScene, REFUSED } from './outbox-scene.js';

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  let postgres: SharedPostgres;
  let fixtures: PostgresFixtures;
  let s: OutboxScene;
  beforeAll(async () => {
    postgres = await sharePostgres();
    fixtures = await fixturesOnPostgres(postgres);
    s = await outboxScene(await fixtures.open());
  });
  afterAll(async () => {
    await fixtures.close();
    await postgres.stop();
  });

  test('Commands read what a server reads', async () => {
    const hook = await s.subscribe();
    await s.attempted(hook, REFUSED);
    const reports = await commandsOn(fixtures.url).hooks();
    expect(await reports.hooks()).toEqual(await s.outbox.hooks());
    expect(Object.keys((await reports.hooks())[0] ?? {})).toEqual([
      ...['id', 'date_created', 'date_updated', 'user_id', 'owner_class', 'owner_id', 'event', 'callback_uri'],
      ...[
        'api_key_id',
        'format',
        'api_version',
        'failures_since_last_success',
        'deliveries',
        'inFlight',
        'held',
        'nextDue',
        'noticed',
        'noticeSent',
        'pausedByOperator',
        'pausedWithAccount',
      ],
    ]);
    expect(await reports.log(hook)).toMatchObject([{ type: 'subscribe', status: 500, counted: 1 }]);
    await reports.close();
  });

  test('A database without the tables is refused', async () => {
    await expect(commandsOn(await postgres.createDatabase()).hooks()).rejects.toThrow(StartError);
  });

  test('Hooks that were copied from another database are found by their events', async () => {
    const hook = await s.subscribe();
    const run = (text: string) => fixtures.connections.query(fixtures.connections.prepare(text), []);
    const subscriptions = await s.rows('webhook_subscription');
    await run('DELETE FROM webhook_subscription');
    await run(FILL_SUBSCRIPTIONS);
    await run(FILL_SUBSCRIPTIONS);
    expect(new Set(await s.rows('webhook_subscription'))).toEqual(new Set(subscriptions));
    expect(subscriptions.map(({ webhook_id }) => webhook_id)).toContain(hook);
  });
});
