// Every command in the documentation, in a block or in a sentence, exists with its options; other suites and `npm run readme`
// run the blocks themselves.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../cli/processes.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'spec/README.md',
  'spec/beside.md',
  'runtime/server/README.md',
  'runtime/server/deploy/README.md',
  'runtime/admin/console/README.md',
  'runtime/admin/portal/README.md',
  'runtime/webhooks/README.md',
];

/** The words that may follow each command, whose key includes its parents, as in `user add`. */
let known: ReadonlyMap<string, readonly string[]>;
let scripts: readonly string[];
beforeAll(async () => {
  const { stdout } = await run(['completion', 'bash'], temporaryFolder('commands'));
  const cases = [...stdout.matchAll(/^ {4}"(.*)"\*\) words="(.*)" ;;$/gm)];
  known = new Map(cases.map(([, names = '', words = '']) => [names.trim(), words.split(' ')]));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: object };
  scripts = Object.keys(manifest.scripts);
});

/** The lines of blocks, and the text between backticks in sentences. */
function commandsIn(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```(?:console|text)\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body);
  const lines = blocks.flatMap((body) => [...body.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line));
  const spans = [...markdown.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...lines, ...spans];
}

/** The problems of the commands in a line; names of an image or a container are allowed. */
function problemsOf(whole: string): readonly string[] {
  const line = whole.replace(/\bdocker [^&]*?(?=punchboard user |&&|$)/g, '');
  const missing = [...line.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].filter(
    ([, name = '']) => !scripts.includes(name),
  );
  const suites = [...line.matchAll(/\bnpx jest ([\w/.-]+)/g)].filter(([, path = '']) => !isSuite(path));
  const calls = [...line.matchAll(/(?:^|[\s(])(?:npx )?punchboard ((?:--)?[a-z][^|&;<>]*)/g)].map(
    ([, call = '']) => call,
  );
  const unknown = calls.flatMap((call) => problemOf(call).map((problem) => `${line}: ${problem}`));
  return [
    ...missing.map(([text]) => `${text}: there is no such script`),
    ...suites.map(([text]) => `${text}: there is no such suite`),
    ...unknown,
  ];
}

const SUITES = readdirSync(join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('tests', path));

/** A walk may use the tests that gen writes for a resource. */
function isSuite(path: string): boolean {
  return path.startsWith('generated/tests') || SUITES.some((suite) => suite.includes(path));
}

function problemOf(call: string): readonly string[] {
  const words = call.split(/[\s=]+/);
  const names: string[] = [];
  for (const word of words)
    if (known.has([...names, word].join(' '))) names.push(word);
    else break;
  const allowed = known.get(names.join(' ')) ?? [];
  const options = words.filter((word) => /^--[a-z]/.test(word));
  return [
    ...(names.length === 0 && !words[0]?.startsWith('--') ? [`there is no command ${words[0]}`] : []),
    ...options.filter((option) => !allowed.includes(option)).map((option) => `there is no ${option}`),
  ];
}

test.each(PAGES)('%s', (page) => {
  expect(commandsIn(readFileSync(join(ROOT, page), 'utf8')).flatMap(problemsOf)).toEqual([]);
});

test('a command, an option and a script that do not exist are reported', () => {
  expect(problemsOf('npx punchboard user ad --username x')).toEqual([
    expect.stringContaining('there is no --username'),
  ]);
  expect(problemsOf('punchboard serv')).toEqual([expect.stringContaining('there is no command serv')]);
  expect(problemsOf('npx jest tests/nothing')).toHaveLength(1);
  expect(problemsOf('npx punchboard gen --chek && npm run nothing')).toHaveLength(2);
  expect(known.size).toBeGreaterThan(30);
});
