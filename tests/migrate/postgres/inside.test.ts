// D37: a reference that now stays within a placement gets a foreign key, unless rows refer to records of other owners.
import { readMetadata } from '../../../runtime/store/postgres/migrate/metadata.js';
import { pendingOf } from '../../../runtime/store/postgres/migrate/pending.js';
import { hasPostgres } from '../../support/postgres.js';
import { shared } from '../../support/shared.js';
import { column, refers, schema, table } from '../schemas.js';
import { prepareFixture, shapeOf } from './fixture.js';

const box = table(1, 'box', []);
const die = (inside: boolean) => {
  const references = { table: 'box', onDelete: 'cascade', ...refers('box'), inside } as const;
  return table(20, 'die', [column(22, 'box_id', { references })], {
    indexes: [{ columns: ['box_id'], partial: false }],
  });
};
const ACROSS = schema(box, die(false));
const INSIDE = schema(box, die(true));

(hasPostgres ? describe : describe.skip)('D37 on PostgreSQL', () => {
  const fixture = shared(prepareFixture);

  test('references to other owners are in the way of a reference inside, but not of the reverse change', () =>
    fixture.within(async ({ query, migrate }) => {
      await migrate(ACROSS);
      await query(`INSERT INTO box VALUES ('00', '00a'), ('01', '01b')`);
      await query(`INSERT INTO die VALUES ('00', '00x', '00a'), ('00', '00y', '01b'), ('01', '01z', '01c')`);
      const pending = await pendingOf(query, (await readMetadata(query)) ?? new Map(), INSIDE);
      expect(pending.broken.map(({ says, ids }) => `${says}: ${ids.join(' ')}`)).toEqual([
        'refers to a missing box: 01z',
        'refers to a box of another owner: 00y',
      ]);
      await query(`DELETE FROM die WHERE id <> '00x'`);
      await migrate(INSIDE);
      expect(await shapeOf(query)).toEqual(await fixture.freshShape(INSIDE));
      await expect(query(`INSERT INTO die VALUES ('00', '00y', '01b')`)).rejects.toMatchObject({ code: '23503' });
      await migrate(ACROSS);
      expect(await shapeOf(query)).toEqual(await fixture.freshShape(ACROSS));
    }));
});
