// A start on a PostgreSQL database that is empty, has the same schema, or belongs to another program; several servers together.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchema } from '../../../runtime/schema/compact.js';
import type { Schema } from '../../../runtime/schema/schema.js';
import { literal } from '../../../runtime/schema/sql-text.js';
import { SESSION } from '../../../runtime/store/engine-tables.js';
import { type Connections, createConnections, ofDatabase } from '../../../runtime/store/postgres/connections.js';
import { ensureSchema, type StartTarget } from '../../../runtime/store/postgres/ensure-schema.js';
import { tableStatements } from '../../../runtime/store/postgres/tables.js';
import { StartError } from '../../../runtime/store/start-error.js';
import { ROOT } from '../../support/paths.js';
import { hasPostgres, runScript, sharePostgres } from '../../support/postgres.js';
import { shared } from '../../support/shared.js';

const OURS = readSchema(readFileSync(join(ROOT, 'generated', 'schema.json'), 'utf8'));
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** The tables of the resources, and of the words by which some are searched. */
const TABLES = OURS.tables.flatMap(({ name, search }) => (search === undefined ? [name] : [name, `${name}_words`]));

(hasPostgres ? describe : describe.skip)('a start on PostgreSQL', () => {
  const server = shared(sharePostgres);
  const open: Connections[] = [];
  afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));

  const connect = (url: string): Connections => {
    const connections = createConnections({ url, size: 1, timeout: 20_000 });
    open.push(connections);
    return connections;
  };
  const start = (connections: Connections, schema: Schema, more: Partial<StartTarget> = {}) =>
    ensureSchema({ connections, schema, extraDdl: tableStatements(SESSION), migrate: 'safe', now: NOW, ...more });
  const tables = async (connections: Connections) => {
    const statement = connections.prepare(
      `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%' ORDER BY 1`,
    );
    return (await connections.query(statement, [])).map(({ name }) => name);
  };

  test('an empty database gets all tables, and the same server starts on them again', async () => {
    const connections = connect(await server.createDatabase());
    await start(connections, OURS);
    const names = [...TABLES, 'session'].sort();
    expect(await tables(connections)).toEqual(names);
    await start(connections, OURS);
    await start(connections, OURS, { migrate: 'none' });
    expect(await tables(connections)).toEqual(names);
  });

  test('many servers start on an empty database together', async () => {
    const url = await server.createDatabase();
    const servers = Array.from({ length: 8 }, () => connect(url));
    await Promise.all(servers.map((one) => start(one, OURS)));
    const [first] = servers as [Connections];
    expect((await tables(first)).length).toBe(TABLES.length + 1);
    const history = await first.query(first.prepare('SELECT says FROM _punchboard_history'), []);
    expect(history).toEqual([{ says: 'all tables: created' }]);
  });

  test.each(['LATIN1', 'SQL_ASCII'])('an empty database with the encoding %s is refused', async (encoding) => {
    const url = await server.createDatabase();
    const name = `${url.slice(url.lastIndexOf('/') + 1)}_${encoding.toLowerCase()}`;
    await runScript(url, `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
    await expect(start(connect(ofDatabase(url, name)), OURS)).rejects.toThrow(
      new StartError(
        `the database has the encoding ${encoding}, which cannot store every text: create it with ENCODING 'UTF8'`,
      ),
    );
  });

  test("a database of another program is refused, and so is a resource with a module's name", async () => {
    const connections = connect(await server.createDatabase());
    await connections.query(connections.prepare('CREATE TABLE theirs (id text)'), []);
    await expect(start(connections, OURS)).rejects.toThrow(
      new StartError('the database holds theirs, which this program did not create: choose another database'),
    );
    expect(await tables(connections)).toEqual(['theirs']);
    const [table] = OURS.tables;
    const named = { ...OURS, tables: [{ ...table, name: 'session' } as (typeof OURS.tables)[0]] };
    await expect(start(connections, named)).rejects.toThrow('the program has its own table session');
  });

  test('a newer schema is refused', async () => {
    const connections = connect(await server.createDatabase());
    await start(connections, OURS);
    await expect(start(connections, { ...OURS, revision: OURS.revision - 1 })).rejects.toThrow(
      `the database was created by a newer version (revision ${OURS.revision}, this server knows ${OURS.revision - 1})`,
    );
  });

  test('N31: a server does not run on a newer schema of another branch, which lacks columns that it needs', async () => {
    const connections = connect(await server.createDatabase());
    const [, ...others] = OURS.tables;
    await start(connections, OURS);
    const storeNewer = async (tables: Schema['tables']): Promise<void> => {
      const text = JSON.stringify({ revision: OURS.revision + 1, tables });
      const put = `UPDATE _punchboard SET value = ${literal(text)} WHERE key = 'schema'`;
      await connections.query(connections.prepare(put), []);
    };
    await storeNewer(OURS.tables);
    await start(connections, OURS);
    await storeNewer(others);
    await expect(start(connections, OURS)).rejects.toThrow(
      'if another branch brought it there, run `punchboard migrate adopt`',
    );
  });

  test('another module gets its tables at the next start', async () => {
    const connections = connect(await server.createDatabase());
    await start(connections, OURS);
    await start(connections, OURS, {
      extraDdl: [...tableStatements(SESSION), 'CREATE TABLE IF NOT EXISTS extra (id text)'],
    });
    expect(await tables(connections)).toContain('extra');
    await expect(
      start(connections, OURS, { extraDdl: ['CREATE INDEX IF NOT EXISTS i ON nothing (id)'] }),
    ).rejects.toThrow(
      new StartError(
        'nothing was changed: the program needs a name that the schema does not have (relation "nothing" does not exist)',
      ),
    );
  });
});
