// N31: two branches of a real git repository each add a type, a field in the same place and a rename, and are merged in both
// directions. gen joins what git could not, and the databases of both branches continue with the result, on both engines.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gen } from '../../generator/commands/gen.js';
import * as compiler from '../../generator/write/compile.js';
import { readSchema } from '../../runtime/schema/compact.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { BASE } from '../evolution/pairs.js';
import { git as gitIn } from '../support/git.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { hasPostgres } from '../support/postgres.js';
import { fill } from './fill.js';
import * as postgres from './postgres/fixture.js';
import { database, freshShape, migrate, shapeOf } from './schemas.js';

const folder = join(temporaryFolder('branches'), 'service');
const BOARD = 'spec/resources/board.yaml';
const NOTES = '  notes: {';

/** No server runs here, so the output need not be compiled. */
beforeAll(() => void jest.spyOn(compiler, 'compile').mockReturnValue(''));

const git = (...options: readonly string[]): string => gitIn(folder, ...options);

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

function change(path: string, from: string, to: string): void {
  const text = read(path);
  expect(text.split(from)).toHaveLength(2);
  writeFileSync(join(folder, path), text.replace(from, to));
}

function generate(): ReturnType<typeof gen> {
  return gen({ spec: join(folder, 'spec'), out: join(folder, 'generated'), check: false, handwritten: true });
}

function commit(message: string): void {
  const { code, stderr } = generate();
  expect([code, stderr]).toEqual([0, '']);
  git('add', '-A');
  git('commit', '-qm', message);
}

/** Every committed file by its path. */
function tree(): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/^\.git\/|\.js$/.test(file) && statSync(join(folder, file)).isFile(),
  );
  return Object.fromEntries(files.sort().map((file) => [file, read(file)]));
}

interface Branch {
  readonly type: string;
  readonly field: string;
  readonly rename: readonly [from: string, to: string];
}

const ONE: Branch = { type: 'tile', field: 'blurb', rename: ['homepage', 'site'] };
const OTHER: Branch = { type: 'chip', field: 'motto', rename: ['weight', 'mass'] };

function edit({ type, field, rename: [from, to] }: Branch): void {
  const card = read('spec/resources/card.yaml');
  const ofType = card.replace('resource: card', `resource: ${type}`).replace('plural: cards', `plural: ${type}s`);
  const withNames = ofType.replace('minicards', `mini${type}s`).replace('type_field: card_type\n', '');
  writeFileSync(join(folder, `spec/resources/${type}.yaml`), withNames);
  change(BOARD, NOTES, `  ${field}: { kind: text, max: 90, description: A text. }\n${NOTES}`);
  change(
    BOARD,
    `  ${from}: { kind: ${from === 'weight' ? 'decimal' : 'url'}`,
    `  ${to}: { was: ${from}, kind: ${from === 'weight' ? 'decimal' : 'url'}`,
  );
}

/** Keeps both fields, in whichever order git shows them. */
function resolve(): void {
  const lines = read(BOARD).split('\n');
  const [start, end] = [
    lines.findIndex((line) => line.startsWith('<<<<<<<')),
    lines.findIndex((line) => line.startsWith('>>>>>>>')),
  ];
  const both = lines
    .slice(start, end)
    .filter((line) => line.startsWith('  '))
    .sort();
  writeFileSync(join(folder, BOARD), [...lines.slice(0, start), ...both, ...lines.slice(end + 1)].join('\n'));
}

interface MergedBranches {
  readonly conflicts: readonly string[];
  readonly output: ReturnType<typeof gen>;
  readonly tree: Readonly<Record<string, string>>;
}

/**
 * @param attributes whether the repository has our .gitattributes; without it, generated files have conflict marks, too, and
 * are added before gen runs, so that git no longer has both sides
 */
function merge(into: string, from: string, attributes = true): MergedBranches {
  git('checkout', '-qf', into);
  if (!attributes) writeFileSync(join(folder, '.git/info/attributes'), '* merge=text\n');
  try {
    git('merge', '-q', from);
  } catch {
    // Conflicts are expected.
  }
  const conflicts = git('diff', '--name-only', '--diff-filter=U').trimEnd().split('\n');
  resolve();
  if (!attributes) git('add', '-A');
  const output = generate();
  const merged = { conflicts, output, tree: tree() };
  git('reset', '-q', '--hard');
  git('clean', '-qfd');
  writeFileSync(join(folder, '.git/info/attributes'), '');
  return merged;
}

const schemaOf = (texts: Readonly<Record<string, string>>): Schema => readSchema(texts['generated/schema.json'] ?? '');

/** The columns of each table, by their names in a branch and in the merged result. */
function renamed(schema: Schema, to: Schema): readonly (readonly [table: string, columns: string, names: string])[] {
  return schema.tables.map(({ name, number, columns }) => {
    const table = to.tables.find((one) => one.number === number);
    const names = columns.map((column) => table?.columns.find((one) => one.number === column.number)?.name ?? '');
    return [name, columns.map((column) => `"${column.name}"`).join(), names.map((one) => `"${one}"`).join()];
  });
}

describe('N31: two branches', () => {
  let states: Readonly<Record<'one' | 'other', Schema>>;
  let both: readonly MergedBranches[];
  let fixture: postgres.PostgresFixture | null = null;

  beforeAll(() => {
    for (const [path, text] of Object.entries(BASE)) {
      const file = join(folder, 'spec', path);
      execFileSync('mkdir', ['-p', join(file, '..')]);
      writeFileSync(file, text);
    }
    change('spec/resources/file.yaml', 'fields:\n', 'fields:\n  access_key: { kind: text, from: random }\n');
    cpSync(join(ROOT, '.gitattributes'), join(folder, '.gitattributes'));
    writeFileSync(join(folder, '.gitignore'), '*.js\n!generated/client/*.js\n');
    git('init', '-q', '-b', 'main');
    commit('base');
    const schemas = [ONE, OTHER].map((branch) => {
      git('checkout', '-qfb', branch.type, 'main');
      edit(branch);
      commit(branch.type);
      return schemaOf(tree());
    });
    states = { one: schemas[0] as Schema, other: schemas[1] as Schema };
    both = [merge('tile', 'chip'), merge('chip', 'tile'), merge('tile', 'chip', false)];
  }, 120_000);
  afterAll(() => fixture?.stop());

  test('git has conflicts only where somebody has to decide, and in the ledger', () => {
    expect(both[0]?.conflicts).toEqual(['spec/ledger.json', BOARD]);
    expect(both[1]?.conflicts).toEqual(['spec/ledger.json', BOARD]);
    // Without our attributes, generated files have conflict marks, too.
    expect(both[2]?.conflicts.length).toBeGreaterThan(5);
  });

  test('gen regenerates the rest, and mistakes nothing for a hand edit', () => {
    for (const { output } of both) expect(output).toMatchObject({ code: 0, stderr: '' });
  });

  test('the result is byte-identical, whichever is merged into the other', () => {
    expect(both[1]?.tree).toEqual(both[0]?.tree);
    expect(both[2]?.tree).toEqual(both[0]?.tree);
    expect(both[0]?.tree['spec/ledger.json']).not.toMatch(/<<<<|====|>>>>/);
  });

  test('the result is a new revision, with the numbers of both', () => {
    const merged = schemaOf(both[0]?.tree ?? {});
    expect(states.one.revision).toBe(states.other.revision);
    expect(states.one.content).not.toBe(states.other.content);
    expect(merged.revision).toBe(states.one.revision + 1);
    for (const side of Object.values(states)) {
      for (const [table, , names] of renamed(side, merged))
        expect([table, names]).toEqual([table, expect.not.stringContaining('""')]);
    }
  });

  test.each(['one', 'other'] as const)('the SQLite database of branch %s continues, with every value', (side) => {
    const [from, to] = [states[side], schemaOf(both[0]?.tree ?? {})];
    const db = database();
    migrate(db, from);
    fill(db, from, 4);
    const tables = renamed(from, to);
    const rows = (at: 1 | 2) =>
      tables.map((one) => db.prepare(`SELECT ${one[at]} FROM "${one[0]}" ORDER BY id`).raw().all());
    const before = rows(1);
    migrate(db, to, { permit: ({ plan }) => expect(plan.drops).toEqual([]) });
    expect(rows(2)).toEqual(before);
    expect(shapeOf(db, to)).toEqual(freshShape(to));
    db.close();
  });

  (hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
    test.each(['one', 'other'] as const)('the database of branch %s continues, with every value', async (side) => {
      const [from, to] = [states[side], schemaOf(both[0]?.tree ?? {})];
      fixture ??= await postgres.prepareFixture();
      const { freshShape: fresh, within } = fixture;
      await within(async ({ query, migrate: bring }) => {
        await bring(from);
        await postgres.fill(query, from, 4);
        const rows = async (at: 1 | 2) => {
          const all: unknown[] = [];
          for (const names of renamed(from, to)) {
            const values = await query(`SELECT ${names[at]} FROM "${names[0]}" ORDER BY "id"`);
            all.push(values.map((row) => Object.values(row)));
          }
          return all;
        };
        const before = await rows(1);
        await bring(to, { permit: ({ plan }) => expect(plan.drops).toEqual([]) });
        expect(await rows(2)).toEqual(before);
        expect(await postgres.shapeOf(query)).toEqual(await fresh(to));
        const { actual, expected } = await postgres.claims(query, to);
        expect(actual).toEqual(expected);
      });
    });
  });
});
