// N14: the resource of uploads is renamed or removed. The engine's own index of its bytes is not an operator's, and follows.
import type { AnyDefinition } from '../../runtime/definition.js';
import { fileIndexDdl as postgresDdl } from '../../runtime/store/postgres/file-index.js';
import { handMadeInTheWay } from '../../runtime/store/postgres/migrate/hand-made.js';
import { fileIndexDdl } from '../../runtime/store/sqlite/file-index.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { hasPostgres } from '../support/postgres.js';
import { prepareGround } from './postgres/ground.js';
import { column, database, migrate, removeFolders, renamed, schema, table } from './schemas.js';

const file = table(1, 'file', [column(3, 'content_hash')]);
const box = table(10, 'box', []);
const FILES = schema(file, box);
const ASSETS = schema(renamed(file, 'asset'), box);
const uploads = (name: string): readonly AnyDefinition[] => [{ name, upload: {} } as unknown as AnyDefinition];
const at = (name: string) => ({ extraDdl: [fileIndexDdl(uploads(name))] });

afterAll(removeFolders);

test('N14: on SQLite the resource of uploads can be renamed: its index has the new name, and the old one is gone', () => {
  const db = database();
  migrate(db, FILES, at('file'));
  db.exec("INSERT INTO file VALUES ('00a', 'abc')");
  expect(pendingOf(db, ASSETS, at('asset'))?.handMade).toEqual([]);
  migrate(db, ASSETS, at('asset'));
  const indexes = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE '%content_hash%'")
    .pluck()
    .all();
  expect(indexes).toEqual(['asset_content_hash_idx']);
  expect(db.prepare('SELECT * FROM asset').raw().all()).toEqual([['00a', 'abc']]);
  db.close();
});

test('N14: an index that an operator added to its table still counts as added by hand', () => {
  const db = database();
  migrate(db, FILES, at('file'));
  db.exec('CREATE INDEX by_hash ON file (content_hash)');
  expect(pendingOf(db, ASSETS, at('asset'))?.handMade.join()).toContain('the index by_hash of file, added by hand');
  db.close();
});

(hasPostgres ? test : test.skip)('N14: on PostgreSQL its index is not in the way of its removal', async () => {
  const ground = await prepareGround();
  try {
    await ground.within(async ({ query, migrate: bring }) => {
      await bring(FILES, { extraDdl: postgresDdl(uploads('file')) });
      expect(await handMadeInTheWay(query, FILES, schema(box))).toEqual([]);
      await query('CREATE INDEX by_hash ON file (content_hash)');
      expect((await handMadeInTheWay(query, FILES, schema(box))).join()).toContain('index by_hash, added by hand');
    });
  } finally {
    await ground.stop();
  }
});
