// The plan of what a change writes needs no database; unchanged columns are not written.
import type { Behaviour, Consequence } from '../../runtime/contract/behaviour.js';
import type { Row } from '../../runtime/contract/definition.js';
import { ServiceError } from '../../runtime/contract/errors.js';
import type { Change } from '../../runtime/store/records.js';
import { planAction, planWrite as planOf, writtenRow } from '../../runtime/store/sql/write-plan.js';
import { ADMIN, as, change, define, NOW, people, setup } from './setup.js';

const OLD: Row = { id: 'p1', name: 'old', game_id: 'g1', order: 1, date_created: 5 };
const context = { id: 'p1', now: NOW, user: 'u', upload: null, token: null, random: () => 'chance' };

interface WriteOptions {
  readonly old?: Row | null;
  readonly behaviour?: Behaviour;
  readonly additions?: object;
}

function planChange(changed: Change, { old = OLD, behaviour = {}, additions = {} }: WriteOptions = {}) {
  const handlers = {
    create: () => ({ id: 'p1', ...changed.input }),
    update: (row: Row) => ({ ...row, ...changed.input }),
  };
  const definition = { ...define('piece'), handlers: handlers as never, ...additions };
  const row = writtenRow({ old, failures: [] }, { definition, change: changed, context, targetColumns: {} });
  return planOf(old, row, { definition, behaviour, now: changed.now });
}

test('the changed columns of a stored row are written, guarded by the row as it was read', () => {
  const plan = planChange(change('piece', ADMIN, { name: 'new', order: 1 }));
  expect(plan).toEqual({ row: { ...OLD, name: 'new' }, changed: ['name'], guard: OLD, events: [], neighbours: [] });
});

test('every column of a new row is written, without a guard', () => {
  const plan = planChange(change('piece', ADMIN, { name: 'new' }), { old: null });
  expect(plan).toEqual({
    row: { id: 'p1', name: 'new' },
    changed: ['id', 'name'],
    guard: null,
    events: [],
    neighbours: [],
  });
});

test('changes of lifecycle functions are written too, and their events are published in order', () => {
  const behaviour: Behaviour = {
    beforeUpdate: (_old, row) => ({ changes: { order: Number(row?.order) + 1 }, events: ['before'] }),
    afterUpdate: (old, row) => ({ events: [`${old?.order} ${row?.order}`] }),
  };
  const plan = planChange(change('piece', ADMIN, { name: 'new' }), { behaviour });
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

test('D45: a removed value can be written back unchanged, but not to other rows', () => {
  const back = planChange(change('piece', ADMIN, { name: 'old', order: 2 }), { additions: CHOICES });
  expect(back.changed).toEqual(['order']);
  const expected = {
    code: 'invalid',
    failures: [{ field: 'name', code: 'invalid', message: 'name can no longer be old.' }],
  };
  const choose = () =>
    planChange(change('piece', ADMIN, { name: 'old' }), { old: { ...OLD, name: 'new' }, additions: CHOICES });
  expect(choose).toThrow(expect.objectContaining(expected) as Error);
  expect(() => planChange(change('piece', ADMIN, { name: 'old' }), { old: null, additions: CHOICES })).toThrow(
    ServiceError,
  );
});

test('D45: a hand-written function cannot write a value that is not allowed', () => {
  const setName = (name: string): Behaviour => ({ beforeUpdate: () => ({ changes: { name } }) });
  const request = change('piece', ADMIN, { order: 2 });
  expect(planChange(request, { behaviour: setName('newer'), additions: CHOICES }).row.name).toBe('newer');
  expect(() => planChange(request, { behaviour: setName('other'), additions: CHOICES })).toThrow(
    'piece.name cannot be other',
  );
});

test('all failures are thrown together, before any lifecycle function is called', () => {
  const behaviour: Behaviour = { beforeUpdate: () => expect(1).toBe(2) as never };
  const failures = [{ field: 'name', code: 'required', message: 'name is required' }] as const;
  expect(() => planChange(change('piece', ADMIN, {}, failures), { behaviour })).toThrow(ServiceError);
});

const planTurn = (old: Row, consequence: Consequence | undefined) =>
  planAction(old, {
    definition: define('piece'),
    behaviour: {},
    perform: () => consequence,
    action: { name: 'turn', caller: ADMIN, input: {}, failures: [], now: NOW },
  });

test('an action writes what it changes and the date, or nothing', () => {
  expect(planTurn(OLD, undefined)).toEqual({ row: OLD, changed: [], guard: OLD, events: [], neighbours: [] });
  const plan = planTurn({ ...OLD, date_updated: 5 }, { changes: { order: 2 }, events: ['done'] });
  expect([plan.changed, plan.row.date_updated, plan.events]).toEqual([['order', 'date_updated'], NOW, ['done']]);
});

test('N09: after the clock has gone back, a change does not make a record look older', () => {
  const created = NOW + 5 * 3_600_000;
  const old = { ...OLD, date_created: created, date_updated: created };
  const { row } = planTurn(old, { changes: { order: 2 } });
  expect([row.order, row.date_updated]).toEqual([2, created]);
});

test('an action that sets fields runs as an update, and does nothing where the fields have the values already', () => {
  const behaviour: Behaviour = {
    beforeUpdate: (_, row) => ({ changes: { name: `${row?.name}!` } }),
    afterUpdate: () => ({ events: ['updated'] }),
  };
  const definition = {
    ...define('piece'),
    actions: { turn: { by: 'editor', parameters: {}, validate: () => true, sets: { order: 2 } } },
  } as ReturnType<typeof define>;
  const planSet = (old: Row) =>
    planAction(old, {
      definition,
      behaviour,
      perform: undefined,
      action: { name: 'turn', caller: ADMIN, input: {}, failures: [], now: NOW },
    });
  const plan = planSet({ ...OLD, date_updated: 5 });
  expect([plan.row.order, plan.row.name, plan.row.date_updated, plan.events]).toEqual([
    2,
    `${OLD.name}!`,
    NOW,
    ['updated'],
  ]);
  expect(planSet(plan.row)).toEqual({ row: plan.row, changed: [], guard: plan.row, events: [], neighbours: [] });
});

test('SQLite writes no unchanged column, whichever columns change', async () => {
  const harness = setup();
  const { ada, game } = await people(harness);
  const { db, store } = harness;
  const piece = await harness.create('piece', as(ada), { name: 'p', game_id: game, order: 1 });
  db.exec(`CREATE TEMP TABLE written (name TEXT);
    CREATE TEMP TRIGGER w1 AFTER UPDATE OF name ON main.piece BEGIN INSERT INTO written VALUES ('name'); END;
    CREATE TEMP TRIGGER w2 AFTER UPDATE OF "order" ON main.piece BEGIN INSERT INTO written VALUES ('order'); END`);
  const takeWritten = () => {
    const names = db.prepare<[], string>('SELECT name FROM written').pluck().all();
    db.exec('DELETE FROM written');
    return names;
  };
  await store.update(piece, change('piece', as(ada), { name: 'p', order: 2 }));
  expect(takeWritten()).toEqual(['order']);
  await store.update(piece, change('piece', as(ada), { name: 'q', order: 2 }));
  expect(takeWritten()).toEqual(['name']);
  await store.update(piece, change('piece', as(ada), { name: 'q', order: 2 }));
  expect(takeWritten()).toEqual([]);
  expect(harness.json('piece', piece, ADMIN)).toMatchObject({ name: 'q', order: 2 });
});
