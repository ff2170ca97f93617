// Runs the tests that gen wrote for a service, compiled beside its outputs, and the project's own, with its jest.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { notInstalled } from '../../runtime/contract/peers.js';
import { BUILD_FOLDER, repositoryOf } from '../../runtime/project/compiled.js';
import { compiledPath, compileTests, ROOT, resolveModule } from './compile.js';

const SUPPORT = join(ROOT, 'dist', 'tests', 'support');

/** The folder of a repository's own tests. */
const OWN_TESTS = 'tests';

/**
 * @param out output folder of gen
 * @param resources names of the tested resources; if empty, all of them, and the repository's own tests
 * @returns null if the tests passed, else why they did not; their output goes to the streams of this process. Throws
 * CommandError if a package is missing.
 */
export function runTests(out: string, resources: readonly string[]): string | null {
  const folder = compiledPath(resolve(out, 'tests'));
  const paths = resources.map((name) => join(folder, `${name}.test.js`));
  const missing = [resolve(out, 'tests', 'facts.json'), ...paths].find((path) => !existsSync(path));
  if (missing !== undefined) return `There is no ${missing}: run punchboard gen first.`;
  const jest = resolveModule('jest/package.json', [out, ROOT]);
  if (jest === null) throw notInstalled('jest');
  if (resolveModule('fast-check', [out, ROOT]) === null) throw notInstalled('fast-check');
  const ownTests = resources.length > 0 ? null : compiledOwnTests(out);
  if (ownTests !== null && ownTests.mistakes !== '') return ownTests.mistakes;
  const roots = ownTests === null ? [folder] : [folder, ownTests.folder];
  const options = ['--config', config(folder, roots), '--runTestsByPath', ...paths];
  const { status } = spawnSync(process.execPath, [join(dirname(jest), 'bin', 'jest.js'), ...options], {
    stdio: 'inherit',
    cwd: repositoryOf(out) ?? process.cwd(),
  });
  return status === 0 ? null : 'Some tests failed.';
}

/** Null if there are none. Our own are compiled with the rest, and have a configuration. */
function compiledOwnTests(out: string): { readonly mistakes: string; readonly folder: string } | null {
  const repository = repositoryOf(out);
  if (repository === null || repository === ROOT) return null;
  const source = join(repository, OWN_TESTS);
  const files = existsSync(source) ? readdirSync(source, { recursive: true, encoding: 'utf8' }) : [];
  const tests = files.filter((file) => /\.ts$/.test(file) && !file.endsWith('.d.ts')).map((file) => join(source, file));
  if (tests.length === 0) return null;
  return { mistakes: compileTests(out, tests), folder: join(repository, BUILD_FOLDER, OWN_TESTS) };
}

function config(rootDir: string, roots: readonly string[]): string {
  return JSON.stringify({
    rootDir,
    roots,
    testMatch: ['**/*.test.js'],
    transform: {},
    // The first test of a file starts a service.
    testTimeout: 60_000,
    ...(existsSync(join(SUPPORT, 'shared-runtime.js')) ? SHARED : {}),
  });
}

/** In a checkout of Punchboard, its modules are loaded once for all tests. */
const SHARED = {
  runtime: join(SUPPORT, 'shared-runtime.js'),
  testEnvironment: join(SUPPORT, 'shared-environment.js'),
};
