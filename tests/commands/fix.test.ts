// `check --fix` corrects what is certain and leaves everything else as it was written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSpec } from '../../generator/compile-spec.js';
import { hasErrors } from '../../generator/diagnostics/diagnostic.js';
import { fixSpec } from '../../generator/fix-spec.js';
import { runMaintainers } from '../support/maintainers-here.js';
import { temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { filesOf } from './example.js';

const PIECE = 'spec/resources/piece.yaml';
/** @param before the spec of the ledger, before names were changed */
const fixed = (example: string, before?: string) => {
  const old = before === undefined ? null : compileSpec({ files: filesOf(before), ledger: null });
  const { source, fixes } = fixSpec({ files: filesOf(example), ledger: old?.ok ? old.ledger : null });
  const text = source.files.find(({ path }) => path === PIECE)?.text ?? '';
  const { diagnostics } = compileSpec(source);
  return {
    words: fixes.map(({ word, name }) => `${word} -> ${name}`),
    text: text.slice(text.indexOf('fields:')),
    left: diagnostics.map(({ code }) => code),
  };
};

describe('a typo with one near name', () => {
  test.each([
    ['a key', 'fields:\n  size: { kind: integer, requird: true }\n', ['requird -> required']],
    ['a boolean', 'fields:\n  size: { kind: integer, required: yes }\n', ['yes -> true']],
    ['a kind', 'fields:\n  size: { kind: intger } # in mm\n', ['intger -> integer']],
    ['a field', 'fields:\n  size: integer\norder: [-siez]\n', ['siez -> size']],
    ['in a text', 'fields:\n  size: integer\n  label: { kind: computed, text: "{siez}/{id}" }\n', ['siez -> size']],
    ['a resource', 'fields:\n  by: { kind: reference, to: usr }\n', ['usr -> user']],
    ['one after another', 'fields:\n  size: { kind: intger, requird: true }\norder: [siez]\n', 3],
  ] as const)('%s', (_, example, wanted) => {
    const { words, text, left } = fixed(example);
    expect(typeof wanted === 'number' ? words.length : words).toEqual(wanted);
    expect(left).toEqual([]);
    const [before, after] = [example, text].map((one) => one.replaceAll(/\w+/g, ''));
    expect(after).toBe(before);
  });
});

test('a use of a renamed field gets its current name', () => {
  const example = 'fields:\n  title: { kind: text, was: name }\norder: [name]\nbrief: [id, name]\n';
  const { words, text, left } = fixed(example, 'fields:\n  name: text\n');
  expect([words, left]).toEqual([['name -> title', 'name -> title'], []]);
  expect(text).toBe('fields:\n  title: { kind: text, was: name }\norder: [title]\nbrief: [id, title]\n');
});

test('a use of a renamed resource gets its current name', () => {
  const example =
    '# spec/resources/chit.yaml\nwas: piece\ntitle: C\nsummary: C.\nfields: { name: text }\n' +
    '# spec/resources/mark.yaml\ntitle: M\nsummary: M.\nfields:\n  on: { kind: reference, to: piece }\n';
  expect(fixed(example, 'fields:\n  name: text\n')).toMatchObject({ words: ['piece -> chit'], left: [] });
});

describe('stays', () => {
  test.each([
    ['what may mean either of two', 'fields:\n  side1: text\n  side2: text\norder: [side]\n'],
    ['a key that would be there twice', 'fields:\n  size: { kind: integer, required: true, requird: false }\n'],
    ['a typo that is there twice', 'fields:\n  size: integer\n  label: { kind: computed, text: "{siez}/{siez}" }\n'],
    ['what is near nothing', 'fields:\n  size: { kind: elephant }\n'],
  ])('%s', (_, example) => {
    const { words, text, left } = fixed(example);
    expect([words, text]).toEqual([[], example]);
    expect(left).not.toEqual([]);
  });
});

test('the command writes only the files that it corrects, says where, and reports the rest', () => {
  const folder = temporaryFolder('fix');
  writeFiles(folder, filesOf('fields:\n  size: { kind: intger }\n  hue: { kind: elephant }\n'));
  const before = readFileSync(join(folder, 'spec/resources/user.yaml'), 'utf8');
  const { code, stdout, stderr } = runMaintainers(['check', '--fix'], folder);
  expect([code, stdout]).toEqual([1, 'spec/resources/piece.yaml:6:17: fixed "intger" to "integer"\n']);
  expect(stderr).toMatch(/^spec\/resources\/piece\.yaml:7:16: error E0203: .*\n\n1 error in 1 file\n$/s);
  expect(readFileSync(join(folder, PIECE), 'utf8')).toContain('size: { kind: integer }\n  hue: { kind: elephant }');
  expect(readFileSync(join(folder, 'spec/resources/user.yaml'), 'utf8')).toBe(before);
  expect(runMaintainers(['check', '--fix'], folder).stdout).toBe('');
});

test('a spec without mistakes is left alone', () => {
  const source = { files: filesOf('fields:\n  size: integer\n'), ledger: null };
  expect(hasErrors(compileSpec(source).diagnostics)).toBe(false);
  expect(fixSpec(source)).toEqual({ source, fixes: [] });
});
