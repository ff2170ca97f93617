// V8 prints an error for a flag that it does not know, which would be in front of every command's own messages.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

test('this version of Node takes the flag that says that a command ends soon', () => {
  const module = join(ROOT, 'dist', 'generator', 'commands', 'short-run.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--eval', `require(${JSON.stringify(module)}).expectShortRun()`],
    { encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
