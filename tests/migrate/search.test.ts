// A search that is added, changed and removed (D44), on both engines: existing rows get their words.
import { planPostgres } from '../../runtime/schema/postgres/plan.js';
import type { Column, Schema, Search } from '../../runtime/schema/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import type { Query } from '../../runtime/store/postgres/connections.js';
import { readMetadata } from '../../runtime/store/postgres/migrate/metadata.js';
import { restore as restoreOnPostgres } from '../../runtime/store/postgres/migrate/restore.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { rehearse } from '../../runtime/store/sqlite/migrate/rehearse.js';
import { restore } from '../../runtime/store/sqlite/migrate/restore.js';
import { hasPostgres, startPostgres } from '../support/postgres.js';
import { fixtureOn, open, type PostgresFixture } from './postgres/fixture.js';
import { column, database, migrate, renamed, schema, table, temporary } from './schemas.js';

const NAME = column(3, 'name');
const NOTE = column(4, 'note', { nullable: true });
const SHOWN = column(5, 'shown', { type: 'integer' });
const searched = (search: Search | null, columns: readonly Column[] = [NAME, NOTE, SHOWN], name = 'box'): Schema =>
  schema(table(1, name, columns, { ...(search ? { search } : {}), ...(name === 'box' ? {} : { formerly: ['box'] }) }));

const NONE = searched(null);
const BY_NAME = searched({ columns: ['name'], listed: {} });
const WIDER = searched({ columns: ['name', 'note'], listed: {} });
const LISTED = searched({ columns: ['name', 'note'], listed: { shown: 1 } });
const RENAMED = searched({ columns: ['title', 'note'], listed: { shown: 1 } }, [renamed(NAME, 'title'), NOTE, SHOWN]);
const MOVED = searched({ columns: ['name', 'note'], listed: { shown: 1 } }, [NAME, NOTE, SHOWN], 'crate');
const FILLED = searched({ columns: ['name', 'note'], listed: {} }, [
  NAME,
  { ...NOTE, nullable: false, default: 'Plain' },
  SHOWN,
]);
const BY_RULE = searched({ columns: ['name', 'note'], listed: { shown: 1 }, rule: 2 });
const WITHOUT_NOTE = searched({ columns: ['name'], listed: {} }, [NAME, SHOWN]);

/** id, name, note, shown */
const ROWS = [
  ['00a', 'Great Château', 'Stone', 1],
  ['00b', 'Small house', null, 0],
] as const;

const names = (all: readonly string[]) =>
  all
    .map((one) => one.split(' '))
    .flatMap(([id, ...words]) => words.map((word) => `${id} ${word}`))
    .sort();
const NAMED = names(['00a great chateau', '00b small house']);
const NOTED = names(['00a great chateau stone', '00b small house']);

/** The result of a migration between two schemas: the words of each row, and the rows that everybody finds. */
const CASES: readonly (readonly [string, Schema, Schema, readonly string[], readonly string[]])[] = [
  ['added', NONE, BY_NAME, NAMED, ['00a', '00b']],
  ['widened', BY_NAME, WIDER, NOTED, ['00a', '00b']],
  ['narrowed to some rows', WIDER, LISTED, NOTED, ['00a']],
  ['of a renamed table', LISTED, MOVED, NOTED, ['00a']],
  [
    'of a column that is filled',
    WIDER,
    FILLED,
    names(['00a great chateau stone', '00b small house plain']),
    ['00a', '00b'],
  ],
  ['of a column that is dropped', WIDER, WITHOUT_NOTE, NAMED, ['00a', '00b']],
];

/** Rows with the words that a server with the first rule may have written: id, name, note, words. */
const BEFORE: readonly (readonly [id: string, name: string, note: string | null, words: string])[] = [
  ['00c', '双六ゲーム', null, '双六ケーム'],
  ['00d', 'Box', 'Straße 9', 'box straße 9'],
  ['00e', 'Castle', 'Stone', 'as it was'],
];
const RENEWED = names(['00c 双六ゲーム 六ゲーム ゲーム ーム ム', '00d box strasse 9', '00e as it was']);

describe('plans', () => {
  test.each([
    ['sqlite', planSqlite],
    ['postgres', planPostgres],
  ] as const)('%s: adding, widening and removing a search is a backfill, renaming its column is not', (_, plan) => {
    const diff = (from: Schema, to: Schema) => {
      const { changes, steps, risks } = plan(from, to);
      expect(risks).toEqual([]);
      return [changes.map((one) => `${one.class} ${one.table} ${one.says}`), steps.map((step) => step.class)];
    };
    const classes = (count: number) => Array.from({ length: count }, () => 'backfill');
    const isSqlite = plan === planSqlite;
    expect(diff(NONE, BY_NAME)).toEqual([['backfill box can be searched by words of name'], classes(isSqlite ? 1 : 2)]);
    expect(diff(BY_NAME, WIDER)).toEqual([
      ['backfill box can be searched by words of name, note, previously of name'],
      classes(isSqlite ? 2 : 3),
    ]);
    expect(diff(WIDER, LISTED)[0]).toEqual(['backfill box has other rows that anyone can find']);
    expect(diff(LISTED, NONE)).toEqual([['backfill box can no longer be searched'], ['backfill']]);
    const change = 'has its words made by rule 2, previously by rule 1';
    expect(diff(LISTED, BY_RULE)).toEqual([
      [`backfill box ${change}`],
      isSqlite ? ['backfill'] : ['online', 'online', 'backfill'],
    ]);
    const steps = plan(LISTED, RENAMED).steps.map(({ says }) => says);
    expect(steps.filter((says) => says.includes('words'))).toEqual([]);
  });
});

test.each(CASES)('sqlite: a search %s', (_, from, to, wanted, listed) => {
  const db = connectTo(':memory:');
  migrate(db, NONE);
  const put = db.prepare('INSERT INTO box (id, name, note, shown) VALUES (?, ?, ?, ?)');
  for (const row of ROWS) put.run(row);
  migrate(db, from);
  migrate(db, to);
  const words = `${to.tables[0]?.name}_words`;
  const all = db.prepare<[], string>(`SELECT id || ' ' || word FROM ${words} ORDER BY id, word`).pluck().all();
  expect(all.sort()).toEqual(wanted);
  const listedIds = `SELECT DISTINCT id FROM ${words} WHERE listed = 1 ORDER BY id`;
  expect(db.prepare(listedIds).pluck().all()).toEqual(listed);
  db.close();
});

test('sqlite: restored values are found again, and a removed search leaves nothing', () => {
  const db = connectTo(':memory:');
  migrate(db, WIDER);
  db.prepare(`INSERT INTO box (id, name, note, shown) VALUES ('00a', 'Castle', 'Stone', 1)`).run();
  migrate(db, WITHOUT_NOTE);
  migrate(db, WIDER);
  const all = () => db.prepare('SELECT word FROM box_words ORDER BY word').pluck().all();
  expect(all()).toEqual(['castle']);
  restore(db, 'box.note');
  expect(all()).toEqual(['castle', 'stone']);
  migrate(db, NONE);
  expect(db.prepare(`SELECT name FROM sqlite_schema WHERE name LIKE 'box%words%'`).all()).toEqual([]);
  db.close();
});

test('sqlite: another rule rewrites the words of the rows that it affects', () => {
  const db = connectTo(':memory:');
  migrate(db, LISTED);
  for (const [id, name, note, words] of BEFORE) {
    db.prepare('INSERT INTO box (id, name, note, shown) VALUES (?, ?, ?, 1)').run(id, name, note);
    for (const word of words.split(' ')) db.prepare('INSERT INTO box_words VALUES (?, ?, 1)').run(id, word);
  }
  migrate(db, BY_RULE);
  const all = db.prepare<[], string>(`SELECT id || ' ' || word FROM box_words`).pluck().all();
  expect(all.sort()).toEqual(RENEWED);
  db.close();
});

test('sqlite: a rehearsal expects the words to change', () => {
  const db = database();
  migrate(db, WIDER);
  db.prepare(`INSERT INTO box (id, name, note, shown) VALUES ('00a', 'Castle', 'Stone', 1)`).run();
  const copy = temporary('copy.db');
  const apply = (copied: typeof db) => migrate(copied, BY_NAME);
  const { findings } = rehearse(db, { schema: BY_NAME, copy, apply, tick: () => 0 });
  expect(findings).toEqual([]);
  db.close();
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  let fixture: PostgresFixture;
  beforeAll(async () => {
    // On a separate server, nothing else waits for a lock.
    fixture = fixtureOn(await startPostgres());
  });
  afterAll(() => fixture.stop());

  test.each(CASES)('postgres: a search %s', (_, from, to, wanted, listed) =>
    fixture.within(async ({ query, migrate: apply }) => {
      await apply(NONE);
      for (const row of ROWS)
        await query(`INSERT INTO box (_shard, id, name, note, shown) VALUES ('00', $1, $2, $3, $4)`, row);
      await apply(from);
      await apply(to);
      const words = `${to.tables[0]?.name}_words`;
      const all = await query(`SELECT id || ' ' || word AS one FROM ${words}`);
      expect(all.map(({ one }) => one).sort()).toEqual(wanted);
      const listedRows = await query(`SELECT DISTINCT id FROM ${words} WHERE listed = 1 ORDER BY id`);
      expect(listedRows.map(({ id }) => id)).toEqual(listed);
    }),
  );

  /** Writes words like a server of the first rule, which does not know the mark. */
  const insertWords = async (query: Query, id: string, words: string) => {
    for (const word of words.split(' '))
      await query(`INSERT INTO box_words (_shard, id, word, listed) VALUES ('00', $1, $2, 1)`, [id, word]);
  };
  const insertBefore = async (query: Query) => {
    // Such a server created the table without the mark.
    await query('ALTER TABLE box_words DROP COLUMN outdated_2');
    for (const [id, name, note, words] of BEFORE) {
      await query(`INSERT INTO box (_shard, id, name, note, shown) VALUES ('00', $1, $2, $3, 1)`, [id, name, note]);
      await insertWords(query, id, words);
    }
  };
  const wordsOf = async (query: Query, where = '') =>
    (await query(`SELECT id || ' ' || word AS one FROM box_words ${where}`)).map(({ one }) => one).sort();

  test('another rule rewrites words, and a migration killed at any step continues', async () => {
    for (let [step, isDone] = [0, false]; !isDone; step++)
      await fixture.within(async ({ query, migrate: apply }) => {
        await apply(LISTED);
        await insertBefore(query);
        isDone = await apply(BY_RULE, { onStep: failingAt(step) }).then(
          () => true,
          () => false,
        );
        await query('DELETE FROM _punchboard_migrator');
        await apply(BY_RULE);
        expect([step, await wordsOf(query)]).toEqual([step, RENEWED]);
      });
  });

  test('words that a server with the earlier rule writes in between wait for the page or are marked, and are rewritten', () =>
    fixture.within(async ({ query, url, migrate: apply }) => {
      await apply(LISTED);
      await insertBefore(query);
      await open(url, async ({ query: old }) => {
        // Killed when only the words remain.
        const killed = apply(BY_RULE, { onStep: failingAt(5) });
        await expect(killed).rejects.toThrow('killed');
        expect((await readMetadata(query))?.get('steps_done')).toBe('2');
        await old('BEGIN');
        await old(`UPDATE box SET name = '将棋' WHERE id = '00c'`);
        await old(`DELETE FROM box_words WHERE id = '00c'`);
        const applied = apply(BY_RULE);
        await waitForLock(old);
        await insertWords(old, '00c', '将棋');
        await old('COMMIT');
        await applied;
        const now = names(['00c 将棋 棋', ...RENEWED.filter((one) => !one.startsWith('00c'))]);
        expect(await wordsOf(query)).toEqual(now);
        await query(`UPDATE box SET name = '碁石' WHERE id = '00c'`);
        await query(`DELETE FROM box_words WHERE id = '00c'`);
        await insertWords(query, '00c', '碁石');
        expect(await wordsOf(query, 'WHERE outdated_2 IS NOT NULL')).toEqual(['00c 碁石']);
      });
    }));

  test('restored values are found again, even if they exceed a page', () =>
    fixture.within(async ({ query, migrate: apply }) => {
      await apply(WIDER);
      await query(
        `INSERT INTO box (_shard, id, name, note, shown) SELECT '00', '00' || n, 'Castle', 'Stone', 1 FROM generate_series(1, 1100) n`,
      );
      await apply(WITHOUT_NOTE);
      await apply(WIDER);
      const count = async () =>
        (await query('SELECT word, count(*) AS n FROM box_words GROUP BY 1 ORDER BY 1')).map(
          ({ word, n }) => `${word} ${n}`,
        );
      expect(await count()).toEqual(['castle 1100']);
      await restoreOnPostgres(query, (await readMetadata(query)) ?? new Map(), 'box.note');
      expect(await count()).toEqual(['castle 1100', 'stone 1100']);
      await apply(NONE);
      expect(await query(`SELECT relname FROM pg_class WHERE relname LIKE 'box%words%'`)).toEqual([]);
    }));
});

function failingAt(step: number): (at: number) => void {
  return (at) => {
    if (at === step) throw new Error('killed');
  };
}

/** Returns when another connection waits for a lock. */
async function waitForLock(query: Query): Promise<void> {
  const blocked = `SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1`;
  while ((await query(blocked)).length === 0) await query('SELECT pg_sleep(0.01)');
}
