// `check`: its output and exit code, in process and as the command itself.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckOptions, checkSpec } from '../../generator/commands/check.js';
import { shownPath } from '../../generator/diagnostics/print.js';
import { run } from '../cli/processes.js';
import { runMaintainers } from '../support/maintainers-here.js';
import { temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { filesOf } from './example.js';

const folder = temporaryFolder('check');

function specOf(name: string, example: string): string {
  writeFiles(join(folder, name), filesOf(example));
  return join(folder, name, 'spec');
}

const WRONG = specOf('wrong', 'fields:\n  size: { kind: intger }\n');
const RIGHT = specOf('right', 'fields:\n  size: { kind: integer }\n');
const WARNED = specOf(
  'warned',
  '# spec/conventions.yaml\ntitle: T\nversion: 1.0.0\nsummary: T.\nconventions:\n  page: { fields: { name: text } }\n',
);
const at = (spec: string, format: CheckOptions['format']) => checkSpec({ spec, format }, false);

describe('check', () => {
  test('a spec without mistakes', () =>
    expect(at(RIGHT, 'text')).toEqual({ code: 0, stdout: 'No mistakes in 4 files.\n', stderr: '' }));
  test('a spec with mistakes', () => {
    const { code, stdout, stderr } = at(WRONG, 'text');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^spec\/resources\/piece\.yaml:6:17: error E0203: .*\n\n1 error in 1 file\n$/s);
  });
  test('warnings alone are not a failure', () => {
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
  test('a folder that does not exist', () =>
    expect(at(join(folder, 'none'), 'json')).toMatchObject({ code: 2, stdout: '' }));
  test.each([
    ['spec', 'spec/resources/a.yaml'],
    ['./spec/', 'spec/resources/a.yaml'],
    ['other/spec', 'other/spec/resources/a.yaml'],
    ['/abs/spec', '/abs/spec/resources/a.yaml'],
    ['..\\spec', '../spec/resources/a.yaml'],
    ['.', 'resources/a.yaml'],
  ])('below %s', (given, wanted) => expect(shownPath(given)('spec/resources/a.yaml')).toBe(wanted));
});

const USUAL = 'resource: piece\ntitle: Piece\nsummary: One.\nplural: pieces\n';
const NAMED = specOf('named', 'fields:\n  name: text\n');

/** The output of check for this text, or these bytes, in resources/piece.yaml. */
function checked(content: string | Buffer): string {
  writeFileSync(join(NAMED, 'resources/piece.yaml'), content);
  return at(NAMED, 'text').stderr;
}

describe('one mistake, one diagnostic', () => {
  test('F45: a misspelt required key is not reported as missing too', () => {
    expect(checked(USUAL.replace('plural:', 'plurals:'))).toBe(
      'spec/resources/piece.yaml:4:1: error E0201: unknown key "plurals"\n' +
        '4 | plurals: pieces\n  | ^^^^^^^\n  = did you mean "plural"?\n\n1 error in 1 file\n',
    );
  });
  test.each([
    ['a tab in two lines', 'fields:\n\tname: text\n\tnote: text\n', '6:1: error E0103: a tab is used for indentation'],
    ['a line too far in', 'fields:\n  name: text\n   note: text\n', '7:4: error E0113: wrong indentation'],
    ['a line too far out', 'fields:\n    name: text\n  note: text\n', '7:3: error E0113: wrong indentation'],
    ['a map too far in', 'fields:\n  name: { kind: text }\n   note: text\n', '7:4: error E0113: wrong indentation'],
    ['a quote', "deprecated: '2030-01-01\nfields:\n  name: text\n", "5:13: error E0114: this ' is never closed"],
    ['a bracket', 'fields:\n  name: { kind: text\n  note: text\n', '6:9: error E0114: this { is never closed'],
    ['no colon', 'fields\n  name: text\n', '5:1: error E0101: invalid YAML: a key needs a ":" on its line'],
    ['a colon too many', 'note: a: b\n', '5:7: error E0101: invalid YAML: a value that contains ": " needs quotes'],
  ])('F45: %s is one error at its cause', (_, text, wanted) => {
    const printed = checked(USUAL + text);
    expect(printed.split('\n')[0]).toBe(`spec/resources/piece.yaml:${wanted}`);
    expect(printed).toMatch(/\n\n1 error in 1 file\n$/);
  });
  test('F45: a first line that is indented is one error', () => {
    expect(checked(` ${USUAL}`)).toMatch(/^spec\/resources\/piece\.yaml:2:1: error E0113: .*\n\n1 error in 1 file\n$/s);
  });
});

describe('files that are not text', () => {
  test.each([
    ['Latin-1', Buffer.from(USUAL.replace('One.', 'Caf\u00e9.'), 'latin1'), '3:13'],
    ['UTF-16', Buffer.from(`\ufeff${USUAL}`, 'utf16le'), '1:1'],
  ])('F45: %s has a line', (_, bytes, place) =>
    expect(checked(bytes)).toMatch(`spec/resources/piece.yaml:${place}: error E0109: a control character, or a byte`),
  );
  test('F45: a folder named like a descriptor is reported as a folder', () => {
    const spec = specOf('folder', 'fields:\n  name: text\n');
    mkdirSync(join(spec, 'resources/box.yaml'));
    const stderr = `${join(spec, 'resources/box.yaml')} is a folder, not a file\n`;
    expect(at(spec, 'text')).toEqual({ code: 1, stdout: '', stderr });
  });
  test.each([
    ['leads nowhere', 'nowhere.yaml', 'links to a file that does not exist'],
    ['leads to itself', 'box.yaml', 'cannot be read (ELOOP)'],
    ['leads to a device', '/dev/null', 'is not a file'],
  ])('N19: a link that %s is reported as such', (what, target, problem) => {
    const spec = specOf(`link-${what.replaceAll(' ', '-')}`, 'fields:\n  name: text\n');
    const link = join(spec, 'resources/box.yaml');
    symlinkSync(target, link);
    expect(at(spec, 'text')).toEqual({ code: 1, stdout: '', stderr: `${link} ${problem}\n` });
  });
});

test('F45: a plural that exists already is reported in the file that repeats it', () => {
  const convention = 'conventions:\n  owned: { fields: { user: { kind: reference, to: user, list: true } } }\n';
  const spec = specOf('plurals', `# spec/conventions.yaml\ntitle: T\nversion: 1.0.0\nsummary: T.\n${convention}`);
  writeFileSync(join(spec, 'resources/piece.yaml'), `${USUAL}extends: owned\n`);
  writeFileSync(
    join(spec, 'resources/token.yaml'),
    `${USUAL.replace('resource: piece', 'resource: token')}extends: owned\n`,
  );
  expect(at(spec, 'text').stderr).toBe(
    'spec/resources/token.yaml:4:9: error E0309: the name "pieces" is already taken on user, by a list of piece\n' +
      '4 | plural: pieces\n  |         ^^^^^^\n  = choose another name\n\n1 error in 1 file\n',
  );
});

describe('as a command', () => {
  test('check writes nothing and has no colours in a pipe', async () => {
    const ended = await run(['check'], join(folder, 'wrong'));
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('= did you mean "integer"?');
    expect(ended.stderr).not.toContain('\u001b');
    expect(existsSync(join(folder, 'wrong', 'generated'))).toBe(false);
    expect(existsSync(join(WRONG, 'ledger.json'))).toBe(false);
  });
  test('gen reports mistakes in the same formats', () => {
    const ended = runMaintainers(['gen', '--format', 'json'], join(folder, 'wrong'));
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(JSON.parse(ended.stderr)).toMatchObject([{ code: 'E0203', path: 'spec/resources/piece.yaml', line: 6 }]);
  });
  test('unknown format is wrong usage', async () => {
    expect((await run(['check', '--format', 'xml'], join(folder, 'wrong'))).code).toBe(2);
  });
  test('check and watch are wrong usage', async () => {
    expect((await run(['gen', '--check', '--watch'], join(folder, 'wrong'))).code).toBe(2);
  });
  test('new, explain, list and graph', () => {
    const project = join(folder, 'right');
    expect(runMaintainers(['new', 'token'], project)).toMatchObject({ code: 0, stderr: '' });
    expect(runMaintainers(['explain', 'get', '/api/token/1'], project).stdout).toContain(
      'spec/resources/token.yaml:3:1: resource\n3 | title: Token',
    );
    expect(runMaintainers(['explain', 'e0203'], project).stdout).toMatch(/^error E0203: /);
    expect(runMaintainers(['list', 'token'], project).stdout).toMatch(
      /^Token: One token\.\nspec\/resources\/token\.yaml\n/,
    );
    expect(runMaintainers(['graph'], project).stdout).toContain('\n  user ||--o{ token : "user"\n');
  });
  test('explain reports mistakes first', () => {
    const ended = runMaintainers(['explain', 'piece.size'], join(folder, 'wrong'));
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('error E0203');
  });
});
