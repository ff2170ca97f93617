// On Citus, each statement of a request goes to one shard: a story of requests runs there, with every statement explained.
import { actions, behaviours } from '../../runtime/resources/index.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { hasCitus } from '../support/citus.js';
import { mayTouchAllShards } from './across-shards.js';
import { openOnServer } from './records-fixture.js';
import { story } from './story.js';

(hasCitus ? test : test.skip)('each statement of a request goes to one shard', async () => {
  const { generated, schema } = loadGenerated(null);
  const options = { definitions: generated.definitions, schema, behaviours, actions };
  const { fixture, unrouted } = await openOnServer('Citus', options);
  expect((await story(fixture.records)).length).toBeGreaterThan(150);
  expect((await unrouted()).filter(({ text }) => !mayTouchAllShards(text))).toEqual([]);
  await fixture.end();
});
