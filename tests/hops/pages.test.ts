// The amount of code in the operators' pages, the portal and the docs pages: lines of TypeScript without comments, blank lines
// and imports. Templates, styles and browser scripts do not count, nor does the build step that copies them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

const FOLDERS = ['admin/console', 'admin/portal', 'pages'];

function codeLines(text: string): number {
  const code = text
    .replace(/^import [^;]*;$/gm, '')
    .replace(/^ *\/\*[\s\S]*?\*\/$/gm, '')
    .replace(/^ *\/\/.*$/gm, '');
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

test('the code of the pages stays within 4,500 lines', () => {
  const files = FOLDERS.flatMap((folder) => {
    const path = join(ROOT, 'runtime', folder);
    const names = readdirSync(path, { recursive: true }).map(String);
    return names.filter((name) => name.endsWith('.ts') && name !== 'copy-files.ts').map((name) => join(path, name));
  });
  const lines = files.map((file) => codeLines(readFileSync(file, 'utf8')));
  // An empty count would be within every budget.
  expect(files.length).toBeGreaterThan(40);
  expect(Math.min(...lines)).toBeGreaterThan(5);
  expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(4_500);
});

test('code counts, comments and imports do not (null control)', () => {
  const text = "// One.\nimport {\n  a,\n} from './a.js';\n\n/**\n * Two.\n */\nconst b = a; // Three.\n";
  expect(codeLines(text)).toBe(1);
});
