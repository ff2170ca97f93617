// `punchboard copy` as an operator runs it: its output, and the usage that it refuses.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { barLine, createProgress } from '../../runtime/admin/commands/progress.js';
import { withProgress } from '../../runtime/store/progress.js';
import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { terminal } from '../support/terminal.js';
import { DATA, OURS } from './processes.js';

/** Nothing listens on this port. */
const NOWHERE = 'postgres://ada:secret@127.0.0.1:1/games';
const SHOWN = 'postgres://ada@127.0.0.1:1/games';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('copy');
});

test('a line for each table, and one at the end, or JSON', async () => {
  const input = 'correct horse battery\n';
  const added = await runHere(['user', 'add', '--username', 'ada', '--password-stdin'], folder, { env: DATA, input });
  expect(added.code).toBe(0);
  const args = ['copy', '--from', 'data/punchboard.db', '--to', 'sqlite:copy.db'];
  const { code, stdout, stderr } = await runHere(args, folder, { env: OURS });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Copied 4 rows of \d+ tables and 0 files in \d+\.\d s; /)]);
  expect(stderr.trim().split('\n')).toEqual([
    // Each user has a root folder (D40).
    ...['_punchboard_history: 1', 'folder: 1', 'user: 1', 'audit_entry: 1'],
    ...['_punchboard_history compared: 1', 'folder compared: 1', 'user compared: 1', 'audit_entry compared: 1'],
  ]);
  const json = await runHere([...args.slice(0, -1), 'sqlite:other.db', '--format', 'json'], folder, { env: OURS });
  const counts = { rows: 4, tables: expect.any(Number), files: 0, missing: 0, seconds: expect.any(Number) };
  expect(JSON.parse(json.stdout)).toEqual(counts);
  const again = await runHere(args, folder, { env: OURS });
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toMatch(
    /^punchboard: copy\.db is not empty .*: a copy overwrites nothing, so choose a new database\n$/,
  );
});

const REFUSED: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp])[] = [
  ['a password', ['--from', NOWHERE, '--to', 'a.db'], {}, /--from holds a password.*use FROM_URL or FROM_URL_FILE/],
  ['a password', ['--from', 'a.db', '--to', NOWHERE], {}, /--to holds a password.*use TO_URL or TO_URL_FILE/],
  ['no target', ['--from', 'a.db'], {}, /required option '--to <place>' not specified/],
  [
    'half of the files',
    ['--from', 'a.db', '--to', 'b.db', '--files-to', 'c'],
    {},
    /--files-from and --files-to must be given together/,
  ],
  ['a path as a URL', ['--from', 'a.db'], { TO_URL: 'b.db' }, /TO_URL must be a URL that starts with postgres:/],
  [
    'a file that is missing',
    ['--from', 'a.db'],
    { TO_URL_FILE: 'none' },
    /TO_URL_FILE: none cannot be read \(ENOENT\)/,
  ],
];

test.each(REFUSED)('wrong usage is refused: %s %j', async (_what, args, env, message) => {
  const { code, stdout, stderr } = await runHere(['copy', ...args], folder, { env: { ...OURS, ...env } });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  expect(stderr).not.toContain('secret');
});

test('URLs with passwords come from variables or files, and are never printed', async () => {
  writeFileSync(join(folder, 'url'), `${NOWHERE}\n`);
  for (const env of [{ FROM_URL: NOWHERE }, { FROM_URL_FILE: 'url' }]) {
    const { code, stderr } = await runHere(['copy', '--to', 'a.db'], folder, { env: { ...OURS, ...env } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${SHOWN} cannot be used (connect ECONNREFUSED`)]);
  }
});

test('a terminal shows a bar', () => {
  const { screen, text } = terminal();
  const progress = createProgress(screen);
  progress.begin('game', 4);
  progress.advance(4);
  progress.end();
  expect(text()).toMatch(/100% \| 4\/4 \| (.*\/s, .* \| )?game/);
});

test('a bar says how fast it goes, and how long it will take', () => {
  const at = (value: number, total: number, seconds: number, maxWidth = 80) =>
    barLine('files', { value, total, startTime: 5000, maxWidth }, 5000 + seconds * 1000).replace(/^[█░]{20}/, '');
  expect([at(0, 900, 0), at(450, 900, 5), at(3, 900, 2), at(900, 900, 100), at(1000, 3_600_000, 1)]).toEqual([
    '   0% | 0/900 | files',
    '  50% | 450/900 | 90/s, 5 s left | files',
    '   0% | 3/900 | 1.5/s, 9 min 58 s left | files',
    ' 100% | 900/900 | 9/s, 1 min 40 s | files',
    '   0% | 1,000/3,600,000 | 1,000/s, 59 min 59 s left | files',
  ]);
  expect([at(1, 1, 3), at(0, 0, 3), at(5, 900_000, 1, 50)]).toEqual([
    ' 100% | 1/1 | files',
    ' 100% | 0/0 | files',
    '   0% | 5/900,000 | 5/s, 49 h ',
  ]);
});

test('an error comes after the line of the bar, and the terminal stays as it was', async () => {
  const { screen, text } = terminal();
  const progress = createProgress(screen);
  const failing = withProgress(progress, { label: 'game', total: 4 }, async () => {
    progress.advance(1);
    throw new Error('full');
  });
  await expect(failing).rejects.toThrow('full');
  expect(text()).toMatch(/25% \| 1\/4 \| (.*left \| )?game.*\n$/);
  // Sequences that hide the cursor, or turn off line wrapping.
  expect(text()).not.toMatch(/\[\?(25|7)l/);
});
