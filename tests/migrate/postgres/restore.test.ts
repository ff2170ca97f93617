// Values that a migration of PostgreSQL dropped are restored unless newer ones were written.
import type { Schema } from '../../../runtime/schema/schema.js';
import { createSchemaMigrator } from '../../../runtime/store/postgres/schema-migrator.js';
import type { SchemaMigrator } from '../../../runtime/store/schema-migrator.js';
import { hasPostgres } from '../../support/postgres.js';
import { shared } from '../../support/shared.js';
import { column, NOW, refers, schema, table } from '../schemas.js';
import { claims, type Database, prepareFixture } from './fixture.js';

const changed = column(9, 'date_updated', { type: 'integer', kind: 'date' });
const code = column(3, 'code', { nullable: true, check: { rule: 'length', min: 1, max: 9 } });
const size = column(4, 'size', { type: 'integer', nullable: true });
const box = table(1, 'box', [code, size, changed], { uniques: [['code']] });
const die = table(20, 'die', [
  column(22, 'box_id', { references: refers('box') }),
  column(23, 'next_id', { nullable: true, references: refers('die', 'set_null') }),
  column(24, 'in_id', { references: refers('die') }),
]);
const WHOLE = schema(box, die);
const WITHOUT_CODE = schema({ ...box, columns: box.columns.filter(({ name }) => name !== 'code'), uniques: [] }, die);
const WITHOUT_DIE = schema(box);

const OLD = NOW - 1000;
const LATER = NOW + 1000;

const ROWS = `
INSERT INTO box VALUES ('00', '00a', 'one', 1, ${OLD}), ('00', '00b', 'two', NULL, ${OLD}), ('00', '00c', 'three', 3, ${OLD}),
  ('00', '00d', NULL, 4, ${OLD});
INSERT INTO die VALUES ('00', '00x', '00a', '00y', '00x'), ('00', '00y', '00b', '00z', '00z'), ('00', '00z', '00c', NULL, '00x')`;

(hasPostgres ? describe : describe.skip)('restore on PostgreSQL', () => {
  const fixture = shared(prepareFixture);

  const filled = (work: (database: Database, migrator: SchemaMigrator) => Promise<void>): Promise<void> =>
    fixture.within(async (database) => {
      await database.migrate(WHOLE);
      await database.query('SET session_replication_role = replica');
      await database.query(ROWS);
      await database.query('SET session_replication_role = origin');
      const { expected } = await claims(database.query, WHOLE);
      for (const claim of expected as readonly string[]) {
        await database.query('INSERT INTO _unique_value VALUES ($1, $2, $3, $4)', claim.split(' '));
      }
      await work(database, createSchemaMigrator({ ...database, extraDdl: [], clock: () => LATER }));
    });

  const restored = async (migrator: SchemaMigrator, name: string) =>
    (await migrator.restore(name)).map(
      ({ drop, restored: rows, unlinked }) => `${drop.name} ${rows} of ${drop.rows}, ${unlinked}`,
    );

  const sound = async ({ query }: Database, of: Schema): Promise<void> => {
    const { actual, expected } = await claims(query, of);
    expect(actual).toEqual(expected);
  };

  test('values of a column are restored once, and neither to changed records nor over other values', () =>
    filled(async (database, migrator) => {
      const { query, migrate } = database;
      await migrate(WITHOUT_CODE);
      await expect(migrator.restore('box.code')).rejects.toThrow(
        'the database has no box.code: add it to the spec again',
      );
      await migrate(WHOLE);
      await query(`UPDATE box SET date_updated = ${LATER} WHERE id = '00b'`);
      expect(await restored(migrator, 'box.code')).toEqual(['box.code 2 of 3, 0']);
      expect((await query('SELECT code FROM box ORDER BY id')).map((row) => row.code)).toEqual([
        'one',
        null,
        'three',
        null,
      ]);
      await query(`UPDATE box SET code = NULL WHERE id = '00a'`);
      await query(`DELETE FROM _unique_value WHERE id = '00a'`);
      expect(await restored(migrator, 'box.code')).toEqual(['box.code 0 of 3, 0']);
      await sound(database, WHOLE);
    }));

  test('a value that another row has now stays aside', () =>
    filled(async (database, migrator) => {
      const { query, migrate } = database;
      await migrate(WITHOUT_CODE);
      await migrate(WHOLE);
      await query(`UPDATE box SET code = 'one', date_updated = ${LATER} WHERE id = '00d'`);
      const [claim] = (await claims(query, WHOLE)).expected as readonly string[];
      await query('INSERT INTO _unique_value VALUES ($1, $2, $3, $4)', claim?.split(' '));
      expect(await restored(migrator, 'box.code')).toEqual(['box.code 2 of 3, 0']);
      expect((await query('SELECT code FROM box ORDER BY id')).map((row) => row.code)).toEqual([
        null,
        'two',
        'three',
        'one',
      ]);
      await sound(database, WHOLE);
    }));

  test('nulls that a default replaced', () =>
    filled(async ({ query, migrate }, migrator) => {
      const columns = box.columns.map((one) => (one.name === 'size' ? { ...size, nullable: false, default: 7 } : one));
      await migrate(schema({ ...box, columns }, die));
      expect(await query(`SELECT size FROM box WHERE id = '00b'`)).toEqual([{ size: 7 }]);
      expect(await restored(migrator, 'box.size')).toEqual(['box.size 0 of 1, 0']);
      await migrate(WHOLE);
      expect(await restored(migrator, 'box.size')).toEqual(['box.size 1 of 1, 0']);
      expect(await query(`SELECT size FROM box WHERE id = '00b'`)).toEqual([{ size: null }]);
    }));

  test('a table: rows that refer to each other, without those whose target no longer exists', () =>
    filled(async ({ query, migrate }, migrator) => {
      await migrate(WITHOUT_DIE);
      await query(`DELETE FROM box WHERE id = '00c'`);
      await migrate(WHOLE);
      expect(await restored(migrator, 'die')).toEqual(['die 1 of 3, 1']);
      expect(await query('SELECT id, box_id, next_id, in_id FROM die')).toEqual([
        { id: '00x', box_id: '00a', next_id: null, in_id: '00x' },
      ]);
      await query(`INSERT INTO box VALUES ('00', '00c', NULL, NULL, ${LATER})`);
      expect(await restored(migrator, 'die')).toEqual(['die 2 of 3, 0']);
      expect((await query('SELECT next_id FROM die ORDER BY id')).map((row) => row.next_id)).toEqual([
        '00y',
        '00z',
        null,
      ]);
    }));

  test('names that were never dropped cannot be restored', () =>
    filled(async (_database, migrator) => {
      await expect(migrator.restore('box.size')).rejects.toThrow('no values of box.size are kept aside');
    }));
});
