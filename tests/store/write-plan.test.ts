// What a change writes is decided without a database; and no column is written whose value stays.
import type { Behaviour, Consequence } from '../../runtime/contract/behaviour.js';
import type { Row } from '../../runtime/contract/definition.js';
import { ServiceError } from '../../runtime/contract/errors.js';
import type { Change } from '../../runtime/store/records.js';
import { planAction, planWrite as planOf, writtenRow } from '../../runtime/store/sql/write-plan.js';
import { ADMIN, as, change, define, NOW, people, removeFolders, setup } from './setup.js';

afterAll(removeFolders);

const OLD: Row = { id: 'p1', name: 'old', game_id: 'g1', order: 1, date_created: 5 };
const context = { id: 'p1', now: NOW, user: 'u', upload: null, token: null, random: () => 'chance' };

interface GivenWrite {
  readonly old?: Row | null;
  readonly behaviour?: Behaviour;
  readonly more?: object;
}

function planned(changed: Change, { old = OLD, behaviour = {}, more = {} }: GivenWrite = {}) {
  const handlers = {
    create: () => ({ id: 'p1', ...changed.input }),
    update: (row: Row) => ({ ...row, ...changed.input }),
  };
  const definition = { ...define('piece'), handlers: handlers as never, ...more };
  const row = writtenRow({ old, failures: [] }, { definition, change: changed, context, targetColumns: {} });
  return planOf(old, row, { definition, behaviour, now: changed.now });
}

test('of a stored row the columns that change are written, guarded by the row as it was read', () => {
  const plan = planned(change('piece', ADMIN, { name: 'new', order: 1 }));
  expect(plan).toEqual({ row: { ...OLD, name: 'new' }, changed: ['name'], guard: OLD, events: [], neighbours: [] });
});

test('of a new row every column is written, and nothing guards it', () => {
  const plan = planned(change('piece', ADMIN, { name: 'new' }), { old: null });
  expect(plan).toEqual({
    row: { id: 'p1', name: 'new' },
    changed: ['id', 'name'],
    guard: null,
    events: [],
    neighbours: [],
  });
});

test('what lifecycle functions change is written too, and their events are published in order', () => {
  const behaviour: Behaviour = {
    beforeUpdate: (_old, row) => ({ changes: { order: Number(row?.order) + 1 }, events: ['before'] }),
    afterUpdate: (old, row) => ({ events: [`${old?.order} ${row?.order}`] }),
  };
  const plan = planned(change('piece', ADMIN, { name: 'new' }), { behaviour });
  expect([plan.changed, plan.events]).toEqual([
    ['name', 'order'],
    ['before', '1 2'],
  ]);
});

const CHOICES = {
  options: { name: ['new', 'newer'] },
  columns: { name: { type: 'text' } },
  removed: { name: ['old'] },
};

test('D45: a removed name is written back unchanged, and only where it is', () => {
  const back = planned(change('piece', ADMIN, { name: 'old', order: 2 }), { more: CHOICES });
  expect(back.changed).toEqual(['order']);
  const wanted = {
    code: 'invalid',
    failures: [{ field: 'name', code: 'invalid', message: 'name can no longer be old.' }],
  };
  const chosen = () =>
    planned(change('piece', ADMIN, { name: 'old' }), { old: { ...OLD, name: 'new' }, more: CHOICES });
  expect(chosen).toThrow(expect.objectContaining(wanted) as Error);
  expect(() => planned(change('piece', ADMIN, { name: 'old' }), { old: null, more: CHOICES })).toThrow(ServiceError);
});

test('D45: a hand-written function cannot write a name that is not of today', () => {
  const making = (name: string): Behaviour => ({ beforeUpdate: () => ({ changes: { name } }) });
  const asked = change('piece', ADMIN, { order: 2 });
  expect(planned(asked, { behaviour: making('newer'), more: CHOICES }).row.name).toBe('newer');
  expect(() => planned(asked, { behaviour: making('other'), more: CHOICES })).toThrow('piece.name cannot be other');
});

test('all failures are thrown together, before any lifecycle function is called', () => {
  const behaviour: Behaviour = { beforeUpdate: () => expect(1).toBe(2) as never };
  const failures = [{ field: 'name', code: 'required', message: 'name is required' }] as const;
  expect(() => planned(change('piece', ADMIN, {}, failures), { behaviour })).toThrow(ServiceError);
});

const acted = (old: Row, consequence: Consequence | undefined) =>
  planAction(old, {
    definition: define('piece'),
    behaviour: {},
    perform: () => consequence,
    action: { name: 'turn', caller: ADMIN, input: {}, failures: [], now: NOW },
  });

test('an action writes what it changes and the date, or nothing', () => {
  expect(acted(OLD, undefined)).toEqual({ row: OLD, changed: [], guard: OLD, events: [], neighbours: [] });
  const plan = acted({ ...OLD, date_updated: 5 }, { changes: { order: 2 }, events: ['done'] });
  expect([plan.changed, plan.row.date_updated, plan.events]).toEqual([['order', 'date_updated'], NOW, ['done']]);
});

test('N09: after the clock has gone back, what changes a record leaves it no older than it is', () => {
  const made = NOW + 5 * 3_600_000;
  const old = { ...OLD, date_created: made, date_updated: made };
  const { row } = acted(old, { changes: { order: 2 } });
  expect([row.order, row.date_updated]).toEqual([2, made]);
});

test('an action that sets fields runs as an update, and not at all where they have the values', () => {
  const behaviour: Behaviour = {
    beforeUpdate: (_, row) => ({ changes: { name: `${row?.name}!` } }),
    afterUpdate: () => ({ events: ['updated'] }),
  };
  const definition = {
    ...define('piece'),
    actions: { turn: { by: 'editor', parameters: {}, validate: () => true, sets: { order: 2 } } },
  } as ReturnType<typeof define>;
  const set = (old: Row) =>
    planAction(old, {
      definition,
      behaviour,
      perform: undefined,
      action: { name: 'turn', caller: ADMIN, input: {}, failures: [], now: NOW },
    });
  const plan = set({ ...OLD, date_updated: 5 });
  expect([plan.row.order, plan.row.name, plan.row.date_updated, plan.events]).toEqual([
    2,
    `${OLD.name}!`,
    NOW,
    ['updated'],
  ]);
  expect(set(plan.row)).toEqual({ row: plan.row, changed: [], guard: plan.row, events: [], neighbours: [] });
});

test('SQLite writes no column whose value stays, however many sets of columns change', async () => {
  const harness = setup();
  const { ada, game } = await people(harness);
  const { db, store } = harness;
  const piece = await harness.create('piece', as(ada), { name: 'p', game_id: game, order: 1 });
  db.exec(`CREATE TEMP TABLE written (name TEXT);
    CREATE TEMP TRIGGER w1 AFTER UPDATE OF name ON main.piece BEGIN INSERT INTO written VALUES ('name'); END;
    CREATE TEMP TRIGGER w2 AFTER UPDATE OF "order" ON main.piece BEGIN INSERT INTO written VALUES ('order'); END`);
  const written = () => {
    const names = db.prepare<[], string>('SELECT name FROM written').pluck().all();
    db.exec('DELETE FROM written');
    return names;
  };
  await store.update(piece, change('piece', as(ada), { name: 'p', order: 2 }));
  expect(written()).toEqual(['order']);
  await store.update(piece, change('piece', as(ada), { name: 'q', order: 2 }));
  expect(written()).toEqual(['name']);
  await store.update(piece, change('piece', as(ada), { name: 'q', order: 2 }));
  expect(written()).toEqual([]);
  expect(harness.json('piece', piece, ADMIN)).toMatchObject({ name: 'q', order: 2 });
});
