// Every page of `explain <code>`: its mistake gives the code, its fix gives nothing at all.

import { explain } from '../../generator/commands/explain.js';
import { type Code, catalogue } from '../../generator/diagnostics/catalogue.js';
import { PAGES, pageText } from '../../generator/diagnostics/page.js';
import { print } from '../../generator/diagnostics/print.js';
import { diagnose } from '../generator/project-files.js';
import { filesOf } from './example.js';

const codes = Object.keys(catalogue) as Code[];
const FOLDERS = { spec: 'spec', out: 'generated' };

describe('pages', () => {
  test.each(codes)('%s', (code) => {
    const { wrong, right, why } = PAGES[code];
    const handwritten = code.startsWith('E07') ? 'shared' : null;
    expect(diagnose(filesOf(wrong), handwritten).map((one) => one.code)).toContain(code);
    const rest = filesOf(right);
    expect(print(diagnose(rest, handwritten), new Map(rest.map(({ path, text }) => [path, text])))).toBe('');
    expect(why).toMatch(/^[A-Z"0-9a-z].*\.$/);
  });

  test('NoPageWithoutACode', () => expect(Object.keys(PAGES).sort()).toEqual([...codes].sort()));
});

describe('explain <code>', () => {
  test('TheWholePage', () => {
    expect(explain('E0402', FOLDERS)).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'error E0402: min <min> is greater than max <max>',
        '',
        'No value could satisfy both limits. One of them may come from the convention.',
        '',
        'Wrong:',
        '',
        '  fields:',
        '    quantity: { kind: integer, min: 99, max: 1 }',
        '',
        'Right:',
        '',
        '  fields:',
        '    quantity: { kind: integer, min: 1, max: 99 }',
        '',
      ].join('\n'),
    });
  });
  test('LowerCase', () => expect(explain('w0601', FOLDERS).stdout).toBe(pageText('W0601')));
  test('UnknownCode', () => {
    const said = explain('E0518', FOLDERS);
    expect(said).toMatchObject({ code: 1, stdout: '' });
    expect(said.stderr).toMatch(/^There is no code E0518; did you mean E0\d\d\d\?\n$/);
  });
  test('NothingLikeIt', () => expect(explain('W99999999', FOLDERS).stderr).toBe('There is no code W99999999\n'));
});
