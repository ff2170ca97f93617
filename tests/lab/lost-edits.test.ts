// Two callers add to one text: each reads it, adds a word and writes it, in any interleaving. With the tag of what they read
// (D57), and reading again where it was stale, no acknowledged word is lost; without tags, some are.
import { ServiceError } from '../../runtime/contract/errors.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { describeOnEngines, type Ground } from '../engine/records-ground.js';
import { type Connection, connectToEach } from '../processes/connections.js';
import { ADMIN, as, change } from '../store/setup.js';
import { chanceOf } from '../support/chance.js';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { startService, type TestService } from '../support/service.js';

const { generated, schema } = loadGenerated(null);
const INTERLEAVINGS = count(60, 10_000);
/** Enough to see that some lose without tags. */
const UNTAGGED = count(60, 1_000);
/** Over HTTP, with two processes, where the two callers are at work at the same time. */
const BESIDE = count(20, 10_000);
const SEED = Number(process.env.PUNCHBOARD_SEED ?? 57);
const WORDS = 3;

describeOnEngines('edits of two callers', (open) => {
  let ground: Ground;
  let ada: string;
  let designer: string;
  let id: string;
  beforeAll(async () => {
    ground = await open({ definitions: generated.definitions, schema });
    const made = async (name: string, input: object, by = as(ada)) =>
      (await ground.records.create(change(name, by, { ...input }))).id;
    ada = await made('user', { username: 'ada', password: 'hash' }, ADMIN);
    designer = await made('designer', { name: 'Ada Games' });
  });
  afterAll(() => ground.end());

  const read = async () => {
    const found = await ground.records.get('game', id, as(ada));
    if (!found.found) throw new Error(found.code);
    return { words: String(JSON.parse(found.text).description ?? ''), version: found.version };
  };
  const write = (description: string, version: number | null) => {
    const conditions = version === null ? {} : { conditions: { match: [version] } };
    return ground.records.update(id, { ...change('game', as(ada), { description }), ...conditions });
  };

  /** Adds its words one by one; stops before each request until it is its turn. */
  async function* edits(name: string, isTagged: boolean, acknowledged: string[]): AsyncGenerator<void> {
    for (let at = 0; at < WORDS; ) {
      yield;
      const { words, version } = await read();
      yield;
      try {
        await write(`${words} ${name}${at}`, isTagged ? version : null);
        acknowledged.push(`${name}${at}`);
        at++;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'precondition_failed') throw error;
      }
    }
  }

  /** @returns how many acknowledged words are gone */
  async function lostIn(seed: number, isTagged: boolean): Promise<number> {
    // Each its own: PostgreSQL looks through the versions of a row that nobody vacuums.
    id = (await ground.records.create(change('game', as(ada), { name: 'Dawn', designer_id: designer }))).id;
    const draw = chanceOf(seed);
    const acknowledged: string[] = [];
    const callers = ['left', 'right'].map((name) => edits(name, isTagged, acknowledged));
    while (callers.length > 0) {
      const caller = draw.one(callers);
      if ((await caller.next()).done) callers.splice(callers.indexOf(caller), 1);
    }
    const words = (await read()).words.split(' ');
    expect(acknowledged.length).toBe(2 * WORDS);
    return acknowledged.filter((word) => !words.includes(word)).length;
  }

  const lost = async (isTagged: boolean): Promise<number> => {
    let all = 0;
    for (let at = 0; at < (isTagged ? INTERLEAVINGS : UNTAGGED); at++)
      all += await lostIn(SEED * 1_000_000 + at, isTagged);
    return all;
  };

  test(`with tags, none is lost in ${INTERLEAVINGS} interleavings`, async () => {
    expect(await lost(true)).toBe(0);
  }, 900_000);

  test('without tags, some are', async () => {
    expect(await lost(false)).toBeGreaterThan(UNTAGGED / 4);
  }, 900_000);
});

/** Both callers at work at the same time, each at a process of its own. */
const processes = () =>
  describe('edits of two callers at two processes', () => {
    let service: TestService;
    let callers: readonly Connection[];
    let session: string;
    let designer: string;
    beforeAll(async () => {
      service = await startService({ processes: 2 });
      ({ session } = await service.user('ada'));
      callers = await connectToEach(service.address);
      designer = (await sendBy(0, 'POST', '/api/designer', { name: 'Ada Games' })).body.id;
    });
    afterAll(async () => {
      for (const caller of callers) caller.close();
      await service.stop();
    });

    const sendBy = (at: number, method: string, path: string, parameters?: object, tag?: string) => {
      const caller = callers[at];
      if (caller === undefined) throw new Error('two processes serve');
      return caller.send(method, path, { session, ...(parameters && { parameters }), ...(tag && { ifMatch: tag }) });
    };

    /** Adds its words one by one. @returns those that were acknowledged */
    async function edits(at: number, path: string, isTagged: boolean): Promise<readonly string[]> {
      const acknowledged: string[] = [];
      while (acknowledged.length < WORDS) {
        const { body, tag } = await sendBy(at, 'GET', path);
        const word = `${at}${acknowledged.length}`;
        const description = `${body.description ?? ''} ${word}`;
        const { status } = await sendBy(at, 'PUT', path, { description }, isTagged ? tag : undefined);
        if (status === 200) acknowledged.push(word);
        else expect(status).toBe(412);
      }
      return acknowledged;
    }

    /** @returns how many acknowledged words are gone */
    async function lost(isTagged: boolean, many: number): Promise<number> {
      let all = 0;
      for (let at = 0; at < many; at++) {
        const { body } = await sendBy(at % 2, 'POST', '/api/game', { name: 'Dawn', designer_id: designer });
        const path = `/api/game/${body.id}`;
        const acknowledged = (await Promise.all([edits(0, path, isTagged), edits(1, path, isTagged)])).flat();
        const words = String((await sendBy(0, 'GET', path)).body.description).split(' ');
        all += acknowledged.filter((word) => !words.includes(word)).length;
      }
      return all;
    }

    test(`with tags, none is lost in ${BESIDE} interleavings`, async () => {
      expect(await lost(true, BESIDE)).toBe(0);
    }, 7_200_000);

    test('without tags, some are', async () => {
      expect(await lost(false, Math.min(BESIDE, 200))).toBeGreaterThan(0);
    }, 900_000);
  });
processes();
onPostgres(processes);
