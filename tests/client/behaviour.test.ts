// The client's own behaviour: the tests are in behaviour.mts, as the client is an ES module, which jest does not load.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../support/paths.js';

test('the client handles sessions, retries, pages, errors, aborts and callbacks', () => {
  const script = join(ROOT, 'dist', 'tests', 'client', 'behaviour.mjs');
  // A runner within a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--test', '--test-timeout=60000', '--test-reporter=tap', script],
    {
      encoding: 'utf8',
      env,
    },
  );
  expect(status === 0 ? '' : stdout + stderr).toBe('');
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(17);
});

test('the core is at most 5 KB compressed', () => {
  const core = readFileSync(join(ROOT, 'generated', 'client', 'core.js'));
  expect(gzipSync(core, { level: 9 }).length).toBeLessThanOrEqual(5120);
});
