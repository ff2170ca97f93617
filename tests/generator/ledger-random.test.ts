// Runs gen now and then in a random sequence of edits: every item keeps its numbers forever, and no number is assigned twice.
import fc from 'fast-check';
import type { RawResource } from '../../generator/language/language.js';
import { extendLedger } from '../../generator/ledger/extend.js';
import { EMPTY_LEDGER, type Ledger, ledgerText } from '../../generator/ledger/ledger.js';
import { duplicates } from '../../generator/ledger/parse.js';
import { count } from '../support/counts.js';
import { columns, descriptors, type Edit, edit, type LedgerItem, type LedgerResult, Space } from './ledger-model.js';

const RESOURCES = ['alpha', 'beta', 'gamma', 'delta'];
const FIELDS = ['a', 'b', 'c', 'd', 'e'];

const edits: fc.Arbitrary<Edit> = fc.record({
  what: fc.constantFrom('add', 'remove', 'rename', 'swap', 'replace', 'revive', 'add'),
  one: fc.nat(9),
  other: fc.nat(9),
  image: fc.boolean(),
});
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ field: edits, of: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ resource: edits }) },
    { weight: 3, arbitrary: fc.record({ keep: fc.boolean() }) },
  ),
  { maxLength: 40, size: 'max' },
);

type Step = { readonly field: Edit; readonly of: number } | { readonly resource: Edit } | { readonly keep: boolean };

test('every sequence of edits keeps names and numbers', () => {
  fc.assert(fc.property(steps, replay), { numRuns: count(500, 20_000) });
});

test('F54: a replaced field can be replaced again in a resource that was removed and brought back', () => {
  const edit = (what: Edit['what']): Edit => ({ what, one: 0, other: 0, image: false });
  const run = { keep: true };
  const replaced = [{ field: edit('replace'), of: 0 }, run];
  const revived = [{ resource: edit('remove') }, run, { resource: edit('revive') }];
  replay([{ resource: edit('add') }, { field: edit('add'), of: 0 }, run, ...replaced, ...revived, ...replaced]);
});

/** Applies the steps; every gen on the way, and one at the end, must keep all numbers. */
function replay(sequence: readonly Step[]): void {
  const resources = new Space();
  let ledger = EMPTY_LEDGER;
  const seen = new Set<number>();
  for (const step of sequence) {
    if ('resource' in step) edit(resources, step.resource, RESOURCES);
    else if ('field' in step) {
      const inside = [...resources.current.values()][step.of % Math.max(1, resources.current.size)]?.inside;
      if (inside !== undefined) edit(inside, step.field, FIELDS);
    } else ledger = gen(resources, ledger, { keep: step.keep, seen });
  }
  gen(resources, ledger, { keep: true, seen });
}

interface Run {
  readonly keep: boolean;
  /** Every number that an item ever had. */
  readonly seen: Set<number>;
}

/** At most three runs: one without the statements of resources, one without those of fields, and one that repeats them. */
function gen(resources: Space, ledger: Ledger, run: Run, left = 3): Ledger {
  const input = descriptors(resources, run.keep);
  const next = extended(ledger, input.descriptors);
  compare(input.shown, next, (number) => number > 0 && !run.seen.has(number));
  for (const number of numbersOf(next)) run.seen.add(number);
  input.settle();
  if (input.complete) return next;
  expect(left).toBeGreaterThan(1);
  return gen(resources, next, run, left - 1);
}

function extended(ledger: Ledger, resources: readonly RawResource[]): Ledger {
  const { ledger: next, problems } = extendLedger(ledger, resources);
  expect(problems).toEqual([]);
  expect(ledgerText(extendLedger(next, resources).ledger)).toBe(ledgerText(next));
  expect(duplicates(next)).toEqual([]);
  return next;
}

function numbersOf({ resources }: Ledger): readonly number[] {
  return Object.values(resources).flatMap(({ number, columns: ids }) => [number, ...Object.values(ids)]);
}

/** Every item has the numbers that it always had, a new item has new ones, and the ledger has nothing else. */
function compare(shown: LedgerResult['shown'], ledger: Ledger, isNew: (number: number) => boolean): void {
  const expectNumbers = (thing: LedgerItem, numbers: readonly number[]): void => {
    if (thing.numbers.length > 0) expect(numbers).toEqual(thing.numbers);
    else expect(numbers.filter((number) => !isNew(number))).toEqual([]);
    thing.numbers = numbers;
  };
  expect(Object.keys(ledger.resources)).toEqual([...shown.keys()].sort());
  for (const [name, { thing: resource, fields }] of shown) {
    const { number = 0, columns: known = {} } = ledger.resources[name] ?? {};
    const { id = 0, date_created = 0, date_updated = 0, _version = 0, ...others } = known;
    expectNumbers(resource, [number, id, date_created, date_updated, _version]);
    const inside = [...fields].map(([field, thing]) => ({ thing, names: columns(field, thing) }));
    for (const { thing, names } of inside) {
      expectNumbers(
        thing,
        names.map((column) => others[column] ?? 0),
      );
    }
    expect(Object.keys(others).sort()).toEqual(inside.flatMap(({ names }) => names).sort());
  }
}
