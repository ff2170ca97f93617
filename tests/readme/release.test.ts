// What a release consists of: matching versions, and a package that sets up a repository.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from '../support/paths.js';

const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

test('both packages and the changelog have the same version', () => {
  const { version } = json('package.json');
  const creating = json('generator/create/package.json');
  expect([creating.version, creating.dependencies.punchboard]).toEqual([version, version]);
  const [, newest] = /^## (\S+)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect([version, 'Unreleased']).toContain(newest);
});

test('`npm create punchboard` writes the same files as `punchboard init`', () => {
  const folder = temporaryFolder('create');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'punchboard'));
  const program = join(folder, 'create.js');
  symlinkSync(join(ROOT, 'generator', 'create', 'create.js'), program);
  const options = ['--preserve-symlinks', '--preserve-symlinks-main', program, 'my-service'];
  execFileSync(process.execPath, options, { cwd: folder, stdio: 'ignore' });
  expect(existsSync(join(folder, 'my-service', 'spec', 'resources', 'task.yaml'))).toBe(true);
});

test('`npm run sbom` lists the installed packages and marks those for development', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { components } = JSON.parse(text) as { readonly components: readonly Component[] };
  const marked = (name: string): boolean | undefined =>
    components.find((one) => one.name === name)?.properties.some((one) => one.name.endsWith(':development'));
  expect(['express', 'better-sqlite3', 'ajv', 'jest'].map(marked)).toEqual([false, false, false, true]);
});

interface Component {
  readonly name: string;
  readonly properties: readonly { readonly name: string }[];
}
