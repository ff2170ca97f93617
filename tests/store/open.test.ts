import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { checkVersion, lockServer, openDatabase, openForReading } from '../../runtime/store/sqlite/open.js';
import { StartError } from '../../runtime/store/start-error.js';
import { temporary } from './setup.js';

function refusal(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }
  throw new Error('it was opened');
}

describe('openDatabase', () => {
  test('creates the folder and applies all settings at every open', () => {
    const file = path.join(temporary('deep'), 'er', 'data.db');
    for (const _ of [1, 2]) {
      const { db, close } = openDatabase(file, { owner: true });
      const pragma = (name: string) => db.pragma(name, { simple: true });
      expect(pragma('journal_mode')).toBe('wal');
      expect(pragma('synchronous')).toBe(2);
      expect(pragma('foreign_keys')).toBe(1);
      expect(pragma('busy_timeout')).toBe(5000);
      expect(pragma('trusted_schema')).toBe(0);
      db.exec('CREATE TABLE IF NOT EXISTS x (id INTEGER)');
      close();
    }
  });

  test('refuses a file that is not a database', () => {
    const file = temporary('data.db');
    fs.writeFileSync(file, 'this is no database at all '.repeat(100));
    expect(refusal(() => openDatabase(file, { owner: true }))).toContain('is not a SQLite database');
    // The refusal releases the ownership of the file.
    fs.rmSync(file);
    openDatabase(file, { owner: true }).close();
  });

  test('refuses a damaged database', () => {
    const file = temporary('data.db');
    const db = new Database(file);
    db.exec('CREATE TABLE x (id INTEGER)');
    db.close();
    const bytes = fs.readFileSync(file);
    bytes.fill(0xff, 100, 4096);
    fs.writeFileSync(file, bytes);
    expect(refusal(() => openDatabase(file, { owner: false }))).toContain('is damaged: restore a backup');
  });

  test('refuses a folder in the place of the file, and a file in the place of the folder', () => {
    const file = temporary('data.db');
    fs.mkdirSync(file);
    expect(refusal(() => openDatabase(file, { owner: false }))).toContain('cannot be opened');
    fs.writeFileSync(path.join(file, 'f'), '');
    expect(refusal(() => openDatabase(path.join(file, 'f', 'x.db'), { owner: false }))).toContain(
      'cannot create the folder',
    );
  });

  test('refuses an old version of SQLite', () => {
    expect(refusal(() => checkVersion('3.51.2'))).toContain('3.51.3 or newer');
    expect(refusal(() => checkVersion('3.9.0'))).toContain('SQLite 3.9.0 is too old');
    checkVersion('3.51.3');
    checkVersion('3.100.0');
  });

  test('a second server is refused, but not the command line', () => {
    const file = temporary('data.db');
    const first = openDatabase(file, { owner: true });
    expect(refusal(() => openDatabase(file, { owner: true }))).toContain('another server is running');
    const writer = openDatabase(file, { owner: false });
    writer.db.exec('CREATE TABLE x (id INTEGER)');
    writer.close();
    first.close();
    openDatabase(file, { owner: true }).close();
  });

  const OTHER_PATHS: Readonly<Record<string, (file: string, folder: string) => string>> = {
    'a link to the file': (file, folder) => linkTo(file, path.join(folder, 'link.db')),
    'a link to a link': (file, folder) =>
      linkTo(linkTo(file, path.join(folder, 'one.db')), path.join(folder, 'two.db')),
    'a relative link': (file, folder) => linkTo(path.relative(folder, file), path.join(folder, 'relative.db')),
    'a link to the folder': (file, folder) =>
      path.join(linkTo(path.dirname(file), path.join(folder, 'there')), path.basename(file)),
  };
  for (const [title, other] of Object.entries(OTHER_PATHS)) {
    test(`F10: a second server is refused with ${title}, in either order and whether or not the file exists`, () => {
      const file = temporary('data.db');
      const link = other(file, path.dirname(temporary('x')));
      for (const [one, two] of [
        [link, file],
        [file, link],
      ] as const) {
        const first = openDatabase(one, { owner: true });
        expect(refusal(() => openDatabase(two, { owner: true }))).toContain('another server is running');
        expect(refusal(() => lockServer(two))).toContain('another server is running');
        first.close();
      }
    });
  }

  test('F12: a database opened for reading is neither created nor changed', () => {
    const file = temporary('data.db');
    expect(refusal(() => openForReading(file))).toContain('cannot be opened');
    expect(fs.existsSync(file)).toBe(false);
    openDatabase(file, { owner: true }).close();
    const { db, close } = openForReading(file);
    expect(() => db.exec('CREATE TABLE x (id INTEGER)')).toThrow('readonly');
    close();
  });

  test('F10: a file with two names is refused under both', () => {
    const file = temporary('data.db');
    openDatabase(file, { owner: true }).close();
    const link = path.join(path.dirname(temporary('x')), 'hard.db');
    fs.linkSync(file, link);
    for (const one of [file, link]) {
      expect(refusal(() => openDatabase(one, { owner: true }))).toContain('is one of 2 names (hard links) of a file');
    }
    fs.rmSync(link);
    openDatabase(file, { owner: true }).close();
  });

  test('a killed server leaves no lock behind', async () => {
    const file = temporary('data.db');
    const code = `require(process.argv[1]).openDatabase(process.argv[2], { owner: true }); console.log('open'); setInterval(() => {}, 1000);`;
    const script = require.resolve('../../runtime/store/sqlite/open.js');
    const child = spawn(process.execPath, ['-e', code, script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    try {
      await once(child.stdout, 'data');
      expect(refusal(() => openDatabase(file, { owner: true }))).toContain('another server is running');
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
    openDatabase(file, { owner: true }).close();
  });
});

function linkTo(target: string, at: string): string {
  fs.symlinkSync(target, at);
  return at;
}
