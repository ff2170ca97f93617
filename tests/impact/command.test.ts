// `punchboard impact` as users call it, with a database whose rows are counted but not changed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { schemaView } from '../../generator/emit/schema.js';
import { sqliteDdl } from '../../runtime/schema/sqlite/ddl.js';
import { BASE, state } from '../evolution/pairs.js';
import { makeRepository } from '../support/git.js';
import { runImpactHere } from '../support/maintainers-here.js';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';

const folder = temporaryFolder('impact-command');
const spec = join(folder, 'spec');
const database = join(folder, 'data.sqlite');

/** Runs the command as a process. */
function punchboard(...options: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'impact', ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const here = (...options: readonly string[]) => runImpactHere(options, folder);

beforeAll(() => {
  cpSync(join(ROOT, 'tests', 'evolution', 'base'), spec, { recursive: true });
  makeRepository(folder);
  fill(database);
  const sale = join(spec, 'resources', 'sale.yaml');
  writeFileSync(sale, readFileSync(sale, 'utf8').replace('max: 9999', 'max: 10'));
});

/** Three sales of 5, 50 and 500 copies. */
function fill(path: string): void {
  const db = new Database(path);
  for (const statement of sqliteDdl(schemaView(state(BASE, null).model))) db.exec(statement);
  db.pragma('foreign_keys = OFF');
  const insert = db.prepare(
    "INSERT INTO sale (id, date_created, date_updated, user_id, copies) VALUES (@id, 0, 0, 'nobody', @copies)",
  );
  for (const copies of [5, 50, 500]) insert.run({ id: `s${copies}`, copies });
  db.close();
}

const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('rows are counted and nothing is written', () => {
  const before = hash(database);
  const { status, stdout, stderr } = punchboard('--database', database);
  expect(stdout.replaceAll(/[0-9a-f]{12}/g, '*')).toBe(`API
  breaking     *  POST /api/sale: parameter copies: max 9999 -> 10
  safe         *  POST /api/sale, GET /api/sale/{id}, GET /api/sale, GET /api/user/{id}/sales, POST /api/sale/{id}/ship, POST /api/sale/{id}/cancel: property copies: max 9999 -> 10

Data
  breaking     *  sale.copies: does not fit the limit 1 to 10: 2 rows; change these values first
  rebuild      *  sale.copies: now has the limit 1 to 10, previously 1 to 9999

Web hooks
  safe         *  SaleShipped: property copies: max 9999 -> 10

Compared with HEAD: 2 breaking findings are not accepted in spec/impact.yaml.
`);
  expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
  expect(hash(database)).toBe(before);
});

test('without a database, the risk is named', async () => {
  const { code, stdout } = await here();
  expect(code).toBe(2);
  expect(stdout).toContain(
    'sale.copies: does not fit the limit 1 to 10: rows not counted without --database; change these values first',
  );
});

test('a database of another schema is reported', async () => {
  const other = join(folder, 'other.sqlite');
  new Database(other).exec('CREATE TABLE x (y)').close();
  expect((await here('--database', other)).stdout).toContain('rows not counted: no such table: sale;');
});

test.each([
  ['no such database', ['--database', 'nothing.sqlite'], 'nothing.sqlite does not exist or is not a database\n'],
  [
    'a file that is not a database',
    ['--database', join('spec', 'events.yaml')],
    `${join('spec', 'events.yaml')} does not exist or is not a database\n`,
  ],
])('wrong usage: %s', async (_, options, stderr) => {
  expect(await here(...options)).toEqual({ code: 2, stdout: '', stderr });
});

test('wrong usage: an unknown format', () => {
  const stderr =
    "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are text, markdown, json.\n";
  expect(punchboard('--format', 'xml')).toEqual({ status: 2, stdout: '', stderr });
});

test('every output format works', async () => {
  expect((await here('--format', 'markdown')).stdout.split('\n')[0]).toBe('## Impact compared with `HEAD`');
  expect(JSON.parse((await here('--format', 'json')).stdout)).toMatchObject({ version: 2, base: 'HEAD', open: 1 });
});
