// The blocks of commands and output that neither `npm run readme` nor the suite of web hooks runs, as printed.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, runUser } from '../cli/processes.js';
import { makeRepository } from '../support/git.js';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';
import { difference, steps } from './console.js';
import { descriptors } from './descriptors.js';

const pageText = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** The lines of the ```text blocks of a page. */
function textLines(page: string): readonly string[] {
  const [, text = ''] = /^```text\n([\s\S]*?)^```$/m.exec(pageText(page)) ?? [];
  return text.trimEnd().split('\n');
}

test('spec/README.md: the message about a mistyped convention', async () => {
  const folder = temporaryFolder('blocks');
  for (const { path, text } of descriptors(pageText('spec/README.md'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // The block begins with the path, as a comment.
    writeFileSync(join(folder, path), `# ${path}\n${text.replace('extends: component', 'extends: compnent')}`);
  }
  const { code, stderr } = await run(['check', '--spec', 'spec'], folder);
  expect(code).toBe(1);
  const error = stderr.split('\n\n').find((part) => part.includes(': error '));
  expect(difference(textLines('spec/README.md'), error ?? stderr)).toBe(null);
});

test('README.md: the effect of an edit on callers and stored data', async () => {
  const folder = temporaryFolder('blocks-impact');
  cpSync(join(ROOT, 'spec'), join(folder, 'spec'), { recursive: true });
  makeRepository(folder);
  for (const letter of ['a', 'b']) {
    expect((await runUser(['add', '--username', letter.repeat(41)], folder, 'correct horse')).code).toBe(0);
  }
  const user = join(folder, 'spec', 'resources', 'user.yaml');
  writeFileSync(user, readFileSync(user, 'utf8').replace(/(username: .*)max: 60/, '$1max: 40'));
  const [command = '', ...expected] = textLines('README.md');
  expect(command.startsWith('$ npx punchboard impact')).toBe(true);
  const npx = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }`;
  const { stdout } = spawnSync('bash', ['-c', `${npx}\n${command.slice(2)}`], { cwd: folder, encoding: 'utf8' });
  expect(difference(expected, stdout)).toBe(null);
});

test('CONTRIBUTING.md: CI runs these commands', () => {
  const commands = steps(pageText('CONTRIBUTING.md')).map(({ command }) => command.replace(/ +#.*$/, ''));
  expect(commands).toEqual(['npm ci', 'npm run check']);
  const ci = readFileSync(join(ROOT, '.ci', 'run'), 'utf8').split('\n');
  expect(ci).toEqual(expect.arrayContaining(commands));
});

test.each(['spec', 'runtime/server', 'runtime/server/deploy', 'runtime/admin/console', 'runtime/admin/portal'])(
  '%s/README.md has no other blocks of commands, since nothing would run them',
  (folder) => expect(pageText(`${folder}/README.md`)).not.toMatch(/^```(?:console|sh|bash)$|^\$ /m),
);
