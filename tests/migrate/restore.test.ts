// What comes back of dropped rows, and under which name: references that a row outlives, tables that need each other,
// names that changed hands since.

import { type Ground, ground } from './command.js';
import { column, refers, removeFolders, renamed, schema, table } from './schemas.js';

const other = table(50, 'other', []);
const link = column(3, 'top_id', { nullable: true, references: refers('die', 'set_null') });
const box = table(1, 'box', [link]);
const die = table(10, 'die', [column(12, 'box_id', { references: refers('box') })]);
const BOTH = schema(box, die, other);

const rows = (at: Ground, sql: string): unknown => at.with((db) => db.prepare(sql).raw().all());

/** What is printed, without the date. */
async function restored(at: Ground, name: string): Promise<string> {
  const { code, out, err } = await at.run(['restore', name]);
  expect([code, err]).toEqual([0, '']);
  return out.replace(/, dropped \S+Z/g, '');
}

afterAll(removeFolders);

test('TablesThatReferToEachOther come back, and the reference once its target is there', async () => {
  const at = ground(BOTH, `INSERT INTO box VALUES ('x', NULL); INSERT INTO die VALUES ('d', 'x')`);
  at.with((db) => db.exec(`UPDATE box SET top_id = 'd'`));
  await at.run(['apply', '--allow', 'drop:box', '--allow', 'drop:die'], schema(other));
  await at.run(['apply'], BOTH);
  expect(await restored(at, 'box')).toBe(
    'box: 1 of 1 back; empty references, since what they refer to is not there: 1\n',
  );
  expect(await restored(at, 'die')).toBe('die: 1 of 1 back\n');
  expect(await restored(at, 'box')).toMatch(/^box: 0 of 1 back; 1 stay aside: [^;]+\n$/);
  expect(rows(at, 'SELECT * FROM box')).toEqual([['x', 'd']]);
});

test('ARowOutlives what it refers to, as it would have in its table', async () => {
  const at = ground(
    BOTH,
    `INSERT INTO box VALUES ('x', NULL), ('y', NULL); INSERT INTO die VALUES ('d', 'x'), ('e', 'x')`,
  );
  at.with((db) => db.exec(`UPDATE box SET top_id = 'd' WHERE id = 'y'`));
  const loose = table(10, 'die', [column(12, 'box_id', { nullable: true })]);
  expect((await at.run(['apply', '--allow', 'drop:box'], schema(loose, other))).code).toBe(0);
  at.with((db) => db.exec(`DELETE FROM die WHERE id = 'd'`));
  await at.run(['apply'], schema(box, loose, other));
  expect(await restored(at, 'box')).toContain('box: 2 of 2 back; empty references');
  expect(rows(at, 'SELECT * FROM box ORDER BY id')).toEqual([
    ['x', null],
    ['y', null],
  ]);
});

test('ATableOfItsOwnKind: rows whose parent cannot come back stay, without it', async () => {
  const inner = column(22, 'tray_id', { nullable: true, references: refers('tray', 'set_null') });
  const before = schema(table(20, 'tray', [inner, column(23, 'name')]), other);
  const at = ground(before, `INSERT INTO tray VALUES ('a', NULL, 'long'), ('b', 'a', 'ok'), ('c', 'b', 'ok')`);
  await at.run(['apply', '--allow', 'drop:tray'], schema(other));
  const short = column(23, 'name', { check: { rule: 'length', min: 1, max: 2 } });
  await at.run(['apply'], schema(table(20, 'tray', [inner, short]), other));
  expect(await restored(at, 'tray')).toMatch(/^tray: 2 of 3 back; 1 stay aside: .*is not there: 1\n$/);
  expect(rows(at, 'SELECT id, tray_id FROM tray ORDER BY id')).toEqual([
    ['b', null],
    ['c', 'b'],
  ]);
});

test('ANameThatPassedOn: a value comes back once, under its number', async () => {
  const at = ground(schema(table(1, 'box', [column(3, 'name')]), other), `INSERT INTO box VALUES ('x', 'one')`);
  await at.run(['apply', '--allow', 'drop:box'], schema(other));
  const passedOn = [renamed(column(3, 'name'), 'title'), column(9, 'name', { nullable: true })];
  await at.run(['apply'], schema(table(1, 'box', passedOn), other));
  expect(await restored(at, 'box')).toBe('box: 1 of 1 back\n');
  expect(rows(at, 'SELECT title, name FROM box')).toEqual([['one', null]]);
});

test('TheNameOfTheDrop leads to what it is called by now', async () => {
  const note = column(3, 'note', { nullable: true });
  const at = ground(schema(table(1, 'box', [note])), `INSERT INTO box VALUES ('x', 'one')`);
  await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
  await at.run(['apply'], schema(table(1, 'crate', [renamed(note, 'remark')], { formerly: ['box'] })));
  expect(await restored(at, 'box.note')).toBe('box.note: 1 of 1 back\n');
  expect(rows(at, 'SELECT * FROM crate')).toEqual([['x', 'one']]);
});

test('TwoDropsOfAName: what has the number comes back, not what was called the same', async () => {
  const own = column(3, 'note', { nullable: true });
  const later = column(9, 'note', { nullable: true });
  const at = ground(schema(table(1, 'box', [own])), `INSERT INTO box VALUES ('x', 'own'), ('y', NULL)`);
  await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
  await at.run(['apply'], schema(table(1, 'box', [later])));
  at.with((db) => db.exec(`UPDATE box SET note = 'later'`));
  await at.run(['apply', '--allow', 'drop:box.note'], schema(table(1, 'box', [])));
  await at.run(['apply'], schema(table(1, 'box', [own])));
  expect(await restored(at, 'box.note')).toBe('box.note: 1 of 1 back\n');
  expect(rows(at, 'SELECT * FROM box ORDER BY id')).toEqual([
    ['x', 'own'],
    ['y', null],
  ]);
});
