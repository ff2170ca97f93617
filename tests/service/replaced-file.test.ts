// A database file that is removed while the server is running.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { clientOf } from '../support/client.js';
import { startService } from '../support/service.js';

test('F36: a missing database file is detected: not ready, and writes are refused until it is back', async () => {
  const service = await startService();
  const { session } = await service.user('owner');
  const send = clientOf(service.address);
  const create = () => send('POST', '/api/designer', { session, parameters: { name: 'Acme' } });
  const file = join(service.folder, 'punchboard.db');
  const statuses = async () => [(await create()).status, (await send('GET', '/readyz')).status];
  expect(await statuses()).toEqual([201, 200]);
  renameSync(file, `${file}-elsewhere`);
  expect(await statuses()).toEqual([503, 503]);
  expect((await create()).headers.get('retry-after')).toBe('1');
  renameSync(`${file}-elsewhere`, file);
  expect(await statuses()).toEqual([201, 200]);
  await service.stop();
});
