import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule, parseSync } from 'libpg-query';
import { Client } from 'pg';
import { readSchema } from '../../runtime/schema/compact.js';
import { columnDefinition, createTable, postgresDdl } from '../../runtime/schema/postgres/ddl.js';
import type { Column, Table } from '../../runtime/schema/schema.js';
import { ROOT } from '../support/paths.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../support/postgres.js';
import { CHECK_ROWS } from './check-rows.js';

const OURS = readSchema(readFileSync(join(ROOT, 'generated', 'schema.json'), 'utf8'));

function column(name: string, part: Partial<Column> = {}): Column {
  return { number: 1, name, type: 'text', nullable: false, default: null, check: null, references: null, ...part };
}

function table(name: string, columns: readonly Column[], part: Partial<Table> = {}): Table {
  return { number: 1, name, columns, uniques: [], indexes: [], ...part };
}

beforeAll(() => loadModule());

describe('postgresDdl', () => {
  const game = column('game_id', { number: 7, references: { table: 'game', onDelete: 'cascade', inside: true } });
  const image = column('top_id', {
    nullable: true,
    references: { table: 'file', onDelete: 'set_null', inside: false },
  });

  test('the placement of a row is in its id', () => {
    const box = table('box', [column('id'), game, image], { uniques: [['game_id', 'top_id'], ['top_id']] });
    expect(createTable(box)).toBe(`CREATE TABLE "box" (
  "_shard" text COLLATE "C" NOT NULL CONSTRAINT "box_shard" CHECK ("_shard" = left("id", 2)),
  "id" text COLLATE "C" NOT NULL,
  "game_id" text COLLATE "C" NOT NULL,
  "top_id" text COLLATE "C",
  CONSTRAINT "box_pkey" PRIMARY KEY ("_shard", "id"),
  CONSTRAINT "box_game_id_top_id_key" UNIQUE ("_shard", "game_id", "top_id")
)`);
  });

  test('only a reference inside a placement has a foreign key', () => {
    const schema = { revision: 1, tables: [table('box', [column('id'), game, image])] };
    expect(postgresDdl(schema).filter((statement) => statement.includes('FOREIGN KEY'))).toEqual([
      'ALTER TABLE "box" ADD CONSTRAINT "box_game_id_fk" FOREIGN KEY ("_shard", "game_id") REFERENCES "game" ("_shard", "id") ON DELETE CASCADE',
    ]);
  });

  test('a long name consists of numbers', () => {
    const long = column('an_amount_that_has_a_very_long_name', {
      number: 12,
      check: { rule: 'range', min: 1, max: 2 },
    });
    expect(columnDefinition(table('a_table_of_long_name', [long], { number: 3 }), long)).toContain(
      'CONSTRAINT "t3_12_check"',
    );
  });

  test('N31: a long name with large numbers is a hash of them, which no rename changes', () => {
    const key = (name: string, columns: readonly string[]) => {
      const ownColumns = columns.map((one, at) => column(one, { number: 2_000_000_000 + at }));
      const placed = { ...game, references: { ...game.references, inside: true } } as typeof game;
      const uniques = [[...columns, placed.name]];
      const sql = createTable(table(name, [column('id'), ...ownColumns, placed], { number: 2_100_000_000, uniques }));
      return /CONSTRAINT "([^"]+)" UNIQUE/.exec(sql)?.[1] ?? '';
    };
    const names = ['a', 'b', 'c'].map((letter) => `${letter}_column_of_a_long_name`);
    const long = key('a_table_of_long_name', names);
    expect(long).toMatch(/^t_[0-9a-f]{16}_key$/);
    expect(
      key(
        'another_table_of_long_name',
        names.map((name) => `${name}_now`),
      ),
    ).toBe(long);
    expect(key('a_table_of_long_name', [...names, 'd'])).not.toBe(long);
  });

  test('postgres parses every statement', () => {
    for (const statement of postgresDdl(OURS)) expect(() => parseSync(statement)).not.toThrow();
    expect(() => parseSync('CREATE TABLE x (')).toThrow();
  });
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  let server: SharedPostgres;
  let client: Client;
  beforeAll(async () => {
    server = await sharePostgres();
    client = new Client(await server.createDatabase());
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  test('our tables are created', async () => {
    for (const statement of postgresDdl(OURS)) await client.query(statement);
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`);
    const searched = OURS.tables.filter(({ search }) => search !== undefined);
    expect(rows).toEqual([{ count: OURS.tables.length + searched.length + 1 }]);
  });

  async function takes(name: string, value: unknown): Promise<boolean> {
    try {
      await client.query(`INSERT INTO ${name} VALUES ('00', '00', $1)`, [value]);
      await client.query(`DELETE FROM ${name}`);
      return true;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      // A CHECK, a value of another type, or U+0000, which PostgreSQL's texts cannot contain.
      if (['23514', '22P02', '22021'].includes(code ?? '')) return false;
      throw new Error(message);
    }
  }

  for (const [rule, { check, type = 'text', good, bad }] of Object.entries(CHECK_ROWS)) {
    test(`CHECK ${rule}`, async () => {
      const name = `x_${rule}`.toLowerCase();
      await client.query(createTable(table(name, [column('id'), column('order', { check, type, nullable: true })])));
      for (const value of good) expect([value, await takes(name, value)]).toEqual([value, true]);
      for (const value of bad) expect([value, await takes(name, value)]).toEqual([value, false]);
      expect(await takes(name, null)).toBe(true);
    });
  }
});
