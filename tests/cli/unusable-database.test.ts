// A PostgreSQL database whose settings or rights do not allow tables: a start and a migration say in one line what to do.
import { withoutPassword } from '../../runtime/store/database-url.js';
import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { hasPostgres, runScript, sharePostgres } from '../support/postgres.js';
import { shared } from '../support/shared.js';
import { OURS } from './processes.js';

const ADVICE = [
  [
    "role = 'pg_monitor'",
    'permission denied for schema public',
    'give the user the right to create tables in the database, and make it the owner of those that exist',
  ],
  [
    "search_path = 'nowhere'",
    'no schema has been selected to create in',
    'create the schema that the search_path of the user names',
  ],
  [
    'default_transaction_read_only = on',
    'cannot execute CREATE TABLE in a read-only transaction',
    'choose a database, and a user, whose default_transaction_read_only is off',
  ],
] as const;

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  const server = shared(sharePostgres);

  test.each(ADVICE)('with %s', async (setting, reason, advice) => {
    const url = await server.createDatabase();
    await runScript(url, `ALTER DATABASE ${url.slice(url.lastIndexOf('/') + 1)} SET ${setting}`);
    const stderr = `punchboard: ${withoutPassword(url)} cannot be used (${reason}): ${advice}\n`;
    for (const command of [
      ['serve', '--port', '0'],
      ['migrate', 'apply'],
    ]) {
      const ended = await runHere(command, temporaryFolder('unusable'), {
        env: { ...OURS, DATABASE_URL: url, FILES: 'files' },
      });
      expect(ended).toMatchObject({ code: 1, stderr });
    }
  });
});
