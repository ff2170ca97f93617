// A migration of PostgreSQL beside others: one that was killed, one that is running, and servers of the previous version.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { planPostgres } from '../../../runtime/schema/postgres/plan.js';
import type { Schema, Table } from '../../../runtime/schema/schema.js';
import { quoted } from '../../../runtime/schema/sql-text.js';
import type { Query } from '../../../runtime/store/postgres/connections.js';
import { ensureSchema } from '../../../runtime/store/postgres/ensure-schema.js';
import { MigrationInProgress, takeLease } from '../../../runtime/store/postgres/migrate/lease.js';
import { readHistory, readMetadata } from '../../../runtime/store/postgres/migrate/metadata.js';
import { isOnline, pendingOf } from '../../../runtime/store/postgres/migrate/pending.js';
import { runStep } from '../../../runtime/store/postgres/migrate/steps.js';
import { count } from '../../support/counts.js';
import { hasPostgres } from '../../support/postgres.js';
import { shared } from '../../support/shared.js';
import { rowsOf } from '../fill.js';
import { NOW } from '../schemas.js';
import { wordsIn } from '../words.js';
import { FROM, ONLINE, TO } from './everything.js';
import { claims, contentOf, type Database, fill, leftovers, open, PREFIX, prepareFixture, shapeOf } from './fixture.js';

const ROWS = 6;
/** Longer than a lease. */
const LATER = NOW + 61_000;

/** The whole result of a migration, without its dates. */
async function resultOf(query: Query, schema: Schema): Promise<unknown> {
  const dropped = await query('SELECT name, "table", rows, definition FROM _punchboard_dropped ORDER BY name');
  const { actual, expected } = await claims(query, schema);
  expect(actual).toEqual(expected);
  expect(await leftovers(query)).toEqual([]);
  const steps = (await readHistory(query)).map(({ says }) => says);
  const words = await wordsIn(query, schema);
  expect(words.actual).toEqual(words.expected);
  return { dropped, claims: actual, steps, rows: await contentOf(query, schema), shape: await shapeOf(query) };
}

function killedAt(url: string, step: number): Promise<string | null> {
  const job = JSON.stringify({ schema: TO, now: NOW });
  const child = spawn(process.execPath, [join(__dirname, 'kill-child.js'), url, job, String(step)], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)));
}

(hasPostgres ? describe : describe.skip)('a migration on PostgreSQL', () => {
  const fixture = shared(prepareFixture);

  const filled = <T>(work: (database: Database) => Promise<T>): Promise<T> => fixture.filled(FROM, ROWS, work);

  test('needs every kind of step', () =>
    filled(async ({ query }) => {
      const memory = await readMetadata(query);
      const { plan } = await pendingOf(query, memory as NonNullable<typeof memory>, TO);
      expect(new Set(plan.steps.map(({ does }) => does))).toEqual(
        new Set(['transaction', 'alone', 'pages', 'claims', 'words']),
      );
      expect(new Set(plan.steps.map((step) => step.class))).toEqual(
        new Set(['online', 'backfill', 'rebuild', 'destructive']),
      );
    }));

  test('after a kill at any step, the next migration waits for the end of the lease, and continues', async () => {
    let steps = 0;
    const whole = await filled(async ({ migrate, query }) => {
      await migrate(TO, { onStep: () => steps++ });
      return resultOf(query, TO);
    });
    for (let step = 0; step < steps; step += count(17, 1)) {
      await filled(async ({ url, query, migrate }) => {
        expect([step, await killedAt(url, step)]).toEqual([step, 'SIGKILL']);
        const done = (await readMetadata(query))?.has('migration') === false;
        if (!done) await expect(migrate(TO)).rejects.toThrow('a migration by the killed one is under way');
        await migrate(TO, { now: LATER });
        await query('DELETE FROM _punchboard_migrator');
        expect([step, await resultOf(query, TO)]).toEqual([step, whole]);
      });
    }
  });

  test('more rows than a page are converted, filled and claimed', () =>
    fixture.within(async ({ query, migrate }) => {
      const [box] = FROM.tables;
      const from = { ...FROM, tables: [box as Table] };
      const [crate] = TO.tables;
      const to = { ...TO, tables: [{ ...(crate as Table), uniques: [['count']] }] };
      await migrate(from);
      await fill(query, from, 1100);
      await migrate(to);
      const counted = await query(
        `SELECT count(*) AS rows, count(size) AS sizes, count(DISTINCT count) AS counts FROM crate`,
      );
      expect(counted).toEqual([{ rows: 1100, sizes: 1100, counts: 1100 }]);
      const { actual, expected } = await claims(query, to);
      expect(actual).toEqual(expected);
      expect(expected).toHaveLength(1100);
    }));

  test('a migration that was begun is finished before another', () =>
    filled(async ({ url, query, migrate }) => {
      await killedAt(url, 12);
      await expect(migrate({ ...TO, revision: 2000 }, { now: LATER })).rejects.toThrow(
        'a migration to another schema (revision 1000) was begun and is not finished',
      );
      await migrate(TO, { now: LATER });
      await migrate({ ...TO, revision: 2000 }, { now: LATER });
      expect(await leftovers(query)).toEqual([]);
    }));

  test('of two migrators, one works, and the other names the holder', () =>
    filled(async ({ url, query, connections, migrate }) => {
      const lease = await takeLease(query, { connections, holder: 'grace', clock: () => NOW });
      await expect(migrate(TO)).rejects.toThrow(
        'a migration by grace is under way: try again when it is done, or after 2026-01-02T03:05:05.000Z if it was killed',
      );
      await lease.release();
      const both = await Promise.allSettled([
        migrate(TO, { holder: 'ada' }),
        open(url, (other) => other.migrate(TO, { holder: 'bob' })),
      ]);
      const refused = both.filter((one) => one.status === 'rejected').map((one) => String(one.reason));
      for (const reason of refused)
        expect(reason).toMatch(/a migration by (ada|bob) is under way|has just been under way/);
      const says = (await readHistory(query)).slice(1).map((one) => one.says);
      expect(says).toEqual(planPostgres(FROM, TO).steps.map((step) => step.says));
      expect(await shapeOf(query)).toEqual(await fixture.freshShape(TO));
    }));

  test('a migrator that has lost its lease cannot renew it', () =>
    filled(async ({ url, query, connections }) => {
      const lost = await takeLease(query, { connections, holder: 'lost', clock: () => NOW });
      await open(url, (other) => other.migrate(TO, { now: LATER, holder: 'bob' }));
      await expect(lost.renew(query)).rejects.toThrow('another migration has just been under way');
    }));

  test('a migrator that loses its lease between steps names the new holder, for which a start waits', () =>
    filled(async ({ query, migrate }) => {
      await query(`CREATE FUNCTION passed_on() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN UPDATE "_punchboard_migrator" SET "holder" = ''grace''; RETURN NULL; END'`);
      await query('CREATE TRIGGER passed_on AFTER INSERT ON "_punchboard_history" EXECUTE FUNCTION passed_on()');
      const migrating = migrate(TO);
      await expect(migrating).rejects.toThrow(MigrationInProgress);
      await expect(migrating).rejects.toThrow(/^a migration by grace is under way/);
    }));

  describe('an online migration', () => {
    /** Writes as a server of the previous version, which uses only the columns of its own schema. */
    const actAsOldServer = async (query: Query, at: number): Promise<void> => {
      for (const table of FROM.tables) {
        const names = ['"_shard"', ...table.columns.map(({ name }) => quoted(name))];
        const [row = []] = rowsOf(table, 1, `${PREFIX}${at}x`);
        const places = names.map((_, index) => `$${index + 1}`).join(', ');
        await query(`INSERT INTO ${quoted(table.name)} (${names.join(', ')}) VALUES (${places})`, ['00', ...row]);
        const [, second] = table.columns;
        await query(`UPDATE ${quoted(table.name)} SET ${quoted(second?.name ?? '')} = ${quoted(second?.name ?? '')}`);
      }
      for (const table of [...FROM.tables].reverse()) {
        await query(`DELETE FROM ${quoted(table.name)} WHERE "id" = $1`, [`${PREFIX}${at}x0`]);
      }
    };

    test('old servers work after every step', () =>
      filled(async ({ query, connections }) => {
        const memory = (await readMetadata(query)) ?? new Map();
        const { plan } = await pendingOf(query, memory, ONLINE);
        expect(isOnline(plan.steps)).toBe(true);
        expect(plan.steps.length).toBeGreaterThan(8);
        const lease = await takeLease(query, { connections, holder: 'ada', clock: () => NOW });
        for (const [at, step] of plan.steps.entries()) {
          await runStep(
            step,
            { query, lease, schema: ONLINE, now: NOW, onStep: () => undefined },
            async () => undefined,
          );
          await actAsOldServer(query, at);
        }
        await lease.release();
        expect(await shapeOf(query)).toEqual(await fixture.freshShape(ONLINE));
      }));

    test('old servers work during the migration, and start afterwards', () =>
      filled(async ({ url, query, connections, migrate }) => {
        let done = false;
        const migrating = migrate(ONLINE).finally(() => {
          done = true;
        });
        const rounds = open(url, async (server) => {
          let round = 0;
          while (!done || round === 0) await actAsOldServer(server.query, round++);
          return round;
        });
        await migrating;
        expect(await rounds).toBeGreaterThan(0);
        expect(await shapeOf(query)).toEqual(await fixture.freshShape(ONLINE));
        const start = { connections, extraDdl: [], migrate: 'safe', now: NOW } as const;
        await ensureSchema({ ...start, schema: FROM });
        expect(await shapeOf(query)).toEqual(await fixture.freshShape(ONLINE));
      }));

    test('after any other migration, a server of the previous version does not start', () =>
      filled(async ({ connections, migrate }) => {
        await migrate({ ...TO, revision: 1001 });
        const start = { connections, extraDdl: [], migrate: 'safe', now: NOW } as const;
        await expect(ensureSchema({ ...start, schema: FROM })).rejects.toThrow('created by a newer version');
      }));
  });

  describe('a start', () => {
    const start = { extraDdl: [], now: NOW } as const;

    test('a safe change is applied; for a drop and with "none", the message names the command', () =>
      filled(async ({ connections, query }) => {
        const refused = ensureSchema({ ...start, connections, schema: TO, migrate: 'safe' });
        await expect(refused).rejects.toThrow(
          'run `punchboard migrate apply --allow drop:old --allow drop:crate.gone`',
        );
        const none = ensureSchema({ ...start, connections, schema: ONLINE, migrate: 'none' });
        await expect(none).rejects.toThrow('a start may not change it: run `punchboard migrate apply`');
        await ensureSchema({ ...start, connections, schema: ONLINE, migrate: 'safe' });
        expect(await shapeOf(query)).toEqual(await fixture.freshShape(ONLINE));
      }));

    test('a change that old servers could not run with is left to the command', () =>
      filled(async ({ connections, query }) => {
        const tables = FROM.tables.map((table) =>
          table.name === 'old' ? { ...table, name: 'new', formerly: ['old'] } : table,
        );
        const renamed = { revision: FROM.revision + 1, tables };
        const before = await shapeOf(query);
        const refused = ensureSchema({ ...start, connections, schema: renamed, migrate: 'safe' });
        await expect(refused).rejects.toThrow(/previous version .*: renamed to new.*run `punchboard migrate apply`/);
        expect(await shapeOf(query)).toEqual(before);
      }));

    test('several servers of the new version: one migrates, the others wait, all start', () =>
      filled(async ({ url, query }) => {
        const servers = Array.from({ length: 4 }, () =>
          open(url, ({ connections }) => ensureSchema({ ...start, connections, schema: ONLINE, migrate: 'safe' })),
        );
        await Promise.all(servers);
        expect(await shapeOf(query)).toEqual(await fixture.freshShape(ONLINE));
        const says = (await readHistory(query)).slice(1).map((one) => one.says);
        expect(says).toEqual(planPostgres(FROM, ONLINE).steps.map((step) => step.says));
      }));

    test('objects added by hand that would be lost are refused by name, and nothing is changed', () =>
      filled(async ({ query, migrate }) => {
        await query('CREATE VIEW boxes AS SELECT id, gone FROM box');
        await query('CREATE INDEX by_hand ON box (upper(count::text))');
        await query('ALTER TABLE old ADD COLUMN extra text');
        const before = await contentOf(query, FROM);
        const refused = migrate(TO);
        await expect(refused).rejects.toThrow('the column old.extra, added by hand, would be lost');
        await expect(refused).rejects.toThrow(
          'the index by_hand, added by hand, needs box.count, which goes: drop it first, and create it again afterwards; ' +
            'the rule _RETURN on view boxes, added by hand, needs box.gone',
        );
        expect(await contentOf(query, FROM)).toEqual(before);
      }));

    test('rows that a server writes after the check stop a migration, and it continues once they are corrected', () =>
      filled(async ({ query, migrate }) => {
        // The update below then comes between the check of the rows and the first step.
        const permit = () => undefined;
        await query(`UPDATE box SET size = 100000 WHERE id = '${PREFIX}0'`);
        await expect(migrate(TO, { permit })).rejects.toThrow(
          /^stopped before the step "crate: all rows checked for size"/,
        );
        await query(`UPDATE crate SET size = 1 WHERE id = '${PREFIX}0'`);
        await migrate(TO, { permit });
        expect(await shapeOf(query)).toEqual(await fixture.freshShape(TO));
      }));
  });
});
