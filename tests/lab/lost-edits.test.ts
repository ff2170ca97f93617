// Two callers add to one text: each reads it, adds a word and writes it, in any interleaving. If they send the tag of the version
// they read (D57), and read again when it is stale, no acknowledged word is lost; without tags, some are. `callers` tests
// several processes, whose interleaving no seed can determine.
import { ServiceError } from '../../runtime/contract/errors.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { describeOnEngines } from '../engine/records-fixture.js';
import { ADMIN, as, change } from '../store/setup.js';
import { chanceOf } from '../support/chance.js';
import { count } from '../support/counts.js';
import { shared } from '../support/shared.js';

const { generated, schema } = loadGenerated(null);
const INTERLEAVINGS = count(24, 10_000);
/** Enough for some words to be lost without tags. */
const UNTAGGED = count(16, 1_000);
/** Interleavings at a time. */
const LANES = 8;
const SEED = Number(process.env.PUNCHBOARD_SEED ?? 57);
const WORDS = 3;

interface Caller {
  /** Id of the record. */
  readonly id: string;
  readonly name: string;
  readonly isTagged: boolean;
}

describeOnEngines('edits of two callers', (open) => {
  const fixture = shared(() => open({ definitions: generated.definitions, schema }));
  let ada: string;
  let designer: string;
  beforeAll(async () => {
    const create = async (name: string, input: object, by = as(ada)) =>
      (await fixture.records.create(change(name, by, { ...input }))).id;
    ada = await create('user', { username: 'ada', password: 'hash' }, ADMIN);
    designer = await create('designer', { name: 'Ada Games' });
  });

  const read = async (id: string) => {
    const lookup = await fixture.records.get('game', id, as(ada));
    if (!lookup.found) throw new Error(lookup.code);
    return { words: String(JSON.parse(lookup.text).description ?? ''), version: lookup.version };
  };
  const write = (id: string, description: string, version: number | null) => {
    const conditions = version === null ? {} : { conditions: { match: [version] } };
    return fixture.records.update(id, { ...change('game', as(ada), { description }), ...conditions });
  };

  /** Adds the caller's words one by one; yields before each request until it is the caller's turn. */
  async function* edits({ id, name, isTagged }: Caller, acknowledged: string[]): AsyncGenerator<void> {
    for (let at = 0; at < WORDS; ) {
      yield;
      const { words, version } = await read(id);
      yield;
      try {
        await write(id, `${words} ${name}${at}`, isTagged ? version : null);
        acknowledged.push(`${name}${at}`);
        at++;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'precondition_failed') throw error;
      }
    }
  }

  /** @returns the number of acknowledged words that are missing */
  async function lostIn(seed: number, isTagged: boolean): Promise<number> {
    // Each interleaving has its own record, since PostgreSQL searches all versions of a row that are not vacuumed yet.
    const { id } = await fixture.records.create(change('game', as(ada), { name: 'Dawn', designer_id: designer }));
    const draw = chanceOf(seed);
    const acknowledged: string[] = [];
    const callers = ['left', 'right'].map((name) => edits({ id, name, isTagged }, acknowledged));
    while (callers.length > 0) {
      const caller = draw.one(callers);
      if ((await caller.next()).done) callers.splice(callers.indexOf(caller), 1);
    }
    const words = (await read(id)).words.split(' ');
    expect(acknowledged.length).toBe(2 * WORDS);
    return acknowledged.filter((word) => !words.includes(word)).length;
  }

  const lost = async (isTagged: boolean): Promise<number> => {
    const seeds = Array.from(
      { length: isTagged ? INTERLEAVINGS : UNTAGGED },
      (_, at) => SEED * 1_000_000 + at,
    ).values();
    const lane = async (): Promise<number> => {
      let missing = 0;
      for (const seed of seeds) missing += await lostIn(seed, isTagged);
      return missing;
    };
    return (await Promise.all(Array.from({ length: LANES }, lane))).reduce((sum, one) => sum + one, 0);
  };

  test(`with tags, no word is lost in ${INTERLEAVINGS} interleavings`, async () => {
    expect(await lost(true)).toBe(0);
  }, 900_000);

  test('without tags, some words are lost', async () => {
    expect(await lost(false)).toBeGreaterThan(UNTAGGED / 4);
  }, 900_000);
});
