// What holds of every decision, whatever the hook, the callback and the outcome.

import fc from 'fast-check';
import type { CallbackType, OutcomeClass } from '../../runtime/rules/delivery.js';
import { decide } from '../../runtime/rules/policy.js';
import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';

const seed = seedOfRun();
const numRuns = count(2_000, 100_000);

const TYPES: readonly CallbackType[] = ['subscribe', 'unsubscribe', 'data', 'test'];
const FAILURES: readonly OutcomeClass[] = [
  'status',
  'dns',
  'connect',
  'tls',
  'timeout',
  'blocked',
  'protocol',
  'no_key',
];

const asked = fc.record({
  hook: fc.record({ failures: fc.nat(999), noticed: fc.option(fc.nat()) }),
  type: fc.constantFrom(...TYPES),
  class: fc.constantFrom<OutcomeClass>('success', 'internal', ...FAILURES),
  ended: fc.nat(2 ** 45),
  unit: fc.integer({ min: 1, max: 10_000_000 }),
});
type PolicyQuestion = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const answer = ({ hook, type, class: outcome, ended, unit }: PolicyQuestion) =>
  decide(hook, { type }, { class: outcome }, { ended, unit });

/** A failing run names its seed; PUNCHBOARD_SEED repeats it. */
function always(name: string, holds: (of: PolicyQuestion) => void): void {
  test(`${name} (seed ${seed})`, () => fc.assert(fc.property(asked, holds), { seed, numRuns }));
}

always('I4 no retry before its delay, none after it', (of) => {
  const { delivery, failures } = answer(of);
  if (delivery.next === 'retry') expect(delivery.due).toBe(of.ended + (failures ?? 0) * of.unit);
});

always('I1 the count stays, becomes 0, or grows by one', (of) => {
  expect([null, 0, of.hook.failures + 1]).toContain(answer(of).failures);
});

always('I6 a mail only with the fifth failure of a hook that never had one', (of) => {
  const { notice, failures } = answer(of);
  expect(notice).toBe(failures === 5 && of.hook.noticed === null);
});

always('I7 a hook goes with its thousandth failure and no other way', (of) => {
  const { remove, failures, delivery } = answer(of);
  expect(remove).toBe(failures === 1000);
  if (remove) expect(delivery.next).toBe('abandoned');
});

always('S17 which failure it was makes no difference', (of) => {
  if (!FAILURES.includes(of.class)) return;
  for (const other of FAILURES) expect(answer({ ...of, class: other })).toEqual(answer(of));
});

always('S3 only a success shortens', (of) => {
  if (answer(of).shorten) expect(of.class).toBe('success');
});
