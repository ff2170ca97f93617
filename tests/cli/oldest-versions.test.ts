// Versions that are too old are refused at the start, in one line (D67).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemOfNode } from '../../generator/oldest-node.js';
import type { Row } from '../../runtime/store/postgres/connections.js';
import { refuseOlder } from '../../runtime/store/postgres/oldest-versions.js';
import { StartError } from '../../runtime/store/start-error.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { hasPostgres, sharePostgres } from '../support/postgres.js';
import { run } from './processes.js';

const TOO_OLD = (name: string, version: string, oldest: string) =>
  `${name} ${version} is too old: version ${oldest} is the oldest on which this program runs`;

describe('D67: N21: of Node', () => {
  test.each([
    ['18.20.8', '20.19'],
    ['20.18.3', '20.19'],
  ])('%s is refused by any command', async (version, oldest) => {
    const folder = temporaryFolder('oldest');
    const preload = join(folder, 'older.js');
    writeFileSync(preload, `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
    for (const command of [['serve'], ['check'], ['--version']]) {
      const ended = await run(command, folder, { NODE_OPTIONS: `--require=${preload}` });
      expect(ended).toEqual({ code: 1, stdout: '', stderr: `${TOO_OLD('Node', version, oldest)}\n` });
    }
  });

  test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', process.versions.node])('%s is not', (version) => {
    expect(problemOfNode(version)).toBeNull();
  });

  test('the oldest is that of the package', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    const oldest = engines.node.replace('>=', '');
    expect(problemOfNode(`${oldest}.0`)).toBeNull();
    const [major, minor] = oldest.split('.').map(Number);
    expect(problemOfNode(`${major}.${Number(minor) - 1}.9`)).toBe(
      TOO_OLD('Node', `${major}.${Number(minor) - 1}.9`, oldest),
    );
  });
});

describe('D67: N21: of the database', () => {
  const refusal = (versions: Row) => refuseOlder(async () => [versions]);

  test.each([
    ['PostgreSQL', '14.19 (Debian 14.19-1)', { PostgreSQL: '14.19 (Debian 14.19-1)', Citus: null }, '15'],
    ['PostgreSQL', '9.6.24', { PostgreSQL: '9.6.24', Citus: null }, '15'],
    ['Citus', '12.1-1', { PostgreSQL: '15.18', Citus: '12.1-1' }, '13'],
    ['Citus', '9.5-4', { PostgreSQL: '15.18', Citus: '9.5-4' }, '13'],
  ])('%s %s is refused', async (name, version, versions, oldest) => {
    await expect(refusal(versions)).rejects.toEqual(new StartError(TOO_OLD(name, version, oldest)));
  });

  test.each([
    { PostgreSQL: '15.0', Citus: null },
    { PostgreSQL: '19beta1', Citus: null },
    { PostgreSQL: '15.20 (Debian 15.20-0+deb12u1)', Citus: '13.2-1' },
    { PostgreSQL: '18.4', Citus: '14.0-1' },
  ])('$PostgreSQL with Citus $Citus is not', async (versions) => {
    await expect(refusal(versions)).resolves.toBeUndefined();
  });
});

/** A table that hides the system's own table of the same name makes Citus look older. */
(hasPostgres ? test : test.skip)('D67: N21: no command that opens the database goes on with an older one', async () => {
  const server = await sharePostgres();
  const database = `${await server.createDatabase()}?options=${encodeURIComponent('-c search_path=older,pg_catalog,public')}`;
  const { Client } = await import('pg');
  const client = new Client(database);
  await client.connect();
  await client.query(
    `CREATE SCHEMA older; CREATE TABLE older.pg_extension AS SELECT 'citus' AS extname, '12.1-1' AS extversion`,
  );
  await client.end();
  const folder = temporaryFolder('oldest');
  try {
    for (const command of [
      ['serve', '--port', '0'],
      ['migrate', 'status'],
      ['migrate', 'plan'],
    ]) {
      const { code, stderr } = await run(command, folder, { DATABASE_URL: database });
      expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining(TOO_OLD('Citus', '12.1-1', '13'))]);
      expect(stderr.trim().split('\n').length).toBe(1);
    }
  } finally {
    await server.stop();
  }
});
