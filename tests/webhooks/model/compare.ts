// Compares the tables with the model, row by row.

import assert from 'node:assert/strict';
import type { Database, Statement } from 'better-sqlite3';
import { messageIn } from '../../../runtime/rules/message.js';
import type { Model, ModelHook } from './bookkeeping.js';

interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly type: string;
  readonly message: string;
  readonly due: number;
  readonly failed: number;
  readonly attempt_id: string | null;
}

/** Compares everything, at a moment at which nothing is being written. */
export function compare(db: Database, model: Model): void {
  const rows = prepare<[], DeliveryRow>(db, 'SELECT * FROM webhook_delivery ORDER BY id').all();
  for (const { webhook_id } of rows) assert(model.hooks.has(webhook_id), 'a delivery of an unknown hook');
  for (const hook of model.hooks.values()) {
    const rowsOfHook = rows.filter(({ webhook_id }) => webhook_id === hook.id);
    identify(hook, rowsOfHook);
    deliveries(hook, rowsOfHook);
  }
  hooks(db, model);
}

/** Ties new rows of one hook to the model, in the middle of a run. */
export function identifyRows(db: Database, hook: ModelHook): void {
  identify(
    hook,
    prepare<[string], DeliveryRow>(db, 'SELECT * FROM webhook_delivery WHERE webhook_id = ?').all(hook.id),
  );
}

/** Ties new rows to the deliveries that the model expects. */
function identify(hook: ModelHook, rows: readonly DeliveryRow[]): void {
  const known = new Set(hook.deliveries.map(({ id }) => id));
  for (const row of rows.filter(({ id }) => !known.has(id))) {
    const expected = hook.deliveries.find(({ id, type }) => id === null && type === row.type);
    assert(expected, `a ${row.type} delivery that was not expected`);
    expected.id = row.id;
    expected.message = row.message;
    const { id, owner_class, owner_id, event, type } = messageIn(row.message);
    const { ownerClass, owner } = hook;
    same([id, owner_class, owner_id, event, type], [hook.id, ownerClass, owner, hook.event, row.type]);
  }
}

/** I4, I5, I9, I10, I11: exactly the unfinished deliveries, each with its message, failures and due time. */
function deliveries(hook: ModelHook, rows: readonly DeliveryRow[]): void {
  const fieldsOf = (each: { id: string | null; message: string | null; failed: number; due: number }, busy: boolean) =>
    [each.id, each.failed, each.due, each.message, busy] as const;
  same(
    rows.map((row) => fieldsOf(row, row.attempt_id !== null)),
    hook.deliveries
      .map((each) => fieldsOf(each, each.inFlight))
      .sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1)),
    `I4, I5, I10, I11: deliveries of ${hook.id}`,
  );
  for (const { posts, settled, lost, inFlight } of hook.deliveries) {
    assert.equal(posts, settled + lost + (inFlight ? 1 : 0), 'I11: re-sent without an attempt lost');
  }
}

function hooks(db: Database, model: Model): void {
  const rows = prepare<[], [string, number]>(db, 'SELECT id, failures_since_last_success FROM webhook').raw().all();
  const mails = prepare<[], [string, number]>(db, 'SELECT webhook_id, count(*) FROM webhook_mail GROUP BY 1')
    .raw()
    .all();
  const all = [...model.hooks.values()];
  const sorted = (pairs: readonly (readonly [string, number])[]) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));
  const existing = all.filter(({ exists }) => exists).map(({ id, count }) => [id, count] as const);
  same(sorted(rows), sorted(existing), 'I1, I7, I12: hooks and their counts');
  const mailed = all.filter((hook) => hook.mails > 0).map((hook) => [hook.id, hook.mails] as const);
  same(sorted(mails), sorted(mailed), 'I6: mails');
}

interface LoggedDelivery {
  readonly delivery_id: string;
  readonly type: string;
  readonly outcome: string;
}

/** I1, I2, I7: what the attempt log of a whole history says. */
export function compareLog(db: Database, model: Model): void {
  const log = prepare<[string], LoggedDelivery>(
    db,
    'SELECT * FROM webhook_attempt WHERE webhook_id = ? ORDER BY sequence',
  );
  for (const hook of model.hooks.values()) {
    const counted = log.all(hook.id).filter(({ outcome, type }) => outcome !== 'internal' && type !== 'unsubscribe');
    const last = counted.findLastIndex(({ outcome }) => outcome === 'success');
    if (hook.exists) assert.equal(counted.length - 1 - last, hook.count, 'I1: the count is what the log says');
    const successes = counted.filter(({ outcome }) => outcome === 'success').map(({ delivery_id }) => delivery_id);
    assert.equal(new Set(successes).size, successes.length, 'I2: two successes of one delivery');
    const unsubscribes = new Set(
      log.all(hook.id).flatMap((row) => (row.type === 'unsubscribe' ? [row.delivery_id] : [])),
    );
    assert(unsubscribes.size <= hook.unsubscribes && hook.unsubscribes <= 1, 'I7: at most one unsubscribe');
  }
}

const statements = new WeakMap<Database, Map<string, unknown>>();

/** Prepares each text once, as a comparison follows every step. */
function prepare<P extends unknown[], R>(db: Database, sql: string): Statement<P, R> {
  const known = statements.get(db) ?? new Map<string, unknown>();
  statements.set(db, known);
  const statement = known.get(sql) ?? db.prepare(sql);
  known.set(sql, statement);
  return statement as Statement<P, R>;
}

/** Compares texts, as the test runner's arrays come from another realm than the database's. */
function same(actual: unknown, expected: unknown, subject = 'the message'): void {
  assert.equal(JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1), subject);
}
