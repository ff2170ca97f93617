// The report formats of diagnostics, compared with tables written by hand.
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import { type DiagnosticFormat, report } from '../../generator/diagnostics/formats.js';

const PATH = 'spec/resources/piece.yaml';
const TEXT = 'resource: piece\nsummary: 😀 kind: txt\n';
const ONE: Diagnostic = {
  code: 'E0203',
  severity: 'error',
  message: '"kind" cannot be "txt"',
  hint: 'one of: text, date',
  suggestion: 'text',
  fix: null,
  path: PATH,
  // The emoji is one character of two UTF-16 units.
  start: 34,
  end: 37,
};
const LOOSE: Diagnostic = {
  code: 'W0601',
  severity: 'warning',
  message: 'no descriptor extends the convention "page"',
  hint: null,
  suggestion: null,
  fix: null,
  path: 'spec/conventions.yaml',
  start: 0,
  end: 3,
};
const TEXTS = new Map([
  [PATH, TEXT],
  ['spec/conventions.yaml', 'a:\nb'],
]);

function formatted(format: DiagnosticFormat, diagnostics: readonly Diagnostic[], colour = false): string {
  return report(format, { diagnostics, texts: TEXTS, pathOf: (path) => path }, colour);
}

describe('text', () => {
  const PLAIN = [
    'spec/resources/piece.yaml:2:18: error E0203: "kind" cannot be "txt"',
    '2 | summary: 😀 kind: txt',
    '  |                  ^^^',
    '  = did you mean "text"?',
    '',
    '1 error in 1 file',
    '',
  ];
  test('without colours', () => expect(formatted('text', [ONE]).split('\n')).toEqual(PLAIN));
  test('colour changes nothing else', () => {
    const coloured = formatted('text', [ONE], true);
    expect(coloured).toContain('\u001b[31merror E0203:\u001b[39m');
    expect(coloured).toContain('\u001b[31m^^^\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes the colours
    expect(coloured.replace(/\u001b\[\d+m/g, '').split('\n')).toEqual(PLAIN);
  });
  test('warnings have a colour of their own', () => {
    expect(formatted('text', [LOOSE], true)).toContain('\u001b[33mwarning W0601:\u001b[39m');
  });
});

describe('json', () => {
  test('every member', () => {
    expect(JSON.parse(formatted('json', [ONE, LOOSE]))).toEqual([
      {
        code: 'W0601',
        severity: 'warning',
        message: 'no descriptor extends the convention "page"',
        hint: null,
        suggestion: null,
        path: 'spec/conventions.yaml',
        line: 1,
        column: 1,
        endLine: 2,
        endColumn: 1,
      },
      {
        code: 'E0203',
        severity: 'error',
        message: '"kind" cannot be "txt"',
        hint: 'one of: text, date',
        suggestion: 'text',
        path: PATH,
        line: 2,
        column: 18,
        endLine: 2,
        endColumn: 21,
      },
    ]);
  });
  test('without diagnostics', () => expect(formatted('json', [])).toBe('[]\n'));
});

describe('github', () => {
  test('on one line', () => {
    expect(formatted('github', [ONE])).toBe(
      '::error file=spec/resources/piece.yaml,line=2,endLine=2,col=18,endColumn=21,title=E0203::"kind" cannot be "txt"%0Adid you mean "text"?\n',
    );
  });
  test('several lines have no columns', () => {
    expect(formatted('github', [LOOSE])).toBe(
      '::warning file=spec/conventions.yaml,line=1,endLine=2,title=W0601::no descriptor extends the convention "page"\n',
    );
  });
  test.each([
    ['a\nb', 'a%0Ab'],
    ['a\r\nb', 'a%0D%0Ab'],
    ['100 %', '100 %25'],
    ['%0A', '%250A'],
    ['a: b, c', 'a: b, c'],
    ['::warning::x', '::warning::x'],
  ])('message %j', (message, wanted) => {
    expect(formatted('github', [{ ...LOOSE, message }])).toMatch(
      new RegExp(`title=W0601::${wanted.replace('.', '\\.')}\n$`),
    );
  });
  test.each([
    ['a,b.yaml', 'a%2Cb.yaml'],
    ['c:/a.yaml', 'c%3A/a.yaml'],
    ['50%.yaml', '50%25.yaml'],
    ['a\nb.yaml', 'a%0Ab.yaml'],
  ])('path %j', (path, wanted) => {
    expect(formatted('github', [{ ...LOOSE, path }])).toContain(`file=${wanted},line=1`);
  });
  test('without diagnostics', () => expect(formatted('github', [])).toBe(''));
});

describe('sarif', () => {
  const log = JSON.parse(formatted('sarif', [ONE, LOOSE, { ...ONE, path: 'a b/ü#.yaml' }]));

  // The members that SARIF 2.1.0 requires, object by object: 3.13, 3.14, 3.18, 3.19, 3.49, 3.27, 3.11, 3.30.
  test('required members', () => {
    expect(log.version).toBe('2.1.0');
    expect(log.runs).toHaveLength(1);
    expect(log.runs[0].tool.driver.name).toBe('punchboard');
    for (const rule of log.runs[0].tool.driver.rules) {
      expect(rule).toEqual({
        id: expect.stringMatching(/^[EW]\d{4}$/),
        shortDescription: { text: expect.stringMatching(/./) },
        help: { text: expect.stringMatching(/^(error|warning) [EW]\d{4}: .*\n\n.*\.\n$/s) },
        defaultConfiguration: { level: expect.stringMatching(/^(error|warning)$/) },
      });
    }
  });
  test('results', () => {
    expect(log.runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['E0203', 'W0601']);
    const at = (uri: string, region: object) => [{ physicalLocation: { artifactLocation: { uri }, region } }];
    const typo = {
      ruleId: 'E0203',
      ruleIndex: 0,
      level: 'error',
      message: { text: '"kind" cannot be "txt"; did you mean "text"?' },
    };
    expect(log.runs[0].results).toEqual([
      {
        ...typo,
        locations: at('a%20b/%C3%BC%23.yaml', { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }),
      },
      {
        ruleId: 'W0601',
        ruleIndex: 1,
        level: 'warning',
        message: { text: 'no descriptor extends the convention "page"' },
        locations: at('spec/conventions.yaml', { startLine: 1, startColumn: 1, endLine: 2, endColumn: 1 }),
      },
      {
        ...typo,
        locations: at('spec/resources/piece.yaml', { startLine: 2, startColumn: 18, endLine: 2, endColumn: 21 }),
      },
    ]);
  });
  test('columns count characters', () => expect(log.runs[0].columnKind).toBe('unicodeCodePoints'));
  test('without diagnostics', () => expect(JSON.parse(formatted('sarif', [])).runs[0].results).toEqual([]));
});
