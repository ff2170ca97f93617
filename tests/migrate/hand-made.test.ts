// F06: objects that an operator added by hand to a table that a migration rebuilds are kept, or refused by name.

import { fixture, type MigrationFixture } from './command.js';
import { column, dump, refers, renamed, schema, table } from './schemas.js';

const name = column(3, 'name', { check: { rule: 'length', min: 1, max: 9 } });
const note = column(4, 'note', { nullable: true });
const die = table(10, 'die', [column(12, 'box_id', { references: refers('box') })]);
const FROM = schema(table(1, 'box', [name, note]), die);
const WIDER = schema(table(1, 'box', [{ ...name, check: { rule: 'length', min: 1, max: 20 } }, note]), die);
const RENAMED = schema(table(1, 'box', [renamed(name, 'title'), note]), die);
const WITHOUT_DIE = schema(table(1, 'box', [name, note]));

const BY_HAND: Readonly<Record<string, string>> = {
  index: 'CREATE INDEX by_name ON box (name COLLATE NOCASE)',
  'partial unique index': 'CREATE UNIQUE INDEX one_name ON box (name) WHERE note IS NULL',
  trigger: `CREATE TRIGGER stamp AFTER INSERT ON box BEGIN UPDATE box SET note = 'new ' || NEW.name WHERE id = NEW.id; END`,
  'trigger of a column':
    "CREATE TRIGGER changed AFTER UPDATE OF name ON box BEGIN UPDATE box SET note = 'was ' || OLD.name WHERE id = NEW.id; END",
  view: 'CREATE VIEW names AS SELECT b.name, count(d.id) AS dice FROM box b LEFT JOIN die d ON d.box_id = b.id GROUP BY b.id',
};
const VIEW_OF_A_VIEW = 'CREATE VIEW no_dice AS SELECT name FROM names WHERE dice = 0';
const ON_A_VIEW = `CREATE TRIGGER into_names INSTEAD OF INSERT ON names BEGIN INSERT INTO box VALUES (NEW.name, NEW.name, NULL); END`;

function start(...sql: readonly string[]): MigrationFixture {
  const at = fixture(
    FROM,
    `INSERT INTO box VALUES ('a', 'one', 'x'), ('b', 'two', NULL); INSERT INTO die VALUES ('d', 'a')`,
  );
  at.with((db) => db.exec(sql.join(';\n')));
  return at;
}

const objects = (at: MigrationFixture): unknown =>
  at.with((db) =>
    db
      .prepare(
        `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type <> 'table' AND tbl_name NOT IN ('session', 'once_answer') AND sql IS NOT NULL ORDER BY name`,
      )
      .all(),
  );

describe('F06: over a rebuild', () => {
  for (const [title, sql] of Object.entries(BY_HAND)) {
    test(`a ${title} is kept`, async () => {
      const at = start(sql);
      const before = objects(at);
      expect((await at.run(['plan'], WIDER)).out).toContain('Safe: the next start applies it');
      expect(await at.run(['rehearse'], WIDER)).toMatchObject({ code: 0, err: '' });
      expect(await at.run(['apply'], WIDER)).toMatchObject({ code: 0, err: '' });
      expect(objects(at)).toEqual(before);
    });

    test(`a ${title} that does not fit is refused by its name`, async () => {
      const at = start(sql);
      const before = at.with(dump);
      const [, named] = /(?:INDEX|TRIGGER|VIEW) (\w+)/.exec(sql) as unknown as [string, string];
      const plan = await at.run(['plan'], RENAMED);
      expect(plan.out).toMatch(
        new RegExp(`Refused: the (index|trigger|view) ${named}\\b.*, added by hand, does not fit`),
      );
      const applied = await at.run(['apply'], RENAMED);
      expect([applied.code, applied.out]).toEqual([1, '']);
      expect(applied.err).toMatch(
        new RegExp(`^punchboard: nothing was changed: the \\w+ ${named}\\b[^\\n]*drop it first[^\\n]*\\n$`),
      );
      expect(at.with(dump)).toEqual(before);
    });
  }

  test('all of them together are kept and work, including a view of a view and its trigger', async () => {
    const at = start(...Object.values(BY_HAND), VIEW_OF_A_VIEW, ON_A_VIEW);
    const before = objects(at);
    expect((await at.run(['apply'], WIDER)).err).toBe('');
    expect(objects(at)).toEqual(before);
    at.with((db) => db.exec(`INSERT INTO names (name) VALUES ('three'); UPDATE box SET name = 'four' WHERE id = 'b'`));
    expect(at.with((db) => db.prepare('SELECT * FROM box ORDER BY id').raw().all())).toEqual([
      ['a', 'one', 'x'],
      ['b', 'four', 'was two'],
      ['three', 'three', 'new three'],
    ]);
    expect(at.with((db) => db.prepare('SELECT name FROM no_dice ORDER BY name').pluck().all())).toEqual([
      'four',
      'three',
    ]);
  });

  test('a view that was already broken does not block a migration', async () => {
    const at = start('CREATE VIEW broken AS SELECT * FROM missing');
    expect((await at.run(['apply'], WIDER)).err).toBe('');
  });

  test('a column with values is refused by its name, plan and rehearsal say so', async () => {
    const at = start('ALTER TABLE box ADD COLUMN extra TEXT', `UPDATE box SET extra = 'mine'`);
    const before = at.with(dump);
    const refusal =
      'the column box.extra, added by hand, would be lost with their values: copy them elsewhere and drop the old ones first';
    expect((await at.run(['plan'], WIDER)).out).toContain(`Refused: ${refusal}.\n`);
    expect(JSON.parse((await at.run(['plan', '--format', 'json'], WIDER)).out)).toMatchObject({
      safe: false,
      handMade: [refusal],
    });
    for (const command of ['apply', 'rehearse']) {
      expect(await at.run([command], WIDER)).toEqual({
        code: 1,
        out: '',
        err: `punchboard: nothing was changed: ${refusal}\n`,
      });
    }
    expect(at.with(dump)).toEqual(before);
  });

  test('a column of a dropped table is refused, too', async () => {
    const at = start('ALTER TABLE die ADD COLUMN extra TEXT');
    const { code, err } = await at.run(['apply', '--allow', 'drop:die'], WITHOUT_DIE);
    expect([code, err]).toEqual([1, expect.stringContaining('the column die.extra, added by hand')]);
  });
});

describe('F06: over an addition', () => {
  const WITH_EXTRA = schema(table(1, 'box', [name, note, column(5, 'extra', { nullable: true })]), die);

  test('a column stays', async () => {
    const at = start('ALTER TABLE die ADD COLUMN extra TEXT', `UPDATE die SET extra = 'mine'`);
    expect((await at.run(['apply'], WITH_EXTRA)).err).toBe('');
    expect(at.with((db) => db.prepare('SELECT extra FROM die').pluck().all())).toEqual(['mine']);
  });

  test('an object with a name that is needed is refused by name, in one line', async () => {
    const at = start('ALTER TABLE box ADD COLUMN extra TEXT');
    expect((await at.run(['apply'], WITH_EXTRA)).err).toContain(
      'nothing was changed: the column box.extra, added by hand',
    );
    const indexed = schema(table(1, 'box', [name, note], { indexes: [{ columns: ['note'], partial: false }] }), die);
    const taken = start('CREATE INDEX box_note_idx ON box (name)');
    expect((await taken.run(['apply'], indexed)).err).toBe(
      'punchboard: nothing was changed: index box_note_idx already exists\n',
    );
    const table20 = start('CREATE TABLE card (id TEXT)');
    expect((await table20.run(['apply'], schema(...FROM.tables, table(20, 'card', [])))).err).toBe(
      'punchboard: nothing was changed: table "card" already exists\n',
    );
  });
});
