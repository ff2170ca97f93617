// Names of a choice that are added, removed and renamed (D45), on both engines: the effect on the table and its rows.

import type Database from 'better-sqlite3';
import { schemaView } from '../../generator/emit/schema.js';
import { parseAcceptances } from '../../generator/impact/accepted.js';
import { impact } from '../../generator/impact/impact.js';
import { planPostgres } from '../../runtime/schema/postgres/plan.js';
import type { Check, Schema } from '../../runtime/schema/schema.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { isSafe } from '../../runtime/store/schema-migrator.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { inCard } from '../evolution/pair.js';
import { BASE, edited, type State, state } from '../evolution/texts.js';
import { count } from '../support/counts.js';
import { fill } from './fill.js';
import { prepareFixture } from './postgres/fixture.js';
import { migrate } from './schemas.js';

const before = state(BASE, null);
const NAMES = /identities: \[MiniCard, PokerCard, TarotCard\]/.exec(BASE['resources/card.yaml'] ?? '')?.[0] ?? 'none';
const after = (names: string): State => state(edited(BASE, inCard([NAMES, `identities: ${names}`])), before.ledger);
const added = after('[MiniCard, PokerCard, TarotCard, HugeCard]');
const removed = after('[MiniCard, PokerCard]');
const renamed = after('{ MiniCard: , PokerCard: , FateCard: { was: TarotCard } }');
// Over two releases, TarotCard becomes FateCard, and PokerCard then TarotCard.
const reused = state(
  edited(BASE, inCard([NAMES, 'identities: { MiniCard: , TarotCard: { was: PokerCard }, FateCard: }'])),
  renamed.ledger,
);
// TarotCard is removed, and its name then given to PokerCard.
const taken = state(
  edited(BASE, inCard([NAMES, 'identities: { MiniCard: , TarotCard: { was: PokerCard } }'])),
  removed.ledger,
);
const schemas = {
  from: schemaView(before.model),
  added: schemaView(added.model),
  removed: schemaView(removed.model),
  renamed: schemaView(renamed.model),
  reused: schemaView(reused.model),
  taken: schemaView(taken.model),
};
const NOTHING_KNOWN = { today: '2026-06-01', acceptances: parseAcceptances(null), uses: null, count: null };

/** Rows of the table: 100,000 in the long form. */
const ROWS = count(2000, 100_000);

describe('plans', () => {
  test.each([
    ['sqlite', planSqlite],
    ['postgres', planPostgres],
  ] as const)('%s: a name that is added or removed needs no statement', (_, plan) => {
    expect(plan(schemas.from, schemas.added)).toMatchObject({
      steps: [],
      risks: [],
      changes: [{ class: 'online', kind: 'value_added' }],
    });
    const { steps, changes, risks } = plan(schemas.from, schemas.removed);
    expect([steps, changes.map(({ kind }) => kind)]).toEqual([[], ['value_removed']]);
    expect(risks).toMatchObject([{ harmless: true, says: 'has TarotCard, which can no longer be chosen' }]);
    // A rename has a step, so the test above would see steps.
    const last = plan(schemas.from, schemas.renamed).steps.at(-1);
    expect(last).toMatchObject({ class: 'backfill', says: 'card: identity TarotCard is FateCard' });
  });

  test('on PostgreSQL, old servers continue beside a rename, thanks to a trigger that exists before the first row is renamed', () => {
    const steps = planPostgres(schemas.from, schemas.renamed).steps.map((step) => [
      step.says,
      step.beside ?? step.class,
    ]);
    expect(steps).toEqual([
      ['card: former names in identity are written as those of today', 'online'],
      ['card: identity TarotCard is FateCard', true],
    ]);
    // Citus refuses triggers, so that servers of the previous version have to be stopped there.
    const onCitus = planPostgres(schemas.from, schemas.renamed, { distributed: true }).steps;
    expect(onCitus).toMatchObject([{ says: 'card: identity TarotCard is FateCard', class: 'backfill' }]);
    expect(onCitus[0]?.beside).toBeUndefined();
  });

  test('a former name that is used again has no trigger, and no old server may run beside it', () => {
    const again = state(
      edited(BASE, inCard([NAMES, 'identities: [MiniCard, PokerCard, FateCard, TarotCard]'])),
      renamed.ledger,
    );
    const steps = planPostgres(schemas.renamed, schemaView(again.model)).steps;
    expect(steps).toMatchObject([
      {
        class: 'rebuild',
        sql: [expect.stringMatching(/^DROP TRIGGER IF EXISTS "_punchboard_former_\d+_0" ON "card"$/)],
      },
    ]);
    expect(planSqlite(schemas.renamed, schemaView(again.model)).steps).toEqual([]);
  });

  test('a list of names in a CHECK becomes the form of a name, once', () => {
    const listed = withCheck(schemas.from, { rule: 'one_of', values: ['MiniCard', 'PokerCard', 'TarotCard'] });
    const sql = planPostgres(listed, schemas.from).steps.map((step) => [step.class, 'sql' in step ? step.sql : '']);
    expect(sql).toEqual([
      ['online', ['ALTER TABLE "card" DROP CONSTRAINT "card_identity_check"']],
      ['online', [expect.stringMatching(/ADD CONSTRAINT "card_identity_check" CHECK \(char_length.* NOT VALID$/)]],
      ['online', ['ALTER TABLE "card" VALIDATE CONSTRAINT "card_identity_check"']],
    ]);
    expect(planSqlite(listed, schemas.from)).toMatchObject({ steps: [{ class: 'rebuild' }], risks: [] });
  });
});

function withCheck(schema: Schema, check: Check): Schema {
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) =>
      table.name === 'card' && column.name === 'identity' ? { ...column, check } : column,
    ),
  }));
  return { ...schema, tables };
}

describe('the report of impact', () => {
  const lines = (now: State) =>
    impact(before.model, now.model, NOTHING_KNOWN)
      .findings.filter(({ message }) => message.startsWith('parameter identity'))
      .map((one) => `${one.breaking ? 'breaking' : 'safe'} ${one.message}`);
  test.each([
    ['added', added, ['safe parameter identity: can be HugeCard']],
    ['removed', removed, ['breaking parameter identity: can no longer be TarotCard; records keep it']],
    ['renamed', renamed, ['breaking parameter identity: is FateCard where it was TarotCard']],
  ] as const)('%s', (_, now, wanted) => expect(lines(now)).toEqual(wanted));
});

const COLUMNS = schemas.from.tables.find(({ name }) => name === 'card')?.columns ?? [];
const NAMES_OF_COLUMNS = COLUMNS.map(({ name }) => `"${name}"`).join(', ');
const THIRD = Math.floor(ROWS / 3);
const IDENTITY = `CASE WHEN n < ${THIRD} THEN 'PokerCard' WHEN n < ${2 * THIRD} THEN 'TarotCard' ELSE 'MiniCard' END`;

/** SQL for the columns of row n. */
function valuesOf(id: string): string {
  const value = ({ name, nullable, type }: (typeof COLUMNS)[number]): string => {
    if (name === 'id') return id;
    if (name === 'identity') return IDENTITY;
    return nullable ? 'NULL' : type === 'text' ? "'x'" : '1';
  };
  return COLUMNS.map(value).join(', ');
}

/** A database of the base with ROWS cards. */
function cards(): Database.Database {
  const db = connectTo(':memory:');
  migrate(db, schemas.from);
  // The cards copy their other values from this one.
  fill(db, schemas.from, 1);
  const numbers = `WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${ROWS - 1})`;
  const first = db.prepare<[], string>('SELECT id FROM card').pluck().get() ?? '';
  const copied = COLUMNS.map(({ name }) =>
    name === 'id' ? "printf('00%024d', n)" : name === 'identity' ? IDENTITY : `card."${name}"`,
  );
  db.exec(`INSERT INTO card (${NAMES_OF_COLUMNS}) ${numbers} SELECT ${copied.join(', ')} FROM n, card`);
  db.prepare('DELETE FROM card WHERE id = ?').run(first);
  return db;
}

class Killed extends Error {}

function killAt(last: number): (step: number) => void {
  return (step) => {
    if (step === last) throw new Killed();
  };
}

describe('rows', () => {
  const tally = (rows: readonly unknown[]) =>
    Object.fromEntries(
      (rows as { identity: string; n: number | string }[]).map((one) => [one.identity, Number(one.n)]),
    );
  const GROUPED = 'SELECT identity, count(*) AS n FROM card GROUP BY identity';
  const wanted = (last: string) => ({ MiniCard: ROWS - 2 * THIRD, PokerCard: THIRD, [last]: THIRD });

  test.each([
    ['removed', schemas.removed, 'TarotCard'],
    ['renamed', schemas.renamed, 'FateCard'],
  ] as const)('sqlite: %s', (edit, to, last) => {
    const db = cards();
    const pending = pendingOf(db, to);
    expect(pending === null ? [] : pending.risks.map((risk) => risk.count)).toEqual(edit === 'removed' ? [THIRD] : []);
    expect(pending !== null && isSafe(pending)).toBe(true);
    // Killed after the statement, if there is one: all of it is undone, and the next start repeats it.
    expect(() => migrate(db, to, { onStep: killAt(1) })).toThrow(Killed);
    expect(tally(db.prepare(GROUPED).all())).toEqual(wanted('TarotCard'));
    migrate(db, to);
    expect(tally(db.prepare(GROUPED).all())).toEqual(wanted(last));
    db.close();
  });

  const twice = { MiniCard: ROWS - 2 * THIRD, TarotCard: THIRD, FateCard: THIRD };

  test('sqlite: a name that was given up and used again, in a database that skipped both releases', () => {
    const db = cards();
    migrate(db, schemas.reused);
    expect(tally(db.prepare(GROUPED).all())).toEqual(twice);
    db.close();
  });

  test.each(['before', 'after'])(
    'sqlite: a name that rows hold for a removed value is refused, in a database from %s the removal',
    (when) => {
      const db = cards();
      if (when === 'after') migrate(db, schemas.removed);
      expect(() => migrate(db, schemas.taken)).toThrow('has TarotCard, which is now the name of another value');
      expect(tally(db.prepare(GROUPED).all())).toEqual(wanted('TarotCard'));
      db.exec(`UPDATE card SET identity = 'MiniCard' WHERE identity = 'TarotCard'`);
      migrate(db, schemas.taken);
      expect(tally(db.prepare(GROUPED).all())).toEqual({ MiniCard: ROWS - THIRD, TarotCard: THIRD });
      db.close();
    },
  );

  test('postgres: a name that was given up and used again is written once, without old servers, also after a kill', async () => {
    const [step, ...others] = planPostgres(schemas.from, schemas.reused).steps.filter(({ says }) =>
      says.includes(' is '),
    );
    expect([step?.says, step?.class, step?.beside, others]).toEqual([
      'card: identity PokerCard is TarotCard, TarotCard is FateCard',
      'backfill',
      undefined,
      [],
    ]);
    const fixture = await prepareFixture();
    try {
      // The last of these kills would come after the migration's last step.
      for (const last of [1, 2, 3, 4, 5, 6]) {
        await fixture.within(async ({ query, migrate: apply }) => {
          await apply(schemas.from);
          await query('SET session_replication_role = replica');
          const rows = `SELECT '00', ${valuesOf("'00' || lpad(n::text, 24, '0')")} FROM generate_series(0, ${ROWS - 1}) n`;
          await query(`INSERT INTO card ("_shard", ${NAMES_OF_COLUMNS}) ${rows}`);
          await apply(schemas.reused, { onStep: killAt(last) }).catch((error) => expect(error).toBeInstanceOf(Killed));
          await apply(schemas.reused);
          expect(tally(await query(GROUPED))).toEqual(twice);
        });
      }
    } finally {
      await fixture.stop();
    }
  });

  test('postgres: a rename writes pages, a removal writes nothing', async () => {
    const fixture = await prepareFixture();
    try {
      await fixture.within(async ({ query, migrate: apply }) => {
        await apply(schemas.from);
        await query('SET session_replication_role = replica');
        const rows = `SELECT '00', ${valuesOf("'00' || lpad(n::text, 24, '0')")} FROM generate_series(0, ${ROWS - 1}) n`;
        await query(`INSERT INTO card ("_shard", ${NAMES_OF_COLUMNS}) ${rows}`);
        expect(await apply(schemas.removed)).toEqual([]);
        expect(tally(await query(GROUPED))).toEqual(wanted('TarotCard'));
        const back = schemaView(state(BASE, removed.ledger).model);
        await apply(back);
        // The start and the trigger precede the pages of 1,000 rows.
        const onStep = killAt(3 + ROWS / 2000);
        await expect(apply(schemas.renamed, { onStep })).rejects.toThrow(Killed);
        expect(tally(await query(GROUPED))).toMatchObject({ FateCard: ROWS / 2 - THIRD, PokerCard: THIRD });
        expect((await apply(schemas.renamed)).map((step) => step.class)).toEqual(['backfill']);
        expect(tally(await query(GROUPED))).toEqual(wanted('FateCard'));
        await query('SET session_replication_role = origin');
        await query(`UPDATE card SET identity = 'TarotCard' WHERE identity = 'PokerCard'`);
        expect(tally(await query(GROUPED))).toEqual({ MiniCard: ROWS - 2 * THIRD, FateCard: 2 * THIRD });
      });
    } finally {
      await fixture.stop();
    }
  });
});
