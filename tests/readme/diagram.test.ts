// The README's diagram is the one the command draws today.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

test('TheDiagramIsThatOfTheSpec', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, shown] = /^```mermaid\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const drawn = spawnSync(process.execPath, [join(ROOT, 'dist', 'generator', 'bin.js'), 'graph'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(shown).toBe(drawn.stdout);
});
