// N05: a rename keeps the need. Notices of failing hooks still reach the address after its field was renamed in a running domain.

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apply } from '../../runtime/admin/commands/migrate-work.js';
import { run } from '../cli/processes.js';
import { clientOf } from '../support/client.js';
import { databaseAt } from '../support/engine.js';
import { onPostgres } from '../support/on-postgres.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { makeSubscriber, sell, subscribe } from '../webhooks/subscriber.js';

const CLOCK = { now: Date.now, tick: () => performance.now() };

let generated: string;
let receiver: HttpReceiver;
beforeAll(async () => {
  generated = await generatedWithMail();
  receiver = await startHttpReceiver();
  receiver.answer = () => 500;
});
afterAll(() => receiver.close());

/** Our descriptors, in which the user's `email` is renamed to `mail`. */
async function generatedWithMail(): Promise<string> {
  const folder = temporaryFolder('mail');
  cpSync(join(ROOT, 'spec'), join(folder, 'spec'), { recursive: true });
  const path = join(folder, 'spec', 'resources', 'user.yaml');
  const text = readFileSync(path, 'utf8');
  const renamed = text.replace('  email: { ', '  mail: { was: email, ');
  expect(renamed).not.toBe(text);
  writeFileSync(path, renamed);
  const result = await run(['gen', '--spec', 'spec', '--out', 'generated'], folder);
  expect(result).toMatchObject({ code: 0 });
  return join(folder, 'generated');
}

function suite(): void {
  test('N05: after email is renamed to mail, the notice of a failing hook is sent to the address', async () => {
    const folder = temporaryFolder('renamed-email');
    const [database, mailOutbox] = [join(folder, 'data.db'), join(folder, 'outbox')];
    const options = { database, mailOutbox };

    let service = await startService(options);
    const people = await peopleOf(service);
    await service.stop();

    await apply({ database: await databaseAt(database), generated, allow: [], format: 'text' }, CLOCK);

    service = await startService({ ...options, generated });
    try {
      const user = `/api/user/${people.owner.id}`;
      const { body } = await clientOf(service.address)('GET', user, { session: people.owner.session });
      expect([body.mail, body.email]).toEqual(['ann@example.org', undefined]);
      for (const sku of ['1', '2', '3', '4', '5']) await sell(service.address, people, { game: people.game, sku });
      await eventually(() => mailsIn(mailOutbox).length > 0);
      expect(mailsIn(mailOutbox)).toEqual([expect.stringMatching(/^To: owner <ann@example\.org>\r$/m)]);
    } finally {
      await service.stop();
    }
  });
}

async function peopleOf(service: TestService) {
  const [owner, admin, buyer] = [
    await service.user('owner'),
    await service.user('admin', true),
    await service.user('buyer'),
  ];
  const subscriber = await makeSubscriber(service.address, owner.session);
  const parameters = { email: 'ann@example.org' };
  await clientOf(service.address)('PUT', `/api/user/${owner.id}`, { session: owner.session, parameters });
  await subscribe(service.address, subscriber, `${receiver.address}/failing`);
  return { owner, admin: admin.session, buyer: buyer.id, game: subscriber.game };
}

function mailsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.eml'));
  return files.map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Checks once in every turn of the event loop. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

suite();
onPostgres(suite);
