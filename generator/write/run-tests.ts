// Runs the tests that gen wrote for a service, compiled beside its outputs, with this package's jest.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compiledPath, ROOT } from './compile.js';

const SUPPORT = join(ROOT, 'dist', 'tests', 'support');

/**
 * @param out output folder of gen
 * @param resources names of those that are tested; empty: all
 * @returns null once the tests have run and passed, else why not; what they say goes to the streams of this process
 */
export function runGeneratedTests(out: string, resources: readonly string[]): string | null {
  const folder = compiledPath(resolve(out, 'tests'));
  const paths = resources.map((name) => join(folder, `${name}.test.js`));
  const missing = [resolve(out, 'tests', 'facts.json'), ...paths].find((path) => !existsSync(path));
  if (missing !== undefined) return `There is no ${missing}: run punchboard gen first.`;
  const jest = jestPath();
  if (jest === null) return 'The tests need the development dependencies of Punchboard: npm install --include=dev';
  const { status } = spawnSync(process.execPath, [jest, '--config', config(folder), '--runTestsByPath', ...paths], {
    stdio: 'inherit',
  });
  return status === 0 ? null : 'Some tests failed.';
}

/** Null: jest is not installed, or the tests of Punchboard are not compiled. */
function jestPath(): string | null {
  if (!existsSync(SUPPORT)) return null;
  try {
    return join(dirname(require.resolve('jest/package.json', { paths: [ROOT] })), 'bin', 'jest.js');
  } catch {
    return null;
  }
}

function config(rootDir: string): string {
  return JSON.stringify({
    rootDir,
    testMatch: ['**/*.test.js'],
    transform: {},
    // The first test of a file starts a service.
    testTimeout: 60_000,
    runtime: join(SUPPORT, 'shared-runtime.js'),
    testEnvironment: join(SUPPORT, 'shared-environment.js'),
  });
}
