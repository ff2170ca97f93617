// The reader of the README's console blocks.

import { difference, steps } from './console.js';

const MARKDOWN = `
\`\`\`yaml
$ not a command
\`\`\`
\`\`\`console
$ cat > x <<'EOF'
$HOME line
EOF
$ gen
made  x
made  y
\`\`\`
`;

describe('steps', () => {
  test('commands and their output', () => {
    expect(steps(MARKDOWN)).toEqual([
      { command: "cat > x <<'EOF'\n$HOME line\nEOF", expected: [] },
      { command: 'gen', expected: ['made  x', 'made  y'] },
    ]);
  });
});

describe('difference', () => {
  test.each([
    [['a…c'], 'abbbc\n', true],
    [['a…c'], 'abbb', false],
    [['one', 'two'], 'one\ntwo', true],
    [['one'], 'one\ntwo', false],
    [['{"a":[1]}'], '{"a":[1]}', true],
    [[], '', true],
    [[], 'something', false],
  ])('%j against %j', (expected, output, same) => expect(difference(expected, output) === null).toBe(same));
});
