// The cost of a page of all records, with and without a search: every row that an engine reads for it is counted, and their
// number has a bound, however long the list and however frequent a word (D23, D44).

import { createIds } from '../../runtime/contract/ids.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { fillWords } from '../../runtime/schema/sqlite/words.js';
import type { Call } from '../../runtime/store/postgres/connections.js';
import type { Caller, ListedPage, Page, Records } from '../../runtime/store/records.js';
import { connectInMemory } from '../../runtime/store/sqlite/driver.js';
import { createGroupCommit } from '../../runtime/store/sqlite/group-commit.js';
import { createSqliteRecords } from '../../runtime/store/sqlite/records.js';
import { registerWordFunction } from '../../runtime/store/sqlite/words.js';
import { ADMIN, ANYONE, repeatable } from '../store/setup.js';
import { hasPostgres } from '../support/postgres.js';
import { shared } from '../support/shared.js';
import { openOnServer } from './records-fixture.js';
import { PAGE, SEARCHED } from './search-sample.js';

/** Downloads, of which one in three is hidden, and how many rows of a list are counted. */
const MANY = 40_000;
const COUNTED = 10_000;
/** Entries that a search reads. */
const ENTRIES = 2000;

interface Costs {
  readonly listed: ListedPage;
  /** Rows of tables and of indexes that were read. */
  readonly read: number;
}
interface CountedReads {
  readonly cost: Cost;
  /** The rows counted for a statement that reads all of them. */
  all(): Promise<number>;
  end(): unknown;
}
type Cost = (page: Partial<Page>, caller?: Caller) => Promise<Costs>;

const ALL = "SELECT count(*) FROM download WHERE file_id = 'zz-file'";
const COLUMNS = '"id", "name", "free", "game_id", "file_id", "note"';
/** The values of a row by its number `n`. A few have a word of their own. */
const VALUES =
  "'Common', CASE n % 3 WHEN 0 THEN 0 ELSE 1 END, 'aa-game', 'aa-file', CASE n % 5000 WHEN 1 THEN 'rare' END";

function onSqlite(): CountedReads {
  const db = connectInMemory();
  db.exec('PRAGMA foreign_keys = OFF');
  db.exec(sqliteDdl(SEARCHED.schema).join(';\n'));
  registerWordFunction(db);
  db.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
     INSERT INTO download (${COLUMNS}) SELECT 'aa' || printf('%05d', n), ${VALUES} FROM numbers`,
  );
  const search = SEARCHED.schema.tables.find(({ name }) => name === 'download')?.search;
  if (search !== undefined) db.exec(fillWords({ name: 'download', search }));
  let read = 0;
  db.function('counted', { deterministic: false }, (_id) => {
    read += 1;
    return 1;
  });
  // A temporary view hides the table of its name.
  for (const table of ['download', 'download_words'])
    db.exec(`CREATE TEMP VIEW "${table}" AS SELECT * FROM main."${table}" WHERE counted(id)`);
  const random = repeatable();
  const commits = createGroupCommit(db);
  const records = createSqliteRecords({ ...SEARCHED, ...PROFILE, db, commits, ids: createIds(random), random });
  return {
    async cost(page, caller) {
      read = 0;
      const listed = await listIn(records, page, caller);
      return { listed, read };
    },
    async all() {
      read = 0;
      db.prepare(ALL).get();
      return read;
    },
    end() {
      commits.close();
      db.close();
    },
  };
}

const PROFILE = { profile: { date: 'iso', boolean: 'boolean' } } as const;

async function listIn(records: Records, page: Partial<Page>, caller: Caller = ANYONE): Promise<ListedPage> {
  return records.list('download', { ...PAGE, ...page }, '', caller);
}

async function onPostgres(): Promise<CountedReads> {
  const { fixture, connections, take } = await openOnServer('PostgreSQL', SEARCHED);
  const run = async (sql: string, parameters: Call['values'] = []) =>
    connections.query({ name: '', text: sql }, parameters);
  // Drops references to missing records: only the list is tested.
  for (const { name } of await run(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = 'download'::regclass AND contype = 'f'`,
  ))
    await run(`ALTER TABLE download DROP CONSTRAINT "${name}"`);
  await run(
    `INSERT INTO download ("_shard", ${COLUMNS})
     SELECT 'aa', 'aa' || lpad(n::text, 5, '0'), ${VALUES} FROM generate_series(1, ${MANY}) n`,
  );
  await run(
    `INSERT INTO download_words SELECT _shard, id, w, free FROM download,
     unnest(CASE WHEN note IS NULL THEN ARRAY['common'] ELSE ARRAY['common', 'rare'] END) w`,
  );
  await run('ANALYZE');
  return {
    async cost(page, caller) {
      take();
      const listed = await listIn(fixture.records, page, caller);
      let read = 0;
      for (const { statement, values: bound } of take()) {
        const [plan] = await run(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`, bound);
        read += rowsOf(planIn(plan?.['QUERY PLAN']));
      }
      return { listed, read };
    },
    async all() {
      const [plan] = await run(`EXPLAIN (ANALYZE, FORMAT JSON) ${ALL}`);
      return rowsOf(planIn(plan?.['QUERY PLAN']));
    },
    end: () => fixture.end(),
  };
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function planIn(value: unknown): PlanNode {
  const [explained] = (typeof value === 'string' ? JSON.parse(value) : value) as readonly { readonly Plan: PlanNode }[];
  if (explained === undefined) throw new Error('there is no plan');
  return explained.Plan;
}

/** Rows that were read, whether they were used or not. */
function rowsOf(node: PlanNode): number {
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const below = (node.Plans ?? []).map(rowsOf).reduce((sum, one) => sum + one, 0);
  return (node['Relation Name'] === undefined ? 0 : read) + below;
}

const ENGINES = [
  { name: 'SQLite', available: true, open: async () => onSqlite() },
  { name: 'PostgreSQL', available: hasPostgres, open: onPostgres },
];

for (const { name, available, open } of ENGINES) {
  (available ? describe : describe.skip)(`all records on ${name}`, () => {
    const engine = shared(open);
    const idsOf = ({ items }: ListedPage) => items.map((item) => JSON.parse(item).id as string);

    test('every row counts, whether it is used or not', async () => expect(await engine.all()).toBe(MANY));

    test.each([
      ['those that everybody may read', ANYONE],
      ['all, for administrators', ADMIN],
    ] as const)(
      '%s: a first page counts so many rows, those after it read no more than they show',
      async (_, caller) => {
        const first = await engine.cost({}, caller);
        expect(first.listed).toMatchObject({ total: COUNTED, complete: false });
        expect(first.read).toBeLessThanOrEqual(COUNTED + 1 + 4 * 26);
        const second = await engine.cost({ cursor: first.listed.cursor }, caller);
        expect(idsOf(second.listed)).toHaveLength(25);
        expect(second.read).toBeLessThanOrEqual(4 * 26);
        const deep = await engine.cost({ number: 400 }, caller);
        expect(deep.read).toBeLessThanOrEqual(2 * (COUNTED + 1) + 4 * 26);
      },
    );

    test.each([
      ['in every record', ['common'], ENTRIES, false],
      ['in few of those that everybody may read', ['rare'], 5, true],
      ['in none', ['nowhere'], 0, true],
      // Only records among the first entries of the longer list.
      ['in every record, beside one that is in few', ['common', 'rare'], 1, false],
    ])('a word that is %s', async (_, words, total, isComplete) => {
      const { listed, read } = await engine.cost({ words });
      expect([listed.total, listed.complete ?? true]).toEqual([total, isComplete]);
      expect(read).toBeLessThanOrEqual(4 * (ENTRIES + 1));
      expect((await engine.cost({ words }, ADMIN)).read).toBeLessThanOrEqual(4 * (ENTRIES + 1));
    });

    test('a frequent word shows what its first entries find, page by page', async () => {
      const first = await engine.cost({ words: ['common'], size: 100, number: 20 });
      expect(idsOf(first.listed)).toHaveLength(100);
      expect(first.listed).toMatchObject({ total: ENTRIES, complete: false, cursor: null });
      const sorted = await engine.cost({ words: ['common'], orderBy: '-name' });
      expect(sorted.read).toBeLessThanOrEqual(4 * (ENTRIES + 1));
    });

    test('a filter reads a limited number of rows, and continues by cursor', async () => {
      const { listed, read } = await engine.cost({ filters: { file_id: 'zz-file' } });
      expect(listed).toMatchObject({ items: [], complete: false });
      expect(listed.cursor).not.toBeNull();
      expect(read).toBeLessThanOrEqual(4 * (COUNTED + 1));
    });
  });
}
