// Any sequence of edits, with a gen now and then: each thing keeps its numbers for life, and no number is given twice.
import fc from 'fast-check';
import type { RawResource } from '../../generator/language.js';
import { duplicates } from '../../generator/ledger/duplicates.js';
import { extendLedger } from '../../generator/ledger/extend.js';
import { EMPTY_LEDGER, type Ledger, ledgerText } from '../../generator/ledger.js';
import { count } from '../support/counts.js';
import { columns, descriptors, type Edit, edit, Space, settle, silenced, type Thing } from './ledger-model.js';

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

test('names and numbers', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const resources = new Space();
      let ledger = EMPTY_LEDGER;
      for (const step of sequence) {
        if ('resource' in step) edit(resources, step.resource, RESOURCES);
        else if ('field' in step) {
          const inside = [...resources.now.values()][step.of % Math.max(1, resources.now.size)]?.inside;
          if (inside !== undefined) edit(inside, step.field, FIELDS);
        } else ledger = gen(resources, ledger, step.keep);
      }
      gen(resources, ledger, true);
    }),
    { numRuns: count(1000, 20_000) },
  );
}, 300_000);

function gen(resources: Space, ledger: Ledger, keep: boolean): Ledger {
  const said = descriptors(resources, keep);
  if (said === null) {
    // What was followed once is said again only after a gen without it.
    const silent = extended(ledger, silenced(resources));
    expect(numbersOf(silent)).toEqual(numbersOf(ledger));
    return gen(resources, silent, keep);
  }
  const next = extended(ledger, said);
  const given = new Set(numbersOf(ledger));
  hold(resources, next, (number) => number >= ledger.next && !given.has(number));
  settle(resources, said);
  return next;
}

function extended(ledger: Ledger, said: readonly RawResource[]): Ledger {
  const { ledger: next, troubles } = extendLedger(ledger, said);
  expect(troubles).toEqual([]);
  expect(ledgerText(extendLedger(next, said).ledger)).toBe(ledgerText(next));
  expect(duplicates(next)).toEqual([]);
  return next;
}

function numbersOf({ resources }: Ledger): readonly number[] {
  return Object.values(resources).flatMap(({ number, columns: own }) => [number, ...Object.values(own)]);
}

/** Each thing has the numbers it ever had; a new thing has new ones; there is nothing else. */
function hold(resources: Space, ledger: Ledger, isNew: (number: number) => boolean): void {
  const own = (thing: Thing, numbers: readonly number[]): void => {
    if (thing.numbers.length > 0) expect(numbers).toEqual(thing.numbers);
    else expect(numbers.filter((number) => !isNew(number))).toEqual([]);
    thing.numbers = numbers;
  };
  expect(Object.keys(ledger.resources)).toEqual([...resources.now.keys()].sort());
  for (const [name, resource] of resources.now) {
    const { number = 0, columns: known = {} } = ledger.resources[name] ?? {};
    const { id = 0, date_created = 0, date_updated = 0, ...others } = known;
    own(resource, [number, id, date_created, date_updated]);
    const inside = [...resource.inside.now].map(([field, thing]) => ({ thing, names: columns(field, thing) }));
    for (const { thing, names } of inside) {
      own(
        thing,
        names.map((column) => others[column] ?? 0),
      );
    }
    expect(Object.keys(others).sort()).toEqual(inside.flatMap(({ names }) => names).sort());
  }
}
