// `explain <code>` prints the message of a code, the reason for its rule and its case.

import { explain } from '../../generator/commands/explain.js';

const FOLDERS = { spec: 'spec', out: 'generated' };

describe('explain <code>', () => {
  test('prints the whole page', () => {
    expect(explain('E0402', FOLDERS)).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'error E0402: no value fits: <problem>',
        '',
        'A field needs at least one value that satisfies all of its limits. One of them may come from the convention.',
        '',
        'Example:',
        '',
        '  --- piece',
        '  fields:',
        '    quantity: { kind: integer, min: 99, max: 1 }',
        '                                    ^^ E0402 no value fits: min 99 is greater than max 1',
        '    pack: { kind: integer, min: 1, max: 3, step: 5 }',
        '                                                 ^ E0402 no value fits: no multiple of 5 is between min 1 and max 3',
        '',
      ].join('\n'),
    });
  });
  test('accepts a code in lower case', () => expect(explain('w0601', FOLDERS)).toEqual(explain('W0601', FOLDERS)));
  test('suggests a code for one that does not exist', () => {
    const result = explain('E0590', FOLDERS);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^There is no code E0590; did you mean E0\d\d\d\?\n$/);
  });
  test('suggests nothing if no code is similar', () =>
    expect(explain('W99999999', FOLDERS).stderr).toBe('There is no code W99999999\n'));
});
