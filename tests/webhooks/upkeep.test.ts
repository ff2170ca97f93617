// The jobs that the service runs for the module at intervals, each on a database where there is nothing to do.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createLog } from '../../runtime/http/log.js';
import { openService } from '../../runtime/server/open-service.js';
import type { Outbox } from '../../runtime/store/outbox.js';
import { createWebhooks } from '../../runtime/webhooks/module.js';
import { temporaryFolder } from '../support/paths.js';
import { NOW } from './outbox/outbox-world.js';

test('F24, F29: the jobs that count metrics and prune rows have their intervals, and end when nothing is left to do', async () => {
  const database = join(temporaryFolder('upkeep'), 'punchboard.db');
  const service = await openService(
    { database, wire: 'plain', generated: null, owner: true, random: randomBytes },
    NOW,
  );
  const { jobs } = createWebhooks({
    options: { host: '127.0.0.1', trustProxy: 0 },
    database,
    outbox: service.engine.outbox as Outbox,
    server: 'server',
    store: service.engine.records,
    list: service.operations.list,
    definitions: service.definitions,
    profile: service.profile,
    clock: { now: () => NOW, tick: () => 0 },
    log: createLog('silent'),
  });
  expect(jobs.map(({ every }) => every)).toEqual([30_000, 3_600_000, 24 * 3_600_000]);
  for (const { step } of jobs) while (await step(NOW));
  service.engine.close();
});
