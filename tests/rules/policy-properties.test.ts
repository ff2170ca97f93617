// What holds for every decision, whatever the hook, the callback and the outcome.

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

const questions = fc.record({
  hook: fc.record({ failures: fc.nat(999), noticed: fc.option(fc.nat()) }),
  type: fc.constantFrom(...TYPES),
  class: fc.constantFrom<OutcomeClass>('success', 'internal', ...FAILURES),
  ended: fc.nat(2 ** 45),
  unit: fc.integer({ min: 1, max: 10_000_000 }),
});
type PolicyQuestion = typeof questions extends fc.Arbitrary<infer T> ? T : never;

const answer = ({ hook, type, class: outcome, ended, unit }: PolicyQuestion) =>
  decide(hook, { type }, { class: outcome }, { ended, unit });

/** A failing run names its seed; PUNCHBOARD_SEED repeats it. */
function always(name: string, holds: (question: PolicyQuestion) => void): void {
  test(`${name} (seed ${seed})`, () => fc.assert(fc.property(questions, holds), { seed, numRuns }));
}

always('I4: a retry is due exactly after its delay', (question) => {
  const { delivery, failures } = answer(question);
  if (delivery.next === 'retry') expect(delivery.due).toBe(question.ended + (failures ?? 0) * question.unit);
});

always('I1: the count stays, becomes 0, or grows by one', (question) => {
  expect([null, 0, question.hook.failures + 1]).toContain(answer(question).failures);
});

always('I6: only the fifth failure sends a mail, if the hook never had one', (question) => {
  const { notice, failures } = answer(question);
  expect(notice).toBe(failures === 5 && question.hook.noticed === null);
});

always('I7: a decision deletes a hook at its thousandth failure, and never otherwise', (question) => {
  const { remove, failures, delivery } = answer(question);
  expect(remove).toBe(failures === 1000);
  if (remove) expect(delivery.next).toBe('abandoned');
});

always('S17: the kind of a failure makes no difference', (question) => {
  if (!FAILURES.includes(question.class)) return;
  for (const other of FAILURES) expect(answer({ ...question, class: other })).toEqual(answer(question));
});

always('S3: only a success shortens delays', (question) => {
  if (answer(question).shorten) expect(question.class).toBe('success');
});
