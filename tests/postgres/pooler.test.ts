// Behind a pooler: in session mode a server works as usual, and in transaction mode it refuses to start and says what to do.

import { clientOf } from '../support/client.js';
import { hasPooler, startPooler } from '../support/pooler.js';
import { hasPostgres, sharePostgres } from '../support/postgres.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

(hasPostgres && hasPooler ? describe : describe.skip)(
  'N24: behind pgbouncer (counts as skipped where there is none)',
  () => {
    const postgres = shared(sharePostgres);

    test('in session mode a service works', async () => {
      const pooler = await startPooler(await postgres.createDatabase(), 'session');
      const service = await startService({ database: pooler.url });
      const { session } = await service.user('maker');
      const send = clientOf(service.address);
      const create = () => send('POST', '/api/designer', { session, parameters: { name: 'One' } });
      const created = await Promise.all(Array.from({ length: 40 }, create));
      expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
      const fetched = await Promise.all(created.map(({ body }) => send('GET', `/api/designer/${body.id}`)));
      expect(new Set(fetched.map(({ status }) => status))).toEqual(new Set([200]));
      await service.stop();
      await pooler.stop();
    }, 60_000);

    test('in transaction mode the start is refused, with one line that says what to do', async () => {
      const pooler = await startPooler(await postgres.createDatabase(), 'transaction');
      await expect(startService({ database: pooler.url })).rejects.toThrow(
        /^\S+ cannot be used .*set its pool_mode to session.*$/,
      );
      await pooler.stop();
    }, 60_000);
  },
);
