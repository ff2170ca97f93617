// A duplicate is reported as such, whatever else is written, although its failure makes all later statements fail.

import { join } from 'node:path';
import { edited, state } from '../evolution/pairs.js';
import { clientOf } from '../support/client.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { startService } from '../support/service.js';
import { compileAll, make, prepare } from '../versions/bench.js';
import { STARTED } from '../versions/groups.js';

const searched = state(
  edited(STARTED, {
    'resources/game.yaml': [
      ['order: [name]', 'order: [name]\noperations: { list: { by: anyone, where: { shared: true }, search: [name] } }'],
      ['  blurb:', '  slug: { kind: text, max: 40, unique: true, description: Short name. }\n  blurb:'],
    ],
  }),
  null,
);

onPostgres(() => {
  test('a duplicate value in a searched record is `not_unique`', async () => {
    const folder = temporaryFolder('conflict');
    prepare(folder);
    const generated = join(folder, 'generated');
    compileAll([make(generated, searched, searched.ledger, {})]);
    const service = await startService({ generated, handwritten: { behaviours: {}, actions: {} } as never });
    const { session } = await service.user('ann');
    const create = async (slug: string) => {
      const parameters = { name: 'A game with several words', slug };
      const { status, body } = await clientOf(service.address)('POST', '/api/game', { session, parameters });
      return [status, body.errors?.[0]?.field];
    };
    for (const slug of ['one', 'two', 'three']) {
      expect(await create(slug)).toEqual([201, undefined]);
      expect(await create(slug)).toEqual([409, 'slug']);
    }
    await service.stop();
  }, 60_000);
});
