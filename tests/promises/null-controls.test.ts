// The tests of promises fail if a promise is broken: a key that is ignored, a cursor that is not checked, a limit that is off
// by one, a status that nothing reaches.

import { ServiceError } from '../../runtime/contract/errors.js';
import type { Records } from '../../runtime/store/records.js';
import type { Document } from '../properties/document.js';
import { type Examination, openTrial } from '../properties/examine.js';
import { readFacts } from '../properties/facts.js';
import { cursors, keys, queries, statuses } from '../properties/promises.js';
import type { Section } from '../properties/trial.js';

let trial: Examination;
let records: Records;
/** The document with the operations of this resource alone, so that none is skipped for having the form of another's. */
let text: string;
beforeAll(async () => {
  trial = await openTrial({ resource: 'card', project: readFacts(null), generated: null, seed: 1 });
  records = trial.world.service.running.service.engine.records;
  const document = (await trial.world.document()) as unknown as Document;
  const ownPaths = Object.entries(document.paths ?? {}).filter(([, item]) =>
    Object.values(item).some(({ tags }) => tags.includes('card')),
  );
  text = JSON.stringify({ ...document, paths: Object.fromEntries(ownPaths) });
});
beforeEach(() => void jest.spyOn(trial.world, 'document').mockResolvedValue(JSON.parse(text)));
afterAll(() => trial.stop());
afterEach(() => jest.restoreAllMocks());

/** The new differences that a section reports, by probe. */
async function differencesOf(section: Section): Promise<readonly string[]> {
  const before = trial.findings.differences.length;
  await section(trial);
  return trial.findings.differences.slice(before).map(({ probe }) => probe);
}

/** Serves the document with the replaced text. */
function documented(from: RegExp, to: string): void {
  expect(text).toMatch(from);
  jest.spyOn(trial.world, 'document').mockResolvedValue(JSON.parse(text.replace(from, to)));
}

test('without a change, every promise is kept', async () => {
  for (const section of [keys, cursors, queries, statuses]) expect(await differencesOf(section)).toEqual([]);
});

test('N01: a key that a bulk create ignores is reported', async () => {
  const { createAll } = records;
  jest.spyOn(records, 'createAll').mockImplementation(({ idempotencyKey: _, ...bulk }) => createAll(bulk));
  const probes = await differencesOf(keys);
  expect(probes.length).toBeGreaterThan(0);
  for (const probe of probes) expect(probe).toMatch(/bulk-cards/);
});

test('N45: a cursor that is not checked is reported', async () => {
  const { list } = records;
  jest.spyOn(records, 'list').mockImplementation(async (resource, page, ...of) => {
    try {
      return await list(resource, page, ...of);
    } catch (error) {
      if (!(error instanceof ServiceError) || page.cursor === null) throw error;
      return list(resource, { ...page, cursor: null }, ...of);
    }
  });
  expect(await differencesOf(cursors)).toContainEqual('GET /api/card with the cursor x');
});

test('a limit that is off by one is reported', async () => {
  documented(/"maximum":100,/, '"maximum":101,');
  expect(await differencesOf(queries)).toContainEqual('GET /api/card with _items_per_page=101 is valid');
});

test('a status that nothing reaches is reported', async () => {
  documented(/("\/api\/card":.*?"responses":\{)/, '$1"418":{"description":"A teapot."},');
  expect(await differencesOf(statuses)).toEqual(['POST /api/card answers 418']);
});
