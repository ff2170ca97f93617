// Which dropped rows are restored, and under which name: references that a row outlives, tables that need each other, names
// that have since been used for something else.

import { fixture, type MigrationFixture } from './command.js';
import { column, refers, renamed, schema, table } from './schemas.js';

const other = table(50, 'other', []);
const link = column(3, 'top_id', { nullable: true, references: refers('die', 'set_null') });
const box = table(1, 'box', [link]);
const die = table(10, 'die', [column(12, 'box_id', { references: refers('box') })]);
const BOTH = schema(box, die, other);

const rows = (at: MigrationFixture, sql: string): unknown => at.with((db) => db.prepare(sql).raw().all());

/** The output, without the date. */
async function restored(at: MigrationFixture, name: string): Promise<string> {
  const { code, out, err } = await at.run(['restore', name]);
  expect([code, err]).toEqual([0, '']);
  return out.replace(/, dropped \S+Z/g, '');
}

test('tables that refer to each other are restored, and the reference once its target exists', async () => {
  const at = fixture(BOTH, `INSERT INTO box VALUES ('x', NULL); INSERT INTO die VALUES ('d', 'x')`);
  at.with((db) => db.exec(`UPDATE box SET top_id = 'd'`));
  await at.run(['apply', '--allow', 'drop:box', '--allow', 'drop:die'], schema(other));
  await at.run(['apply'], BOTH);
  expect(await restored(at, 'box')).toBe(
    'box: 1 of 1 restored; references left empty because their target does not exist: 1\n',
  );
  expect(await restored(at, 'die')).toBe('die: 1 of 1 restored\n');
  expect(await restored(at, 'box')).toMatch(/^box: 0 of 1 restored; 1 stay aside: [^;]+\n$/);
  expect(rows(at, 'SELECT * FROM box')).toEqual([['x', 'd']]);
});

test('a restored row outlives its target, as it would have in its table', async () => {
  const at = fixture(
    BOTH,
    `INSERT INTO box VALUES ('x', NULL), ('y', NULL); INSERT INTO die VALUES ('d', 'x'), ('e', 'x')`,
  );
  at.with((db) => db.exec(`UPDATE box SET top_id = 'd' WHERE id = 'y'`));
  const loose = table(10, 'die', [column(12, 'box_id', { nullable: true })]);
  expect((await at.run(['apply', '--allow', 'drop:box'], schema(loose, other))).code).toBe(0);
  at.with((db) => db.exec(`DELETE FROM die WHERE id = 'd'`));
  await at.run(['apply'], schema(box, loose, other));
  expect(await restored(at, 'box')).toContain('box: 2 of 2 restored; references left empty');
  expect(rows(at, 'SELECT * FROM box ORDER BY id')).toEqual([
    ['x', null],
    ['y', null],
  ]);
});

test('a table that refers to itself: rows whose parent cannot be restored lose the reference', async () => {
  const inner = column(22, 'tray_id', { nullable: true, references: refers('tray', 'set_null') });
  const before = schema(table(20, 'tray', [inner, column(23, 'name')]), other);
  const at = fixture(before, `INSERT INTO tray VALUES ('a', NULL, 'long'), ('b', 'a', 'ok'), ('c', 'b', 'ok')`);
  await at.run(['apply', '--allow', 'drop:tray'], schema(other));
  const short = column(23, 'name', { check: { rule: 'length', min: 1, max: 2 } });
  await at.run(['apply'], schema(table(20, 'tray', [inner, short]), other));
  expect(await restored(at, 'tray')).toMatch(/^tray: 2 of 3 restored; 1 stay aside: .*does not exist: 1\n$/);
  expect(rows(at, 'SELECT id, tray_id FROM tray ORDER BY id')).toEqual([
    ['b', null],
    ['c', 'b'],
  ]);
});

test('a name that was used again: a value is restored once, by its number', async () => {
  const at = fixture(schema(table(1, 'box', [column(3, 'name')]), other), `INSERT INTO box VALUES ('x', 'one')`);
  await at.run(['apply', '--allow', 'drop:box'], schema(other));
  const passedOn = [renamed(column(3, 'name'), 'title'), column(9, 'name', { nullable: true })];
  await at.run(['apply'], schema(table(1, 'box', passedOn), other));
  expect(await restored(at, 'box')).toBe('box: 1 of 1 restored\n');
  expect(rows(at, 'SELECT title, name FROM box')).toEqual([['one', null]]);
});

test('the name at the time of the drop leads to the current name', async () => {
  const note = column(3, 'note', { nullable: true });
  const at = fixture(schema(table(1, 'box', [note])), `INSERT INTO box VALUES ('x', 'one')`);
  await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
  await at.run(['apply'], schema(table(1, 'crate', [renamed(note, 'remark')], { formerly: ['box'] })));
  expect(await restored(at, 'box.note')).toBe('box.note: 1 of 1 restored\n');
  expect(rows(at, 'SELECT * FROM crate')).toEqual([['x', 'one']]);
});

test('two drops of a name: the values with the number are restored, not those with the same name', async () => {
  const first = column(3, 'note', { nullable: true });
  const later = column(9, 'note', { nullable: true });
  const at = fixture(schema(table(1, 'box', [first])), `INSERT INTO box VALUES ('x', 'own'), ('y', NULL)`);
  await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
  await at.run(['apply'], schema(table(1, 'box', [later])));
  at.with((db) => db.exec(`UPDATE box SET note = 'later'`));
  await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
  await at.run(['apply'], schema(table(1, 'box', [first])));
  expect(await restored(at, 'box.note')).toBe('box.note: 1 of 1 restored\n');
  expect(rows(at, 'SELECT * FROM box ORDER BY id')).toEqual([
    ['x', 'own'],
    ['y', null],
  ]);
});

describe('F02: later writes and drops decide', () => {
  const repeat = column(3, 'repeat', { type: 'integer', default: 0 });
  const updated = column(8, 'date_updated', { type: 'integer', default: 0 });
  const WITH = schema(table(1, 'box', [repeat, updated]));
  const WITHOUT = schema(table(1, 'box', [updated]));
  const start = () => fixture(WITH, `INSERT INTO box VALUES ('x', 5, 1), ('y', 7, 1)`);
  const repeats = (at: MigrationFixture) => rows(at, 'SELECT id, repeat FROM box ORDER BY id');

  async function droppedAndBack(at: MigrationFixture): Promise<void> {
    expect((await at.run(['apply', '--allow', 'drop:box.repeat'], WITHOUT)).err).toBe('');
    expect((await at.run(['apply'], WITH)).err).toBe('');
  }

  test('an older drop is not replayed over a newer value that equals the default, nor over a newer drop', async () => {
    const at = start();
    await droppedAndBack(at);
    await restored(at, 'box.repeat');
    at.with((db) => db.exec(`UPDATE box SET repeat = 0, date_updated = 2 WHERE id = 'x'`));
    await droppedAndBack(at);
    expect(await restored(at, 'box.repeat')).toContain('box.repeat: 2 of 2 restored\n');
    expect(repeats(at)).toEqual([
      ['x', 0],
      ['y', 7],
    ]);
    await restored(at, 'box.repeat');
    expect(repeats(at)).toEqual([
      ['x', 0],
      ['y', 7],
    ]);
  });

  test('writing the default again counts as newer', async () => {
    const at = start();
    await droppedAndBack(at);
    at.with((db) => db.exec(`UPDATE box SET repeat = 0, date_updated = 2 WHERE id = 'x'`));
    expect(await restored(at, 'box.repeat')).toContain('box.repeat: 1 of 2 restored; 1 stay aside');
    expect(repeats(at)).toEqual([
      ['x', 0],
      ['y', 7],
    ]);
  });

  test('a null that was written since is newer', async () => {
    const note = column(4, 'note', { nullable: true });
    const full = schema(table(1, 'box', [note]));
    const at = fixture(full, `INSERT INTO box VALUES ('x', 'old'), ('y', 'old')`);
    await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
    await at.run(['apply'], full);
    await restored(at, 'box.note');
    at.with((db) => db.exec(`UPDATE box SET note = NULL WHERE id = 'x'`));
    expect(await restored(at, 'box.note')).toContain('0 of 2 restored');
    expect(rows(at, 'SELECT * FROM box ORDER BY id')).toEqual([
      ['x', null],
      ['y', 'old'],
    ]);
  });

  test('an update that changes only another column does not count as newer', async () => {
    const at = start();
    await droppedAndBack(at);
    at.with((db) => db.exec(`UPDATE box SET date_updated = date_updated`));
    expect(await restored(at, 'box.repeat')).toBe('box.repeat: 2 of 2 restored\n');
  });

  test('a value from a default is not kept as newer when it is dropped again', async () => {
    const at = start();
    await droppedAndBack(at);
    at.with((db) =>
      db.exec(
        `INSERT INTO box (id, repeat, date_updated) VALUES ('z', 9, 3); UPDATE box SET repeat = 6 WHERE id = 'y'`,
      ),
    );
    await droppedAndBack(at);
    await restored(at, 'box.repeat');
    expect(repeats(at)).toEqual([
      ['x', 5],
      ['y', 6],
      ['z', 9],
    ]);
  });

  test('a row that was deleted after it came back stays deleted', async () => {
    const at = fixture(BOTH, `INSERT INTO box VALUES ('x', NULL), ('y', NULL)`);
    await at.run(['apply', '--allow', 'drop:box', '--allow', 'drop:die'], schema(other));
    await at.run(['apply'], BOTH);
    await restored(at, 'box');
    at.with((db) => db.exec(`DELETE FROM box WHERE id = 'x'`));
    await restored(at, 'box');
    expect(rows(at, 'SELECT id FROM box')).toEqual([['y']]);
  });

  test('a reference that was emptied after its row came back stays empty', async () => {
    const at = fixture(BOTH, `INSERT INTO box VALUES ('x', NULL); INSERT INTO die VALUES ('d', 'x')`);
    at.with((db) => db.exec(`UPDATE box SET top_id = 'd'`));
    await at.run(['apply', '--allow', 'drop:box', '--allow', 'drop:die'], schema(other));
    await at.run(['apply'], BOTH);
    await restored(at, 'box');
    await restored(at, 'die');
    await restored(at, 'box');
    at.with((db) => db.exec(`UPDATE box SET top_id = NULL`));
    await restored(at, 'box');
    expect(rows(at, 'SELECT * FROM box')).toEqual([['x', null]]);
  });

  test('side tables of older versions are restored only over defaults, and only the newest drop', async () => {
    const at = start();
    await droppedAndBack(at);
    await restored(at, 'box.repeat');
    at.with((db) => db.exec(`UPDATE box SET repeat = 8 WHERE id = 'y'`));
    await droppedAndBack(at);
    at.with((db) => {
      db.exec('DROP TRIGGER _punchboard_written_1; DROP TRIGGER _punchboard_written_2');
      for (const number of [1, 2]) db.exec(`ALTER TABLE _punchboard_dropped_${number} DROP COLUMN _state`);
      db.exec(`UPDATE box SET repeat = 9 WHERE id = 'x'`);
    });
    await restored(at, 'box.repeat');
    expect(repeats(at)).toEqual([
      ['x', 9],
      ['y', 8],
    ]);
  });

  test('side tables of older versions, dropped again since: only the newest drop', async () => {
    const at = start();
    await droppedAndBack(at);
    await restored(at, 'box.repeat');
    at.with((db) => db.exec(`UPDATE box SET repeat = 0`));
    expect((await at.run(['apply', '--allow', 'drop:box.repeat'], WITHOUT)).err).toBe('');
    at.with((db) => {
      for (const number of [1, 2]) db.exec(`ALTER TABLE _punchboard_dropped_${number} DROP COLUMN _state`);
    });
    await at.run(['apply'], WITH);
    await restored(at, 'box.repeat');
    expect(repeats(at)).toEqual([
      ['x', 0],
      ['y', 0],
    ]);
  });

  test('nothing is watched once the values are purged', async () => {
    const at = start();
    await droppedAndBack(at);
    await at.run(['purge', '--before', '2100-01-01']);
    expect(rows(at, `SELECT name FROM sqlite_schema WHERE type = 'trigger'`)).toEqual([]);
    at.with((db) => db.exec('UPDATE box SET repeat = 1'));
  });
});

describe('F03: a secret', () => {
  const password = column(3, 'password', { kind: 'password', nullable: true });
  const text = column(3, 'password', { nullable: true, check: { rule: 'length', min: 0, max: 255 } });
  const holder = (one: typeof password) => schema(table(1, 'user', [one]));

  test('that was dropped is restored only into a secret', async () => {
    const at = fixture(holder(password), `INSERT INTO user VALUES ('u', 'scrypt$1')`);
    expect((await at.run(['apply'], holder(text))).err).toContain('--allow drop:user.password');
    expect((await at.run(['apply', '--allow', 'drop:user.password'], holder(text))).code).toBe(0);
    expect(await at.run(['restore', 'user.password'])).toEqual({
      code: 1,
      out: '',
      err: 'punchboard: user.password is text now, and the values kept aside, of kind password, do not convert to it\n',
    });
    expect(rows(at, 'SELECT * FROM user')).toEqual([['u', null]]);
    await at.run(['apply', '--allow', 'drop:user.password'], holder(password));
    expect((await at.run(['restore', 'user.password'])).err).toBe('');
    expect(rows(at, 'SELECT * FROM user')).toEqual([['u', 'scrypt$1']]);
  });

  test('of a dropped table is not restored into a text of the same name, even with another number', async () => {
    const at = fixture(holder(password), `INSERT INTO user VALUES ('u', 'scrypt$1')`);
    await at.run(['apply', '--allow', 'drop:user'], schema(other));
    await at.run(['apply'], schema(table(1, 'user', [{ ...text, number: 9 }]), other));
    expect(await restored(at, 'user')).toBe('user: 1 of 1 restored\n');
    expect(rows(at, 'SELECT * FROM user')).toEqual([['u', null]]);
  });

  test('kept aside before kinds were stored is still recognized', async () => {
    const { kind: _, ...unnamed } = password;
    const at = fixture(schema(table(1, 'user', [unnamed])), `INSERT INTO user VALUES ('u', 'scrypt$1')`);
    expect((await at.run(['apply'], holder(text))).err).toContain('--allow drop:user.password');
  });
});
