// PostgreSQL's own parser and a linter of migrations read every statement of every plan in the table of edits.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModule, parseSync } from 'libpg-query';
import { schemaView } from '../../generator/emit/schema.js';
import { planPostgres } from '../../runtime/schema/postgres/plan.js';
import type { PostgresStep } from '../../runtime/schema/postgres/steps.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { refusals } from '../engine/citus-shapes.js';
import { PAIRS, states } from '../evolution/pairs.js';
import { FROM, ONLINE, TO } from '../migrate/postgres/everything.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const SQUAWK = join(ROOT, 'node_modules', '@squawk-cli', `${process.platform}-${process.arch}`, 'bin', 'squawk');
/** What the linter objects to in steps that are not online: the user of a plan has seen those steps, and allowed the drops. */
const NOT_ONLINE = [
  'ban-drop-column',
  'ban-drop-table',
  'ban-drop-not-null',
  'renaming-column',
  'renaming-table',
  'adding-required-field',
  // The previous step validated a CHECK, which the linter cannot know.
  'adding-not-nullable-field',
];
/** Repeated runs do not rely on IF NOT EXISTS, which would accept an index that was left incomplete. */
const NEVER = ['prefer-robust-stmts'];

/** Only edits that change tables have steps; `impact/pairs` tests which edits do. */
function pairs(): readonly (readonly [Schema, Schema])[] {
  const edits = PAIRS.filter(({ data }) => data.length > 0).flatMap((pair): readonly (readonly [Schema, Schema])[] => {
    const { old, new: next } = states(pair);
    const [from, to] = [schemaView(old.model), schemaView(next.model)];
    return [
      [from, to],
      [to, from],
    ];
  });
  return [...edits, [FROM, TO], [FROM, ONLINE]];
}

/** The script as the store sends it. */
function script(step: PostgresStep): string {
  if (!('sql' in step)) return '';
  const locks =
    step.does === 'transaction' ? step.locks.map((table) => `LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`) : [];
  const statements = [...locks, ...[step.sql].flat()].map((sql) => `${sql};\n`).join('');
  const settings = "SET lock_timeout = '2s';\nSET statement_timeout = 0;\n";
  return `${settings}${step.does === 'transaction' ? `BEGIN;\n${statements}COMMIT;\n` : statements}`;
}

function linted(scripts: readonly string[], excluded: readonly string[]): string {
  const folder = temporaryFolder('squawk');
  const files = scripts.map((text, at) => {
    const file = join(folder, `${at}.sql`);
    // The linter does not support parameters.
    writeFileSync(file, text.replaceAll(/\$\d/g, "'x'"));
    return file;
  });
  const { status, stdout } = spawnSync(SQUAWK, ['--pg-version=15', `--exclude=${excluded.join(',')}`, ...files], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout;
}

describe('planPostgres', () => {
  let all: readonly PostgresStep[];
  let onCitus: readonly PostgresStep[];
  beforeAll(async () => {
    await loadModule();
    const edits = pairs();
    all = edits.flatMap(([from, to]) => planPostgres(from, to).steps);
    onCitus = edits.flatMap(([from, to]) => planPostgres(from, to, { distributed: true }).steps);
  });

  test('postgres parses every statement', () => {
    expect(all.length).toBeGreaterThan(300);
    const scripts = all.map(script).filter((text) => text !== '');
    for (const text of scripts) expect(() => parseSync(text)).not.toThrow();
  });

  test('N20: no step on distributed tables has a shape that Citus refuses', () => {
    const statements = onCitus.flatMap((step) => ('sql' in step ? [step.sql].flat() : []));
    expect(statements.length).toBeGreaterThan(300);
    expect(refusals(statements)).toEqual([]);
  });

  (existsSync(SQUAWK) ? describe : describe.skip)('squawk', () => {
    const scripts = (online: boolean) => all.filter((step) => (step.class === 'online') === online).map(script);

    test('accepts every online step', () => expect(linted(scripts(true), NEVER)).toBe(''));

    test('accepts all other steps, apart from these rules', () =>
      expect(linted(scripts(false), [...NEVER, ...NOT_ONLINE])).toBe(''));

    test('reports statements that block servers (null control)', () => {
      expect(linted(['CREATE INDEX i ON box (code);'], NEVER)).toContain('require-concurrent-index-creation');
      expect(linted(['ALTER TABLE box ADD CONSTRAINT c CHECK (size > 0);'], NEVER)).toContain(
        'constraint-missing-not-valid',
      );
    });
  });
});
