// Eight clients change one record concurrently, each another field of it, and every acknowledged change is kept. If several
// servers may share a database, the clients use two.

import { PNG } from '../files/samples.js';
import { clientOf, upload } from '../support/client.js';
import { count } from '../support/counts.js';
import { isOnPostgres } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';
import { makeSubscriber } from '../webhooks/subscriber.js';

const ROUNDS = count(10, 200);
const FACES = ['side1', 'side2', 'side3', 'side4', 'side5', 'side6'];

test('every acknowledged change of eight writers of one record is kept', async () => {
  const first = await startService();
  const servers = [first, ...(isOnPostgres(first.service.engine) ? [await secondOf(first)] : [])];
  const { session, game } = await makeSubscriber(first.address, (await first.user('ada')).session);
  const files = [
    await upload(first.address, session, { name: 'one.png', bytes: PNG }),
    await upload(first.address, session, { name: 'two.png', bytes: PNG }),
    await upload(first.address, session, { name: 'three.png', bytes: PNG }),
  ];
  /** The value that a writer sends in a round. */
  const fields: Readonly<Record<string, (round: number) => unknown>> = {
    name: (round) => `name ${round}`,
    quantity: (round) => 1 + (round % 99),
    ...Object.fromEntries(
      FACES.map((face, at) => [`${face}_id`, (round: number) => files[(round + at) % files.length]]),
    ),
  };
  const created = await clientOf(first.address)('POST', '/api/customcolord6', {
    session,
    parameters: { name: 'name', game_id: game, identity: 'CustomColorD6' },
  });
  const path = `/api/customcolord6/${created.body.id}`;
  const writers = Object.entries(fields).map(async ([field, sent], at) => {
    const send = clientOf((servers[at % servers.length] as TestService).address);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { status, body } = await send('PUT', path, { session, parameters: { [field]: sent(round) } });
      // Its own change is the last one of this field.
      expect([status, body[field]]).toEqual([200, sent(round)]);
    }
  });
  await Promise.all(writers);
  for (const { address } of servers) {
    const { body } = await clientOf(address)('GET', path, { session });
    expect(body).toMatchObject(
      Object.fromEntries(Object.entries(fields).map(([field, of]) => [field, of(ROUNDS - 1)])),
    );
  }
  for (const server of servers) await server.stop();
}, 120_000);

function secondOf({ folder }: TestService): Promise<TestService> {
  return startService({ database: `${folder}/punchboard.db`, files: `${folder}/files` });
}
