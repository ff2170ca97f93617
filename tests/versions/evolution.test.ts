// D68: after an edit, the answers under the earlier version equal those before the edit, byte by byte.

import { join } from 'node:path';
import type { StartOptions } from '../../runtime/server/main.js';
import { onPostgres } from '../support/on-postgres.js';
import { temporaryFolder } from '../support/paths.js';
import { answers, type BuiltService, compileAll, make, prepare, VERSION } from './bench.js';
import { type Group, groupsOf } from './groups.js';

const groups = groupsOf();
const folder = temporaryFolder('versions');
let services: readonly { readonly group: Group; readonly old: BuiltService; readonly now: BuiltService }[] = [];

beforeAll(() => {
  prepare(folder);
  services = groups.map((group, at) => ({
    group,
    old: make(join(folder, `old${at}`), group.old, group.old.ledger, {}),
    now: make(join(folder, `now${at}`), group.now, group.old.ledger, { [VERSION]: group.old }),
  }));
  compileAll(services.flatMap(({ old, now }) => [old, now]));
}, 300_000);

/** The requests that get another answer, each with both answers. */
async function differences(at: number, options: Partial<StartOptions>): Promise<readonly unknown[]> {
  const { old, now } = services[at] ?? {};
  if (old === undefined || now === undefined) throw new Error('the services were not built');
  const [before, after] = [await answers(old, null, options), await answers(now, VERSION, options)];
  expect(before.length).toBeGreaterThan(30);
  return before.flatMap(({ request, answer }, index) =>
    after[index]?.answer === answer && after[index]?.request === request
      ? []
      : [{ request, before: answer, after: after[index]?.answer }],
  );
}

const NAMED = groups.map((group, at) => [`${group.names.length} edits, the first: ${group.names[0]}`, at] as const);

describe.each([['plain'], ['wing']] as const)('%s', (wire) => {
  test.each(NAMED)('%s', async (_, at) => expect(await differences(at, { wire })).toEqual([]), 120_000);
});

onPostgres(() => {
  test.each(NAMED)('%s', async (_, at) => expect(await differences(at, {})).toEqual([]), 240_000);
});
