// Every keyword of SQLite can be the name of a table and of a column.
import Database from 'better-sqlite3';
import type { PropertySource } from '../../runtime/contract/definition.js';
import { copiedColumns } from '../../runtime/store/records/carry-out.js';
import { insertStatement, updateStatement } from '../../runtime/store/sql/row-statements.js';
import { VIEWERS } from '../../runtime/store/sql/viewers.js';
import { SQLITE } from '../../runtime/store/sqlite/dialect.js';
import { propertySql } from '../../runtime/store/sqlite/properties.js';
import { define, ID } from './sketch.js';

const KEYWORDS =
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade
  case cast check collate column commit conflict constraint create cross current current_date current_time
  current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape
  except exclude exclusive exists explain fail false filter first following for foreign from full generated glob
  group groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull
  join key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order
  others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex
  release rename replace restrict returning right rollback row rowid rows savepoint select set table temp
  temporary then ties to transaction trigger true unbounded union unique update using vacuum values view virtual
  when where window with without`.split(/\s+/);

test.each(KEYWORDS)('F43: %s can be used as a name', (word) => {
  const definition = define({
    name: word,
    columns: [ID, { name: word, nullable: true }, { name: 'its_id' }],
    references: [{ column: 'its_id', to: word }],
    brief: [word],
    properties: { [word]: { kind: 'column', column: word } },
  });
  const copying = {
    ...definition,
    columns: { ...definition.columns, [word]: { type: 'text', copies: { through: 'its_id', column: word } } },
  } as const;
  const definitions = new Map([[word, copying]]);
  const row = {
    definition: copying,
    definitions,
    dialect: SQLITE,
    viewer: VIEWERS.session,
    formats: { date: 'iso', boolean: 'boolean' },
    alias: 't',
  } as const;
  const read = (source: PropertySource) =>
    db
      .prepare<unknown[], string>(`SELECT ${propertySql(source, row)} FROM "${word}" t WHERE id = 'two'`)
      .pluck()
      .get({ user: 'u' });

  const db = new Database(':memory:');
  db.exec(
    `CREATE TABLE "${word}" ("id" TEXT PRIMARY KEY, "${word}" TEXT, its_id TEXT, "_version" INTEGER DEFAULT 1) STRICT, WITHOUT ROWID`,
  );
  const insert = db.prepare(insertStatement(SQLITE, copying));
  insert.run({ id: 'one', [word]: 'before', its_id: 'one' });
  db.prepare(updateStatement(SQLITE, copying, [word, 'its_id'])).run({
    id: 'one',
    [word]: 'value',
    its_id: 'one',
  });
  const copies = copiedColumns({ definitions, dialect: SQLITE }, copying).map(({ sql }) =>
    db.prepare(sql).get({ id: 'one' }),
  );
  expect(copies).toEqual([{ value: 'value' }]);
  insert.run({ id: 'two', [word]: 'value', its_id: 'one' });
  expect(read({ kind: 'column', column: word })).toBe('value');
  expect(read({ kind: 'template', text: `{${word}}!` })).toBe('value!');
  expect(read({ kind: 'copy', through: 'its_id', column: word })).toBe('value');
  expect(read({ kind: 'description', through: 'its_id' })).toBe(JSON.stringify({ [word]: 'value' }));
  expect(read({ kind: 'count', of: word, by: 'its_id' })).toBe(0);
  db.close();
});
