// F12: commands that only read a database leave it unchanged, whatever the schema of the program.

import { Command } from 'commander';
import { registerOperatorCommands } from '../../runtime/admin/cli.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { engineTables } from '../../runtime/store/sqlite/tables.js';
import { run } from '../cli/processes.js';
import { ROOT } from '../support/paths.js';
import { fill } from './fill.js';
import { database, dump, migrate, temporary } from './schemas.js';

const { schema, generated } = loadGenerated(null);
/** Without the last column of a box top, which a start would add by itself. */
const OLDER: Schema = {
  ...schema,
  tables: schema.tables.map((table) =>
    table.name === 'boxtop' ? { ...table, columns: table.columns.slice(0, -1), uniques: [], indexes: [] } : table,
  ),
};

/** Every operators' command that takes a database, and whether it may change it. */
const READS: Readonly<Record<string, readonly string[]>> = {
  'migrate status': [],
  'migrate plan': [],
  'migrate rehearse': [],
  'webhooks list': [],
  'webhooks show': ['r0'],
  'webhooks log': ['r0'],
  'webhooks deliveries': ['r0'],
  'webhooks message': ['r0', 'd0'],
  'user list': [],
  'key list': ['--username', '0'],
  audit: [],
};
const WRITES = [
  'serve',
  'copy',
  'import',
  'user add',
  'user passwd',
  'user admin',
  'user role',
  'user disable',
  'user enable',
  'key add',
  'key renew',
  'key revoke',
  'migrate apply',
  'migrate adopt',
  'migrate restore',
  'migrate purge',
  'event publish',
  'webhooks retry',
  'webhooks pause',
  'webhooks resume',
  // It records that it is running, so that no bytes are deleted meanwhile.
  'backup',
  'restore',
];
const WITHOUT_DATABASE = ['openapi', 'completion', 'listen', 'webhooks simulate'];

/** A delivery of a hook, and an entry of the audit log. */
const MODULE_ROWS = `
INSERT INTO webhook_delivery (id, webhook_id, type, message, created, due) VALUES ('d0', 'r0', 'data', '{}', 1, 1);
INSERT INTO audit_entry (id, at, name, action) VALUES ('a0', 1, 'ada', 'update');`;

function leaves(command: Command): readonly string[] {
  if (command.commands.length === 0) return [command.name()];
  return command.commands.flatMap((one) => leaves(one).map((name) => `${command.name()} ${name}`));
}

/** A database of the older schema, with the modules' tables and rows in all tables. */
function older(): string {
  const file = temporary('data.db');
  const db = database(file);
  migrate(db, OLDER, { extraDdl: engineTables(generated.definitions) });
  fill(db, OLDER, 2);
  db.exec(MODULE_ROWS);
  db.close();
  return file;
}

function state(file: string): unknown {
  const db = database(file);
  const contents = [db.prepare('SELECT * FROM sqlite_schema ORDER BY name').all(), dump(db)];
  db.close();
  return contents;
}

describe('F12: reports', () => {
  for (const [name, args] of Object.entries(READS)) {
    test(`${name} leaves a database of an older schema unchanged`, async () => {
      const file = older();
      const before = state(file);
      const { code, stderr } = await run([...name.split(' '), ...args, '--database', file], ROOT);
      expect([code, stderr]).toEqual([0, '']);
      expect(state(file)).toEqual(before);
    });
  }

  test.each([
    ['webhooks list', 'webhook'],
    ['user list', 'user'],
    ['audit', 'audit_entry'],
  ])('%s says in one line that the database has no such table', async (name, table) => {
    const file = temporary('data.db');
    database(file).close();
    const { code, stderr } = await run([...name.split(' '), '--database', file], ROOT);
    expect([code, stderr]).toEqual([
      1,
      `punchboard: the database has another schema than this program (no such table: ${table}): start the server on it, or run \`node dist/generator/bin.js migrate apply\`\n`,
    ]);
  });

  test('every command either reads or writes', () => {
    const program = new Command('punchboard');
    registerOperatorCommands(program, {
      env: {},
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
    });
    const all = program.commands.flatMap(leaves);
    expect([...all].sort()).toEqual([...Object.keys(READS), ...WRITES, ...WITHOUT_DATABASE].sort());
  });
});
