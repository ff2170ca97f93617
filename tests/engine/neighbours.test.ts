// Neighbouring records that hand-written functions get, and change, on every engine: a club lends its items to its readers, at
// most two to each at a time, and counts how many each has.
import type { Actions, Behaviours } from '../../runtime/contract/behaviour.js';
import type { Neighbours, Row } from '../../runtime/contract/definition.js';
import { ServiceError } from '../../runtime/contract/errors.js';
import { ADMIN, change, NOW, refused } from '../store/setup.js';
import { define, ID, NAME, type Sketch, schemaOf } from '../store/sketch.js';
import { type Chance, chanceOf, seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { describeOnEngines, type OpenRecords, type RecordsFixture } from './records-fixture.js';

const MOST = 2;
const EVERYBODY = { read: [{ anyone: true as const }], edit: [{ anyone: true as const }] };
const place = (column: string, to: string) => ({ column, to, place: true as const, onDelete: 'cascade' as const });
const inside = (column: string, to: string) => ({ column, to, inside: true as const, onDelete: 'cascade' as const });
const column = (name: string, type: 'text' | 'integer' = 'text') => ({ name, type, nullable: true });

const OUT = { of: 'loan', where: { returned: null } };
const reader: Neighbours = { of: 'reader', by: 'id', through: 'reader_id' };
const READS = {
  reader,
  had: { ...OUT, by: 'reader_id', through: 'reader_id', limit: MOST },
  lent: { ...OUT, by: 'item_id', through: 'item_id', limit: 1 },
} satisfies Readonly<Record<string, Neighbours>>;

const action = (reads: Readonly<Record<string, Neighbours>>) => ({
  ...{ by: 'editor', parameters: {}, validate: Object.assign(() => true, { errors: null }) },
  reads,
});
const SKETCHES: readonly Sketch[] = [
  { name: 'club', principal: true, columns: [ID, NAME] },
  {
    name: 'reader',
    columns: [ID, NAME, column('club_id'), column('out', 'integer'), column('date_updated', 'integer')],
    references: [place('club_id', 'club')],
    actions: { clear: action({ loans: { ...OUT, by: 'reader_id', limit: 10 } }) },
  },
  { name: 'item', columns: [ID, NAME, column('club_id')], references: [place('club_id', 'club')] },
  {
    name: 'loan',
    columns: [ID, NAME, column('reader_id'), column('item_id'), column('returned'), column('date_updated', 'integer')],
    references: [place('reader_id', 'reader'), inside('item_id', 'item')],
    reads: READS,
    actions: { back: action({ reader }), wrong: action({ reader }) },
  },
].map((sketch) => ({ ...sketch, access: EVERYBODY }) as Sketch);

const given = (read: unknown) => read as { reader: Row; had: readonly Row[]; lent: readonly Row[] };
const counted = (row: Row, more: number) => [{ id: String(row.id), changes: { out: Number(row.out) + more } }];
const refusing = (why: string) => new ServiceError('conflict', why);

const behaviours: Behaviours = {
  loan: {
    beforeCreate(_old, _row, _now, read) {
      const { reader: borrower, had, lent } = given(read);
      if (lent.length > 0) throw refusing('it is lent');
      if (had.length === MOST) throw refusing('the reader has enough');
      return { neighbours: { reader: counted(borrower, 1) } };
    },
  },
};
const actions: Actions = {
  loan: {
    back(row, _input, _now, read) {
      if (row.returned !== null) throw refusing('it is back');
      return { changes: { returned: 'yes' }, neighbours: { reader: counted(given(read).reader, -1) } };
    },
    wrong: () => ({ neighbours: { reader: [{ id: 'nobody', changes: {} }] } }),
  },
  reader: {
    clear(row, _input, _now, read) {
      const { loans } = read as { loans: readonly Row[] };
      const back = loans.map(({ id }) => ({ id: String(id), changes: { returned: 'all' } }));
      return { changes: { out: Number(row.out) - loans.length }, neighbours: { loans: back } };
    },
  },
};

const GIVEN = { definitions: SKETCHES.map(define), schema: schemaOf(SKETCHES), behaviours, actions };

async function scene(open: OpenRecords) {
  const fixture = await open(GIVEN);
  const all = async (name: string) => (await fixture.select(`SELECT * FROM "${name}" ORDER BY id`)) as readonly Row[];
  const make = async (name: string, input: object) =>
    (await fixture.records.create(change(name, ADMIN, { name: 'x', ...input }))).id;
  const act = async (resource: string, id: string, name: string) =>
    fixture.records.act(resource, id, { name, caller: ADMIN, input: {}, failures: [], now: NOW });
  const club = await make('club', {});
  const readers = [await make('reader', { club_id: club, out: 0 }), await make('reader', { club_id: club, out: 0 })];
  const items: string[] = [];
  for (const name of ['a', 'b', 'c']) items.push(await make('item', { club_id: club, name }));
  const lend = (of: number, item: number) => make('loan', { reader_id: readers[of], item_id: items[item] });
  return { ...fixture, all, make, act, readers, items, lend };
}

const detail = async (work: Promise<unknown>) => (await refused(work)).message;

describeOnEngines('records beside a record', (open) => {
  const fixtures: RecordsFixture[] = [];
  const fresh = async () => {
    const fixture = await scene(open);
    fixtures.push(fixture);
    return fixture;
  };
  afterEach(async () => {
    for (const { end } of fixtures.splice(0)) await end();
  });

  test('a create gets them, may be refused because of them, and changes them', async () => {
    const { lend, all } = await fresh();
    await lend(0, 0);
    expect(await detail(lend(1, 0))).toBe('it is lent');
    await lend(0, 1);
    expect(await detail(lend(0, 2))).toBe('the reader has enough');
    expect((await all('reader')).map(({ out }) => Number(out))).toEqual([2, 0]);
    expect((await all('reader')).map(({ date_updated: at }) => at && Number(at))).toEqual([NOW, null]);
  });

  test('an action gets them, and cannot change records that it did not get', async () => {
    const { lend, act, all, readers } = await fresh();
    const loan = await lend(0, 0);
    await lend(0, 1);
    await act('loan', loan, 'back');
    expect(await detail(act('loan', loan, 'back'))).toBe('it is back');
    expect((await all('reader')).map(({ out }) => Number(out))).toEqual([1, 0]);
    await expect(act('loan', loan, 'wrong')).rejects.toThrow('"reader" has no record nobody to change');
    await lend(0, 0);
    await act('reader', readers[0] ?? '', 'clear');
    expect((await all('loan')).map(({ returned }) => returned)).toEqual(['yes', 'all', 'all']);
    expect((await all('reader')).map(({ out }) => Number(out))).toEqual([0, 0]);
  });

  test('an update gets the neighbours of the new row', async () => {
    const { lend, records, readers, all } = await fresh();
    const loan = await lend(0, 0);
    const moved = await records.update(loan, change('loan', ADMIN, { reader_id: readers[1] }));
    expect(JSON.parse(moved.text)).toMatchObject({ reader_id: readers[1] });
    expect((await all('reader')).map(({ out }) => Number(out))).toEqual([1, 0]);
  });

  test('two callers at a time lend no item twice, give no reader too many, and miscount nothing', async () => {
    const seed = seedOfRun(26);
    const { lend, act, all, readers } = await fresh();
    const chance = chanceOf(seed);
    const caller = (chance: Chance, steps: number): Promise<void> =>
      steps === 0 ? Promise.resolve() : step(chance).then(() => caller(chance, steps - 1));
    const step = async (chance: Chance) => {
      const loans = await all('loan');
      const work = chance.happens(0.5)
        ? () => lend(chance.below(2), chance.below(3))
        : chance.happens(0.1) || loans.length === 0
          ? () => act('reader', chance.one(readers), 'clear')
          : () => act('loan', String(chance.one(loans.slice(-6)).id), 'back');
      await work().catch((error: unknown) => {
        if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
      });
    };
    await Promise.all([caller(chance, count(40, 2000)), caller(chanceOf(seed + 1), count(40, 2000))]);
    const open = (await all('loan')).filter(({ returned }) => returned === null);
    const mistakes = {
      seed,
      twice: open.length - new Set(open.map(({ item_id: item }) => item)).size,
      miscounted: (await all('reader')).filter(
        ({ id, out }) => Number(out) !== open.filter((one) => one.reader_id === id).length,
      ),
      tooMany: readers.filter((id) => open.filter((one) => one.reader_id === id).length > MOST),
    };
    expect(mistakes).toEqual({ seed, twice: 0, miscounted: [], tooMany: [] });
  });
});
