// N31: two branches edit a spec and run gen. Git merges their ledgers as text. Whatever conflict marks it leaves, the joined
// ledger has all numbers of both branches, does not depend on the direction of the merge, and gives no number two names.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RawField, RawResource } from '../../generator/language/language.js';
import { extendLedger, numbersOf } from '../../generator/ledger/extend.js';
import { joinLedgers } from '../../generator/ledger/join.js';
import { EMPTY_LEDGER, type Ledger, ledgerText } from '../../generator/ledger/ledger.js';
import { duplicates, parseLedger } from '../../generator/ledger/parse.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { EMPTY } from './ledger-model.js';

const folder = temporaryFolder('merge');
const RUNS = 20;

/** Both results of `git merge`, one in each direction. */
function merged(base: Ledger, one: Ledger, other: Ledger): readonly [string, string] {
  const write = (name: string, ledger: Ledger): void => writeFileSync(join(folder, name), ledgerText(ledger));
  write('base', base);
  write('one', one);
  write('other', other);
  const merge = (into: string, from: string): string => {
    const result = spawnSync('git', ['merge-file', '-p', into, 'base', from], { cwd: folder, encoding: 'utf8' });
    return result.stdout;
  };
  return [merge('one', 'other'), merge('other', 'one')];
}

function parsed(text: string): Ledger {
  const ledger = parseLedger(text);
  if (typeof ledger === 'string') throw new Error(`${ledger}\n${text}`);
  return ledger;
}

/** The fields of each resource, by name, with the former name of a renamed field or resource. */
type Spec = ReadonlyMap<string, { readonly was?: string; readonly fields: ReadonlyMap<string, string | undefined> }>;

function descriptors(spec: Spec): RawResource[] {
  const all = [...spec].map(([resource, { was, fields }]): RawResource => {
    const raw = [...fields].map(([name, from]): [string, RawField] => [
      name,
      { kind: 'text', ...(from === undefined ? {} : { was: from }) },
    ]);
    return { ...EMPTY, resource, fields: new Map(raw), ...(was === undefined ? {} : { was }) };
  });
  return all.sort((a, b) => (a.resource < b.resource ? -1 : 1));
}

function gen(ledger: Ledger, spec: Spec): Ledger {
  const { ledger: next, problems } = extendLedger(ledger, descriptors(spec));
  expect(problems).toEqual([]);
  return next;
}

interface Edit {
  readonly what: 'type' | 'field' | 'rename' | 'rename_type' | 'remove';
  readonly at: number;
  readonly name: string;
}

const START: Spec = new Map(
  ['alpha', 'mid', 'zulu'].map((name) => [
    name,
    { fields: new Map(['a', 'b', 'c'].map((field) => [field, undefined] as const)) },
  ]),
);

/** The spec after an edit, unchanged if the edit is impossible. @param free whether the other branch leaves an item alone */
function applyEdit(spec: Spec, { what, at, name }: Edit, free: (thing: string) => boolean): Spec {
  const [table, raw] = [...spec][at % spec.size] ?? ['', { fields: new Map() }];
  const [field] = [...raw.fields][at % Math.max(1, raw.fields.size)] ?? [];
  const others = [...spec].filter(([name]) => name !== table);
  const withoutRenames = (fields: Iterable<string>) => new Map([...fields].map((field) => [field, undefined] as const));
  if (what === 'type')
    return spec.has(name) ? spec : new Map([...spec, [name, { fields: withoutRenames(['a', name]) }]]);
  if (what === 'rename_type') {
    if (spec.has(name) || !free(table)) return spec;
    return new Map([...others, [name, { was: table, fields: withoutRenames(raw.fields.keys()) }]]);
  }
  if (what === 'field') {
    if (raw.fields.has(name)) return spec;
    return new Map([...others, [table, { fields: withoutRenames([...raw.fields.keys(), name]) }]]);
  }
  if (field === undefined || !free(`${table}.${field}`)) return spec;
  const rest = [...raw.fields.keys()].filter((existing) => existing !== field);
  if (what === 'remove') return new Map([...others, [table, { fields: withoutRenames(rest) }]]);
  if (raw.fields.has(name)) return spec;
  const renamed = new Map([...withoutRenames(rest), [name, field] as const]);
  return new Map([...others, [table, { fields: renamed }]]);
}

/** New names start with the letter of their branch: names that both branches choose have tests of their own. */
function edits(letter: string): fc.Arbitrary<readonly Edit[]> {
  const edit = fc.record({
    what: fc.constantFrom<Edit['what']>('type', 'field', 'rename', 'rename_type', 'field', 'type', 'remove'),
    at: fc.nat(20),
    name: fc.nat(5).map((n) => `${letter}${n}`),
  });
  return fc.array(edit, { minLength: 1, maxLength: 6 });
}

/** Runs gen after each edit. */
function branch(base: Ledger, all: readonly Edit[], free: (thing: string) => boolean): Ledger {
  let spec = START;
  let ledger = base;
  // Reusing a former name needs a statement, which ledger-random tests.
  for (const edit of all) {
    if (ledgerText(ledger).includes(`"${edit.name}"`)) continue;
    spec = applyEdit(spec, edit, free);
    ledger = gen(ledger, spec);
    // Drops each `was`, as a maintainer does after gen; otherwise names would be used again.
    spec = new Map(
      [...spec].map(([name, { fields }]) => [
        name,
        { fields: new Map([...fields.keys()].map((field) => [field, undefined])) },
      ]),
    );
  }
  return ledger;
}

/** The name of each number, live or retired. */
function namesOf(ledger: Ledger): ReadonlyMap<number, string> {
  const entries = [...Object.entries(ledger.retired ?? {}), ...Object.entries(ledger.resources)];
  return new Map(
    entries.flatMap(([name, { number, columns, retired = {} }]) => [
      [number, name] as const,
      ...[...Object.entries(retired), ...Object.entries(columns)].map(([column, id]) => [id, column] as const),
    ]),
  );
}

test('N31: the ledgers of two branches join in either direction, with all numbers and every rename', () => {
  const base = gen(EMPTY_LEDGER, START);
  // The branches rename and remove different items of the base.
  const isEven = (thing: string): boolean => thing.charCodeAt(thing.length - 1) % 2 === 0;
  let refused = 0;
  fc.assert(
    fc.property(edits('p'), edits('q'), (first, second) => {
      const one = branch(base, first, isEven);
      const other = branch(base, second, (thing) => !isEven(thing));
      const exact = joinLedgers(one, other);
      const spec = mergedSpec(exact, [one, other]);
      const result = ledgerText(gen(exact, spec));
      expect(ledgerText(gen(joinLedgers(other, one), spec))).toBe(result);
      // The conflict marks alone do not always show what either side had; such a ledger is refused.
      const texts = merged(base, one, other).map((text) => parseLedger(text));
      const [left, right] = texts.map((ledger) => (typeof ledger === 'string' ? exact : ledger));
      refused += texts.filter((ledger) => typeof ledger === 'string').length;
      for (const joined of [exact, left, right] as Ledger[]) {
        expect(joined.clashes).toBeUndefined();
        expect(duplicates(joined)).toEqual([]);
        const names = namesOf(joined);
        const all = [...numbersOf(one), ...numbersOf(other)];
        expect(all.filter((number) => !names.has(number))).toEqual([]);
        const sides = [base, one, other].map(namesOf);
        const expectedNames = [...names.keys()].map((number) => {
          const [before, mine, theirs] = sides.map((side) => side.get(number));
          return mine === before ? (theirs ?? mine) : mine;
        });
        expect([...names.values()]).toEqual(expectedNames);
      }
      for (const joined of [left, right] as Ledger[]) expect(ledgerText(gen(joined, spec))).toBe(result);
      const next = gen(exact, spec).next;
      expect(next).toBeGreaterThanOrEqual(Math.max(one.next, other.next));
      if (one.content !== other.content) expect(next).toBeGreaterThan(Math.min(one.next, other.next));
    }),
    { numRuns: count(RUNS, 2000) },
  );
  expect(refused).toBeLessThan(count(RUNS, 2000) / 2);
});

/** The descriptors with everything that the ledger counts as live, except what a branch has removed. */
function mergedSpec({ resources }: Ledger, sides: readonly Ledger[]): Spec {
  const isRemoved = (table: number, column: number): boolean =>
    sides.some(({ resources: side }) => {
      const entry = Object.values(side).find(({ number }) => number === table);
      return Object.values(entry?.retired ?? {}).includes(column);
    });
  return new Map(
    Object.entries(resources).map(([name, { number, columns }]) => {
      const fields = Object.entries(columns).filter(([column]) => !/^(id|date_\w+)$/.test(column));
      const live = fields.filter(([, column]) => !isRemoved(number, column));
      return [name, { fields: new Map(live.map(([field]) => [field, undefined])) }];
    }),
  );
}

describe('N31: names that both branches use', () => {
  const fields = (...all: readonly (readonly [string, string?])[]): Spec =>
    new Map([['alpha', { fields: new Map(all.map(([name, was]) => [name, was])) }]]);
  const base = gen(EMPTY_LEDGER, fields(['a'], ['k']));

  function joined(one: Spec, other: Spec): Ledger {
    const [left, right] = merged(base, gen(base, one), gen(base, other)).map(parsed);
    expect(left).toEqual(right);
    return left as Ledger;
  }

  test('a field that both branches add is one field', () => {
    const ledger = joined(fields(['a'], ['k'], ['n'], ['x']), fields(['a'], ['k'], ['n'], ['y']));
    expect(Object.keys(ledger.resources.alpha?.columns ?? {}).sort()).toEqual([
      '_version',
      'a',
      'date_created',
      'date_updated',
      'id',
      'k',
      'n',
      'x',
      'y',
    ]);
    expect(ledger.clashes).toBeUndefined();
  });

  test('a field that the branches rename differently gets the merged name, and keeps the others as former names', () => {
    const ledger = joined(fields(['b', 'a'], ['k']), fields(['c', 'a'], ['k']));
    for (const name of ['b', 'c']) {
      const { resources } = gen(ledger, fields([name, 'a'], ['k']));
      const number = resources.alpha?.columns[name] ?? 0;
      expect(number).toBe(base.resources.alpha?.columns.a);
      expect(resources.alpha?.formerly?.[number]).toEqual(expect.arrayContaining(['a', name === 'b' ? 'c' : 'b']));
    }
    const both = extendLedger(ledger, descriptors(fields(['b', 'a'], ['c', 'a'], ['k'])));
    expect(both.problems).toMatchObject([{ kind: 'twice', field: 'c', was: 'a', other: 'b' }]);
  });

  test('a name that one branch gives to a renamed field and the other to a new one is a clash', () => {
    const ledger = joined(fields(['b', 'a'], ['k']), fields(['a'], ['b'], ['k']));
    expect(ledger.clashes).toMatchObject([{ name: 'b', resource: base.resources.alpha?.number }]);
  });

  test('a field that one branch replaced stays replaced', () => {
    const without = gen(base, fields(['k']));
    const replaced = extendLedger(without, [
      {
        ...(descriptors(fields(['a'], ['k']))[0] as RawResource),
        fields: new Map([
          ['a', { kind: 'text', was: null }],
          ['k', { kind: 'text' }],
        ]),
      },
    ]).ledger;
    const other = gen(base, fields(['a'], ['k'], ['n']));
    for (const ledger of merged(base, replaced, other).map(parsed)) {
      expect(ledger.clashes).toBeUndefined();
      expect(ledger.resources.alpha?.columns.a).toBe(replaced.resources.alpha?.columns.a);
    }
  });

  test('a counted number that the branches gave to different fields is reported with both names', () => {
    const counted = (name: string): Ledger => ({
      next: 7,
      resources: { alpha: { number: 1, columns: { id: 2, date_created: 3, date_updated: 4, a: 5, [name]: 6 } } },
    });
    const before: Ledger = {
      next: 6,
      resources: { alpha: { number: 1, columns: { id: 2, date_created: 3, date_updated: 4, a: 5 } } },
    };
    for (const ledger of merged(before, counted('b'), counted('c')).map(parsed)) {
      expect(duplicates(ledger)).toMatchObject([{ number: 6 }]);
      expect(duplicates(ledger).flatMap(({ one, other }) => [one, other].sort())).toEqual(['alpha.b', 'alpha.c']);
    }
  });
});
