// The command in a real repository: which commit it compares with, and what it reports if there is none.

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ImpactOptions, runImpact } from '../../generator/commands/impact.js';
import { ledgerText } from '../../generator/ledger/ledger.js';
import { BASE, type Edit, edited, state } from '../evolution/pairs.js';
import { git, makeRepository } from '../support/git.js';
import { temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';

const OUTSIDE = { today: '2026-06-01', count: null };
const LOWER: Edit = { 'resources/board.yaml': [['min: 0, max: 500', 'min: 0, max: 400']] };
const RENAME: Edit = {
  'resources/board.yaml': [['height: { kind: integer', 'tallness: { kind: integer, was: height']],
};
const BROKEN: Edit = { 'resources/board.yaml': [['kind: integer, min: 0, max: 500', 'kind: integr']] };

/** A repository with one commit: the base in services/one/spec, by default with its ledger. */
function repository(withLedger = true): { readonly root: string; readonly spec: string } {
  const root = temporaryFolder('impact');
  const spec = join(root, 'services', 'one', 'spec');
  writeFiles(spec, BASE);
  if (withLedger) writeFileSync(join(spec, 'ledger.json'), ledgerText(state(BASE, null).ledger));
  makeRepository(root);
  return { root, spec };
}

const run = (spec: string, options: Partial<ImpactOptions> = {}) =>
  runImpact({ base: 'HEAD', format: 'json', spec, ...options }, OUTSIDE);

interface ImpactResult {
  readonly base: string;
  readonly open: number;
  readonly findings: readonly {
    rule: string;
    message: string;
    where: readonly string[];
    fingerprint: string;
    notes: readonly string[];
  }[];
}
const parse = (stdout: string) => JSON.parse(stdout) as ImpactResult;

test('an unchanged spec has no findings', () => {
  const { spec } = repository();
  const { code, stdout, stderr } = run(spec);
  expect({ code, stderr, ...parse(stdout) }).toMatchObject({
    code: 0,
    stderr: '',
    base: 'HEAD',
    open: 0,
    findings: [],
  });
});

test('compares the working tree with HEAD', () => {
  const { spec } = repository();
  writeFiles(spec, edited(BASE, LOWER));
  const { code, stdout } = run(spec);
  expect(code).toBe(2);
  expect(parse(stdout).open).toBe(1);
});

test('a rename is not a removal', () => {
  const { spec } = repository();
  writeFiles(spec, edited(BASE, RENAME));
  const rules = parse(run(spec).stdout).findings.map(({ rule }) => rule);
  expect(rules).toContain('column_renamed');
  expect(rules).not.toContain('column_dropped');
});

test('a rename that gen has already recorded is still a rename', () => {
  const { spec } = repository();
  writeFiles(spec, edited(BASE, RENAME));
  writeFileSync(join(spec, 'ledger.json'), ledgerText(state(edited(BASE, RENAME), state(BASE, null).ledger).ledger));
  expect(parse(run(spec).stdout).findings.map(({ rule }) => rule)).toContain('column_renamed');
});

test('compares with a spec that had no ledger', () => {
  const { spec } = repository(false);
  writeFiles(spec, edited(BASE, RENAME));
  writeFileSync(join(spec, 'ledger.json'), ledgerText(state(edited(BASE, RENAME), state(BASE, null).ledger).ledger));
  const rules = parse(run(spec).stdout).findings.map(({ rule }) => rule);
  expect(rules).toContain('column_renamed');
  expect(rules).not.toContain('replaced');
});

test('compares with an older commit, a tag and a branch', () => {
  const { root, spec } = repository();
  git(root, 'tag', 'v1');
  git(root, 'branch', 'feature/x');
  writeFiles(spec, edited(BASE, LOWER));
  git(root, 'commit', '-qam', 'lower');
  expect(run(spec).code).toBe(0);
  for (const base of ['HEAD~1', 'v1', 'feature/x', 'main~1']) expect(run(spec, { base }).code).toBe(2);
});

test('compares added and removed files', () => {
  const { root, spec } = repository();
  rmSync(join(spec, 'resources', 'card.yaml'));
  writeFiles(spec, {
    'resources/token.yaml': 'resource: token\ntitle: T\nsummary: T.\nplural: tokens\nextends: component\n',
  });
  git(root, 'add', '-A');
  const rules = parse(run(spec).stdout).findings.map(({ rule }) => rule);
  expect(rules).toEqual(expect.arrayContaining(['resource_added', 'resource_removed']));
});

test('a moved spec folder has nothing to compare with', () => {
  const { root, spec } = repository();
  renameSync(spec, join(root, 'spec'));
  expect(run(join(root, 'spec'))).toEqual({
    code: 1,
    stdout: '',
    stderr: 'HEAD holds no spec/resources/: there is nothing to compare with\n',
  });
});

test.each(['nope', '-x', '--output=/tmp/x', 'main:services', ''])('an unknown commit is refused: %s', (base) => {
  const { spec } = repository();
  expect(run(spec, { base })).toEqual({ code: 1, stdout: '', stderr: `git knows no commit ${base}\n` });
});

test('a folder outside any repository is refused', () => {
  const spec = join(temporaryFolder('impact'), 'spec');
  writeFiles(spec, BASE);
  const advice = 'so that there is no commit to read: run git init, and commit it';
  expect(run(spec)).toEqual({ code: 1, stdout: '', stderr: `${spec} is not in a git repository, ${advice}\n` });
  git(dirname(spec), 'init', '-q');
  expect(run(spec)).toEqual({ code: 1, stdout: '', stderr: 'nothing has been committed yet: commit first\n' });
});

test('a missing spec folder is refused', () => {
  const { root } = repository();
  const { code, stderr } = run(join(root, 'elsewhere'));
  expect(code).toBe(2);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('mistakes in the new spec are reported', () => {
  const { spec } = repository();
  writeFiles(spec, edited(BASE, BROKEN));
  const { code, stdout, stderr } = run(spec);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('board.yaml:13:');
  expect(stderr).toMatch(/The spec has mistakes; nothing was compared\.\n$/);
});

test('mistakes in the old spec are reported', () => {
  const { root, spec } = repository();
  writeFiles(spec, edited(BASE, BROKEN));
  git(root, 'commit', '-qam', 'broken');
  writeFiles(spec, BASE);
  const { code, stderr } = run(spec);
  expect(code).toBe(1);
  expect(stderr).toMatch(/The spec at HEAD has mistakes; nothing was compared\.\n$/);
});

test('accepted findings pass until their date', () => {
  const { spec } = repository();
  writeFiles(spec, edited(BASE, LOWER));
  const [finding] = parse(run(spec).stdout).findings;
  const entry = `accept:\n  - { fingerprint: "${finding?.fingerprint}", reason: agreed, until: 2026-06-01 }\n`;
  writeFileSync(join(spec, 'impact.yaml'), entry);
  expect(run(spec)).toMatchObject({ code: 0, stderr: '' });
  const later = runImpact({ base: 'HEAD', format: 'text', spec }, { ...OUTSIDE, today: '2026-06-02' });
  expect(later.code).toBe(2);
  expect(later.stderr).toBe(`impact.yaml: ${finding?.fingerprint} was accepted until 2026-06-01\n`);
});

const HEIGHT = '  height: { kind: integer, min: 0, max: 500, description: Height in millimetres. }\n';
const DEPRECATED = HEIGHT.replace('kind: integer', 'kind: integer, deprecated: "2026-01-01", sunset: "2026-09-01"');
const METRICS = `# TYPE punchboard_deprecated_use_total counter
punchboard_deprecated_use_total{resource="board",field="height"} 12
punchboard_deprecated_use_total{resource="card",field="height"} 99
`;

test('metrics show what callers still use of a removed field', () => {
  const { root, spec } = repository();
  writeFiles(spec, edited(BASE, { 'resources/board.yaml': [[HEIGHT, DEPRECATED]] }));
  git(root, 'commit', '-qam', 'deprecate');
  writeFiles(spec, edited(BASE, { 'resources/board.yaml': [[HEIGHT, '']] }));
  writeFileSync(join(root, 'metrics.txt'), METRICS);
  const notes = parse(run(spec, { metrics: join(root, 'metrics.txt') }).stdout)
    .findings.filter(({ rule }) => rule === 'parameter_removed' || rule === 'property_removed')
    .map((finding) => finding.notes);
  expect(notes).toEqual([
    ['still used: 12 times', 'before its sunset, 2026-09-01'],
    ['still used: 12 times', 'before its sunset, 2026-09-01'],
  ]);
});

test('missing metrics are reported', () => {
  const { root, spec } = repository();
  expect(run(spec, { metrics: join(root, 'none') }).code).toBe(2);
});
