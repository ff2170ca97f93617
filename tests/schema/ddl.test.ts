import Database from 'better-sqlite3';
import type { Column } from '../../runtime/schema/schema.js';
import { createTable, sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { CHECK_ROWS } from './check-rows.js';

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
  test('one statement per table and index', () => {
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

  for (const [name, { check, type = 'text', good, bad }] of Object.entries(CHECK_ROWS)) {
    test(`CHECK ${name}`, () => {
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
