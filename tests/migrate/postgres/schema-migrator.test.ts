// The commands on the schema of a PostgreSQL database: pending changes, values kept aside, and a rehearsal on a copy.

import { planText, statusText } from '../../../runtime/admin/commands/migrate-report.js';
import type { Schema } from '../../../runtime/schema/schema.js';
import { AUDIT_ENTRY } from '../../../runtime/store/engine-tables.js';
import { createConnections, ofDatabase, type Query } from '../../../runtime/store/postgres/connections.js';
import { createSchemaMigrator } from '../../../runtime/store/postgres/schema-migrator.js';
import { tableStatements } from '../../../runtime/store/postgres/tables.js';
import type { Progress } from '../../../runtime/store/progress.js';
import type { SchemaMigrator } from '../../../runtime/store/schema-migrator.js';
import { hasPostgres, startPostgres } from '../../support/postgres.js';
import { NOW } from '../schemas.js';
import { FROM, ONLINE, TO } from './everything.js';
import { contentOf, fill, fixtureOn, open, type PostgresFixture, shapeOf } from './fixture.js';

const CHANGE = { author: { user: null, name: 'root (command line)' }, now: NOW };
const ALLOW = ['drop:old', 'drop:crate.gone', 'fill:crate.size'];
const ROWS = 6;

/** The reported progress of one part of a migration. */
interface MigratorPart {
  readonly what: string;
  readonly total: number;
  done: number;
  ended: boolean;
}

function recording(parts: MigratorPart[]): Progress {
  const last = (): MigratorPart => parts.at(-1) as MigratorPart;
  return {
    begin: (what, total) => void parts.push({ what, total, done: 0, ended: false }),
    advance(count) {
      last().done += count;
    },
    end() {
      last().ended = true;
    },
  };
}

test('another database of the same server', () => {
  expect(ofDatabase('postgres://ada@%2Ftmp%2Fx/shop?a=/b', 'a copy')).toBe('postgres://ada@%2Ftmp%2Fx/a%20copy?a=/b');
  expect(ofDatabase('postgres://one:1,two:2/shop', 'copy')).toBe('postgres://one:1,two:2/copy');
  expect(ofDatabase('postgres://one', 'copy')).toBe('postgres://one/copy');
});

(hasPostgres ? describe : describe.skip)('the schema migrator of PostgreSQL', () => {
  let fixture: PostgresFixture;
  beforeAll(async () => {
    // A separate server has no copies that other suites made.
    fixture = fixtureOn(await startPostgres());
  });
  afterAll(() => fixture.stop());

  /** Runs work with a database with rows and no connections, its migrator, and a function that inspects it. */
  const kept = (
    from: Schema | null,
    work: (migrator: SchemaMigrator, visit: Visit, parts: readonly MigratorPart[]) => Promise<void>,
  ): Promise<void> =>
    fixture.within(async ({ url }) => {
      // A second database, since the fixture's has a session while the work runs.
      const keptUrl = ofDatabase(url, `${url.split('/').at(-1)}_kept`);
      await open(url, ({ query }) => query(`CREATE DATABASE "${keptUrl.split('/').at(-1)}"`));
      const visit: Visit = (work) => open(keptUrl, ({ query }) => work(query));
      if (from !== null) {
        await open(keptUrl, async ({ query, migrate }) => {
          await migrate(from);
          await fill(query, from, ROWS);
        });
      }
      const connections = createConnections({ url: keptUrl, size: 1, timeout: 60_000 });
      const parts: MigratorPart[] = [];
      const migrator = createSchemaMigrator({
        connections,
        progress: recording(parts),
        extraDdl: from === null ? [] : tableStatements(AUDIT_ENTRY),
        clock: () => NOW,
      });
      await work(migrator, visit, parts);
      await connections.close();
    });
  type Visit = <T>(work: (query: Query) => Promise<T>) => Promise<T>;

  test('an empty database has nothing pending, and gets all tables', () =>
    kept(null, async (migrator, visit) => {
      expect(await migrator.plan(FROM)).toBe(null);
      expect(await migrator.current()).toEqual({ applied: [], kept: [] });
      expect((await migrator.apply(FROM, [], CHANGE)).map(({ says }) => says)).toEqual(['all tables: created']);
      expect(await visit(shapeOf)).toEqual(await fixture.freshShape(FROM));
    }));

  test('changes that are not allowed by name are not applied', () =>
    kept(FROM, async (migrator, visit) => {
      const before = await visit((query) => contentOf(query, FROM));
      await expect(migrator.apply(TO, ALLOW.slice(0, 2), CHANGE)).rejects.toThrow('box.size has no value in 2 rows');
      await expect(migrator.apply(TO, ALLOW.slice(1), CHANGE)).rejects.toThrow('--allow drop:old');
      await expect(migrator.apply(TO, [...ALLOW, 'drop:die'], CHANGE)).rejects.toThrow('does not need drop:die');
      expect(await visit((query) => contentOf(query, FROM))).toEqual(before);
    }));

  test('a plan is shown, applied and reported, and its dropped values are purged', () =>
    kept(FROM, async (migrator) => {
      const pending = await migrator.plan(TO);
      expect(pending?.plan.drops).toEqual(['old', 'crate.gone']);
      expect(pending?.broken.map(({ says, count }) => `${says}: ${count}`)).toEqual(['has no value: 2']);
      await migrator.apply(TO, ALLOW, CHANGE);
      expect((await migrator.plan(TO))?.plan.changes).toEqual([]);
      const { applied, kept: aside } = await migrator.current();
      expect(applied.map(({ says }) => says)).toContain('crate: count replaced');
      expect(aside.map(({ name, rows }) => `${name} ${rows}`).sort()).toEqual([
        'crate.gone 4',
        'crate.size 2',
        'old 6',
      ]);
      expect(await migrator.purge(NOW)).toEqual([]);
      expect((await migrator.purge(NOW + 1)).length).toBe(3);
      expect((await migrator.current()).kept).toEqual([]);
    }));

  test('for a change that no start applies, the plan says to stop the servers', () =>
    kept(FROM, async (migrator) => {
      const tables = FROM.tables.map((table) =>
        table.name === 'old' ? { ...table, name: 'former', formerly: ['old'] } : table,
      );
      const renamed = { revision: FROM.revision + 1, tables };
      const pending = await migrator.plan(renamed);
      expect(planText(pending)).toContain('Safe: stop all servers, then run: punchboard migrate apply');
      expect(statusText(pending, [], [])).toContain('1 change pending: see `punchboard migrate plan`.');
      const online = await migrator.plan(ONLINE);
      expect(planText(online)).toContain('Safe: the next start applies it');
    }));

  test('restoring and purging extend their lease until they are done, and release it', () =>
    kept(FROM, async (migrator, visit) => {
      await migrator.apply(TO, ALLOW, CHANGE);
      await visit(async (query) => {
        await query('CREATE TABLE extended (until bigint)');
        await query(`CREATE FUNCTION note_extension() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN INSERT INTO extended VALUES (NEW."until"); RETURN NULL; END'`);
        await query(`CREATE TRIGGER note_extension AFTER UPDATE ON "_punchboard_migrator"
FOR EACH ROW EXECUTE FUNCTION note_extension()`);
      });
      await migrator.restore('crate.size');
      await migrator.purge(NOW + 1);
      expect(await visit((query) => query('SELECT count(*) AS count FROM extended'))).toEqual([{ count: 4 }]);
      expect(await visit((query) => query('SELECT * FROM "_punchboard_migrator"'))).toEqual([]);
    }));

  test('a rehearsal changes only a copy, finds nothing unexpected, leaves nothing behind, and shows its pages', () =>
    kept(FROM, async (migrator, visit, parts) => {
      // More rows than a page.
      await visit((query) =>
        query(`INSERT INTO "box" ("_shard", "id", "size", "count")
SELECT '00', '00more' || n, 1, 1000 + n FROM generate_series(1, 1500) n`),
      );
      const before = await visit((query) => contentOf(query, FROM));
      const rehearsal = await migrator.rehearse(TO, NOW);
      expect(rehearsal).toEqual({ rows: 3 * ROWS + 1500, tables: 3, duration: expect.any(Number), findings: [] });
      expect(await visit((query) => contentOf(query, FROM))).toEqual(before);
      expect(await visit((query) => query(`SELECT datname FROM pg_database WHERE datname ~ 'rehearsal'`))).toEqual([]);
      expect(parts.filter(({ total, done, ended }) => done !== total || !ended)).toEqual([]);
      const shown = parts.map(({ what }) => what);
      expect([...shown.slice(0, 2), shown.at(-1)]).toEqual([
        'copy of the database',
        ...Array(2).fill('tables measured'),
      ]);
      expect(parts.filter(({ total }) => total === 2).map(({ what }) => what)).toEqual([
        ...['crate: values of count converted', 'crate: size filled', 'crate: label unique', 'crate: count unique'],
        ...['crate: tag filled with a copy of its count', 'crate: words of label, count made'],
      ]);
    }));

  test('a rehearsal drops no database that an operator created', () =>
    kept(FROM, async (migrator, visit) => {
      const database = `"${(await visit((query) => query('SELECT current_database() AS name')))[0]?.name}_rehearsal"`;
      await visit((query) => query(`CREATE DATABASE ${database}`));
      await migrator.rehearse(TO, NOW);
      await visit((query) => query(`DROP DATABASE ${database}`));
    }));

  test('a rehearsal that cannot copy the database reports why', () =>
    kept(FROM, (migrator, visit) =>
      visit(async () => {
        await expect(migrator.rehearse(TO, NOW)).rejects.toThrow(
          'PostgreSQL copies a database only while nobody is connected to it (connected: punchboard): stop the servers',
        );
      }),
    ));
});
