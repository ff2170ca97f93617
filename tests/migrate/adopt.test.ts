// N31: a database that ran another branch, whose numbers denote other names here. `migrate adopt` matches it by name, on both
// engines: nothing is lost, including values kept aside; all other commands refuse and name this one.
import type { Schema } from '../../runtime/schema/schema.js';
import { readMetadata } from '../../runtime/store/postgres/migrate/metadata.js';
import { restore } from '../../runtime/store/postgres/migrate/restore.js';
import { hasPostgres } from '../support/postgres.js';
import { shared } from '../support/shared.js';
import { fixture as commandFixture } from './command.js';
import * as postgres from './postgres/fixture.js';
import { column, database, freshShape, migrate, refers, renamed, schema, shapeOf, table } from './schemas.js';

const LONG = 'a_name_so_long_that_constraints_are_named_by_numbers';
const finish = (matt: number, gloss: number) =>
  ({
    rule: 'choice',
    names: [
      { number: matt, name: 'matt' },
      { number: gloss, name: 'gloss' },
    ],
  }) as const;

/** The numbers of a branch: of its additions, and of the values of an enum. */
interface Numbers {
  readonly note: number;
  readonly die: number;
  readonly long: number;
  readonly matt: number;
  readonly gloss: number;
}

/** Both branches start from a box with a name and a secret that is removed; their additions have different numbers. */
function tables({ note, die, long, matt, gloss }: Numbers) {
  const box = table(
    1,
    'box',
    [
      column(3, 'name'),
      column(note, 'note', { nullable: true }),
      column(note + 1, 'finish', { kind: 'enum', check: finish(matt, gloss), default: 'matt' }),
    ],
    { uniques: [['name']] },
  );
  const dieTable = table(die, 'die', [column(die + 2, 'box_id', { references: refers('box') })], {
    uniques: [['box_id']],
    indexes: [{ columns: ['box_id'], partial: false }],
  });
  const longTable = table(long, LONG, [column(long + 2, 'serial', { check: { rule: 'length', min: 1, max: 20 } })], {
    uniques: [['serial']],
  });
  return { box, die: dieTable, long: longTable };
}

const theirs = tables({ note: 4, die: 10, long: 20, matt: 30, gloss: 31 });
const ours = tables({ note: 3_000_004, die: 3_000_010, long: 3_000_020, matt: 3_000_030, gloss: 3_000_031 });

const SECRET = column(40, 'secret', { nullable: true });
const EARLIER: Schema = schema({ ...theirs.box, columns: [...theirs.box.columns, SECRET] }, theirs.die, theirs.long);
/** The other branch's schema, which the database has. */
const THEIRS: Schema = schema(theirs.box, theirs.die, theirs.long);
/** In this schema, the other branch's numbers 4, 10 and 40 denote other names. */
const OURS: Schema = {
  ...schema(
    {
      ...ours.box,
      columns: [
        ...ours.box.columns,
        column(4, 'tint', { nullable: true }),
        column(3_000_040, 'secret', { nullable: true }),
      ],
    },
    ours.die,
    ours.long,
    table(10, 'lid', [column(40, 'colour', { nullable: true })]),
  ),
  revision: 1001,
};

const ROWS = {
  box: [
    ['000', 'one', 'first', 'gloss', 's0'],
    ['001', 'two', null, 'matt', null],
  ],
  die: [['000', '001']],
  [LONG]: [['000', 'abc']],
} as const;

const FILL = `INSERT INTO box (id, name, note, finish, secret) VALUES ('000', 'one', 'first', 'gloss', 's0'), ('001', 'two', NULL, 'matt', NULL);
INSERT INTO die (id, box_id) VALUES ('000', '001');
INSERT INTO "${LONG}" (id, serial) VALUES ('000', 'abc')`;
const BOXES = 'SELECT id, name, note, finish, tint, secret FROM box ORDER BY id';
const WANTED = [
  ['000', 'one', 'first', 'gloss', null, null],
  ['001', 'two', null, 'matt', null, null],
];

describe('on SQLite', () => {
  /** A database of the other branch, with values kept aside. */
  const start = () => {
    const at = commandFixture(EARLIER, FILL);
    at.with((db) => migrate(db, THEIRS));
    return at;
  };
  const rows = (at: ReturnType<typeof start>, sql: string): unknown[] => at.with((db) => db.prepare(sql).raw().all());

  test('plan and apply refuse, and name the command', async () => {
    const at = start();
    const says = 'which gave the numbers of box.note, die to something else: run `npx punchboard migrate adopt`';
    const plan = await at.run(['plan'], OURS);
    expect([plan.code, plan.out]).toEqual([
      1,
      expect.stringContaining(`Refused: the database ran another branch, ${says}`),
    ]);
    const applied = await at.run(['apply', '--allow', 'drop:die', '--allow', 'drop:box.note'], OURS);
    expect([applied.code, applied.err]).toEqual([1, expect.stringContaining(says)]);
    expect(rows(at, 'SELECT * FROM die')).toEqual([['000', '001']]);
  });

  test('adopt --plan shows what it would do, and adopt does it: every value is kept, and values kept aside can be restored', async () => {
    const at = start();
    expect(await at.run(['adopt', '--plan'], OURS)).toEqual({
      code: 0,
      err: '',
      out: `Changes
  online       lid is new
  online       box.tint is new
  online       box.secret is new
Steps
  1. matched by name: box.note, box.finish, die, ${LONG}
  2. lid: made
  3. box: column tint added, column secret added
Safe: stop all servers, then run: npx punchboard migrate adopt
`,
    });
    expect(rows(at, "SELECT count(*) FROM pragma_table_info('box') WHERE name = 'tint'")).toEqual([[0]]);
    expect(await at.run(['adopt'], OURS)).toMatchObject({ code: 0, err: '' });
    expect(rows(at, BOXES)).toEqual(WANTED);
    expect(rows(at, 'SELECT * FROM die')).toEqual([['000', '001']]);
    expect(rows(at, `SELECT * FROM "${LONG}"`)).toEqual([['000', 'abc']]);
    expect(at.with((db) => shapeOf(db, OURS))).toEqual(freshShape(OURS));
    expect((await at.run(['restore', 'lid.colour'])).code).toBe(1);
    expect((await at.run(['restore', 'box.secret'])).out).toMatch(/^box.secret, dropped .*: 1 of 1 restored\n$/);
    expect(rows(at, 'SELECT secret FROM box ORDER BY id')).toEqual([['s0'], [null]]);
    expect((await at.run(['adopt'], OURS)).out).toBe('Up to date.\n');
    expect((await at.run(['plan'], OURS)).out).toBe('Up to date.\n');
  });

  test('names that the schema does not have must be allowed by name, and are kept aside', async () => {
    const at = start();
    const without: Schema = { ...OURS, tables: OURS.tables.filter(({ name }) => name !== 'die') };
    const refused = await at.run(['adopt'], without);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--allow drop:die')]);
    expect(rows(at, 'SELECT * FROM die')).toEqual([['000', '001']]);
    expect((await at.run(['adopt', '--allow', 'drop:die'], without)).code).toBe(0);
    expect((await at.run(['adopt'], OURS)).code).toBe(0);
    expect((await at.run(['restore', 'die'])).out).toContain('1 of 1 restored');
    expect(rows(at, 'SELECT * FROM die')).toEqual([['000', '001']]);
  });

  test('a column that the other branch renamed continues under its name here', async () => {
    const box = (name: string) => table(1, 'box', [column(3, name)]);
    const at = commandFixture(
      schema(table(1, 'box', [renamed(column(3, 'name'), 'title')])),
      `INSERT INTO box VALUES ('a', 'one')`,
    );
    expect((await at.run(['adopt'], { ...schema(box('name')), revision: 999 })).code).toBe(0);
    expect(rows(at, 'SELECT name FROM box')).toEqual([['one']]);
  });

  test('a revision that the branches reached with different contents is refused, until it is adopted', async () => {
    const branch = (content: string, ...fields: readonly string[]): Schema => ({
      revision: 1000,
      content,
      tables: [
        table(1, 'box', [
          column(3, 'name'),
          ...fields.map((name, at) => column(3_000_000 + at, name, { nullable: true })),
        ]),
      ],
    });
    const at = commandFixture(branch('aaaa', 'note'), `INSERT INTO box VALUES ('a', 'one', 'x')`);
    const refused = await at.run(['apply', '--allow', 'drop:box.note'], branch('bbbb'));
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(
        'another branch brought the database to a revision 1000 of its own: run `npx punchboard migrate adopt`',
      ),
    ]);
    const db = database(at.file);
    expect(() => migrate(db, branch('bbbb', 'note'))).toThrow('punchboard migrate adopt');
    db.close();
    expect((await at.run(['adopt'], branch('bbbb', 'note'))).code).toBe(0);
    expect(rows(at, 'SELECT note FROM box')).toEqual([['x']]);
  });
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  const fixture = shared(postgres.prepareFixture);

  const filled = async ({ query, migrate: bring }: postgres.Database): Promise<void> => {
    await bring(EARLIER);
    for (const [name, rows] of Object.entries(ROWS)) {
      const table = EARLIER.tables.find((one) => one.name === name);
      for (const row of rows as readonly (readonly unknown[])[]) {
        const places = row.map((_, at) => `$${at + 1}`).join(', ');
        await query(`INSERT INTO "${name}" VALUES ('00', ${places})`, [...row] as string[]);
      }
      for (const claim of await postgres.claimsOf(query, table as Schema['tables'][number])) {
        await query('INSERT INTO _unique_value VALUES ($1, $2, $3, $4)', claim);
      }
    }
    await bring(THEIRS);
  };

  const values = async (query: postgres.Database['query'], sql: string): Promise<unknown[]> =>
    (await query(sql)).map((row) => Object.values(row));

  test('adopt keeps every value, the claims of unique values, and the names of constraints; values kept aside can be restored', async () => {
    await fixture.within(async (at) => {
      const { query, migrate: bring } = at;
      await filled(at);
      await bring(OURS, { adopt: true, permit: ({ plan }) => expect(plan.drops).toEqual([]) });
      expect(await values(query, BOXES)).toEqual(WANTED);
      expect(await values(query, 'SELECT id, box_id FROM die')).toEqual([['000', '001']]);
      expect(await postgres.shapeOf(query)).toEqual(await fixture.freshShape(OURS));
      const { actual, expected } = await postgres.claims(query, OURS);
      expect(actual).toEqual(expected);
      expect((expected as unknown[]).length).toBe(3);
      expect(await postgres.leftovers(query)).toEqual([]);
      const metadata = await readMetadata(query);
      expect(metadata?.get('lowest_revision')).toBe('1001');
      await restore(query, metadata as NonNullable<typeof metadata>, 'box.secret');
      expect(await values(query, 'SELECT secret FROM box ORDER BY id')).toEqual([['s0'], [null]]);
    });
  });

  test('an adoption that is stopped after its first step continues', async () => {
    await fixture.within(async (at) => {
      await filled(at);
      const stop = (step: number): void => {
        if (step === 3) throw new Error('killed');
      };
      await expect(at.migrate(OURS, { adopt: true, onStep: stop })).rejects.toThrow('killed');
      await at.migrate(OURS, { adopt: true });
      expect(await values(at.query, BOXES)).toEqual(WANTED);
      expect(await postgres.shapeOf(at.query)).toEqual(await fixture.freshShape(OURS));
    });
  });

  test('without an adoption, a start refuses and names the command', async () => {
    await fixture.within(async (at) => {
      await filled(at);
      await at.query(
        `UPDATE _punchboard SET value = replace(value, '"revision":1000', '"revision":1001') WHERE key = 'schema'`,
      );
      await at.query(`UPDATE _punchboard SET value = '{"content":"aaaa",' || substr(value, 2) WHERE key = 'schema'`);
      await expect(at.migrate({ ...OURS, content: 'bbbb' })).rejects.toThrow('punchboard migrate adopt');
      expect(await values(at.query, 'SELECT id, box_id FROM die')).toEqual([['000', '001']]);
    });
  });
});
