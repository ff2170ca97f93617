// The outbox's SQL: PostgreSQL's own parser reads it, and what a request or an attempt needs names the shard of every table.

import { loadModule, parseSync } from 'libpg-query';
import { createIds } from '../../runtime/ids.js';
import { loadGenerated, principalOf } from '../../runtime/server/load-generated.js';
import type { Connections } from '../../runtime/store/postgres/connections.js';
import { createOutbox } from '../../runtime/store/postgres/outbox/outbox.js';
import { FILL_SUBSCRIPTIONS, OUTBOX_TABLES } from '../../runtime/store/postgres/outbox/tables.js';
import { RETRY_UNIT } from '../../runtime/webhooks/rules/delivery.js';
import { decide } from '../../runtime/webhooks/rules/policy.js';
import { OUTBOX_SWEEPS } from './across-shards.js';
import { saleOf } from './outbox-scene.js';

/** Every statement that an outbox prepares, those of each owner class included. */
async function preparedTexts(): Promise<readonly string[]> {
  const { generated } = loadGenerated(null);
  const definitions = new Map(generated.definitions.map((definition) => [definition.name, definition]));
  const texts = new Set<string>();
  const answers: readonly (readonly [RegExp, Record<string, string | number>])[] = [
    [/AS owner, /, { owner: 'm0owner', user: 'm0user' }],
    [/FROM webhook_subscription/, { webhook_id: 'm0hook' }],
  ];
  const query: Connections['query'] = async ({ text }) =>
    answers.flatMap(([wanted, row]) => (wanted.test(text) ? [row] : []));
  const connections: Connections = {
    prepare: (text) => {
      texts.add(text.replace(/\s+/g, ' ').trim());
      return { name: text, text };
    },
    query,
    transaction: async (calls) => calls.map(() => []),
    interactive: (work) => work(query, query),
    session: () => Promise.reject(new Error('an outbox has no sessions')),
    of: () => connections,
    figures: () => {
      throw new Error('an outbox has no figures of connections');
    },
    close: async () => undefined,
  };
  const outbox = createOutbox({
    ...{ connections, definitions, principal: principalOf(generated) },
    ...{ events: generated.events, decide, unit: RETRY_UNIT },
    ids: createIds((bytes) => new Uint8Array(bytes)),
    rowsOf: () => ({ text: async () => '{}', delete: async () => undefined }),
  });
  const sold = saleOf('m0game');
  const shipped = { event: 'ReceiptShipped', of: { resource: 'receipt', id: 'm0r' }, payload: 'record' };
  for (const event of [sold, shipped]) await outbox.publishWithin(query, [event], 1).catch(() => undefined);
  const about = { id: 'm0hook', user_id: 'm0user', owner_id: 'm0owner', callback_uri: 'https://x/', api_key_id: null };
  for (const [owner_class, event] of [
    ['Designer', 'ItemSold'],
    ['User', 'ReceiptShipped'],
  ]) {
    const row = { ...about, owner_class, event, failures_since_last_success: 0 };
    await outbox.publishWithin(query, [{ kind: 'updated', row }], 1).catch(() => undefined);
  }
  return [...texts];
}

test('Everything about one hook is on one shard: only sweeps and lists of operators ask others', async () => {
  const texts = await preparedTexts();
  const sweeps = texts.filter((text) => OUTBOX_SWEEPS.some((sweep) => sweep.test(text)));
  expect(OUTBOX_SWEEPS.filter((sweep) => !sweeps.some((text) => sweep.test(text)))).toEqual([]);
  await loadModule();
  const unplaced = texts.filter((text) => !sweeps.includes(text) && tablesOf(text) > placesOf(text));
  expect(unplaced).toEqual([]);
  expect(texts.length - sweeps.length).toBeGreaterThan(30);
});

test('PostgreSQL reads all of it', async () => {
  await loadModule();
  for (const text of [...(await preparedTexts()), ...OUTBOX_TABLES, FILL_SUBSCRIPTIONS]) {
    expect(() => parseSync(text)).not.toThrow();
  }
});

/** How many tables a statement names. */
function tablesOf(text: string): number {
  return JSON.stringify(parseSync(text)).match(/"relname":/g)?.length ?? 0;
}

/** How many placements it fixes: by a condition, or as a value of the new row, given or of the row that it is made from. */
function placesOf(text: string): number {
  const conditions = text.match(/_shard"? = (\$\d+|[a-z]\w*\._shard)/g)?.length ?? 0;
  return conditions + (PLACED_ROW.test(text) ? 1 : 0);
}

const PLACED_ROW = /^INSERT INTO \w+ (AS \w+ )?\(_shard, [^)]*\) (VALUES \(\$1, |SELECT (\w+\.)?_shard, )/;
