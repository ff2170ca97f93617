// The outbox's SQL: PostgreSQL's own parser accepts it, and statements of requests and attempts name the shard of every table.

import { loadModule, parseSync } from 'libpg-query';
import { FILL_SUBSCRIPTIONS, OUTBOX_STATEMENTS } from '../../runtime/store/postgres/tables.js';
import { OUTBOX_SWEEPS } from './across-shards.js';
import { outboxTexts } from './composed-statements.js';

test('N27: everything about one hook is on one shard: only sweeps and lists of operators ask others', async () => {
  const texts = await outboxTexts();
  const sweeps = texts.filter((text) => OUTBOX_SWEEPS.some((sweep) => sweep.test(text)));
  expect(OUTBOX_SWEEPS.filter((sweep) => !sweeps.some((text) => sweep.test(text)))).toEqual([]);
  await loadModule();
  const unplaced = texts.filter((text) => !sweeps.includes(text) && tablesOf(text) > placesOf(text));
  expect(unplaced).toEqual([]);
  expect(texts.length - sweeps.length).toBeGreaterThan(30);
});

test('PostgreSQL reads all of it', async () => {
  await loadModule();
  for (const text of [...(await outboxTexts()), ...OUTBOX_STATEMENTS, FILL_SUBSCRIPTIONS]) {
    expect(() => parseSync(text)).not.toThrow();
  }
});

/** How many tables a statement names. */
function tablesOf(text: string): number {
  return JSON.stringify(parseSync(text.replace(/ OF t$/, ''))).match(/"relname":/g)?.length ?? 0;
}

/**
 * How many placements a statement determines: by a value, by a join condition, or for a new row, given or copied. A subquery
 * that takes its placement from an outer row asks every shard of Citus, even if that row is on one.
 */
function placesOf(text: string): number {
  const conditions = text.match(/_shard"? = \$\d+|ON \w+\."_shard" = \w+\."_shard"/g)?.length ?? 0;
  return conditions + (PLACED_ROW.test(text) ? 1 : 0);
}

const PLACED_ROW = /^INSERT INTO \w+ (AS \w+ )?\("?_shard"?, [^)]*\) (VALUES \(\$1, |SELECT (\w+\.)?_shard, )/;
