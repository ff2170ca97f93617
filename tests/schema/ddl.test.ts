import Database from 'better-sqlite3';
import type { Check, Column } from '../../runtime/schema/schema.js';
import { createTable, sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';

function column(name: string, part: Partial<Column> = {}): Column {
  return { number: 1, name, type: 'text', nullable: false, default: null, check: null, references: null, ...part };
}

function tableWith(part: Partial<Column>): Database.Database {
  const db = new Database(':memory:');
  db.exec(
    createTable({ number: 1, name: 'x', columns: [column('id'), column('order', part)], uniques: [], indexes: [] }),
  );
  return db;
}

function takes(db: Database.Database, value: unknown): boolean {
  try {
    db.prepare('INSERT OR REPLACE INTO x VALUES (?, ?)').run('1', value);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (/x_order_check|cannot store/.test(message)) return false;
    throw error;
  }
}

describe('sqliteDdl', () => {
  test('OneStatementPerTableAndIndex', () => {
    const columns = [
      column('id'),
      column('group', { check: { rule: 'length', min: 1, max: 5 } }),
      column('game_id', { nullable: true, references: { table: 'game', onDelete: 'set_null', inside: true } }),
      column('size', { type: 'integer', default: 1 }),
    ];
    const indexes = [
      { columns: ['game_id', 'group'], partial: false },
      { columns: ['game_id'], partial: true },
    ];
    expect(
      sqliteDdl({
        revision: 1,
        tables: [{ number: 1, name: 'box', columns, uniques: [['game_id', 'group']], indexes }],
      }),
    ).toEqual([
      `CREATE TABLE "box" (
  "id" TEXT PRIMARY KEY NOT NULL,
  "group" TEXT NOT NULL CONSTRAINT "box_group_check" CHECK (instr("group", char(0)) = 0 AND length("group") BETWEEN 1 AND 5),
  "game_id" TEXT CONSTRAINT "box_game_id_fk" REFERENCES "game" ("id") ON DELETE SET NULL,
  "size" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "box_game_id_group_key" UNIQUE ("game_id", "group")
) STRICT, WITHOUT ROWID`,
      'CREATE INDEX "box_game_id_group_idx" ON "box" ("game_id", "group", "id")',
      'CREATE INDEX "box_game_id_idx" ON "box" ("game_id", "id") WHERE "game_id" IS NOT NULL',
    ]);
  });

  type Row = { check: Check; type?: 'integer'; good: unknown[]; bad: unknown[] };
  const rows: Record<string, Row> = {
    range: { check: { rule: 'range', min: 1, max: 99 }, type: 'integer', good: [1, 99], bad: [0, 100, -1, 1.5, 'a'] },
    rangeFrom: { check: { rule: 'range', min: 0, max: null }, type: 'integer', good: [0, 2 ** 40], bad: [-1] },
    rangeTo: { check: { rule: 'range', min: null, max: 5 }, type: 'integer', good: [-9, 5], bad: [6] },
    length: {
      check: { rule: 'length', min: 1, max: 3 },
      good: ['a', 'äöü', '😀😀😀', 'a b'],
      bad: ['', 'abcd', '😀😀😀😀', 'a\0b', '\0'],
    },
    lengthFrom: { check: { rule: 'length', min: 0, max: null }, good: ['', 'x'.repeat(9999)], bad: ['\0'] },
    oneOf: { check: { rule: 'one_of', values: ['a', "it's"] }, good: ['a', "it's"], bad: ['', 'A', 'b', 'a '] },
    oneOfNumbers: { check: { rule: 'one_of', values: [0, 1] }, type: 'integer', good: [0, 1], bad: [2, -1] },
    decimal: {
      check: { rule: 'decimal', min: 0, max: 100, scale: 4 },
      good: ['0', '100', '7', '0.5', '12.3456', '100.0', '99.9999', '0.0000', '1.50'],
      bad: [
        '',
        '.',
        '.5',
        '5.',
        '00',
        '01',
        '+1',
        '-1',
        '1e2',
        '1,5',
        ' 1',
        '1 ',
        '0.12345',
        '100.0001',
        '101',
        '1.2.3',
        'x',
        '1\0',
        '１',
        '9'.repeat(30),
      ],
    },
    decimalWhole: {
      check: { rule: 'decimal', min: 2, max: 10, scale: 0 },
      good: ['2', '10'],
      bad: ['1', '11', '2.', '2.0', '02'],
    },
    decimalExact: {
      check: { rule: 'decimal', min: 0.5, max: 1.25, scale: 18 },
      good: ['0.5', '0.50', '1.25', '1.249999999999999999', '1.2', '1.250'],
      bad: ['0.4', '0.499999999999999999', '1.250000000000000001', '1.3', '0'],
    },
    url: {
      check: { rule: 'url', max: 30 },
      good: ['http://a', 'https://a.b/c?d=[1]&e=~', `http://${'a'.repeat(23)}`],
      bad: [
        '',
        'http://',
        'https://',
        'ftp://a',
        'HTTP://a',
        'http://a b',
        'http:///a',
        'http://a"b',
        'http://a|b',
        'http://ä',
        'http://a\n',
        'http://a\0',
        ` http://a`,
        `http://${'a'.repeat(24)}`,
      ],
    },
    json: {
      check: { rule: 'json' },
      good: ['{}', '[1,"a"]', 'null', '"x"'],
      bad: ['', '{', "{'a':1}", '[1],', '{}\0x'],
    },
  };
  for (const [name, { check, type = 'text', good, bad }] of Object.entries(rows)) {
    test(`Check ${name}`, () => {
      const strict = tableWith({ check, type });
      const nullable = tableWith({ check, type, nullable: true });
      for (const value of good)
        expect([value, takes(strict, value), takes(nullable, value)]).toEqual([value, true, true]);
      for (const value of bad)
        expect([value, takes(strict, value), takes(nullable, value)]).toEqual([value, false, false]);
      expect(takes(nullable, null)).toBe(true);
      expect(() => takes(strict, null)).toThrow('NOT NULL');
    });
  }
});
