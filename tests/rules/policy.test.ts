// The state table of the document, and the rows of the semantics that only concern the policy.

import { DELETE_AT, HOLD_AT, type HookState, NOTICE_AT, RETRY_UNIT } from '../../runtime/rules/delivery.js';
import { decide } from '../../runtime/rules/policy.js';

const HOUR = 3_600_000;
const ENDED = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const when = { ended: ENDED, unit: RETRY_UNIT };

const hook = (failures: number, noticed: number | null = null): HookState => ({ failures, noticed });
const data = { type: 'data' } as const;
const succeed = { class: 'success' } as const;
const fail = { class: 'status' } as const;
const fails = (failures: number, noticed: number | null = null) => decide(hook(failures, noticed), data, fail, when);

test('the constants are those of the document', () => {
  expect([RETRY_UNIT, NOTICE_AT, HOLD_AT, DELETE_AT]).toEqual([HOUR, 5, 100, 1000]);
});

describe('state table', () => {
  test.each([1, 4, 5, 99, 100, 999])('row 1: a success at count %i resets it and shortens delays', (failures) => {
    expect(decide(hook(failures), data, succeed, when)).toEqual({
      failures: 0,
      delivery: { next: 'delivered' },
      shorten: true,
      notice: false,
      remove: false,
    });
  });

  test('row 1: a success at count 0 has no delays to shorten', () => {
    expect(decide(hook(0), data, succeed, when)).toMatchObject({ failures: 0, shorten: false });
  });

  test.each([0, 1, 4, 98, 99, 100, 500, 998])('row 2: a failure at count %i raises it by one', (failures) => {
    expect(fails(failures).failures).toBe(failures + 1);
  });

  test('row 3: the fifth failure in a row sends the mail, no other does', () => {
    const mailed = Array.from({ length: 1000 }, (_, failures) => failures).filter((n) => fails(n).notice);
    expect(mailed).toEqual([4]);
  });

  test('row 3: no mail is repeated after the count was reset', () => {
    expect(fails(4, ENDED - 10 * HOUR).notice).toBe(false);
  });

  test('row 4: at 100 the delivery waits with a due time of its own, and the claim holds it', () => {
    expect(fails(99).delivery).toEqual({ next: 'retry', due: ENDED + 100 * HOUR });
    expect(fails(99).remove).toBe(false);
  });

  test('row 5: the thousandth failure deletes the hook, no earlier one does', () => {
    expect(fails(998).remove).toBe(false);
    expect(fails(999)).toEqual({
      failures: 1000,
      delivery: { next: 'abandoned' },
      shorten: false,
      notice: false,
      remove: true,
    });
  });
});

describe('semantics', () => {
  test('S1: the delay is the new count in hours, from the end of the attempt', () => {
    const delays = [0, 1, 2, 3, 4].map((failures) => {
      const { delivery } = fails(failures);
      return delivery.next === 'retry' ? (delivery.due - ENDED) / HOUR : null;
    });
    // "Five events failing in quick succession give the fifth a 5 hour delay before its first retry."
    expect(delays).toEqual([1, 2, 3, 4, 5]);
  });

  test('S2: a failure only affects its own delivery, and shortens nothing', () => {
    expect(fails(7).shorten).toBe(false);
  });

  test('S3: a success of any callback shortens delays', () => {
    for (const type of ['data', 'subscribe', 'test'] as const) {
      expect(decide(hook(3), { type }, succeed, when).shorten).toBe(true);
    }
  });

  test('S4: no decision drops waiting deliveries at 100 and above', () => {
    expect(fails(99)).toMatchObject({ delivery: { next: 'retry' }, remove: false, shorten: false });
  });

  test('S5: a new event that fails at 100 and above gets its usual due time', () => {
    expect(fails(100).delivery).toEqual({ next: 'retry', due: ENDED + 101 * HOUR });
    expect(fails(998).delivery).toEqual({ next: 'retry', due: ENDED + 999 * HOUR });
  });

  test('S7: a hook causes one mail in its life', () => {
    expect(fails(4, null).notice).toBe(true);
    expect(fails(4, 0).notice).toBe(false);
  });

  test('S8: only a count of exactly 5 sends a mail', () => {
    expect(fails(5, null).notice).toBe(false);
  });

  test('S9: a test callback can be the thousandth failure', () => {
    expect(decide(hook(999), { type: 'test' }, fail, when)).toMatchObject({ failures: 1000, remove: true });
  });

  test.each([
    ['subscribe', 6, 0],
    ['data', 6, 0],
    ['test', 6, 0],
    ['unsubscribe', null, null],
  ] as const)('S10: %s changes a count of 5 to %p by a failure, and to %p by a success', (type, failure, success) => {
    expect(decide(hook(5), { type }, fail, when).failures).toBe(failure);
    expect(decide(hook(5), { type }, succeed, when).failures).toBe(success);
  });

  test.each([
    ['subscribe', 'retry'],
    ['data', 'retry'],
    ['test', 'abandoned'],
    ['unsubscribe', 'abandoned'],
  ] as const)('S11: the next step after a failed %s is %s', (type, then) => {
    expect(decide(hook(2), { type }, fail, when).delivery.next).toBe(then);
  });

  test('S11: an unsubscribe changes no hook', () => {
    for (const outcome of [succeed, fail]) {
      const decision = decide(hook(999), { type: 'unsubscribe' }, outcome, when);
      expect(decision).toMatchObject({ failures: null, shorten: false, notice: false, remove: false });
    }
  });

  test('S15: a missing signing key is a failure like any other', () => {
    expect(decide(hook(4), data, { class: 'no_key' }, when)).toEqual(fails(4));
  });

  test('S16: every status but 200 is a failure', () => {
    expect(decide(hook(0), data, { class: 'status' }, when).failures).toBe(1);
  });

  test.each(['dns', 'connect', 'tls', 'timeout', 'blocked', 'protocol'] as const)('S17: %s is a failure', (kind) => {
    expect(decide(hook(4), data, { class: kind }, when)).toEqual(fails(4));
  });

  test.each([
    ['subscribe', { next: 'retry', due: ENDED }],
    ['data', { next: 'retry', due: ENDED }],
    ['unsubscribe', { next: 'retry', due: ENDED }],
    ['test', { next: 'abandoned' }],
  ] as const)('S19: a fault of our own during %s is not counted, and the callback is not delayed', (type, delivery) => {
    for (const failures of [0, 4, 99, 999]) {
      expect(decide(hook(failures), { type }, { class: 'internal' }, when)).toEqual({
        failures: null,
        delivery,
        shorten: false,
        notice: false,
        remove: false,
      });
    }
  });

  test('S30: the due time depends on the end of the attempt alone, so that an overdue delivery is due once', () => {
    const late = { ended: ENDED + 1000 * HOUR, unit: RETRY_UNIT };
    expect(decide(hook(0), data, fail, late).delivery).toEqual({ next: 'retry', due: ENDED + 1001 * HOUR });
  });
});
