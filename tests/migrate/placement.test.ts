// N16: `place` moves to another reference, so that records of other owners may no longer be referred to. Both engines refuse
// the same rows, each with its reason, and apply the change once those rows are corrected.

import { readMetadata } from '../../runtime/store/postgres/migrate/metadata.js';
import { pendingOf as pendingOnPostgres } from '../../runtime/store/postgres/migrate/pending.js';
import type { CountedRisk } from '../../runtime/store/schema-migrator.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { hasPostgres } from '../support/postgres.js';
import { shared } from '../support/shared.js';
import { prepareFixture } from './postgres/fixture.js';
import { column, database, migrate, schema, table } from './schemas.js';

/** A card is placed with its deck or with its game. */
function placed(by: 'deck' | 'game') {
  const reference = (to: 'deck' | 'game') => ({ table: to, onDelete: 'restrict' as const, inside: by === to });
  const card = table(20, 'card', [
    column(22, 'deck_id', { references: reference('deck') }),
    column(23, 'game_id', { references: reference('game'), nullable: true }),
  ]);
  return schema(table(1, 'deck', []), table(10, 'game', []), card);
}

const [BEFORE, AFTER] = [placed('deck'), placed('game')];
const REFUSED = ['card.game_id refers to a game of another owner: 00y'];
const line = ({ table: name, column: of, says, ids }: CountedRisk): string => `${name}.${of} ${says}: ${ids.join(' ')}`;

test('N16: SQLite refuses a row across owners, by its id, and applies the rest', () => {
  const db = database();
  migrate(db, BEFORE);
  db.exec("INSERT INTO deck VALUES ('00d'); INSERT INTO game VALUES ('00g'), ('01g')");
  db.exec("INSERT INTO card VALUES ('00x', '00d', '00g'), ('00y', '00d', '01g'), ('00z', '00d', NULL)");
  expect(pendingOf(db, AFTER)?.broken.map(line)).toEqual(REFUSED);
  expect(() => migrate(db, AFTER)).toThrow('of another owner');
  db.exec("UPDATE card SET game_id = '00g' WHERE id = '00y'");
  migrate(db, AFTER);
  expect(pendingOf(db, AFTER)?.plan.changes).toEqual([]);
  db.close();
});

(hasPostgres ? describe : describe.skip)('on PostgreSQL', () => {
  const fixture = shared(prepareFixture);

  test('N16: PostgreSQL refuses the same row with the same message', () =>
    fixture.within(async ({ query, migrate: bring }) => {
      await bring(BEFORE);
      await query("INSERT INTO deck VALUES ('00', '00d')");
      await query("INSERT INTO game VALUES ('00', '00g'), ('01', '01g')");
      await query(
        "INSERT INTO card VALUES ('00', '00x', '00d', '00g'), ('00', '00y', '00d', '01g'), ('00', '00z', '00d', NULL)",
      );
      const { broken } = await pendingOnPostgres(query, (await readMetadata(query)) ?? new Map(), AFTER);
      expect(broken.map(line)).toEqual(REFUSED);
      await expect(bring(AFTER)).rejects.toThrow('of another owner');
      await query("UPDATE card SET game_id = '00g' WHERE id = '00y'");
      await bring(AFTER);
    }));
});
