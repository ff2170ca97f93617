import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { bringToSchema, rememberedSchema } from '../../runtime/store/sqlite/bring-to-schema.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { StartError } from '../../runtime/store/sqlite/start-error.js';
import { NOW, removeFolders, temporary } from './setup.js';

const id: Column = {
  number: 0,
  name: 'id',
  type: 'text',
  nullable: false,
  default: null,
  check: null,
  references: null,
};
const name: Column = { ...id, number: 2, name: 'name', check: { rule: 'length', min: 1, max: 9 } };
const size: Column = { ...id, number: 3, name: 'size', type: 'integer', default: 7 };
const note: Column = { ...id, number: 4, name: 'note', nullable: true };
const box: Table = {
  name: 'box',
  columns: [id, name],
  uniques: [['name']],
  indexes: [{ columns: ['name'], partial: false }],
};

function schema(revision: number, ...tables: readonly Table[]): Schema {
  return { revision, tables };
}

/** A database of the first schema with one row. */
function old() {
  const { db } = openDatabase(temporary('data.db'), { owner: false });
  bringToSchema(db, schema(2, box), NOW);
  db.exec(`INSERT INTO box VALUES ('1', 'a')`);
  return db;
}

describe('bringToSchema', () => {
  afterAll(removeFolders);

  test('FreshThenTheSame', () => {
    const db = old();
    const before = db.prepare('SELECT * FROM sqlite_schema').all();
    bringToSchema(db, schema(2, box), NOW);
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
    expect(rememberedSchema(db)).toEqual(schema(2, box));
    expect(() => db.exec(`INSERT INTO box VALUES ('2', '0123456789')`)).toThrow('box_name_check');
  });

  test('AdditionsKeepWhatIsThere', () => {
    const db = old();
    const item: Table = {
      name: 'item',
      columns: [
        id,
        { ...id, number: 6, name: 'box_id', references: { table: 'box', onDelete: 'cascade', inside: true } },
      ],
      uniques: [],
      indexes: [],
    };
    const grown = {
      ...box,
      columns: [id, name, note, size],
      indexes: [...box.indexes, { columns: ['size'], partial: false }],
    };
    bringToSchema(db, schema(6, grown, item), NOW);
    expect(db.prepare('SELECT * FROM box').all()).toEqual([{ id: '1', name: 'a', note: null, size: 7 }]);
    expect(
      db.prepare(`SELECT name FROM sqlite_schema WHERE name IN ('item', 'box_size_idx') ORDER BY 1`).pluck().all(),
    ).toEqual(['box_size_idx', 'item']);
    expect(rememberedSchema(db)?.revision).toBe(6);
    bringToSchema(db, schema(6, grown, item), NOW);
  });

  test('FurtherTablesEveryTime', () => {
    const db = old();
    for (const _ of [1, 2]) bringToSchema(db, schema(2, box), NOW, ['CREATE TABLE IF NOT EXISTS _extra (id TEXT)']);
    expect(db.prepare('SELECT count(*) FROM _extra').pluck().get()).toBe(0);
  });

  const refusals: Record<string, [Schema, string]> = {
    Newer: [
      schema(1, box),
      'was made by a newer version (revision 2, this server knows 1): start the newer server or restore a backup',
    ],
    TableGone: [schema(3), 'box is gone'],
    ColumnGone: [schema(3, { ...box, columns: [id, size] }), 'box.name is gone'],
    Renamed: [schema(3, { ...box, columns: [id, { ...name, name: 'title' }] }), 'box.name is now called title'],
    Type: [schema(3, { ...box, columns: [id, { ...name, type: 'integer' }] }), 'box.name has changed'],
    Check: [schema(3, { ...box, columns: [id, { ...name, check: null }] }), 'box.name has changed'],
    NoValue: [
      schema(3, { ...box, columns: [id, name, { ...size, default: null }] }),
      'box.size is new and needs a value',
    ],
    NewUnique: [
      schema(3, { ...box, uniques: [['name'], ['id', 'name']] }),
      'box.id, name has another unique constraint',
    ],
    IndexGone: [schema(3, { ...box, indexes: [] }), 'box.box_name_idx is gone'],
  };
  for (const [title, [next, message]] of Object.entries(refusals)) {
    test(`Refused ${title}`, () => {
      const db = old();
      expect(() => bringToSchema(db, next, NOW)).toThrow(StartError);
      expect(() => bringToSchema(db, next, NOW)).toThrow(message);
      if (title !== 'Newer') expect(() => bringToSchema(db, next, NOW)).toThrow('migrate command');
      expect(rememberedSchema(db)).toEqual(schema(2, box));
      expect(db.prepare('SELECT * FROM box').all()).toEqual([{ id: '1', name: 'a' }]);
    });
  }

  test('AnotherProgramsDatabaseIsRefused', () => {
    const { db } = openDatabase(temporary('data.db'), { owner: false });
    db.exec('CREATE TABLE theirs (id INTEGER)');
    expect(() => bringToSchema(db, schema(1, box), NOW)).toThrow('theirs');
  });

  test('AFailureInTheMiddleLeavesNothing', () => {
    const { db } = openDatabase(temporary('data.db'), { owner: false });
    expect(() => bringToSchema(db, schema(1, box), NOW, ['CREATE TABLE'])).toThrow();
    expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
  });
});
