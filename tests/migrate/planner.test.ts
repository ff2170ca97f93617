// The contents of a plan for each kind of difference: the change and its class, the rows at risk, the drops.

import type Database from 'better-sqlite3';
import type { Column, Schema, Table } from '../../runtime/schema/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { column, database, freshShape, migrate, refers, renamed, schema, shapeOf, table } from './schemas.js';

const name = column(3, 'name', { check: { rule: 'length', min: 1, max: 9 } });
const size = column(4, 'size', { type: 'integer', nullable: true, check: { rule: 'range', min: 1, max: 9 } });
const code = column(5, 'code', { nullable: true });
const box = table(1, 'box', [name, size, code]);
const parent = column(12, 'box_id', { references: refers('box') });
const die = table(10, 'die', [parent]);
const FROM = schema(box, die);

/** Rows `a`, `b` and `c`; sizes 1, 9 and none; codes 7, 7 and x7. */
const ROWS = `
INSERT INTO box VALUES ('a', 'one', 1, '7'), ('b', 'two', 9, '7'), ('c', 'three', NULL, 'x7');
INSERT INTO die VALUES ('d', 'a'), ('e', 'c');`;

interface Case {
  readonly to: Schema;
  /** `class kind table.column says`. */
  readonly changes: readonly string[];
  /** `table.column says: ids`, with ids of the rows above. */
  readonly risks?: readonly string[];
  readonly drops?: readonly string[];
}

const boxed = (columns: readonly Column[], more: Partial<Table> = {}): Schema =>
  schema(table(1, 'box', columns, more), die);

const CASES: Readonly<Record<string, Case>> = {
  Nothing: { to: FROM, changes: [] },
  OtherOrder: { to: schema(die, table(1, 'box', [code, size, name])), changes: [] },
  TableAdded: { to: schema(box, die, table(20, 'card', [])), changes: ['online table_added card is new'] },
  TableRenamed: {
    to: schema(renamed(box, 'crate'), table(10, 'die', [{ ...parent, references: refers('crate') }])),
    changes: ['rebuild table_renamed crate was previously called box'],
  },
  TablesSwapped: {
    to: schema(
      renamed(box, 'die'),
      table(10, 'box', [{ ...parent, references: refers('die') }], { formerly: ['die'] }),
    ),
    changes: [
      'rebuild table_renamed die was previously called box',
      'rebuild table_renamed box was previously called die',
    ],
  },
  TableDropped: {
    to: schema(box),
    changes: ['destructive table_dropped die is gone, with all its rows'],
    drops: ['die'],
  },
  TableReplaced: {
    to: schema(box, table(30, 'die', [])),
    changes: ['online table_added die is new', 'destructive table_dropped die is gone, with all its rows'],
    drops: ['die'],
  },
  TableRenamedAndItsNameUsedAgain: {
    to: schema(
      renamed(box, 'crate'),
      table(10, 'die', [{ ...parent, references: refers('crate') }]),
      table(40, 'box', []),
    ),
    changes: ['online table_added box is new', 'rebuild table_renamed crate was previously called box'],
  },
  OptionalAdded: {
    to: boxed([name, size, code, column(6, 'note', { nullable: true })]),
    changes: ['online column_added box.note is new'],
  },
  DefaultAdded: {
    to: boxed([name, size, code, column(6, 'count', { type: 'integer', default: 3 })]),
    changes: ['online column_added box.count is new, with 3 in every row'],
  },
  RequiredAdded: {
    to: boxed([name, size, code, column(6, 'count', { type: 'integer' })]),
    changes: ['rebuild column_added box.count is new and needs a value in every row'],
    risks: ['box.count is new and has no value: a b c'],
  },
  ReferenceWithDefaultAdded: {
    to: boxed([name, size, code, column(6, 'in_id', { default: 'a', references: refers('box') })]),
    changes: ['backfill column_added box.in_id is new, with a in every row'],
    risks: ['box.in_id refers to a missing box: ', 'box.in_id refers to a box of another owner: b c'],
  },
  ColumnRenamed: {
    to: boxed([renamed(name, 'title'), size, code]),
    changes: ['rebuild column_renamed box.title was previously called name'],
  },
  ANumberGivenTwice: {
    to: boxed([{ ...name, name: 'title', nullable: true }, size, code]),
    changes: ['online column_added box.title is new', 'destructive column_dropped box.name is gone, with its values'],
    drops: ['box.name'],
  },
  ATableNumberGivenTwice: {
    to: schema(box, { ...die, name: 'card' }),
    changes: ['online table_added card is new', 'destructive table_dropped die is gone, with all its rows'],
    drops: ['die'],
  },
  ColumnsSwapped: {
    to: boxed([renamed(name, 'code'), size, renamed(code, 'name')]),
    changes: [
      'rebuild column_renamed box.code was previously called name',
      'rebuild column_renamed box.name was previously called code',
    ],
  },
  ColumnDropped: {
    to: boxed([name, size]),
    changes: ['destructive column_dropped box.code is gone, with its values'],
    drops: ['box.code'],
  },
  ColumnDroppedInARenamedTable: {
    to: schema(
      table(1, 'crate', [name, size], { formerly: ['box'] }),
      table(10, 'die', [{ ...parent, references: refers('crate') }]),
    ),
    changes: [
      'rebuild table_renamed crate was previously called box',
      'destructive column_dropped crate.code is gone, with its values',
    ],
    drops: ['crate.code'],
  },
  ColumnReplaced: {
    to: boxed([name, size, { ...code, number: 6 }]),
    changes: ['online column_added box.code is new', 'destructive column_dropped box.code is gone, with its values'],
    drops: ['box.code'],
  },
  TextToInteger: {
    to: boxed([name, size, { ...code, type: 'integer', kind: 'integer' }]),
    changes: ['rebuild column_retyped box.code is now integer, previously text'],
    risks: ['box.code is not a whole number: c'],
  },
  IntegerToText: {
    to: boxed([name, { ...size, type: 'text', kind: 'text', check: null }, code]),
    changes: [
      'rebuild column_retyped box.size is now text, previously integer',
      'rebuild limit_changed box.size now has no limit, previously 1 to 9',
    ],
  },
  Required: {
    to: boxed([name, { ...size, nullable: false }, code]),
    changes: ['rebuild column_required box.size is now required'],
    risks: ['box.size has no value: c'],
  },
  RequiredWithDefault: {
    to: boxed([name, { ...size, nullable: false, default: 5 }, code]),
    changes: [
      'backfill column_required box.size is now required, with 5 where it is empty',
      'online default_changed box.size has the default 5 in the database, previously none',
    ],
    risks: ['box.size has no value: c'],
  },
  Optional: {
    to: boxed([{ ...name, nullable: true }, size, code]),
    changes: ['rebuild column_optional box.name is now optional'],
  },
  LimitWidened: {
    to: boxed([name, { ...size, check: { rule: 'range', min: 0, max: 10 } }, code]),
    changes: ['rebuild limit_changed box.size now has the limit 0 to 10, previously 1 to 9'],
  },
  LimitTightened: {
    to: boxed([
      { ...name, check: { rule: 'length', min: 4, max: 9 } },
      { ...size, check: { rule: 'range', min: 1, max: 8 } },
      code,
    ]),
    changes: [
      'rebuild limit_changed box.name now has the limit 4 to 9 characters, previously 1 to 9 characters',
      'rebuild limit_changed box.size now has the limit 1 to 8, previously 1 to 9',
    ],
    risks: ['box.name does not fit the limit 4 to 9 characters: a b', 'box.size does not fit the limit 1 to 8: b'],
  },
  LimitAdded: {
    to: boxed([name, size, { ...code, check: { rule: 'one_of', values: ['7', '8'] } }]),
    changes: ['rebuild limit_changed box.code now has the limit one of 7, 8, previously no limit'],
    risks: ['box.code does not fit the limit one of 7, 8: c'],
  },
  ReferenceAdded: {
    to: boxed([name, size, { ...code, references: refers('die') }]),
    changes: ['rebuild reference_changed box.code now refers to die, previously to nothing'],
    risks: ['box.code refers to a missing die: a b c', 'box.code refers to a die of another owner: '],
  },
  ReferenceToAnother: {
    to: schema(box, table(10, 'die', [{ ...parent, references: refers('die') }])),
    changes: ['rebuild reference_changed die.box_id now refers to die, previously to box'],
    risks: ['die.box_id refers to a missing die: d e', 'die.box_id refers to a die of another owner: '],
  },
  ReferenceToANewTableOfTheName: {
    to: schema(renamed(box, 'crate'), table(10, 'die', [parent]), table(40, 'box', [])),
    changes: [
      'online table_added box is new',
      'rebuild table_renamed crate was previously called box',
      'rebuild reference_changed die.box_id now refers to box, previously to box',
    ],
    risks: ['die.box_id refers to a missing box: d e', 'die.box_id refers to a box of another owner: '],
  },
  OnDelete: {
    to: schema(box, table(10, 'die', [{ ...parent, references: refers('box', 'restrict') }])),
    changes: ['rebuild reference_changed die.box_id now has restrict on delete, previously cascade'],
  },
  ReferenceOutside: {
    to: schema(
      box,
      table(10, 'die', [{ ...parent, references: { ...refers('box'), inside: false } as Column['references'] }]),
    ),
    changes: ['online reference_changed die.box_id may now refer to records of other owners'],
  },
  ReferenceGone: {
    to: schema(box, table(10, 'die', [{ ...parent, references: null }])),
    changes: ['rebuild reference_changed die.box_id now refers to nothing, previously to box'],
  },
  Default: {
    to: boxed([name, { ...size, default: 3 }, code]),
    changes: ['online default_changed box.size has the default 3 in the database, previously none'],
  },
  UniqueAdded: {
    to: boxed([name, size, code], { uniques: [['code'], ['name', 'size']] }),
    changes: ['rebuild unique_added box.code is now unique', 'rebuild unique_added box.name, size is now unique'],
    risks: ['box.code is not unique: a b', 'box.name, size is not unique: '],
  },
  UniqueOverAFilledColumn: {
    to: boxed([name, { ...size, nullable: false, default: 9 }, code], { uniques: [['size']] }),
    changes: [
      'backfill column_required box.size is now required, with 9 where it is empty',
      'online default_changed box.size has the default 9 in the database, previously none',
      'rebuild unique_added box.size is now unique',
    ],
    risks: ['box.size has no value: c', 'box.size is not unique: b c'],
  },
  IndexAdded: {
    to: boxed([name, size, code], { indexes: [{ columns: ['code', 'name'], partial: true }] }),
    changes: ['online index_added box.code, name now has an index'],
  },
};

function filled(from: Schema = FROM): Database.Database {
  const db = database();
  migrate(db, from);
  db.exec(ROWS);
  return db;
}

describe('planSqlite', () => {
  for (const [title, { to, changes, risks = [], drops = [] }] of Object.entries(CASES)) {
    test(title, () => {
      const plan = planSqlite(FROM, to);
      expect(
        plan.changes.map((one) => [one.class, one.kind, subject(one.table, one.column), one.says].join(' ')),
      ).toEqual(changes);
      expect(plan.drops).toEqual(drops);
      const db = filled();
      const reported = plan.risks.map((risk) => {
        const ids = db.prepare<[], string>(risk.rows).pluck().all().sort();
        return `${subject(risk.table, risk.column)} ${risk.says}: ${ids.join(' ')}`;
      });
      expect(reported).toEqual(risks);
      db.close();
    });

    test(`${title}, on empty tables, gives the same tables as a fresh database`, () => {
      const db = database();
      migrate(db, FROM);
      migrate(db, to);
      expect(shapeOf(db, to)).toEqual(freshShape(to));
      db.close();
    });
  }

  test('online steps rebuild no table', () => {
    for (const [title, { to }] of Object.entries(CASES)) {
      const { changes, steps } = planSqlite(FROM, to);
      const rebuilt = steps.some(({ sql }) => sql.some((one) => one.startsWith('INSERT')));
      expect([title, rebuilt]).toEqual([
        title,
        changes.some((one) => ['rebuild', 'backfill'].includes(one.class)) ||
          /^(Column(Dropped|Replaced)|ANumberGivenTwice)/.test(title),
      ]);
    }
  });

  test('removed unique constraints and indexes', () => {
    const old = boxed([name, size, code], { uniques: [['code']], indexes: [{ columns: ['name'], partial: false }] });
    expect(planSqlite(old, FROM).changes.map(({ kind }) => kind)).toEqual(['unique_dropped', 'index_dropped']);
  });

  test('a table without a number is recognized by its columns', () => {
    const remembered = JSON.parse(JSON.stringify(FROM)) as { tables: { number?: number }[] };
    for (const table of remembered.tables) delete table.number;
    expect(planSqlite(remembered as unknown as Schema, FROM)).toEqual(planSqlite(FROM, FROM));
    const without = planSqlite(remembered as unknown as Schema, schema(box));
    expect(without.changes.map(({ kind, table: which }) => `${kind} ${which}`)).toEqual(['table_dropped die']);
  });

  test('a table without a number keeps its rows under another name, even that of an earlier table', () => {
    const db = database();
    migrate(db, { ...FROM, tables: FROM.tables.map(({ number: _, ...rest }) => rest as Table) });
    db.exec(ROWS);
    const swapped = table(10, 'box', [{ ...renamed(parent, 'die_id'), references: refers('die') }], {
      formerly: ['die'],
    });
    migrate(db, schema(renamed(box, 'die'), swapped));
    expect(db.prepare('SELECT id, name FROM die ORDER BY id').raw().all()).toEqual([
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'three'],
    ]);
    expect(db.prepare('SELECT id, die_id FROM box ORDER BY id').raw().all()).toEqual([
      ['d', 'a'],
      ['e', 'c'],
    ]);
    db.close();
  });

  test('an index name passes from one table to another', () => {
    const on = (column: string) => ({ indexes: [{ columns: [column], partial: false }] });
    const db = database();
    migrate(db, schema(table(1, 'box', [column(3, 'lid_name')], on('lid_name'))));
    const to = schema(table(1, 'box', [column(3, 'lid_name')]), table(20, 'box_lid', [column(22, 'name')], on('name')));
    migrate(db, to);
    expect(shapeOf(db, to)).toEqual(freshShape(to));
    db.close();
  });

  test('a value that converts is kept', () => {
    const db = filled();
    db.exec(`UPDATE box SET code = '-12' WHERE id = 'c'`);
    migrate(
      db,
      boxed([
        name,
        { ...size, type: 'text', kind: 'text', check: null },
        { ...code, type: 'integer', kind: 'integer' },
      ]),
    );
    expect(db.prepare('SELECT size, code FROM box').all()).toEqual([
      { size: '1', code: 7 },
      { size: '9', code: 7 },
      { size: null, code: -12 },
    ]);
  });

  for (const text of ['', '007', '1.0', ' 1', '1 ', '+1', '1e3', '99999999999999999999', '0x10', 'true']) {
    test(`the text ${JSON.stringify(text)} is not a whole number`, () => {
      const db = filled();
      db.prepare(`UPDATE box SET code = ?`).run(text);
      const [risk] = planSqlite(FROM, boxed([name, size, { ...code, type: 'integer', kind: 'integer' }])).risks;
      expect(
        db
          .prepare(risk?.rows ?? '')
          .pluck()
          .all(),
      ).toEqual(['a', 'b', 'c']);
    });
  }
});

function subject(of: string, part: string | null): string {
  return part === null ? of : `${of}.${part}`;
}
