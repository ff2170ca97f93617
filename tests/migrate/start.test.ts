// A start on a database of an older schema: the whole service, and the real command.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchema } from '../../runtime/schema/compact.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import { openService } from '../../runtime/server/open-service.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { StartError } from '../../runtime/store/start-error.js';
import { OURS, run, serve } from '../cli/processes.js';
import { databaseOf } from '../support/database.js';
import { runHere } from '../support/in-process.js';
import { ROOT } from '../support/paths.js';
import { fill } from './fill.js';
import { dump, migrate, NOW, renamed, temporary } from './schemas.js';

const schema = readSchema(readFileSync(join(ROOT, 'generated', 'schema.json'), 'utf8'));

/** The project's schema with an earlier form of its box top. */
function earlier(edit: (table: Table) => Table): Schema {
  return { ...schema, tables: schema.tables.map((each) => (each.name === 'boxtop' ? edit(each) : each)) };
}

/** The quantity had a maximum of 50: the table is rebuilt. */
const NARROWER = earlier((table) => ({
  ...table,
  columns: table.columns.map((each) =>
    each.name === 'quantity' ? { ...each, check: { rule: 'range', min: 1, max: 50 } } : each,
  ),
}));

/** The name was called a label. */
const LABELLED = earlier((table) => ({
  ...table,
  columns: table.columns.map((each) => (each.name === 'name' ? renamed(each, 'label') : each)),
  indexes: table.indexes.map((index) => ({
    ...index,
    columns: index.columns.map((each) => (each === 'name' ? 'label' : each)),
  })),
}));

/** There was one more field. */
const MORE = earlier((table) => ({
  ...table,
  columns: [
    ...table.columns,
    { number: 900_001, name: 'lid', type: 'text', nullable: true, default: null, check: null, references: null },
  ],
}));

/** Users had no root folder. */
const WITHOUT_ROOTS: Schema = {
  ...schema,
  tables: schema.tables.map((table) => {
    const isRoot = (name: string) => table.name === 'user' && name === 'root_folder_id';
    const columns = table.columns.filter(({ name }) => !isRoot(name));
    return { ...table, columns, indexes: table.indexes.filter(({ columns: [first = ''] }) => !isRoot(first)) };
  }),
};

/** A database of an older schema, with two rows in every table. */
function older(from: Schema): string {
  const file = temporary('data.db');
  const { db, close } = openDatabase(file, { owner: false });
  migrate(db, from);
  fill(db, from, 2);
  close();
  return file;
}

const open = (database: string, more: object = {}) =>
  openService({ database, wire: 'plain', generated: null, owner: true, random: randomBytes, ...more }, NOW);

/** Runs an operators' command on the project's own service. */
const command = (...args: readonly string[]) => runHere(args, ROOT, { env: OURS });

describe('a start on an older database', () => {
  test('a safe change: the table is rebuilt, with all its values and children', async () => {
    const service = await open(older(NARROWER));
    expect(databaseOf(service).prepare('SELECT name FROM boxtop ORDER BY id').pluck().all()).toEqual(['0', '1']);
    for (const { name } of schema.tables) {
      // One of the two users had no root folder.
      const rows = name === 'folder' ? 3 : 2;
      expect([name, databaseOf(service).prepare(`SELECT count(*) FROM "${name}"`).pluck().get()]).toEqual([name, rows]);
    }
    service.engine.close();
  });

  test('D40: each user gets a root folder, once', async () => {
    const file = older(WITHOUT_ROOTS);
    const plan = await command('migrate', 'plan', '--database', file);
    expect(plan.stdout).toContain('user.root_folder_id is new; the next start makes a folder for each row');
    for (const server of ['first', 'second']) {
      const service = await open(file);
      const roots = databaseOf(service).prepare(
        `SELECT u.id, f.user_id AS owner, f.name FROM user u JOIN folder f ON f.id = u.root_folder_id ORDER BY u.id`,
      );
      const root = (id: string) => ({ id, owner: id, name: 'root' });
      expect([server, roots.all()]).toEqual([server, [root('r0'), root('r1')]]);
      expect(databaseOf(service).prepare('SELECT count(*) FROM folder').pluck().get()).toBe(4);
      service.engine.close();
    }
  });

  test('with "none", a change is refused until it is applied', async () => {
    const file = older(NARROWER);
    await expect(open(file, { migrate: 'none' })).rejects.toThrow(StartError);
    (await open(file)).engine.close();
    (await open(file, { migrate: 'none' })).engine.close();
  });

  test('F03: a text that became a password is refused', async () => {
    const tables = schema.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) =>
        column.kind === 'password'
          ? { ...column, kind: 'text' as const, check: { rule: 'length', min: 1, max: 255 } as const }
          : column,
      ),
    }));
    const file = older({ ...schema, tables });
    await expect(open(file)).rejects.toThrow('run `punchboard migrate apply --allow drop:user.password`');
  });

  test('other commands rebuild nothing beside a running server', async () => {
    const file = older(NARROWER);
    const server = openDatabase(file, { owner: true });
    await expect(open(file, { owner: false })).rejects.toThrow(`another server is running on ${file}`);
    server.close();
    (await open(file, { owner: false })).engine.close();
    (await open(file, { owner: true })).engine.close();
  });
});

test('an index of a module on a rebuilt table is created again', async () => {
  const tables = schema.tables.map((each) => ({
    ...each,
    columns: each.columns.map((column) =>
      each.name === 'webhook' && column.name !== 'id' ? { ...column, nullable: true } : column,
    ),
  }));
  const file = older({ ...schema, tables });
  const { db, close } = openDatabase(file, { owner: false });
  db.exec('UPDATE webhook SET id = id');
  const clear = schema.tables.find(({ name }) => name === 'webhook')?.columns.filter(({ nullable }) => !nullable) ?? [];
  for (const { name } of clear) db.exec(`DELETE FROM webhook WHERE "${name}" IS NULL`);
  close();
  const service = await open(file);
  const index = databaseOf(service).prepare(
    `SELECT tbl_name FROM sqlite_schema WHERE name = 'webhook_owner_event_idx'`,
  );
  expect(index.pluck().get()).toBe('webhook');
  service.engine.close();
});

test("a resource with the name of a module's table is refused, not taken for that table", () => {
  const file = temporary('data.db');
  const { db, close } = openDatabase(file, { owner: false });
  const named = {
    ...schema,
    tables: schema.tables.map((each) => ({ ...each, name: each.name === 'scorepad' ? 'session' : each.name })),
  };
  expect(() => migrate(db, named, { extraDdl: ['CREATE TABLE IF NOT EXISTS session (id TEXT) STRICT'] })).toThrow(
    new StartError('the program has its own table session: give the resource session another name'),
  );
  close();
});

test('a table that a module needs cannot be renamed, and nothing is changed', () => {
  const { db, close } = openDatabase(temporary('data.db'), { owner: false });
  migrate(db, schema);
  const before = dump(db);
  const away = { extraDdl: ['CREATE INDEX IF NOT EXISTS boxtop_name_idx ON boxtop (name)'] };
  expect(() => migrate(db, LABELLED, away)).toThrow(
    new StartError(
      'nothing was changed: the program needs a name that the schema does not have (no such column: name)',
    ),
  );
  expect(dump(db)).toEqual(before);
  close();
});

describe('the command', () => {
  test('"none" by option and by variable: one line that names the command, exit code 1', async () => {
    const file = older(NARROWER);
    const args = ['serve', '--port', '0', '--database', file];
    const refusal = `punchboard: the database has an older schema, and a start may not change it: run \`node dist/generator/bin.js migrate apply\` (\`node dist/generator/bin.js migrate plan\` shows all of it)\n`;
    const outputs = [await run([...args, '--migrate', 'none'], ROOT), await run(args, ROOT, { MIGRATE: 'none' })];
    expect(outputs).toEqual([
      { code: 1, stdout: '', stderr: refusal },
      { code: 1, stdout: '', stderr: refusal },
    ]);
    expect((await run([...args, '--migrate', 'maybe'], ROOT)).code).toBe(2);
  });

  test('a drop is refused at a start, rehearsed, applied by its name, restored and purged', async () => {
    const file = older(MORE);
    const on = ['--database', file];
    const refused = await run(['serve', '--port', '0', ...on], ROOT);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `punchboard: the schema drops boxtop.lid: run \`node dist/generator/bin.js migrate apply --allow drop:boxtop.lid\` (\`node dist/generator/bin.js migrate plan\` shows all of it)\n`,
    ]);
    expect((await command('migrate', 'rehearse', ...on)).code).toBe(0);
    const applied = await command('migrate', 'apply', '--allow', 'drop:boxtop.lid', ...on);
    expect(applied).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^1\. boxtop: rebuilt, since lid is gone, with its values\nDone in /),
    });
    const audits = JSON.parse((await command('audit', '--format', 'json', ...on)).stdout);
    const after = { steps: 'boxtop: rebuilt, since lid is gone, with its values', allow: 'drop:boxtop.lid' };
    expect(audits).toMatchObject([{ action: 'migrate', name: expect.stringMatching(/ \(command line\)$/), after }]);
    const server = await serve(['--port', '0', '--files', temporary('files'), ...on], ROOT);
    const status = await command('migrate', 'status', ...on);
    expect(status.stdout).toMatch(/^Up to date\.\n(.*\n)*Kept aside\n {2}boxtop\.lid, 1 value, dropped /);
    const held = await command('migrate', 'purge', '--before', '2100-01-01', ...on);
    expect([held.code, held.stderr]).toEqual([1, expect.stringMatching(/another server is running on .*\n$/)]);
    await server.end('SIGTERM');
    expect((await command('migrate', 'purge', '--before', '2100-01-01', ...on)).stdout).toMatch(
      /^Removed for good: boxtop\.lid, 1 value/,
    );
  });
});
