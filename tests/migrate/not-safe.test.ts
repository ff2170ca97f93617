// F07, F08: changes that used to pass as safe, and their reports now: a default for empty values, a JSON Schema that allows
// less. Through the command, the start, and the planner that `impact` shares.

import { schemaView } from '../../generator/emit/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { ensureSchema } from '../../runtime/store/sqlite/ensure-schema.js';
import { inBoard } from '../evolution/pair.js';
import { BASE, edited, state } from '../evolution/pairs.js';
import { fixture, type MigrationFixture } from './command.js';
import { column, dump, NOW, schema, table } from './schemas.js';

describe('F07: a default for a field that could be empty', () => {
  const size = column(3, 'size', { type: 'integer', nullable: true });
  const updated = column(8, 'date_updated', { type: 'integer', default: 0 });
  const FROM = schema(table(1, 'box', [size, updated]));
  const FILLED = schema(table(1, 'box', [{ ...size, nullable: false, default: 5 }, updated]));
  const start = () => fixture(FROM, `INSERT INTO box VALUES ('a', 1, 0), ('b', NULL, 0), ('c', NULL, 0)`);
  const sizes = (at: MigrationFixture) =>
    at.with((db) => db.prepare('SELECT id, size FROM box ORDER BY id').raw().all());
  const REASON =
    'box.size has no value in 2 rows (b, c): fill these rows first, or fill in 5 with --allow fill:box.size';

  test('is not safe: the plan names the rows and the option that allows it, a start and an apply refuse', async () => {
    const at = start();
    const before = at.with(dump);
    const { out } = await at.run(['plan'], FILLED);
    expect(out).toContain(`Rows in the way\n  ${REASON}\n`);
    expect(out).toMatch(/To apply it, run: npx punchboard migrate apply --allow fill:box\.size\n$/);
    expect(JSON.parse((await at.run(['plan', '--format', 'json'], FILLED)).out)).toMatchObject({ safe: false });
    expect(() => at.with((db) => ensureSchema(db, FILLED, NOW))).toThrow(REASON);
    expect(await at.run(['apply'], FILLED)).toEqual({
      code: 1,
      out: '',
      err: `punchboard: nothing was changed: ${REASON}\n`,
    });
    expect(at.with(dump)).toEqual(before);
  });

  test('is safe if no row is empty', async () => {
    const at = start();
    at.with((db) => db.exec('UPDATE box SET size = 2 WHERE size IS NULL'));
    expect((await at.run(['plan'], FILLED)).out).toContain('Safe: the next start applies it');
    at.with((db) => ensureSchema(db, FILLED, NOW));
    expect(sizes(at)).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ]);
  });

  test('is filled in if it is allowed by name; the nulls are kept aside, and restored unless a newer value was written', async () => {
    const at = start();
    expect((await at.run(['rehearse'], FILLED)).code).toBe(0);
    expect((await at.run(['apply', '--allow', 'fill:box.size'], FILLED)).err).toBe('');
    expect(sizes(at)).toEqual([
      ['a', 1],
      ['b', 5],
      ['c', 5],
    ]);
    at.with((db) => db.exec(`UPDATE box SET size = 5, date_updated = 1 WHERE id = 'c'`));
    expect((await at.run(['restore', 'box.size'])).out).toContain(': 0 of 2 restored; 2 stay aside');
    await at.run(['apply'], FROM);
    expect((await at.run(['restore', 'box.size'])).out).toContain(': 1 of 2 restored; 1 stay aside');
    expect(sizes(at)).toEqual([
      ['a', 1],
      ['b', null],
      ['c', 5],
    ]);
  });

  test('is reported as a risk for a descriptor', () => {
    const risks = risksOf(inBoard(['label: { kind: text', 'label: { kind: text, default: plain']));
    expect(risks).toEqual([expect.objectContaining({ says: 'has no value', allow: 'fill:board.label' })]);
  });
});

describe('F08: a JSON Schema', () => {
  const layout = (keys: object, extra: object = {}) =>
    schema(
      table(1, 'box', [column(3, 'layout', { kind: 'json', check: { rule: 'json', schema: { ...keys } }, ...extra })]),
    );
  const ANY = layout({ type: 'object' });
  const NARROW = layout({ type: 'object', properties: { rows: { type: 'integer', maximum: 20 } } });
  const start = () => fixture(ANY, `INSERT INTO box VALUES ('a', '{"rows":20}'), ('b', '{"rows":21}'), ('c', '{}')`);

  test('that allows less is noticed, and the rows are checked against it', async () => {
    const at = start();
    expect((await at.run(['plan'], NARROW)).out).toBe(`Changes
  online       box.layout has a different JSON Schema
Rows in the way
  box.layout does not fit its JSON Schema in 1 row (b): change these values first
Refused: rows are in the way.
`);
    expect(() => at.with((db) => ensureSchema(db, NARROW, NOW))).toThrow('box.layout does not fit its JSON Schema');
    at.with((db) => db.exec(`DELETE FROM box WHERE id = 'b'`));
    at.with((db) => ensureSchema(db, NARROW, NOW));
    expect((await at.run(['plan'], NARROW)).out).toBe('Up to date.\n');
  });

  test('that an older database did not store is accepted', async () => {
    const remembered = column(3, 'layout', { kind: 'json', check: { rule: 'json' } });
    const at = fixture(schema(table(1, 'box', [remembered])), `INSERT INTO box VALUES ('b', '{"rows":21}')`);
    expect((await at.run(['plan'], NARROW)).out).toBe('Up to date.\n');
  });

  test('F08: that differs only in annotations or the order of keys plans nothing', async () => {
    const annotated = layout({
      properties: { rows: { maximum: 20, type: 'integer', title: 'Rows', default: 3, $comment: 'as drawn' } },
      description: 'How a board is divided.',
      examples: [{ rows: 4 }],
      type: 'object',
    });
    const at = fixture(NARROW, `INSERT INTO box VALUES ('a', '{"rows":20}')`);
    expect((await at.run(['plan'], annotated)).out).toBe('Up to date.\n');
  });

  test.each([
    ['a property called title', { properties: { title: { type: 'string' } } }, { properties: { title: {} } }],
    ['a definition called default', { $defs: { default: { minimum: 1 } } }, { $defs: { default: { minimum: 2 } } }],
    ['a value with a title', { enum: [{ title: 'a' }] }, { enum: [{ title: 'b' }] }],
    ['a dependency on a description', { dependentRequired: { description: ['a'] } }, { dependentRequired: {} }],
    ['a list of schemas', { allOf: [{ maximum: 1 }] }, { allOf: [{ maximum: 2 }] }],
  ])('F08: another assertion is never taken for an annotation: %s', async (_, from, to) => {
    const at = fixture(layout(from), '');
    expect((await at.run(['plan'], layout(to))).out).toContain('box.layout has a different JSON Schema');
  });

  test('is reported as a risk for a descriptor', () => {
    const risks = risksOf(inBoard(['maximum: 20', 'maximum: 5']));
    expect(risks).toEqual([expect.objectContaining({ column: 'layout', says: 'does not fit its JSON Schema' })]);
  });
});

function risksOf(edit: ReturnType<typeof inBoard>) {
  const old = state(BASE, null);
  return planSqlite(schemaView(old.model), schemaView(state(edited(BASE, edit), old.ledger).model)).risks;
}
