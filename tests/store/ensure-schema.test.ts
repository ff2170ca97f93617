import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { ensureSchema } from '../../runtime/store/sqlite/ensure-schema.js';
import { readStoredSchema } from '../../runtime/store/sqlite/migrate/metadata.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { StartError } from '../../runtime/store/start-error.js';
import { NOW, removeFolders, temporary } from './setup.js';

const id: Column = {
  number: 0,
  name: 'id',
  type: 'text',
  kind: 'text',
  nullable: false,
  default: null,
  check: null,
  references: null,
};
const name: Column = { ...id, number: 2, name: 'name', check: { rule: 'length', min: 1, max: 9 } };
const size: Column = { ...id, number: 3, name: 'size', type: 'integer', kind: 'integer', default: 7 };
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

const EXTRA = { extraDdl: ['CREATE TABLE IF NOT EXISTS _extra (id TEXT)'] };

function schema(revision: number, ...tables: readonly Table[]): Schema {
  return { revision, tables };
}

/** A database of the first schema with one row. */
function old() {
  const { db } = openDatabase(temporary('data.db'), { owner: false });
  ensureSchema(db, schema(2, box), NOW);
  db.exec(`INSERT INTO box VALUES ('1', 'a')`);
  return db;
}

describe('ensureSchema', () => {
  afterAll(removeFolders);

  test('fresh then the same', () => {
    const db = old();
    const before = db.prepare('SELECT * FROM sqlite_schema').all();
    ensureSchema(db, schema(2, box), NOW);
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
    expect(readStoredSchema(db)).toEqual(schema(2, box));
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
      ensureSchema(db, schema(6, ...tables), NOW);
      expect(db.prepare('SELECT * FROM box').all()).toEqual([row]);
      if (made) expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toContain(made);
      expect(readStoredSchema(db)).toEqual(schema(6, ...tables));
      ensureSchema(db, schema(6, ...tables), NOW);
    });
  }

  test('an added limit holds', () => {
    const db = old();
    ensureSchema(
      db,
      schema(6, { ...box, columns: [id, name, { ...size, check: { rule: 'range', min: 1, max: 9 } }] }),
      NOW,
    );
    expect(() => db.exec(`UPDATE box SET size = 10`)).toThrow('box_size_check');
  });

  test('further tables every time', () => {
    const db = old();
    for (const _ of [1, 2]) ensureSchema(db, schema(2, box), NOW, EXTRA);
    expect(db.prepare('SELECT count(*) FROM _extra').pluck().get()).toBe(0);
  });

  const SHORT = { rule: 'length', min: 1, max: 8 } as const;
  /** The row afterwards, and what the table's text then says. */
  const rebuilds: Record<string, [Table, unknown, string]> = {
    Renamed: [
      { ...box, columns: [id, { ...name, name: 'title', formerly: ['name'] }], uniques: [['title']], indexes: [] },
      { id: '1', title: 'a' },
      'box_title_check',
    ],
    LimitGone: [{ ...box, columns: [id, { ...name, check: null }] }, { id: '1', name: 'a' }, '"name" TEXT NOT NULL,'],
    LimitTightenedAndKept: [
      { ...box, columns: [id, { ...name, check: SHORT }] },
      { id: '1', name: 'a' },
      'BETWEEN 1 AND 8',
    ],
    LimitOfTheId: [{ ...box, columns: [{ ...id, check: SHORT }, name] }, { id: '1', name: 'a' }, 'box_id_check'],
    Optional: [
      { ...box, columns: [id, { ...name, nullable: true }] },
      { id: '1', name: 'a' },
      '"name" TEXT CONSTRAINT',
    ],
    NewUnique: [{ ...box, uniques: [['name'], ['id', 'name']] }, { id: '1', name: 'a' }, 'box_id_name_key'],
    UniqueGone: [{ ...box, uniques: [] }, { id: '1', name: 'a' }, '"name" TEXT NOT NULL'],
    RequiredWithDefault: [
      { ...box, columns: [id, name, { ...size, name: 'length' }] },
      { id: '1', name: 'a', length: 7 },
      'DEFAULT 7',
    ],
  };
  for (const [title, [table, row, text]] of Object.entries(rebuilds)) {
    test(`Applied ${title}, and the rows are kept`, () => {
      const db = old();
      ensureSchema(db, schema(9, table), NOW);
      expect(db.prepare('SELECT * FROM box').all()).toEqual([row]);
      expect(db.prepare(`SELECT sql FROM sqlite_schema WHERE name = 'box'`).pluck().get()).toContain(text);
      expect(readStoredSchema(db)).toEqual(schema(9, table));
    });
  }

  test('IndexGone', () => {
    const db = old();
    ensureSchema(db, schema(9, { ...box, indexes: [] }), NOW);
    expect(db.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'box_name_idx'`).pluck().get()).toBe(0);
  });

  const SHOWN = ' (`punchboard migrate plan` shows all of it)';
  const refusals: Record<string, [Schema, string]> = {
    Newer: [
      schema(1, box),
      'the database was created by a newer version (revision 2, this server knows 1): start the newer server or restore a backup, or, if another branch brought it there, run `punchboard migrate adopt`',
    ],
    TableGone: [schema(3), `the schema drops box: run \`punchboard migrate apply --allow drop:box\`${SHOWN}`],
    ColumnGone: [
      schema(3, { ...box, columns: [id, size], uniques: [], indexes: [] }),
      `the schema drops box.name: run \`punchboard migrate apply --allow drop:box.name\`${SHOWN}`,
    ],
    Replaced: [
      schema(9, { ...box, columns: [id, { ...name, number: 9, default: 'b' }] }),
      `the schema drops box.name: run \`punchboard migrate apply --allow drop:box.name\`${SHOWN}`,
    ],
    Type: [
      schema(3, { ...box, columns: [id, { ...name, type: 'integer', kind: 'integer', check: null }] }),
      `box.name is not a whole number in 1 row (1): change these values first${SHOWN}`,
    ],
    Limit: [
      schema(3, { ...box, columns: [id, { ...name, check: { rule: 'length', min: 2, max: 8 } }] }),
      `box.name does not fit the limit 2 to 8 characters in 1 row (1): change these values first${SHOWN}`,
    ],
    Reference: [
      schema(3, {
        ...box,
        columns: [id, { ...name, references: { table: 'box', onDelete: 'cascade', inside: false } }],
      }),
      `box.name refers to a missing box in 1 row (1): change these values first${SHOWN}`,
    ],
    'F45: NoValue': [
      schema(3, { ...box, columns: [id, name, { ...size, default: null }] }),
      `box.size is new and has no value in 1 row (1): give size a literal default or a fill, or make it optional (neither required nor filled by the service)${SHOWN}`,
    ],
  };
  for (const [title, [next, message]] of Object.entries(refusals)) {
    test(`Refused ${title}`, () => {
      const db = old();
      expect(() => ensureSchema(db, next, NOW)).toThrow(new StartError(message));
      expect(db.prepare('PRAGMA foreign_keys').pluck().get()).toBe(1);
      expect(readStoredSchema(db)).toEqual(schema(2, box));
      expect(db.prepare('SELECT * FROM box').all()).toEqual([{ id: '1', name: 'a' }]);
    });
  }

  test('none refuses what safe applies, but creates a new database', () => {
    const db = old();
    const message = `the database has an older schema, and a start may not change it: run \`punchboard migrate apply\`${SHOWN}`;
    const next = schema(6, { ...box, columns: [id, name, note] });
    expect(() => ensureSchema(db, next, NOW, { migrate: 'none' })).toThrow(new StartError(message));
    ensureSchema(db, schema(2, box), NOW, { migrate: 'none' });
    const { db: fresh } = openDatabase(temporary('data.db'), { owner: false });
    ensureSchema(fresh, next, NOW, { migrate: 'none' });
    expect(readStoredSchema(fresh)).toEqual(next);
  });

  test('only more than additions need to be alone', () => {
    const db = old();
    const asked: string[] = [];
    const alone = () => {
      asked.push('locked');
      return { close: () => void asked.push('given up') };
    };
    ensureSchema(db, schema(6, { ...box, columns: [id, name, note] }), NOW, { alone });
    expect(asked).toEqual([]);
    ensureSchema(db, schema(6, { ...box, columns: [id, { ...name, check: null }, note] }), NOW, { alone });
    expect(asked).toEqual(['locked', 'given up']);
  });

  test('another programs database is refused', () => {
    const { db } = openDatabase(temporary('data.db'), { owner: false });
    db.exec('CREATE TABLE theirs (id INTEGER)');
    expect(() => ensureSchema(db, schema(1, box), NOW)).toThrow('theirs');
  });

  test('a failure in the middle leaves nothing', () => {
    const { db } = openDatabase(temporary('data.db'), { owner: false });
    expect(() => ensureSchema(db, schema(1, box), NOW, { extraDdl: ['CREATE TABLE'] })).toThrow();
    expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
  });
});
