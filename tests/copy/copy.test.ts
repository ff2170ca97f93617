// A whole service is copied to another engine and back: nothing is lost, killed copies go on, nothing is overwritten.
import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadGenerated } from '../../runtime/server/load-generated.js';
import { start } from '../../runtime/server/main.js';
import { commandsOn } from '../../runtime/store/open-engine.js';
import { records } from '../document/resources.js';
import { furtherNames } from '../document/table.js';
import { open } from '../migrate/postgres/fixture.js';
import { chanceOf } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { cloneDatabase, hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.js';
import { quietly } from '../support/quiet-service.js';
import { PASSWORD } from '../support/service.js';
import { atStep, copy } from './copying.js';
import { contentOf, type FilledService, makeEverything, within } from './everything.js';

let all: FilledService;
let folder: string;
let server: TestPostgres;
/** A copy on PostgreSQL, of which tests get clones: creating all tables takes ten times as long. */
let copied: string;
const copiedFiles = join(temporaryFolder('copied'), 'files');
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
  all = await makeEverything();
  if (!hasPostgres) return;
  copied = await server.createDatabase();
  await copy(all.database, copied, { filesFrom: all.files, filesTo: copiedFiles });
});
afterAll(async () => {
  await all?.receiver.close();
  await server?.stop();
});
beforeEach(() => {
  folder = temporaryFolder('copy');
});

const fresh = (name = 'copy.db'): string => join(folder, name);
const onPostgres = hasPostgres ? test : test.skip;
/** Removes what servers from before D68 did not create. */
const OLDER = 'DROP INDEX session_api_version_idx; ALTER TABLE session DROP COLUMN api_version';
/** An engine to copy to. */
interface CopyTarget {
  /** A new database. */
  empty(): Promise<string>;
  /** A copy of the service in a new database. */
  copied(): Promise<{ readonly to: string; readonly filesTo: string }>;
}
const ON_SQLITE: CopyTarget = {
  empty: async () => fresh(),
  async copied() {
    const [to, filesTo] = [fresh(), join(folder, 'copied-files')];
    await copy(all.database, to, { filesFrom: all.files, filesTo });
    return { to, filesTo };
  },
};
const ON_POSTGRES: CopyTarget = {
  empty: () => server.createDatabase(),
  copied: async () => ({ to: await cloneDatabase(copied), filesTo: copiedFiles }),
};
const TARGETS: readonly (readonly [string, CopyTarget])[] = [
  ['SQLite', ON_SQLITE],
  ...(hasPostgres ? [['PostgreSQL', ON_POSTGRES] as const] : []),
];

test('the service has some of everything', () => {
  const content = contentOf(all.database);
  const empty = Object.keys(content).filter((name) => content[name]?.length === 0);
  // Types beyond the document are stored as those of the document are.
  expect(empty.filter((name) => !furtherNames.includes(name.replace(/_words$/, '')))).toEqual([]);
  expect(Object.keys(content)).toEqual(expect.arrayContaining(['_punchboard_dropped_1', '_punchboard_dropped_3']));
});

test('a copy in another file has the same rows, and its files the same bytes', async () => {
  const filesTo = join(folder, 'files');
  const summary = await copy(all.database, fresh(), { filesFrom: all.files, filesTo });
  expect(summary).toMatch(/^Copied \d{4} rows of \d+ tables and [1-9]\d* files in 0\.0 s/);
  expect(contentOf(fresh())).toEqual(contentOf(all.database));
  expect(hashes(filesTo)).toEqual(hashes(all.files));
});

function hashes(files: string): readonly string[] {
  return readdirSync(files, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[0-9a-f]{64}$/.test(path))
    .sort();
}

onPostgres('to PostgreSQL and back: the second file has the rows of the first', async () => {
  await copy(copied, fresh());
  expect(contentOf(fresh())).toEqual(contentOf(all.database));
  const second = await server.createDatabase();
  await copy(copied, second);
  await copy(second, fresh('second.db'));
  expect(contentOf(fresh('second.db'))).toEqual(contentOf(all.database));
});

onPostgres(
  'a reference to what was deleted on another shard is cleared in a file, where it would be refused',
  async () => {
    const url = await cloneDatabase(copied);
    await onServer(url, `UPDATE "boxtop" SET "top_id" = '00missing'`);
    await copy(url, fresh());
    const content = contentOf(all.database);
    // It is a change like any other (D57).
    const cleared = content.boxtop?.map((row) => ({ ...(row as object), _version: 2 }));
    expect(contentOf(fresh())).toEqual({ ...content, boxtop: cleared });
  },
);

onPostgres('a value that PostgreSQL cannot store is reported, with its table', async () => {
  const source = fresh('source.db');
  copyFileSync(all.database, source);
  within(source, (db) => db.exec('UPDATE session SET api_key_id = char(0)'));
  const copied = copy(source, await server.createDatabase());
  await expect(copied).rejects.toThrow(/^session has a row that does not fit \(.*\): change it in the source first$/);
});

function onServer(url: string, sql: string): Promise<readonly unknown[]> {
  return open(url, ({ query }) => query(sql));
}

onPostgres('the tables of a copy are those that a server creates', async () => {
  const created = await server.createDatabase();
  const running = await start({ ...quietly(folder), database: created });
  await running.stop();
  expect(await shapeOf(copied)).toEqual(await shapeOf(created));
});

/** Columns, constraints and indexes, without those of values kept aside. */
function shapeOf(url: string): Promise<readonly unknown[]> {
  return onServer(
    url,
    `SELECT relname::text AS "on", conname::text AS "name", pg_get_constraintdef(k.oid) AS "is"
FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid WHERE connamespace = 'public'::regnamespace AND relname !~ 'dropped_'
UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename !~ 'dropped_'
UNION ALL SELECT table_name, column_name, concat_ws(' ', data_type, is_nullable, column_default)
FROM information_schema.columns WHERE table_schema = 'public' AND table_name !~ 'dropped_' ORDER BY 1, 2, 3`,
  );
}

describe.each(TARGETS)('a copy on %s', (_name, target) => {
  test('has the values kept aside, which are restored unless something newer was written', async () => {
    const { to } = await target.copied();
    const migrator = await commandsOn(to).schema({
      access: 'alone',
      definitions: loadGenerated(null).generated.definitions,
    });
    try {
      const { kept, applied } = await migrator.current();
      expect(kept.map(({ name }) => name).sort()).toEqual(['game.old_note', 'token', 'user.email']);
      expect(applied.length).toBeGreaterThan(3);
      const users = contentOf(all.database).user ?? [];
      expect(await migrator.restore('user.email')).toMatchObject([{ restored: users.length - 1 }]);
    } finally {
      await migrator.close();
    }
  });

  test('answers like the original, knows its people, and delivers what is pending', async () => {
    const [original, { to, filesTo }] = [fresh('original.db'), await target.copied()];
    copyFileSync(all.database, original);
    const paths = recordPaths();
    const before = await answers(original, all.files, paths);
    const after = await answers(to, filesTo, paths);
    expect(before.bodies.length).toBeGreaterThan(30);
    expect(after.bodies).toEqual(before.bodies);
    expect([before.logins, after.logins]).toEqual([
      [201, 200],
      [201, 200],
    ]);
    expect(after.delivered).toEqual(before.delivered);
    expect(after.delivered.length).toBe(3);
  });

  test('can be interrupted anywhere, refuses servers meanwhile, and goes on', async () => {
    const chance = chanceOf(20261122);
    const expected = contentOf(all.database);
    for (let round = 0; round < count(1, 10); round++) {
      const to = await target.empty().then((one) => one.replace('copy.db', `copy${round}.db`));
      expect(await killed(to, 1 + chance.below(150))).toBe('SIGKILL');
      await expect(start({ ...quietly(folder), database: to })).rejects.toThrow(
        /is an unfinished copy of .*punchboard\.db/,
      );
      expect(await killed(to, 10)).toBe('SIGKILL');
      await copy(all.database, to);
      const back = fresh(`back${round}.db`);
      await copy(to, back);
      expect(contentOf(back)).toEqual(expected);
    }
  });

  test('differs where its source has changed since it was interrupted, which is reported', async () => {
    const [source, to] = [fresh('source.db'), await target.empty()];
    copyFileSync(all.database, source);
    const afterUsers = /^user compared/;
    const interrupted = copy(source, to, {}, { ...atStep(-1, () => undefined), begin: stopAt(afterUsers) });
    await expect(interrupted).rejects.toThrow('stopped here');
    const id = within(source, (db) => {
      const first = db.prepare<[], string>('SELECT min(id) FROM user').pluck().get();
      db.prepare(`UPDATE user SET email = 'new@example.com' WHERE id = ?`).run(first);
      return first;
    });
    await expect(copy(source, to)).rejects.toThrow(
      `user has other values in the row with id ${id}; nothing uses it yet`,
    );
  });

  test('is never made over anything', async () => {
    const { to } = await target.copied();
    await expect(copy(all.database, to)).rejects.toThrow(/is not empty \(.*\): a copy overwrites nothing/);
    const [begun, other] = [await target.empty().then((one) => one.replace('copy.db', 'begun.db')), fresh('other.db')];
    expect(await killed(begun, 20)).toBe('SIGKILL');
    copyFileSync(all.database, other);
    await expect(copy(other, begun)).rejects.toThrow(/is not empty \(an unfinished copy of .*punchboard\.db\)/);
  });
});

function stopAt(pattern: RegExp): (what: string) => void {
  return (what) => {
    if (pattern.test(what)) throw new Error('stopped here');
  };
}

function killed(to: string, step: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [join(__dirname, 'kill-child.js'), all.database, to, String(step)]);
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
}

/** The path of every record there is. */
function recordPaths(): readonly string[] {
  const content = contentOf(all.database) as Record<string, readonly { readonly id: string }[]>;
  return Object.entries(records).flatMap(([name, { base }]) => (content[name] ?? []).map(({ id }) => `${base}/${id}`));
}

/** What a server on the database answers to everyone who was logged in, and what it delivers. */
async function answers(database: string, files: string, paths: readonly string[]) {
  const before = all.receiver.posts.length;
  const running = await start({ ...quietly(folder), database, files });
  try {
    const send = clientOf(running.address);
    const bodies: string[] = [];
    for (const path of paths) bodies.push(still((await send('GET', path, { session: all.admin })).text));
    const login = await send('POST', '/api/session', { parameters: { username: 'owner', password: PASSWORD } });
    const session = await send('GET', `/api/user/${login.body.user_id}`, { session: all.session });
    await all.sell(running.address);
    const posts = await all.receiver.until((found) => (found.length >= before + 3 ? found.slice(before) : undefined));
    const delivered = posts.map(({ message }) => message).sort();
    return { bodies, logins: [login.status, session.status], delivered };
  } finally {
    await running.stop();
  }
}

/** Without what deliveries change in a web hook meanwhile. */
function still(body: string): string {
  const { object_type, date_updated, failures_since_last_success, ...rest } = JSON.parse(body);
  return object_type === 'webhook' ? JSON.stringify(rest) : body;
}

describe('a difference', () => {
  const PLANTED: readonly (readonly [string, string, RegExp])[] = [
    [
      'a changed value',
      `UPDATE "user" SET "email" = 'x@example.com' WHERE "username" = 'owner'`,
      /user has other values in/,
    ],
    ['a missing row', `DELETE FROM "webhook_mail"`, /webhook_mail lacks the row with id ..mail;/],
    [
      'a surplus row',
      `INSERT INTO "_punchboard_history" VALUES (99, 1, 'online', 'x')`,
      /has a row with number 99 that/,
    ],
  ];

  test.each(PLANTED)('is reported: %s', async (_name, sql, message) => {
    const plant = (to: string) => atComparison(() => within(to, (db) => void db.exec(sql)));
    await expect(copy(all.database, fresh(), {}, plant(fresh()))).rejects.toThrow(message);
    await expect(start({ ...quietly(folder), database: fresh() })).rejects.toThrow(/unfinished copy/);
    // Without one the same steps end well.
    await copy(
      all.database,
      fresh('sound.db'),
      {},
      atComparison(() => within(fresh('sound.db'), () => undefined)),
    );
  });

  function atComparison(work: () => void) {
    return { ...atStep(-1, () => undefined), begin: (what: string) => void (/^_.*compared/.test(what) && work()) };
  }
});

describe('is refused', () => {
  test('a server is running on the source, or the target', async () => {
    const source = fresh('source.db');
    copyFileSync(all.database, source);
    const running = await start({ ...quietly(folder), database: source });
    await expect(copy(source, fresh())).rejects.toThrow(/another server is running on .*source\.db: stop it first/);
    await expect(copy(all.database, source)).rejects.toThrow(/another server is running/);
    await running.stop();
  });

  onPostgres('a server is running on PostgreSQL', async () => {
    const url = await cloneDatabase(copied);
    const running = await start({ ...quietly(folder), database: url });
    await expect(copy(url, fresh())).rejects.toThrow(
      /a server is running on postgres:.*: stop all of its servers first/,
    );
    await expect(copy(all.database, url)).rejects.toThrow(/is not empty \(a service\)/);
    await running.stop();
    await onServer(url, OLDER);
    await expect(copy(url, fresh())).rejects.toThrow(/is not the one of this program/);
  });

  onPostgres('a database of another program, with nothing changed', async () => {
    const url = await server.createDatabase();
    await onServer(url, 'CREATE TABLE other (a int)');
    await expect(copy(all.database, url)).rejects.toThrow(
      /the database holds other, which this program did not create/,
    );
  });

  test('another schema, and no database', async () => {
    const source = fresh('source.db');
    copyFileSync(all.database, source);
    within(source, (db) =>
      db.exec(`UPDATE _punchboard SET value = json_set(value, '$.revision', 1) WHERE key = 'schema'`),
    );
    await expect(copy(source, fresh())).rejects.toThrow(
      /is not the one of this program: run `punchboard migrate apply`/,
    );
    copyFileSync(all.database, source);
    within(source, (db) => db.exec(OLDER));
    await expect(copy(source, fresh())).rejects.toThrow(/is not the one of this program/);
    await expect(copy(fresh('none.db'), fresh())).rejects.toThrow(/there is no database .*none\.db to copy/);
    await expect(copy(source, source)).rejects.toThrow('--from and --to are the same database');
  });
});
