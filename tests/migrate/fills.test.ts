// What existing rows get when a field is added or becomes required, from descriptors to stored values, on each engine.
import { schemaView } from '../../generator/emit/schema.js';
import type { FillFunction, Fills } from '../../runtime/contract/behaviour.js';
import type { Row } from '../../runtime/contract/definition.js';
import { changesOf } from '../../runtime/schema/changes.js';
import { withFunctions } from '../../runtime/schema/compact.js';
import { matchSchemas } from '../../runtime/schema/match.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { quoted } from '../../runtime/schema/sql-text.js';
import type { Query } from '../../runtime/store/postgres/connections.js';
import { applyTo } from '../../runtime/store/postgres/migrate/apply.js';
import { readMetadata } from '../../runtime/store/postgres/migrate/metadata.js';
import { pendingOf as pendingOfPostgres } from '../../runtime/store/postgres/migrate/pending.js';
import { brokenText, type CountedRisk, isSafe } from '../../runtime/store/schema-migrator.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { boardField, inBoard } from '../evolution/pair.js';
import { BASE, type Edit, edited, type State, state } from '../evolution/pairs.js';
import { hasPostgres } from '../support/postgres.js';
import { shared } from '../support/shared.js';
import { fill } from './fill.js';
import { fill as fillPostgres, open, prepareFixture } from './postgres/fixture.js';
import { freshShape, InTheWay, migrate, NOW, shapeOf } from './schemas.js';

/** Boards and games are named 0, 1 and 2; each board belongs to the next game, and the second has no label. */
const ROWS = 3;
const x = (keys: string): Edit => boardField(`x: { ${keys}, description: X. }`);
const label = (keys: string): Edit => inBoard(['label: { kind: text, max: 30', `label: { kind: text, ${keys}`]);

interface Case {
  readonly edit: Edit;
  readonly column: string;
  /** Names of the three boards instead of the numbers. */
  readonly names?: readonly string[];
  /** The values of the three rows afterwards. */
  readonly values: readonly unknown[];
  /** Whether a start applies the change, since no existing null is filled. */
  readonly safe: boolean;
}

const added = (keys: string, ...values: readonly unknown[]): Case => ({
  edit: x(keys),
  column: 'x',
  values,
  safe: true,
});
const reference = (keys: string, ...values: readonly unknown[]): Case => ({
  ...added(`kind: reference, need: exists, to: ${keys}`, ...values),
  column: 'x_id',
});
const required = (keys: string, ...values: readonly unknown[]): Case => ({
  ...{ edit: label(`${keys}, required: true`), column: 'label', values, safe: false },
});

const NAMES = [' Red  Sea  Dragon', 'Blue', '   '];
const words = (path: string, part: string, more = ''): string =>
  `kind: text, max: 300, fill: { words: ${path}, part: ${part} }${more}`;
const join = 'kind: text, max: 300, required: true, fill: { join: [name, label], with: ", " }';

const FUNCTIONS: Fills = {
  board: {
    size: ({ name }) => Number(name) + 1,
    shoutAll: ({ name }) => `${name}!`,
    shout: ({ name }) => (name === '1' ? null : `${name}!`),
    isFirst: ({ name }) => (name === '0' ? 1 : 0),
    moment: ({ name }) => Number(name) * 1000,
    list: ({ name }) => JSON.stringify([name]),
    pair: ({ id, name }) => `${name} of ${withoutPlacement(id)}`,
    heading: (row) => `${row.name}#${row.mark}#${row.finish}`,
  },
};

const CASES: Readonly<Record<string, Case>> = {
  'a literal': added('kind: integer, required: true, fill: 3', 3, 3, 3),
  'a literal that is not the default': added('kind: boolean, default: false, fill: true', 1, 1, 1),
  'a literal into an optional field': added('kind: day, fill: "2030-01-31"', '2030-01-31', '2030-01-31', '2030-01-31'),
  'a copy': added('kind: text, required: true, max: 100, fill: { copy: name }', '0', '1', '2'),
  'a copy of a field that may be empty': added('kind: text, fill: { copy: label }', '0', null, '2'),
  'a copy from the parent': added('kind: text, required: true, fill: { copy: game.name }', '1', '2', '0'),
  'a literal where the field was empty': required('max: 30, fill: none', '0', 'none', '2'),
  'a copy where the field was empty': required('max: 300, fill: { copy: name }', '0', '1', '2'),
  'the first word': { ...added(words('name', 'first', ', required: true'), 'Red', 'Blue', '   '), names: NAMES },
  'the words after the first': { ...added(words('name', 'rest'), 'Sea  Dragon', null, null), names: NAMES },
  'the first word of a name of the parent': added(words('game.name', 'first'), '1', '2', '0'),
  'texts joined': { ...added(join, ' Red  Sea  Dragon, 0', 'Blue', '   , 2'), names: NAMES },
  'texts joined where the field was empty': {
    ...required('max: 800, fill: { join: [name, notes], with: "-" }', '0', 'Blue', '2'),
    names: NAMES,
  },
  'a reference of the parent': reference('user, required: true, fill: { copy: game.user }', 'r2', 'r0', 'r1'),
  'a reference that may be empty': reference('game, fill: { copy: expands }', 'r1', null, 'r0'),
  'an owner': reference('game, inside: true, required: true, fill: { copy: game }', 'r1', 'r2', 'r0'),
  'values of a function': added('kind: integer, required: true, max: 3, fill: { function: size }', 1, 2, 3),
  'values of a function for some rows': added('kind: text, fill: { function: shout }', '0!', null, '2!'),
  'values of a function, true or false': added('kind: boolean, fill: { function: isFirst }', 1, 0, 0),
  'a date that a function gives': added('kind: date, required: true, fill: { function: moment }', 0, 1000, 2000),
  'a list that a function gives': added(
    'kind: json, required: true, fill: { function: list }',
    '["0"]',
    '["1"]',
    '["2"]',
  ),
  'values of a function where a field was empty': required('max: 30, fill: { function: pair }', '0', '1 of r1', '2'),
  'values of a function of renamed and converted columns': {
    ...added('', '0#0#matt', '1#null#shiny', '2#2#matt'),
    edit: inBoard(
      ['  pin:', '  x: { kind: text, required: true, fill: { function: heading }, description: X. }\n  pin:'],
      ['height: { kind: integer, min: 0, max: 500', 'mark: { was: height, kind: text'],
      ['[matt, gloss]', '{ matt: , shiny: { was: gloss } }'],
    ),
  },
  'nothing where the field stays optional': {
    edit: label('max: 30, fill: none'),
    column: 'label',
    values: ['0', null, '2'],
    safe: true,
  },
};

/** Functions that do not suit the column x, and the report on the three rows. The first row is called 0. */
const REFUSED: Readonly<Record<string, readonly [keys: string, f: FillFunction, ...says: readonly string[]]>> = {
  'a function that fails': [
    'kind: text',
    ({ name }) => {
      if (name === '1') throw new Error('no luck');
      return name;
    },
    'is filled by its function in 2 rows (r0, r2)',
    'gets no value because the function board.f fails, first "no luck", in 1 row (r1)',
  ],
  'a function that changes its row': [
    'kind: text',
    (row) => {
      (row as { name: unknown }).name = 'other';
      return '';
    },
    `gets no value because the function board.f fails, first "Cannot assign to read only property 'name' of object '#<Object>'", in 3 rows (r0, r1, r2)`,
  ],
  ...Object.fromEntries(
    (
      [
        ['a number over the limit', 'kind: integer, max: 1', ({ name }: Row) => Number(name), 'at most 1', '2', 1],
        ['a number between steps', 'kind: integer, step: 5', () => 7, 'a multiple of 5', '7'],
        ['between steps, in bounds', 'kind: integer, min: 0, max: 9, step: 5', () => 7, 'a multiple of 5, 0 to 9', '7'],
        ['a fraction', 'kind: integer, min: 0', () => 0.5, 'at least 0', '0.5'],
        ['a number as text', 'kind: integer, min: 0', () => '3', 'at least 0', '"3"'],
        ['null for a required field', 'kind: integer, min: 0, required: true', () => null, 'at least 0', 'null'],
        ['a text that is too long', 'kind: text, max: 3', () => 'four', '0 to 3 characters', '"four"'],
        ['U+0000', 'kind: text, max: 3', () => '\0', '0 to 3 characters', '"\\u0000"'],
        ['half of a character', 'kind: text, max: 3', () => '\ud83d', '0 to 3 characters', '"\\ud83d"'],
        ['a value that is not listed', 'kind: enum, values: [hot, cold]', () => 'warm', 'one of hot, cold', '"warm"'],
        ['an impossible day', 'kind: day', () => '2026-02-30', '10 to 10 characters', '"2026-02-30"'],
        ['a text that is not a URL', 'kind: url', () => 'ftp://x', 'a URL of at most 2000 characters', '"ftp://x"'],
        ['a third decimal', 'kind: decimal, max: 9', () => '1.005', 'a decimal of 0 to 9 with 2 places', '"1.005"'],
        ['a text that is not JSON', 'kind: json', () => '[1', 'JSON', '"[1"'],
        ['JSON that its schema refuses', 'kind: json, schema: { type: array }', () => '{}', 'JSON', '"{}"'],
        ['a promise', 'kind: text, max: 3', async () => 'x', '0 to 3 characters', '{}'],
      ] as const
    ).map(([name, keys, f, limit, first, rows = 3]) => {
      const says = `gets a value from the function board.f that does not fit the limit ${limit}, first ${first},`;
      const all = [`${says} in 3 rows (r0, r1, r2)`];
      return [
        name,
        [keys, f, ...(rows === 3 ? all : ['is filled by its function in 2 rows (r0, r1)', `${says} in 1 row (r2)`])],
      ];
    }),
  ),
  'true instead of 1': [
    'kind: boolean',
    () => true,
    'gets a value from the function board.f that does not fit the limit one of 0, 1, first true, in 3 rows (r0, r1, r2)',
  ],
  'a number that is not a date': [
    'kind: date',
    () => 9e15,
    'gets a value from the function board.f that does not fit the kind date, first 9000000000000000, in 3 rows (r0, r1, r2)',
  ],
};

function refusedSchemas(keys: string, f: FillFunction): readonly [Schema, Schema] {
  const [old, next] = schemasOf({ edit: x(`${keys}, fill: { function: f }`) });
  return [old, withFunctions(next, { board: { f } })];
}

function reported(risks: readonly CountedRisk[]): readonly string[] {
  return risks
    .filter(({ column, count }) => column === 'x' && count > 0)
    .map((risk) =>
      brokenText(risk)
        .replace(/^board\.x /, '')
        .replaceAll('00r', 'r'),
    );
}

test.each(Object.entries(REFUSED))(
  '%s is refused on SQLite before anything is written',
  (_title, [keys, f, ...says]) => {
    const [old, next] = refusedSchemas(keys, f);
    const db = connectTo(':memory:');
    migrate(db, old);
    fill(db, old, ROWS);
    expect(reported(pendingOf(db, next)?.risks ?? [])).toEqual(says);
    expect(() => migrate(db, next)).toThrow(InTheWay);
    expect(shapeOf(db, old)).toEqual(freshShape(old));
    db.close();
  },
);

test('the change is reported as one that writes rows, with their values', () => {
  const [from, to] = schemasOf({ edit: x('kind: integer, required: true, max: 3, fill: { function: size }') });
  expect(changesOf(matchSchemas(from, to))).toMatchObject([
    { class: 'backfill', says: 'is new, with what its function size gives in every row' },
  ]);
});

test('a function that is missing is named', () => {
  const [old, next] = schemasOf({ edit: x('kind: text, fill: { function: gone }') });
  const db = connectTo(':memory:');
  migrate(db, old);
  fill(db, old, ROWS);
  expect(() => pendingOf(db, next)).toThrow('the function board.gone is missing, which fills board.x');
  db.close();
});

/** The ids of the fixture start with a placement. */
function withoutPlacement(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^00r/, 'r') : value;
}

function renaming({ names = [] }: Case): readonly string[] {
  return names.map((name, row) => `UPDATE board SET name = '${name}' WHERE name = '${row}'`);
}

let old: State | null = null;

function schemasOf({ edit }: Pick<Case, 'edit'>): readonly [Schema, Schema] {
  old ??= state(BASE, null);
  const next = schemaView(state(edited(BASE, edit), old.ledger).model);
  return [schemaView(old.model), withFunctions(next, FUNCTIONS)];
}

/** A database on SQLite with rows from before the edit. */
function filledBefore(testCase: Case) {
  const [before, next] = schemasOf(testCase);
  const db = connectTo(':memory:');
  migrate(db, before);
  fill(db, before, ROWS);
  for (const sql of renaming(testCase)) db.exec(sql);
  return { db, next };
}

function valuesOf(db: ReturnType<typeof connectTo>, { column }: Case): readonly unknown[] {
  return db.prepare(`SELECT "${column}" FROM board ORDER BY id`).pluck().all();
}

test.each(Object.entries(CASES))('%s on SQLite', (_title, each) => {
  const { db, next } = filledBefore(each);
  const pending = pendingOf(db, next);
  expect(pending && isSafe(pending)).toBe(each.safe);
  migrate(db, next);
  expect(valuesOf(db, each)).toEqual(each.values);
  expect(shapeOf(db, next)).toEqual(freshShape(next));
  // A row that is edited afterwards is not filled again.
  db.exec(`UPDATE board SET "${each.column}" = (SELECT "${each.column}" FROM board WHERE id = 'r0') WHERE id = 'r2'`);
  const later = valuesOf(db, each);
  expect(pendingOf(db, next)?.plan.steps).toEqual([]);
  migrate(db, next);
  expect(valuesOf(db, each)).toEqual(later);
  db.close();
});

/** In the descriptor of a case: a key or word of `fill`, and what a maintainer might have written instead. */
const MISTAKES: readonly (readonly [title: string, from: string, to: string])[] = [
  ['a literal', 'fill: 3', 'fill: 4'],
  ['a literal that is not the default', 'fill: true', 'fill: false'],
  ['a copy from the parent', 'game.name', 'name'],
  ['a copy where the field was empty', 'copy: name', 'copy: game.name'],
  ['the first word of a name of the parent', 'part: first', 'part: rest'],
  ['the first word', 'words: name', 'words: game.name'],
  ['the first word', 'fill: { words: name, part: first }', 'fill: { copy: name }'],
  ['texts joined', 'name, label', 'label, name'],
  ['texts joined', 'with: ", "', 'with: " "'],
  ['a reference that may be empty', 'copy: expands', 'copy: game'],
  ['values of a function', 'function: size', 'function: isFirst'],
  ['values of a function for some rows', 'fill: { function: shout }', 'fill: { copy: name }'],
  ['values of a function where a field was empty', 'function: pair', 'function: shoutAll'],
];

test.each(MISTAKES)('a mistake in %s is noticed: %s as %s', (title, from, to) => {
  const testCase = CASES[title];
  if (testCase === undefined) throw new Error(`no case is called ${title}`);
  const mistaken = Object.entries(testCase.edit).map(([path, changes]) => {
    const texts = JSON.stringify(changes).split(JSON.stringify(from).slice(1, -1));
    expect([path, texts.length]).toEqual([path, 2]);
    return [path, JSON.parse(texts.join(JSON.stringify(to).slice(1, -1)))];
  });
  const { db, next } = filledBefore({ ...testCase, edit: Object.fromEntries(mistaken) });
  migrate(db, next);
  expect(valuesOf(db, testCase)).not.toEqual(testCase.values);
  db.close();
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  const fixture = shared(prepareFixture);

  test.each(Object.entries(CASES))('%s', (_title, each) => {
    const [old, next] = schemasOf(each);
    return fixture.filled(old, ROWS, async ({ query, migrate: bring }) => {
      for (const sql of renaming(each)) await query(sql);
      await bring(next);
      const rows = await query(`SELECT "${each.column}" AS value FROM board ORDER BY "id"`);
      expect(rows.map(({ value }) => withoutPlacement(value))).toEqual(each.values);
    });
  });

  test('a row that a server changes after the function has read it is computed again, and a new row is filled', () =>
    fixture.within(async ({ url, query, connections, migrate: bring }) => {
      const [old, next] = schemasOf({ edit: x('kind: text, required: true, fill: { function: shoutAll }') });
      await bring(old);
      await fillPostgres(query, old, ROWS);
      const columns = Object.keys((await query('SELECT * FROM board'))[0] ?? {});
      const values = columns.map((name) => ({ id: `'00r9'`, name: `'9'`, serial: 'NULL' })[name] ?? quoted(name));
      const meanwhile = [
        ['$5::jsonb', `UPDATE board SET name = 'late', _version = _version + 1 WHERE id = '00r1'`],
        [
          'LOCK TABLE "board"',
          `INSERT INTO board (${columns.map(quoted)}) SELECT ${values} FROM board WHERE id = '00r0'`,
        ],
      ];
      const interferingQuery: Query = async (sql, parameters) => {
        const at = meanwhile.findIndex(([before = '']) => sql.includes(before));
        const [, statement] = meanwhile.splice(at, at < 0 ? 0 : 1)[0] ?? [];
        if (statement !== undefined) await open(url, (other) => other.query(statement));
        return query(sql, parameters);
      };
      const target = { schema: next, now: NOW, tick: () => 0, extraDdl: [], holder: 'ada', permit: () => undefined };
      await applyTo(interferingQuery, { ...target, connections });
      const rows = await query('SELECT id, x FROM board ORDER BY id');
      expect(rows.map(({ id, x: value }) => `${id} ${value}`)).toEqual(['00r0 0!', '00r1 late!', '00r2 2!', '00r9 9!']);
    }));

  test('errors of functions are reported alike on both engines, and nothing is written', () =>
    fixture.within(async ({ query, migrate: bring }) => {
      const [old] = refusedSchemas('kind: text', () => null);
      await bring(old);
      await fillPostgres(query, old, ROWS);
      const memory = (await readMetadata(query)) ?? new Map();
      for (const [title, [keys, f, ...says]] of Object.entries(REFUSED)) {
        const [, next] = refusedSchemas(keys, f);
        const { risks } = await pendingOfPostgres(query, memory, next);
        expect([title, ...reported(risks)]).toEqual([title, ...says]);
        await expect(bring(next)).rejects.toThrow(InTheWay);
      }
      expect(await pendingOfPostgres(query, memory, old)).toMatchObject({ plan: { steps: [] } });
    }));
});
