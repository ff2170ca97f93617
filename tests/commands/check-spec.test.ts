// `check`: what it says and how it ends, in process and as the command itself.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckOptions, checkSpec } from '../../generator/commands/check.js';
import { shownPath } from '../../generator/diagnostics/shown-path.js';
import { run } from '../cli/processes.js';
import { temporaryFolder } from '../support/paths.js';
import { filesOf } from './example.js';

const folder = temporaryFolder('check');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function specOf(name: string, example: string): string {
  const spec = join(folder, name, 'spec');
  mkdirSync(join(spec, 'resources'), { recursive: true });
  for (const { path, text } of filesOf(example)) writeFileSync(join(spec, path.replace(/^spec\//, '')), text);
  return spec;
}

const WRONG = specOf('wrong', 'fields:\n  size: { kind: intger }\n');
const RIGHT = specOf('right', 'fields:\n  size: { kind: integer }\n');
const WARNED = specOf(
  'warned',
  '# spec/conventions.yaml\ntitle: T\nversion: 1.0.0\nsummary: T.\nconventions:\n  page: { fields: { name: text } }\n',
);
const at = (spec: string, format: CheckOptions['format']) => checkSpec({ spec, format }, false);

describe('check', () => {
  test('Right', () => expect(at(RIGHT, 'text')).toEqual({ code: 0, stdout: 'No mistakes in 4 files.\n', stderr: '' }));
  test('Wrong', () => {
    const { code, stdout, stderr } = at(WRONG, 'text');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^spec\/resources\/piece\.yaml:6:17: error E0203: .*\n\n1 error in 1 file\n$/s);
  });
  test('WarningsAloneAreNoFailure', () => {
    const { code, stdout, stderr } = at(WARNED, 'text');
    expect([code, stdout]).toEqual([0, 'No mistakes in 3 files.\n']);
    expect(stderr).toContain('warning W0601');
  });
  test.each(['json', 'github', 'sarif'] as const)(
    '%s goes to the standard output, with the path from here',
    (format) => {
      const { code, stdout, stderr } = at(WRONG, format);
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain(`${WRONG}/resources/piece.yaml`);
      expect(at(RIGHT, format).code).toBe(0);
    },
  );
  test('NoSpec', () => expect(at(join(folder, 'none'), 'json')).toMatchObject({ code: 2, stdout: '' }));
  test.each([
    ['spec', 'spec/resources/a.yaml'],
    ['./spec/', 'spec/resources/a.yaml'],
    ['other/spec', 'other/spec/resources/a.yaml'],
    ['/abs/spec', '/abs/spec/resources/a.yaml'],
    ['..\\spec', '../spec/resources/a.yaml'],
    ['.', 'resources/a.yaml'],
  ])('below %s', (given, wanted) => expect(shownPath(given)('spec/resources/a.yaml')).toBe(wanted));
});

describe('as a command', () => {
  test('CheckWritesNothingAndHasNoColoursInAPipe', async () => {
    const ended = await run(['check'], join(folder, 'wrong'));
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('= did you mean "integer"?');
    expect(ended.stderr).not.toContain('\u001b');
    expect(existsSync(join(folder, 'wrong', 'generated'))).toBe(false);
    expect(existsSync(join(WRONG, 'ledger.json'))).toBe(false);
  });
  test('GenTellsMistakesInTheSameForms', async () => {
    const ended = await run(['gen', '--format', 'json'], join(folder, 'wrong'));
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(JSON.parse(ended.stderr)).toMatchObject([{ code: 'E0203', path: 'spec/resources/piece.yaml', line: 6 }]);
  });
  test('UnknownFormatIsWrongUsage', async () => {
    expect((await run(['check', '--format', 'xml'], join(folder, 'wrong'))).code).toBe(2);
  });
  test('CheckAndWatchAreWrongUsage', async () => {
    expect((await run(['gen', '--check', '--watch'], join(folder, 'wrong'))).code).toBe(2);
  });
  test('NewExplainListGraph', async () => {
    const project = join(folder, 'right');
    expect(await run(['new', 'token'], project)).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['explain', 'get', '/api/token/1'], project)).stdout).toContain(
      'spec/resources/token.yaml:3:1: resource\n',
    );
    expect((await run(['explain', 'e0203'], project)).stdout).toMatch(/^error E0203: /);
    expect((await run(['list', 'token'], project)).stdout).toMatch(
      /^Token: One token\.\nspec\/resources\/token\.yaml\n/,
    );
    expect((await run(['graph'], project)).stdout).toContain('\n  user ||--o{ token : "user"\n');
  });
  test('ExplainTellsMistakesFirst', async () => {
    const ended = await run(['explain', 'piece.size'], join(folder, 'wrong'));
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('error E0203');
  });
});
