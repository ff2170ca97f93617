// Each of the migrate commands: its output, its effect on the database, and its exit code.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { terminal } from '../support/terminal.js';
import { fixture, migrateCommand } from './command.js';
import { column, dump, refers, renamed, schema, table, temporary } from './schemas.js';

const name = column(3, 'name', { check: { rule: 'length', min: 1, max: 9 } });
const note = column(4, 'note', { nullable: true });
const box = table(1, 'box', [name, note]);
const die = table(10, 'die', [column(12, 'box_id', { references: refers('box') })]);
const FROM = schema(box, die);
const FILL = `
INSERT INTO box VALUES ('a', 'one', 'x'), ('b', 'two', NULL), ('c', 'three', 'z');
INSERT INTO die VALUES ('d', 'a'), ('e', 'c')`;

const RENAMED = schema(table(1, 'box', [renamed(name, 'title'), note]), die);
const SHORT = schema(table(1, 'box', [{ ...name, check: { rule: 'length', min: 1, max: 3 } }, note]), die);
const WITHOUT_NOTE = schema(table(1, 'box', [name]), die);
const WITHOUT_DIE = schema(table(1, 'box', [name]));

const start = () => fixture(FROM, FILL);
const DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

test('each step of a rehearsal and of apply shows its progress on a terminal, and nowhere else', async () => {
  const [at, rehearsed, applied] = [start(), terminal(200), terminal(200)];
  const apply = ['apply', '--allow', 'drop:die', '--allow', 'drop:box.note'];
  const steps = ['dropped values kept aside', 'die: dropped', 'box: rebuilt, since note is gone, with its values'];
  expect((await at.run(['rehearse'], WITHOUT_DIE, rehearsed.screen)).code).toBe(0);
  expect(rehearsed.full()).toEqual(['copy of the database', 'tables measured', ...steps, 'tables measured']);
  expect((await at.run(['rehearse'], WITHOUT_DIE)).err).toBe('');
  expect((await at.run(apply, WITHOUT_DIE, applied.screen)).code).toBe(0);
  expect(applied.full()).toEqual(steps);
});

describe('migrate plan', () => {
  test('a safe change', async () => {
    expect(await start().run(['plan'], RENAMED)).toEqual({
      code: 0,
      err: '',
      out: `Changes
  rebuild      box.title was previously called name
Steps
  1. box: rebuilt, since title was previously called name
Safe: the next start applies it, or run: npx punchboard migrate apply
`,
    });
  });

  test('rows in the way are named', async () => {
    expect((await start().run(['plan'], SHORT)).out).toBe(`Changes
  rebuild      box.name now has the limit 1 to 3 characters, previously 1 to 9 characters
Rows in the way
  box.name does not fit the limit 1 to 3 characters in 1 row (c): change these values first
Steps
  1. box: rebuilt, since name now has the limit 1 to 3 characters, previously 1 to 9 characters
Refused: rows are in the way.
`);
  });

  test('F52: a plan that is refused ends with exit code 1, as text and as JSON', async () => {
    const at = start();
    expect((await at.run(['plan'], SHORT)).code).toBe(1);
    expect((await at.run(['plan', '--format', 'json'], SHORT)).code).toBe(1);
    expect((await at.run(['plan'], WITHOUT_DIE)).code).toBe(0);
  });

  test('F52: a plan without rows in the way', async () => {
    const at = start();
    at.with((db) => db.exec(`DELETE FROM box WHERE id = 'c'`));
    expect((await at.run(['plan'], SHORT)).out).toContain('No rows are in the way.\nSteps\n');
  });

  test('drops, each with the option that allows it', async () => {
    expect((await start().run(['plan'], WITHOUT_DIE)).out).toBe(`Changes
  destructive  die is gone, with all its rows
  destructive  box.note is gone, with its values
Steps
  1. die: dropped
  2. box: rebuilt, since note is gone, with its values
Drops (each must be allowed by name; values are kept aside until purged)
  --allow drop:die
  --allow drop:box.note
To apply it, run: npx punchboard migrate apply --allow drop:die --allow drop:box.note
`);
  });

  test('ten rows are named, and all are counted', async () => {
    const eleven = Array.from({ length: 11 }, (_, at) => `('${at + 10}', 'long', NULL)`).join();
    const { out } = await fixture(FROM, `INSERT INTO box VALUES ${eleven}`).run(['plan'], SHORT);
    expect(out).toContain(' in 11 rows (10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …): change these values first\n');
  });

  test('JSON', async () => {
    const plan = JSON.parse((await start().run(['plan', '--format', 'json'], SHORT)).out) as Record<string, unknown>;
    expect(plan).toMatchObject({
      empty: false,
      safe: false,
      changes: [{ class: 'rebuild', kind: 'limit_changed', table: 'box', column: 'name' }],
      risks: [{ table: 'box', column: 'name', count: 1, ids: ['c'] }],
      drops: [],
    });
  });

  test('up to date', async () => {
    expect((await start().run(['plan'], FROM)).out).toBe('Up to date.\n');
  });

  test('a newer database is refused', async () => {
    const { code, err } = await start().run(['plan'], { ...FROM, revision: 1 });
    expect([code, err]).toEqual([1, expect.stringContaining('was created by a newer version (revision 1000, ')]);
  });

  for (const command of ['status', 'plan', 'apply', 'rehearse', 'restore box', 'purge --before 2026-01-01']) {
    test(`${command} refuses a missing database, and creates none`, async () => {
      const file = temporary('missing.db');
      const { code, err } = await migrateCommand([...command.split(' '), '--database', file]);
      expect([code, err]).toEqual([1, `punchboard: there is no database ${file}: choose another with --database\n`]);
      expect(readdirSync(dirname(file))).toEqual([]);
    });
  }
});

describe('migrate apply', () => {
  test('on SQLite, --distribute is refused, and nothing is applied', async () => {
    const at = start();
    expect(await at.run(['apply', '--distribute'], RENAMED)).toEqual({
      code: 1,
      err: 'punchboard: SQLite keeps all tables in one file: --distribute is for Citus\n',
      out: '',
    });
    expect((await at.run(['plan'], RENAMED)).out).not.toBe('Up to date.\n');
  });

  test('a safe change is applied once', async () => {
    const at = start();
    expect(await at.run(['apply'], RENAMED)).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(/^1\. box: rebuilt, since title was previously called name\nDone in \d+\.\d s\.\n$/),
    });
    expect(at.with((db) => db.prepare('SELECT title FROM box ORDER BY id').pluck().all())).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect((await at.run(['apply'], RENAMED)).out).toBe('Up to date.\n');
    expect(at.with((db) => db.prepare('SELECT count(*) FROM die').pluck().get())).toBe(2);
  });

  const refusals: Record<string, [string[], typeof FROM, number, string]> = {
    NotAllowed: [
      [],
      WITHOUT_NOTE,
      1,
      'punchboard: the plan drops box.note: repeat the command with --allow drop:box.note\n',
    ],
    HalfAllowed: [
      ['--allow', 'drop:box.note'],
      WITHOUT_DIE,
      1,
      'punchboard: the plan drops die: repeat the command with --allow drop:die\n',
    ],
    UnknownDrop: [
      ['--allow', 'drop:box.nota'],
      WITHOUT_NOTE,
      1,
      'punchboard: the plan does not need drop:box.nota to be allowed, only drop:box.note\n',
    ],
    NoDrop: [
      ['--allow', 'drop:box.note'],
      RENAMED,
      1,
      'punchboard: the plan does not need drop:box.note to be allowed\n',
    ],
    RowsInTheWay: [
      [],
      SHORT,
      1,
      'punchboard: nothing was changed: box.name does not fit the limit 1 to 3 characters in 1 row (c): change these values first\n',
    ],
    WrongUsage: [
      ['--allow', 'box.note'],
      WITHOUT_NOTE,
      2,
      "error: option '--allow <what>' argument 'box.note' is invalid. It must be drop:<resource>[.<field>] or fill:<resource>.<field>.\n",
    ],
  };
  for (const [title, [args, to, code, err]] of Object.entries(refusals)) {
    test(`refusal: ${title}, and nothing is changed`, async () => {
      const at = start();
      const before = at.with(dump);
      expect(await at.run(['apply', ...args], to)).toEqual({ code, err, out: '' });
      expect(at.with(dump)).toEqual(before);
    });
  }

  test('an option that is no longer needed is accepted', async () => {
    const at = start();
    const args = ['apply', '--allow', 'drop:box.note'];
    expect((await at.run(args, WITHOUT_NOTE)).code).toBe(0);
    expect(await at.run(args, WITHOUT_NOTE)).toEqual({ code: 0, err: '', out: 'Up to date.\n' });
  });

  test('a running server is reported in one line', async () => {
    const at = start();
    const server = openDatabase(at.file, { owner: true });
    for (const command of ['apply', 'restore box.note', 'purge --before 2030-01-01']) {
      const to = command === 'apply' ? RENAMED : undefined;
      const { code, err } = await at.run(command.split(' '), to);
      expect([code, err]).toEqual([
        1,
        `punchboard: another server is running on ${at.file}: stop it first, or choose another database\n`,
      ]);
    }
    expect((await at.run(['plan'], RENAMED)).code).toBe(0);
    expect((await at.run(['rehearse'], RENAMED)).code).toBe(0);
    server.close();
  });
});

describe('migrate status', () => {
  test('pending changes, then applied changes and values kept aside', async () => {
    const at = start();
    expect((await at.run(['status'], RENAMED)).out.replace(DATE, 'DATE')).toBe(
      '1 change pending: the next start applies it.\nApplied\n  DATE  online       all tables: created\n',
    );
    expect((await at.run(['status'], WITHOUT_NOTE)).out).toContain(
      '1 change pending: see `npx punchboard migrate plan`.',
    );
    await at.run(['apply', '--allow', 'drop:box.note'], WITHOUT_NOTE);
    expect((await at.run(['status'], WITHOUT_NOTE)).out.replace(DATE, 'DATE')).toBe(`Up to date.
Applied
  DATE  online       all tables: created
  DATE  destructive  box: rebuilt, since note is gone, with its values
Kept aside
  box.note, 2 values, dropped DATE
`);
    const status = JSON.parse((await at.run(['status', '--format', 'json'], WITHOUT_NOTE)).out) as unknown;
    expect(status).toMatchObject({ pending: 0, safe: true, kept: [{ name: 'box.note', rows: 2 }] });
  });
});

describe('migrate restore', () => {
  test('a column: only empty values of existing rows', async () => {
    const at = start();
    at.with((db) => db.exec(`INSERT INTO box VALUES ('f', 'four', 'w')`));
    await at.run(['apply', '--allow', 'drop:box.note'], WITHOUT_NOTE);
    await at.run(['apply'], FROM);
    at.with((db) => db.exec(`DELETE FROM box WHERE id = 'c'; UPDATE box SET note = 'newer' WHERE id = 'f'`));
    const { code, out } = await at.run(['restore', 'box.note']);
    expect([code, out.replace(DATE, 'DATE')]).toEqual([
      0,
      'box.note, dropped DATE: 1 of 3 restored; 2 stay aside: already restored, changed since, or no longer valid\n',
    ]);
    expect(at.with((db) => db.prepare('SELECT id, note FROM box').raw().all())).toEqual([
      ['a', 'x'],
      ['b', null],
      ['f', 'newer'],
    ]);
  });

  test('a column under another name, type and limit', async () => {
    const at = fixture(FROM, FILL);
    at.with((db) => db.exec(`UPDATE box SET note = '5' WHERE id = 'a'; UPDATE box SET note = '50' WHERE id = 'b'`));
    await at.run(['apply', '--allow', 'drop:box.note'], WITHOUT_NOTE);
    const back = column(4, 'weight', { type: 'integer', default: 0, check: { rule: 'range', min: 0, max: 9 } });
    await at.run(['apply'], schema(table(1, 'box', [name, back]), die));
    expect((await at.run(['restore', 'box.weight'])).out).toContain(': 1 of 3 restored; ');
    expect(at.with((db) => db.prepare('SELECT id, weight FROM box').raw().all())).toEqual([
      ['a', 5],
      ['b', 0],
      ['c', 0],
    ]);
  });

  test('a reference whose target no longer exists stays aside', async () => {
    const optional = column(12, 'box_id', { nullable: true, references: refers('box', 'set_null') });
    const full = schema(box, table(10, 'die', [optional]));
    const at = fixture(full, FILL);
    await at.run(['apply', '--allow', 'drop:die.box_id'], schema(box, table(10, 'die', [])));
    at.with((db) => db.exec(`DELETE FROM box WHERE id = 'c'`));
    await at.run(['apply'], full);
    expect((await at.run(['restore', 'die.box_id'])).out).toContain(': 1 of 2 restored; ');
    expect(at.with((db) => db.prepare('SELECT * FROM die').raw().all())).toEqual([
      ['d', 'a'],
      ['e', null],
    ]);
  });

  test('a table: the missing rows, with their references', async () => {
    const at = start();
    await at.run(['apply', '--allow', 'drop:die', '--allow', 'drop:box.note'], WITHOUT_DIE);
    at.with((db) => db.exec(`DELETE FROM box WHERE id = 'c'`));
    await at.run(['apply'], FROM);
    expect((await at.run(['restore', 'die'])).out).toContain('die, dropped ');
    expect(at.with((db) => db.prepare('SELECT * FROM die').raw().all())).toEqual([['d', 'a']]);
    expect(at.with((db) => db.prepare('PRAGMA foreign_key_check').all())).toEqual([]);
  });

  test('a table that refers to itself, in any order', async () => {
    const nested = table(20, 'tray', [column(22, 'tray_id', { nullable: true, references: refers('tray') })]);
    const at = fixture(schema(box, nested), `INSERT INTO tray VALUES ('z', NULL), ('a', 'z'), ('b', 'a')`);
    await at.run(['apply', '--allow', 'drop:tray'], schema(box));
    await at.run(['apply'], schema(box, nested));
    expect((await at.run(['restore', 'tray'])).out).toMatch(/: 3 of 3 restored\n$/);
  });

  test('nothing is kept aside', async () => {
    expect((await start().run(['restore', 'nothing'])).err).toBe('punchboard: no values of nothing are kept aside\n');
  });

  test('a missing column: the message says what to do', async () => {
    const at = start();
    await at.run(['apply', '--allow', 'drop:box.note'], WITHOUT_NOTE);
    const output = await at.run(['restore', 'box.note']);
    expect(output).toEqual({
      code: 1,
      out: '',
      err: 'punchboard: the database has no box.note: add it to the spec again, run `npx punchboard gen` and `npx punchboard migrate apply`, then restore (kept aside: box.note)\n',
    });
    expect((await at.run(['restore', 'box.name'])).err).toBe(
      'punchboard: no values of box.name are kept aside (kept aside: box.note)\n',
    );
  });
});

describe('migrate purge', () => {
  test('values before a day, then all', async () => {
    const at = start();
    await at.run(['apply', '--allow', 'drop:box.note'], WITHOUT_NOTE);
    expect((await at.run(['purge', '--before', '2026-01-01'])).out).toBe('Nothing to remove.\n');
    expect((await at.run(['purge', '--before', '2100-01-01'])).out.replace(DATE, 'DATE')).toBe(
      'Removed for good: box.note, 2 values, dropped DATE\n',
    );
    expect(Object.keys(at.with(dump)).filter((one) => one.startsWith('_punchboard_dropped_'))).toEqual([]);
    expect((await at.run(['restore', 'box.name'])).err).toBe('punchboard: no values of box.name are kept aside\n');
  });

  test('no value remains in the file', async () => {
    const at = start();
    const holds = () =>
      [at.file, `${at.file}-wal`].some((file) => existsSync(file) && readFileSync(file).includes('a secret'));
    at.with((db) => db.exec(`UPDATE box SET note = 'a secret'`));
    await at.run(['apply', '--allow', 'drop:box.note'], WITHOUT_NOTE);
    expect(holds()).toBe(true);
    await at.run(['purge', '--before', '2100-01-01']);
    expect(holds()).toBe(false);
  });

  test('wrong usage', async () => {
    expect((await start().run(['purge', '--before', 'yesterday'])).code).toBe(2);
    expect((await start().run(['purge'])).code).toBe(2);
  });
});

describe('migrate rehearse', () => {
  test('no differences are found, nothing is changed, and nothing remains', async () => {
    const at = start();
    const before = at.with(dump);
    const { code, out } = await at.run(['rehearse'], WITHOUT_DIE);
    expect([code, out.replace(/\d+ ms/, 'N ms')]).toEqual([
      0,
      'Rehearsed on a copy with 5 rows in 2 tables, in N ms: nothing differs except what the plan changes.\n',
    ]);
    expect(at.with(dump)).toEqual(before);
    expect(readdirSync(dirname(at.file)).filter((file) => file.includes('rehearsal'))).toEqual([]);
  });

  test('rows in the way', async () => {
    const { code, err } = await start().run(['rehearse'], SHORT);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('box.name does not fit the limit 1 to 3 characters in 1 row (c)'),
    ]);
  });
});
