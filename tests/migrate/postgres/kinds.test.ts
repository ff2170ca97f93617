// F08 on PostgreSQL: every cell of the table of conversions between kinds that converts values, with rows in the table; in the
// short form one cell of eight.
import { schemaView } from '../../../generator/emit/schema.js';
import type { Kind, Schema, Table } from '../../../runtime/schema/schema.js';
import { readMetadata } from '../../../runtime/store/postgres/migrate/metadata.js';
import { pendingOf } from '../../../runtime/store/postgres/migrate/pending.js';
import { type AnyKind, CELLS, type Cell, FIELDS, type Value } from '../../evolution/kinds.js';
import { boardField } from '../../evolution/pair.js';
import { BASE, edited, type State, state } from '../../evolution/pairs.js';
import { count } from '../../support/counts.js';
import { hasPostgres } from '../../support/postgres.js';
import { shared } from '../../support/shared.js';
import { type Database, prepareFixture } from './fixture.js';

const base = state(BASE, null);

function stateOf(kind: AnyKind, ledger: State['ledger']): State {
  return state(edited(BASE, boardField(FIELDS[kind])), ledger);
}

/** The boards with only this field, and the table that it may refer to. */
function small(state: State): Schema {
  const { revision, tables } = schemaView(state.model);
  const only = (table: Table, ...names: readonly string[]): Table => {
    const columns = table.columns.filter(({ name }) => ['id', ...names].includes(name));
    return { ...table, columns, uniques: [], indexes: [] };
  };
  const target = (table: Table) => (['game', 'file'].includes(table.name) ? [only(table)] : []);
  return {
    revision,
    tables: tables.flatMap((table) => (table.name === 'board' ? [only(table, 'x_id')] : target(table))),
  };
}

/** Adds the placement of all rows here to an id. */
function stored(value: Value): Value {
  return /^r\d$/.test(String(value)) ? `00${value}` : value;
}

(hasPostgres ? describe : describe.skip)('F08: every pair of kinds on PostgreSQL', () => {
  const fixture = shared(prepareFixture);

  const boards = async ({ query, migrate }: Database, old: Schema, values: readonly Value[]): Promise<void> => {
    await migrate(old);
    for (const { name } of old.tables.filter((table) => table.name !== 'board')) {
      await query(`INSERT INTO "${name}" VALUES ('00', '00r0'), ('00', '00r1')`);
    }
    for (const [at, value] of values.entries()) {
      await query('INSERT INTO board VALUES ($1, $2, $3)', ['00', `00r${at}`, stored(value)]);
    }
  };

  const converts = ([old, next]: readonly [Schema, Schema], { rows, bad }: Exclude<Cell, 'gone'>): Promise<void> =>
    fixture.within(async (database) => {
      const { query, migrate } = database;
      await boards(database, old, [...rows.map(([before]) => before), ...bad]);
      const metadata = (await readMetadata(query)) ?? new Map();
      const { broken } = await pendingOf(query, metadata, next);
      const named = broken.flatMap(({ ids }) => ids);
      expect(named.sort()).toEqual(bad.map((_, at) => `00r${rows.length + at}`).sort());
      for (const id of named) await query('DELETE FROM board WHERE "id" = $1', [id]);
      await migrate(next);
      const now = await query('SELECT "x_id" FROM board ORDER BY "id"');
      expect(now.map((row) => row.x_id)).toEqual(rows.map(([, after]) => stored(after)));
    });

  const cells = (Object.keys(CELLS) as Kind[]).flatMap((from) =>
    (Object.keys(FIELDS) as AnyKind[]).map((to) => ({ from, to, cell: CELLS[from][to] })),
  );

  const tried = cells.filter(({ from, to, cell }) => cell !== 'gone' && from !== to);

  test.each(tried.filter((_, at) => at % count(8, 1) === 0))('$from to $to', async ({ from, to, cell }) => {
    const old = stateOf(from, base.ledger);
    await converts([small(old), small(stateOf(to, old.ledger))], cell as Exclude<Cell, 'gone'>);
  });
});
