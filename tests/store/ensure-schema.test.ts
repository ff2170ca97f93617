import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { ensureSchema } from '../../runtime/store/sqlite/ensure-schema.js';
import { readStoredSchema } from '../../runtime/store/sqlite/migrate/metadata.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { StartError } from '../../runtime/store/start-error.js';
import { NOW, temporary } from './setup.js';

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

const EXTRA = { extraDdl: ['CREATE TABLE IF NOT EXISTS _extra (id TEXT)'] };

function schema(revision: number, ...tables: readonly Table[]): Schema {
  return { revision, tables };
}

/** A database of the first schema, with one row. */
function openOld() {
  const { db } = openDatabase(temporary('data.db'), { owner: false });
  ensureSchema(db, schema(2, box), NOW);
  db.exec(`INSERT INTO box VALUES ('1', 'a')`);
  return db;
}

describe('ensureSchema', () => {
  test('creates a new database, and changes nothing for the same schema', () => {
    const db = openOld();
    const before = db.prepare('SELECT * FROM sqlite_schema').all();
    ensureSchema(db, schema(2, box), NOW);
    expect(db.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
    expect(readStoredSchema(db)).toEqual(schema(2, box));
    expect(() => db.exec(`INSERT INTO box VALUES ('2', '0123456789')`)).toThrow('box_name_check');
  });

  test('creates additional tables at every start', () => {
    const db = openOld();
    for (const _ of [1, 2]) ensureSchema(db, schema(2, box), NOW, EXTRA);
    expect(db.prepare('SELECT count(*) FROM _extra').pluck().get()).toBe(0);
  });

  const SHOWN = ' (`punchboard migrate plan` shows all of it)';
  const refusals: Record<string, [Schema, string]> = {
    'a newer database': [
      schema(1, box),
      'the database was created by a newer version (revision 2, this server knows 1): start the newer server or restore a backup, or, if another branch brought it there, run `punchboard migrate adopt`',
    ],
    'a removed table': [schema(3), `the schema drops box: run \`punchboard migrate apply --allow drop:box\`${SHOWN}`],
    'a removed column': [
      schema(3, { ...box, columns: [id, size], uniques: [], indexes: [] }),
      `the schema drops box.name: run \`punchboard migrate apply --allow drop:box.name\`${SHOWN}`,
    ],
    'a replaced column': [
      schema(9, { ...box, columns: [id, { ...name, number: 9, default: 'b' }] }),
      `the schema drops box.name: run \`punchboard migrate apply --allow drop:box.name\`${SHOWN}`,
    ],
    'a type that values do not have': [
      schema(3, { ...box, columns: [id, { ...name, type: 'integer', kind: 'integer', check: null }] }),
      `box.name is not a whole number in 1 row (1): change these values first${SHOWN}`,
    ],
    'a limit that values exceed': [
      schema(3, { ...box, columns: [id, { ...name, check: { rule: 'length', min: 2, max: 8 } }] }),
      `box.name does not fit the limit 2 to 8 characters in 1 row (1): change these values first${SHOWN}`,
    ],
    'a reference to a missing record': [
      schema(3, {
        ...box,
        columns: [id, { ...name, references: { table: 'box', onDelete: 'cascade', inside: false } }],
      }),
      `box.name refers to a missing box in 1 row (1): change these values first${SHOWN}`,
    ],
    'a new column without a value (F45)': [
      schema(3, { ...box, columns: [id, name, { ...size, default: null }] }),
      `box.size is new and has no value in 1 row (1): give size a literal default or a fill, or make it optional (neither required nor filled by the service)${SHOWN}`,
    ],
  };
  for (const [title, [next, message]] of Object.entries(refusals)) {
    test(`refuses ${title}`, () => {
      const db = openOld();
      expect(() => ensureSchema(db, next, NOW)).toThrow(new StartError(message));
      expect(db.prepare('PRAGMA foreign_keys').pluck().get()).toBe(1);
      expect(readStoredSchema(db)).toEqual(schema(2, box));
      expect(db.prepare('SELECT * FROM box').all()).toEqual([{ id: '1', name: 'a' }]);
    });
  }

  test('with migrate: none, an addition is refused, but a new database is created', () => {
    const db = openOld();
    const message = `the database has an older schema, and a start may not change it: run \`punchboard migrate apply\`${SHOWN}`;
    const next = schema(6, { ...box, columns: [id, name, note] });
    expect(() => ensureSchema(db, next, NOW, { migrate: 'none' })).toThrow(new StartError(message));
    ensureSchema(db, schema(2, box), NOW, { migrate: 'none' });
    const { db: fresh } = openDatabase(temporary('data.db'), { owner: false });
    ensureSchema(fresh, next, NOW, { migrate: 'none' });
    expect(readStoredSchema(fresh)).toEqual(next);
  });

  test('only changes beyond additions need exclusive access', () => {
    const db = openOld();
    const locks: string[] = [];
    const alone = () => {
      locks.push('locked');
      return { close: () => void locks.push('given up') };
    };
    ensureSchema(db, schema(6, { ...box, columns: [id, name, note] }), NOW, { alone });
    expect(locks).toEqual([]);
    expect(db.prepare('SELECT * FROM box').all()).toEqual([{ id: '1', name: 'a', note: null }]);
    ensureSchema(db, schema(6, { ...box, columns: [id, { ...name, check: null }, note] }), NOW, { alone });
    expect(locks).toEqual(['locked', 'given up']);
  });

  test('the database of another program is refused', () => {
    const { db } = openDatabase(temporary('data.db'), { owner: false });
    db.exec('CREATE TABLE theirs (id INTEGER)');
    expect(() => ensureSchema(db, schema(1, box), NOW)).toThrow('theirs');
  });

  test('a failure in the middle leaves no tables', () => {
    const { db } = openDatabase(temporary('data.db'), { owner: false });
    expect(() => ensureSchema(db, schema(1, box), NOW, { extraDdl: ['CREATE TABLE'] })).toThrow();
    expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
  });
});
