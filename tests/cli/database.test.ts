// Where commands find the database: an option, a variable, or a file with a URL.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { OURS } from './processes.js';

/** Nothing listens on this port. */
const NOWHERE = 'postgres://ada:secret@127.0.0.1:1/games';
const SHOWN = 'postgres://ada@127.0.0.1:1/games';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('database');
});

async function refusal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await runHere(args, folder, { env: { ...OURS, ...env } });
  expect([stdout, stderr.trim().split('\n').length]).toEqual(['', 1]);
  return { code, stderr };
}

const COMMANDS = [
  ['serve', '--port', '0'],
  ['migrate', 'status'],
  ['webhooks', 'list'],
  ['event', 'publish', '--file', 'event.json'],
];

test.each(COMMANDS)('%s %s: the URL comes from DATABASE_URL, and its password is never printed', async (...args) => {
  writeFileSync(join(folder, 'event.json'), '{"event":"e","owner_class":"o","owner_id":"i","payload":{}}');
  const { code, stderr } = await refusal(args, { DATABASE_URL: NOWHERE, DATABASE: 'data/other.db', FILES: 'files' });
  expect(code).toBe(1);
  expect(stderr).toContain(`${SHOWN} cannot be used (connect ECONNREFUSED 127.0.0.1:1)`);
});

test.each(['se/cret', 'se?cret', 'se#cret', 'a#1/'])(
  'a password that makes a URL invalid is not printed: %s',
  async (password) => {
    const url = `postgres://ada:${password}@127.0.0.1:1/games`;
    for (const args of [
      ['serve', '--port', '0'],
      ['migrate', 'status'],
      ['webhooks', 'list'],
    ]) {
      expect(await refusal(args, { DATABASE_URL: url, FILES: 'files' })).toEqual({
        code: 1,
        stderr: `punchboard: ${SHOWN} cannot be used (Invalid URL): write / ? # and @ in its password as %2F %3F %23 and %40\n`,
      });
      expect((await refusal([...args, '--database', url])).code).toBe(2);
    }
  },
);

test('the URL may be in a file', async () => {
  const file = join(folder, 'url');
  writeFileSync(file, `${NOWHERE}\n`);
  expect((await refusal(['migrate', 'status'], { DATABASE_URL_FILE: file })).stderr).toContain(SHOWN);
  const missing = await refusal(['migrate', 'status'], { DATABASE_URL_FILE: `${file}-none` });
  expect(missing).toEqual({
    code: 2,
    stderr: expect.stringMatching(/DATABASE_URL_FILE: .*url-none cannot be read \(ENOENT\)/),
  });
  // The default would be a SQLite file.
  writeFileSync(file, '\n');
  const empty = await refusal(['migrate', 'status'], { DATABASE_URL_FILE: file });
  expect(empty).toEqual({
    code: 2,
    stderr: expect.stringContaining('DATABASE_URL_FILE must be a URL that starts with postgres://'),
  });
});

test('the option takes precedence, and must not hold a password', async () => {
  const option = await refusal(['migrate', 'status', '--database', 'none.db'], { DATABASE_URL: NOWHERE });
  expect(option).toEqual({ code: 1, stderr: expect.stringContaining('there is no database none.db') });
  expect((await refusal(['migrate', 'status', '--database', SHOWN])).stderr).toContain(SHOWN);
  const { code, stderr } = await refusal(['migrate', 'status', '--database', NOWHERE]);
  expect([code, stderr.includes('secret')]).toEqual([2, false]);
  expect(stderr).toContain('DATABASE_URL_FILE');
});

test('DATABASE_URL must be the URL of a server', async () => {
  const { code, stderr } = await refusal(['migrate', 'status'], { DATABASE_URL: 'data/punchboard.db' });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('DATABASE_URL must be a URL that starts with postgres://'),
  ]);
});
