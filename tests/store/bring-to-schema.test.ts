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
  number: 1,
  name: 'box',
  columns: [id, name],
  uniques: [['name']],
  indexes: [{ columns: ['name'], partial: false }],
};

const item: Table = {
  number: 5,
  name: 'item',
  columns: [id, { ...id, number: 6, name: 'box_id', references: { table: 'box', onDelete: 'cascade', inside: true } }],
  uniques: [],
  indexes: [],
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

  const additions: Record<string, [Table[], unknown, string?]> = {
    OptionalColumn: [[{ ...box, columns: [id, name, note] }], { id: '1', name: 'a', note: null }],
    ColumnWithDefault: [[{ ...box, columns: [id, name, size] }], { id: '1', name: 'a', size: 7 }],
    ColumnWithDefaultAndLimit: [
      [{ ...box, columns: [id, name, { ...size, check: { rule: 'range', min: 1, max: 9 } }] }],
      { id: '1', name: 'a', size: 7 },
    ],
    OptionalReference: [
      [
        {
          ...box,
          columns: [
            id,
            name,
            { ...note, name: 'box_id', references: { table: 'box', onDelete: 'cascade', inside: true } },
          ],
        },
      ],
      { id: '1', name: 'a', box_id: null },
    ],
    Index: [
      [{ ...box, indexes: [...box.indexes, { columns: ['name', 'id'], partial: false }] }],
      { id: '1', name: 'a' },
      'box_name_id_idx',
    ],
    Resource: [[box, item], { id: '1', name: 'a' }, 'item'],
    OtherOrderOfColumns: [[{ ...box, columns: [name, id] }], { id: '1', name: 'a' }],
    OtherDefault: [[{ ...box, columns: [id, { ...name, default: 'b' }] }], { id: '1', name: 'a' }],
  };
  for (const [title, [tables, row, made]] of Object.entries(additions)) {
    test(`Added ${title}, and the rows are kept`, () => {
      const db = old();
      bringToSchema(db, schema(6, ...tables), NOW);
      expect(db.prepare('SELECT * FROM box').all()).toEqual([row]);
      if (made) expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toContain(made);
      expect(rememberedSchema(db)).toEqual(schema(6, ...tables));
      bringToSchema(db, schema(6, ...tables), NOW);
    });
  }

  test('AnAddedLimitHolds', () => {
    const db = old();
    bringToSchema(
      db,
      schema(6, { ...box, columns: [id, name, { ...size, check: { rule: 'range', min: 1, max: 9 } }] }),
      NOW,
    );
    expect(() => db.exec(`UPDATE box SET size = 10`)).toThrow('box_size_check');
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
    TableGone: [schema(3), 'box was removed: '],
    ColumnGone: [schema(3, { ...box, columns: [id, size] }), 'box.name was removed: '],
    Renamed: [schema(3, { ...box, columns: [id, { ...name, name: 'title' }] }), 'box.name was renamed to title: '],
    Type: [schema(3, { ...box, columns: [id, { ...name, type: 'integer' }] }), 'box.name has another kind: '],
    LimitGone: [schema(3, { ...box, columns: [id, { ...name, check: null }] }), 'box.name has another limit: '],
    LimitChanged: [
      schema(3, { ...box, columns: [id, { ...name, check: { rule: 'length', min: 1, max: 8 } }] }),
      'box.name has another limit: ',
    ],
    LimitNew: [
      schema(3, { ...box, columns: [{ ...id, check: { rule: 'length', min: 1, max: 8 } }, name] }),
      'box.id has another limit: ',
    ],
    Optional: [schema(3, { ...box, columns: [id, { ...name, nullable: true }] }), 'box.name has become optional: '],
    Reference: [
      schema(3, {
        ...box,
        columns: [id, { ...name, references: { table: 'box', onDelete: 'cascade', inside: false } }],
      }),
      'box.name has another reference: ',
    ],
    Replaced: [
      schema(3, { ...box, columns: [id, { ...name, number: 9 }] }),
      'box.name has been replaced by another field of its name: ',
    ],
    NoValue: [
      schema(3, { ...box, columns: [id, name, { ...size, default: null }] }),
      'box.size is new and needs a value',
    ],
    NewUnique: [schema(3, { ...box, uniques: [['name'], ['id', 'name']] }), 'box.id, name is unique now: '],
    UniqueGone: [schema(3, { ...box, uniques: [] }), 'box.name is no longer unique: '],
    IndexGone: [schema(3, { ...box, indexes: [] }), 'box.box_name_idx was removed: '],
  };
  for (const [title, [next, message]] of Object.entries(refusals)) {
    test(`Refused ${title}`, () => {
      const db = old();
      expect(() => bringToSchema(db, next, NOW)).toThrow(StartError);
      expect(() => bringToSchema(db, next, NOW)).toThrow(message);
      if (title !== 'Newer') {
        expect(() => bringToSchema(db, next, NOW)).toThrow(
          /^[^\n]*; the server that made this database still runs on it$/,
        );
      }
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
