// The same requests have the same answers on every engine: the same texts byte for byte, the same refusals.
import fc from 'fast-check';
import { actions, behaviours } from '../../runtime/resources/index.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { ADMIN, change } from '../store/setup.js';
import { anyCharacter } from '../support/any-character.js';
import { ENGINES, type FixtureOptions, type RecordsFixture } from './records-fixture.js';
import { story } from './story.js';

const { generated, schema } = loadGenerated(null);
const OURS = { definitions: generated.definitions, schema, behaviours, actions };

async function onEach<T>(
  options: Partial<FixtureOptions>,
  work: (fixture: RecordsFixture) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const { open } of ENGINES) {
    const fixture = await open({ ...OURS, ...options });
    try {
      results.push(await work(fixture));
    } finally {
      await fixture.end();
    }
  }
  return results;
}

test.each([
  { date: 'iso', boolean: 'boolean' },
  { date: 'seconds', boolean: 'number' },
] as const)('answers, refusals and events of a story, dates as %p', async (profile) => {
  const [first, ...others] = await onEach({ profile }, async ({ records, published, select }) => ({
    answers: await story(records),
    published,
    left: await select(
      'SELECT id, name FROM boxtop UNION ALL SELECT id, name FROM "file" UNION ALL SELECT id, username FROM "user" ORDER BY 1',
    ),
  }));
  expect(first?.answers.length).toBeGreaterThan(150);
  for (const other of others) expect(other).toEqual(first);
});

test('any text is shown alike', async () => {
  const texts = fc.sample(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }), { numRuns: 60, seed: 7 });
  const stored = texts.filter((text) => !text.includes('\0'));
  const [first, ...others] = await onEach({}, async ({ records }) => {
    const shown: string[] = [];
    for (const [at, email] of stored.entries()) {
      const input = { username: `u${at}`, password: 'hash', email };
      shown.push((await records.create(change('user', ADMIN, input))).text);
    }
    return shown;
  });
  expect(stored.length).toBeGreaterThan(50);
  for (const other of others) expect(other).toEqual(first);
});
