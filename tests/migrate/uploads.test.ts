// N14: the resource of uploads is renamed or removed. The index of its bytes is the engine's, not an operator's, and follows.
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { findManualConflicts } from '../../runtime/store/postgres/migrate/manual-objects.js';
import { engineTables as postgresTables } from '../../runtime/store/postgres/tables.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { engineTables } from '../../runtime/store/sqlite/tables.js';
import { hasPostgres } from '../support/postgres.js';
import { prepareFixture } from './postgres/fixture.js';
import { column, database, migrate, renamed, schema, table } from './schemas.js';

const file = table(1, 'file', [column(3, 'content_hash')]);
const box = table(10, 'box', []);
const FILES = schema(file, box);
const ASSETS = schema(renamed(file, 'asset'), box);
const uploads = (name: string): readonly AnyDefinition[] => [{ name, upload: {} } as unknown as AnyDefinition];
const at = (name: string) => ({ extraDdl: engineTables(uploads(name)) });

test('N14: on SQLite the resource of uploads can be renamed: its index has the new name, and the old one no longer exists', () => {
  const db = database();
  migrate(db, FILES, at('file'));
  db.exec("INSERT INTO file VALUES ('00a', 'abc')");
  expect(pendingOf(db, ASSETS, at('asset'))?.manualConflicts).toEqual([]);
  migrate(db, ASSETS, at('asset'));
  const indexes = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE '%content_hash%'")
    .pluck()
    .all();
  expect(indexes).toEqual(['asset_content_hash_idx']);
  expect(db.prepare('SELECT * FROM asset').raw().all()).toEqual([['00a', 'abc']]);
  db.close();
});

test('N14: an index that an operator added to the table of uploads still counts as added by hand', () => {
  const db = database();
  migrate(db, FILES, at('file'));
  db.exec('CREATE INDEX by_hash ON file (content_hash)');
  expect(pendingOf(db, ASSETS, at('asset'))?.manualConflicts.join()).toContain(
    'the index by_hash of file, added by hand',
  );
  db.close();
});

const LEFT_OVER = 'CREATE INDEX asset_content_hash_idx ON file (content_hash)';

(hasPostgres ? test : test.skip).each([
  ['', []],
  [', even if an earlier version left another', [LEFT_OVER]],
])('N14: on PostgreSQL the only index of uploads has the new name after a rename%s', async (_, before) => {
  const fixture = await prepareFixture();
  try {
    await fixture.within(async ({ query, migrate: bring }) => {
      const to = (now: Schema, name: string) => bring(now, { extraDdl: postgresTables(uploads(name)) });
      const indexes = async () => {
        const rows = await query(
          "SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%(content_hash)%' ORDER BY 1",
        );
        return rows.map(({ indexname, indexdef }) => [indexname, / ON \w+\.(\w+) /.exec(String(indexdef))?.[1]]);
      };
      await to(FILES, 'file');
      for (const statement of before) await query(statement);
      await to(ASSETS, 'asset');
      expect(await indexes()).toEqual([['asset_content_hash_idx', 'asset']]);
    });
  } finally {
    await fixture.stop();
  }
});

(hasPostgres ? test : test.skip)('N14: on PostgreSQL the index of uploads does not block their removal', async () => {
  const fixture = await prepareFixture();
  try {
    await fixture.within(async ({ query, migrate: bring }) => {
      await bring(FILES, { extraDdl: postgresTables(uploads('file')) });
      expect(await findManualConflicts(query, FILES, schema(box))).toEqual([]);
      await query('CREATE INDEX by_hash ON file (content_hash)');
      expect((await findManualConflicts(query, FILES, schema(box))).join()).toContain('index by_hash, added by hand');
    });
  } finally {
    await fixture.stop();
  }
});
