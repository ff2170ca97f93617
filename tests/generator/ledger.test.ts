// Edits of a small spec, one gen after another: which numbers stay, which follow a rename, which are new. Each number is shown
// by its rank, worked out by hand: first alpha, its three fixed columns and its fields, then the five of zone.
import type { SpecSource } from '../../generator/check/project.js';
import { generate } from '../../generator/generate.js';
import type { FormerNames, Ledger, LedgerEntry } from '../../generator/ledger/ledger.js';
import { parseLedger } from '../../generator/ledger/parse.js';
import type { SourceFile } from '../../generator/load/load.js';

type Descriptors = Readonly<Record<string, string>>;

const CONVENTIONS = { path: 'spec/conventions.yaml', text: 'title: Test\nversion: 1.0.0\nsummary: Test.\n' };
/** The principal and store of uploads. It has five numbers: its own, three fixed columns, one field. */
const ZONE = 'principal: true\nupload: { part: file, max_bytes: 9 }\nfields: { username: text }\n';

function files(descriptors: Descriptors): SourceFile[] {
  const all = Object.entries({ ...descriptors, zone: ZONE });
  const descriptorFiles = all.map(([name, text]) => ({
    path: `spec/resources/${name}.yaml`,
    text: `resource: ${name}\ntitle: Test\nsummary: Test.\nplural: ${name}s\n${text}`,
  }));
  return [CONVENTIONS, ...descriptorFiles];
}

/** The rank of each number, in the order of the tables and their columns. */
let ranks = new Map<number, number>();
beforeEach(() => {
  ranks = new Map();
});

function assignRank(number: number): void {
  if (!ranks.has(number)) ranks.set(number, ranks.size + 1);
}

function rank(number: number | undefined): number | undefined {
  return number === undefined ? undefined : ranks.get(number);
}

/** The ledger after a gen. A second gen must leave it unchanged, and the schema must have the same numbers. */
function gen(descriptors: Descriptors, ledger: Ledger | null): Ledger {
  const first = run({ files: files(descriptors), ledger });
  const again = run({ files: files(descriptors), ledger: first.ledger });
  expect(again).toEqual(first);
  const { tables } = JSON.parse(first.schema) as {
    tables: { name: string; number: number; columns: { name: string; number: number }[] }[];
  };
  for (const { name, number, columns } of tables) {
    assignRank(number);
    for (const column of columns) if (column.name !== '_version') assignRank(column.number);
    const known = Object.fromEntries(columns.map((column) => [column.name, column.number]));
    expect(first.ledger.resources[name]).toMatchObject({ number, columns: known });
  }
  expect(Object.keys(first.ledger.resources).sort()).toEqual(tables.map(({ name }) => name).sort());
  return first.ledger;
}

function run(source: SpecSource): { ledger: Ledger; schema: string } {
  const generation = generate(source, '../runtime/contract/kit.js');
  if (!generation.ok) throw new Error(generation.diagnostics.map(({ code, message }) => `${code} ${message}`).join());
  const text = generation.specOutputs.find(({ path }) => path === 'ledger.json')?.text ?? '';
  const ledger = parseLedger(text);
  if (typeof ledger === 'string') throw new Error(ledger);
  return { ledger, schema: generation.outputs.find(({ path }) => path === 'schema.json')?.text ?? '' };
}

/** The entry of a resource without the fixed columns, as `a=5 b=6; retired c=7; former d=5`. */
function numbersOf(ledger: Ledger, name: string): string {
  const { columns = {}, retired, formerly = {} } = ledger.resources[name] ?? {};
  const former = givenUp(formerly, { ...columns, ...retired });
  const fields = Object.entries(columns).filter(([column]) => !/^(id|date_\w+|_version)$/.test(column));
  const list = (numbers: readonly (readonly [string, number])[]) => {
    const ranked = numbers.map(([key, n]) => [key, rank(n) ?? 0] as const).sort(([, a], [, b]) => a - b);
    return ranked.map(([key, n]) => `${key}=${n}`).join(' ');
  };
  return [
    list(fields),
    ...(retired ? [`retired ${list(Object.entries(retired))}`] : []),
    ...(former.length > 0 ? [`former ${list(former)}`] : []),
  ].join('; ');
}

/** Former names that are not in use and were not the last name of anything, sorted by name. */
function givenUp(formerly: FormerNames, known: object): readonly (readonly [string, number])[] {
  const all = Object.entries(formerly).flatMap(([number, names]) =>
    names.map((name) => [name, Number(number)] as const),
  );
  return all.filter(([name]) => !Object.hasOwn(known, name)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The fields of alpha after each edit, and the resulting numbers. */
const FIELDS: Readonly<Record<string, readonly (readonly [fields: string, expected: string])[]>> = {
  'columns keep their numbers in any order': [
    ['a: text, b: text', 'a=5 b=6'],
    ['b: text, a: text', 'a=5 b=6'],
    ['a: text, b: text, c: text', 'a=5 b=6 c=12'],
  ],
  'a rename': [
    ['a: text', 'a=5'],
    ['b: { kind: text, was: a }', 'b=5; former a=5'],
    ['b: text', 'b=5; former a=5'],
  ],
  'a rename with another max': [
    ['a: { kind: text, max: 9 }', 'a=5'],
    ['b: { kind: text, max: 10, was: a }, c: text', 'b=5 c=11; former a=5'],
  ],
  'a chain of renames': [
    ['a: text', 'a=5'],
    ['b: { kind: text, was: a }', 'b=5; former a=5'],
    ['c: { kind: text, was: b }', 'c=5; former a=5 b=5'],
    ['d: { kind: text, was: c }', 'd=5; former a=5 b=5 c=5'],
  ],
  'a chain of renames that all state the first name': [
    ['a: text', 'a=5'],
    ['b: { kind: text, was: a }', 'b=5; former a=5'],
    ['c: { kind: text, was: a }', 'c=5; former a=5 b=5'],
  ],
  'a rename that is reverted': [
    ['a: text', 'a=5'],
    ['b: { kind: text, was: a }', 'b=5; former a=5'],
    ['a: { kind: text, was: b }', 'a=5; former b=5'],
    ['b: { kind: text, was: a }', 'b=5; former a=5'],
  ],
  'a swap': [
    ['a: text, b: text', 'a=5 b=6'],
    ['a: { kind: text, was: b }, b: { kind: text, was: a }', 'b=5 a=6'],
    ['a: text, b: { kind: text, was: a }', 'b=5 a=6'],
    ['a: text, b: text', 'b=5 a=6'],
    ['a: { kind: text, was: b }, b: { kind: text, was: a }', 'a=5 b=6'],
  ],
  'a cycle of three': [
    ['a: text, b: text, c: text', 'a=5 b=6 c=7'],
    ['a: { kind: text, was: c }, b: { kind: text, was: a }, c: { kind: text, was: b }', 'b=5 c=6 a=7'],
  ],
  'names that move up by one field': [
    ['a: text, b: text, c: text', 'a=5 b=6 c=7'],
    ['a: { kind: text, was: b }, b: { kind: text, was: c }', 'a=6 b=7; retired a=5; former c=7'],
  ],
  'a rename and reuse of the name in one edit': [
    ['a: text', 'a=5'],
    ['a: { kind: integer, was: null }, b: { kind: text, was: a }', 'b=5 a=11'],
    ['a: integer, b: text', 'b=5 a=11'],
  ],
  'a rename and reuse of the name in two edits': [
    ['a: text', 'a=5'],
    ['b: { kind: text, was: a }', 'b=5; former a=5'],
    ['a: { kind: integer, was: null }, b: { kind: text, was: a }', 'b=5 a=11'],
  ],
  'a removed field that is brought back': [
    ['a: text, b: text', 'a=5 b=6'],
    ['b: text', 'b=6; retired a=5'],
    ['a: { kind: text, was: a }, b: text', 'a=5 b=6'],
    ['a: text, b: text', 'a=5 b=6'],
  ],
  'a removed field and a new one of its name': [
    ['a: text, b: text', 'a=5 b=6'],
    ['b: text', 'b=6; retired a=5'],
    ['a: { kind: text, was: null }, b: text', 'b=6 a=12; retired a=5'],
    ['a: text, b: text', 'b=6 a=12; retired a=5'],
    ['b: text', 'b=6; retired a=12'],
    ['a: { kind: text, was: null }, b: text', 'b=6 a=13; retired a=12'],
  ],
  'a removed field that is brought back under another name': [
    ['a: text, b: text', 'a=5 b=6'],
    ['b: text', 'b=6; retired a=5'],
    ['b: text, c: { kind: text, was: a }', 'c=5 b=6; former a=5'],
  ],
  'a rename to a retired name': [
    ['a: text, b: text', 'a=5 b=6'],
    ['b: text', 'b=6; retired a=5'],
    ['a: { kind: text, was: b }', 'a=6; retired a=5; former b=6'],
  ],
  'a rename that is stated one gen too late': [
    ['a: text', 'a=5'],
    ['b: text', 'b=11; retired a=5'],
    ['b: { kind: text, was: a }', 'b=5; retired b=11; former a=5'],
  ],
  'a replaced field that is brought back': [
    ['a: text', 'a=5'],
    ['a: { kind: text, was: null }', 'a=11; retired a=5'],
    ['a: { kind: text, was: a }', 'a=5; retired a=11'],
  ],
  'a renamed image': [
    ['top: image', 'top_id=5 has_proofed_top=6'],
    ['cover: { kind: image, was: top }', 'cover_id=5 has_proofed_cover=6; former top_id=5 has_proofed_top=6'],
  ],
  'a renamed image that loses its proof': [
    ['top: image', 'top_id=5 has_proofed_top=6'],
    ['cover: { kind: image, proof: false, was: top }', 'cover_id=5; retired has_proofed_top=6; former top_id=5'],
    ['cover: { kind: image, was: top }', 'cover_id=5 has_proofed_cover=12; retired has_proofed_top=6; former top_id=5'],
  ],
  'an image that loses and regains its proof': [
    ['top: image', 'top_id=5 has_proofed_top=6'],
    ['top: { kind: image, proof: false }', 'top_id=5; retired has_proofed_top=6'],
    ['top: image', 'top_id=5 has_proofed_top=6'],
  ],
  'a field of another kind': [
    ['top: image', 'top_id=5 has_proofed_top=6'],
    ['top: text', 'top=12; retired top_id=5 has_proofed_top=6'],
    ['top: image', 'top_id=5 has_proofed_top=6; retired top=12'],
  ],
  'a renamed field that gets another kind': [
    ['a: image', 'a_id=5 has_proofed_a=6'],
    ['b: { kind: image, was: a }', 'b_id=5 has_proofed_b=6; former a_id=5 has_proofed_a=6'],
    ['b: { kind: text, was: a }', 'b=12; retired b_id=5 has_proofed_b=6; former a_id=5 has_proofed_a=6'],
  ],
  'swapped references': [
    ['a: { kind: reference, to: zone }, b: { kind: reference, to: zone }', 'a_id=5 b_id=6'],
    ['a: { kind: reference, to: zone, was: b }, b: { kind: reference, to: zone, was: a }', 'b_id=5 a_id=6'],
  ],
  'an image that becomes a file keeps its column': [
    ['a: image', 'a_id=5 has_proofed_a=6'],
    ['b: { kind: file, was: a }', 'b_id=5; retired has_proofed_a=6; former a_id=5'],
  ],
};

describe('fields over several gens', () => {
  test.each(Object.entries(FIELDS))('%s', (_, steps) => {
    let ledger: Ledger | null = null;
    for (const [fields, expected] of steps) {
      ledger = gen({ alpha: `fields: { ${fields} }\n` }, ledger);
      expect(numbersOf(ledger, 'alpha')).toBe(expected);
    }
  });

  test('F04: a rename raises the revision once, although it assigns no number', () => {
    const before = gen({ alpha: 'fields: { a: text }\n' }, null);
    const renamed = gen({ alpha: 'fields: { b: { kind: text, was: a } }\n' }, before);
    const resource = gen({ beta: 'was: alpha\nfields: { b: { kind: text, was: a } }\n' }, renamed);
    const later = gen({ beta: 'fields: { b: text }\n' }, resource);
    expect([before, renamed, resource, later].map(({ next }) => next - before.next)).toEqual([0, 1, 2, 2]);
  });

  test('identities come back with their column', () => {
    const first = gen({ alpha: 'identities: [One, Two]\n' }, null);
    expect(numbersOf(first, 'alpha')).toBe('identity=5');
    const without = gen({ alpha: 'fields: {}\n' }, first);
    expect(numbersOf(without, 'alpha')).toBe('; retired identity=5');
    expect(numbersOf(gen({ alpha: 'identities: [One]\n' }, without), 'alpha')).toBe('identity=5');
  });
});

/** `alpha=1(2 5)` of every resource but zone: its number, its id and its field; then the retired and former ones. */
function resources(ledger: Ledger): string {
  const list = (entries: Ledger['resources']) =>
    Object.entries(entries).flatMap(([name, { number, columns }]) =>
      name === 'zone' ? [] : [`${name}=${rank(number)}(${rank(columns.id)} ${rank(columns.a ?? columns.b)})`],
    );
  const { retired, formerly = {} } = ledger;
  const former = givenUp(formerly, { ...ledger.resources, ...retired });
  return [
    list(ledger.resources).join(' '),
    ...(retired ? [`retired ${list(retired).join(' ')}`] : []),
    ...(former.length > 0 ? [`former ${former.map(([name, n]) => `${name}=${rank(n)}`)}`] : []),
  ].join('; ');
}

/** With one field each, alpha is 1, its id 2, a 5; beta 6, 7, 10; zone 11 to 15. Without beta, zone is 6 to 10. */
const RESOURCES: Readonly<Record<string, readonly (readonly [Descriptors, string])[]>> = {
  'a rename': [
    [{ alpha: 'fields: { a: text }\n' }, 'alpha=1(2 5)'],
    [{ beta: 'was: alpha\nfields: { a: text }\n' }, 'beta=1(2 5); former alpha=1'],
    [{ beta: 'fields: { a: text }\n' }, 'beta=1(2 5); former alpha=1'],
    [{ gamma: 'was: alpha\nfields: { a: text }\n' }, 'gamma=1(2 5); former alpha=1,beta=1'],
  ],
  'a rename together with a field': [
    [{ alpha: 'fields: { a: text }\n' }, 'alpha=1(2 5)'],
    [{ beta: 'was: alpha\nfields: { b: { kind: text, was: a } }\n' }, 'beta=1(2 5); former alpha=1'],
  ],
  'a rename of the target of a reference': [
    [
      { alpha: 'fields: { a: text }\n', beta: 'fields: { b: text, one: { kind: reference, to: alpha } }\n' },
      'alpha=1(2 5) beta=6(7 10)',
    ],
    [
      {
        gamma: 'was: alpha\nfields: { a: text }\n',
        beta: 'fields: { b: text, one: { kind: reference, to: gamma } }\n',
      },
      'beta=6(7 10) gamma=1(2 5); former alpha=1',
    ],
  ],
  'a swap': [
    [{ alpha: 'fields: { a: text }\n', beta: 'fields: { b: text }\n' }, 'alpha=1(2 5) beta=6(7 10)'],
    [
      { alpha: 'was: beta\nfields: { b: text }\n', beta: 'was: alpha\nfields: { a: text }\n' },
      'alpha=6(7 10) beta=1(2 5)',
    ],
    [{ alpha: 'fields: { b: text }\n', beta: 'fields: { a: text }\n' }, 'alpha=6(7 10) beta=1(2 5)'],
  ],
  'a rename and reuse of the name': [
    [{ alpha: 'fields: { a: text }\n' }, 'alpha=1(2 5)'],
    [
      { alpha: 'was: null\nfields: { a: text }\n', beta: 'was: alpha\nfields: { a: text }\n' },
      'alpha=11(12 15) beta=1(2 5)',
    ],
  ],
  'a removed resource that is brought back': [
    [{ alpha: 'fields: { a: text }\n' }, 'alpha=1(2 5)'],
    [{}, '; retired alpha=1(2 5)'],
    [{ alpha: 'was: alpha\nfields: { a: text }\n' }, 'alpha=1(2 5)'],
  ],
  'a removed resource and a new one of its name': [
    [{ alpha: 'fields: { a: text }\n' }, 'alpha=1(2 5)'],
    [{}, '; retired alpha=1(2 5)'],
    [{ alpha: 'was: null\nfields: { a: text }\n' }, 'alpha=11(12 15); retired alpha=1(2 5)'],
  ],
};

describe('resources over several gens', () => {
  test.each(Object.entries(RESOURCES))('%s', (_, steps) => {
    let ledger: Ledger | null = null;
    for (const [descriptors, expected] of steps) {
      ledger = gen(descriptors, ledger);
      expect(resources(ledger)).toBe(expected);
    }
  });
});

test('an unknown former name is reported with those that exist', () => {
  const ledger = gen({ alpha: 'identities: [One]\nfields: { a: text, top: image, b: text }\n' }, null);
  const alpha = 'identities: [One]\nfields: { a: text, c: { kind: text, was: nothing } }\n';
  const generation = generate({ files: files({ alpha }), ledger }, '../runtime/contract/kit.js');
  expect(generation.diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    ['E0318', 'write the name it had when gen last ran, or leave "was" out; former names: b, top'],
  ]);
});

test('what to do about an earlier name that still exists depends on whether a field or a value has it', () => {
  const alpha = (a: string, b = 'b: text') => `fields: { ${b}, a: { kind: enum, values: ${a} } }\n`;
  const ledger = gen({ alpha: alpha('[red, green]') }, null);
  const hints = (text: string) =>
    generate({ files: files({ alpha: text }), ledger }, '../runtime/contract/kit.js').diagnostics.map(
      ({ code, hint }) => [code, hint],
    );
  const end = 'if it is something new under an old name';
  expect(hints(alpha('[red, green]', 'b: text, c: { kind: text, was: b }'))).toEqual([
    ['E0315', `remove b, or write "was: null" there ${end}`],
  ]);
  expect(hints(alpha('{ red: , green: , lime: { was: green } }'))).toEqual([
    ['E0315', `remove green, or run gen without it, then add it and remove "was", ${end}`],
  ]);
  // The second hint works.
  const renamed = gen({ alpha: alpha('{ red: , lime: { was: green } }') }, ledger);
  const again = gen({ alpha: alpha('[red, green, lime]') }, renamed);
  const [values] = Object.values(again.resources.alpha?.values ?? {});
  const { lime = 0, green } = values?.names ?? {};
  expect([values?.formerly, green === lime]).toEqual([{ [lime]: ['green'] }, false]);
});

describe('numbers', () => {
  test('N31: a field of the same name has the same number on every branch, and nothing else has that number', () => {
    const base = gen({ alpha: 'fields: { a: text }\n' }, null);
    const one = gen({ alpha: 'fields: { a: text, b: text, c: text }\n', beta: 'fields: { a: text }\n' }, base);
    const other = gen({ alpha: 'fields: { a: text, c: text }\n', gamma: 'fields: { a: text }\n' }, base);
    expect(other.resources.alpha?.columns.c).toBe(one.resources.alpha?.columns.c);
    const added = (ledger: Ledger) => [...allNumbers(ledger)].filter((number) => !allNumbers(base).has(number));
    expect(added(one).filter((number) => added(other).includes(number))).toEqual([one.resources.alpha?.columns.c]);
  });

  test('N31: a name that is removed and added again never gets a number that it had before', () => {
    const seen = new Set<number>();
    let ledger = gen({ alpha: 'fields: { a: text, b: text }\n' }, null);
    for (let times = 0; times < 4; times++) {
      seen.add(ledger.resources.alpha?.columns.a ?? 0);
      const without = gen({ alpha: 'fields: { b: text }\n' }, ledger);
      ledger = gen({ alpha: 'fields: { a: { kind: text, was: null }, b: text }\n' }, without);
      expect(seen).not.toContain(ledger.resources.alpha?.columns.a);
    }
  });

  test('counted numbers, and the revision that follows from them, stay unchanged', () => {
    const columns = { id: 2, date_created: 3, date_updated: 4, a: 5, _version: 11 };
    const zone = { id: 7, date_created: 8, date_updated: 9, username: 10, _version: 12 };
    const counted: Ledger = {
      next: 13,
      resources: { alpha: { number: 1, columns }, zone: { number: 6, columns: zone } },
    };
    expect(gen({ alpha: 'fields: { a: text }\n' }, counted)).toEqual(counted);
    const extended = gen({ alpha: 'fields: { a: text, b: text }\n' }, counted);
    expect(extended).toMatchObject({ next: 14, content: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(extended.resources.alpha?.columns).toMatchObject(columns);
  });

  test('a `next` below the counted numbers does no harm', () => {
    const columns = { id: 2, date_created: 3, date_updated: 4, a: 5, _version: 11 };
    const zone = { id: 7, date_created: 8, date_updated: 9, username: 10, _version: 12 };
    const behind = { next: 8, resources: { alpha: { number: 1, columns }, zone: { number: 6, columns: zone } } };
    expect(gen({ alpha: 'fields: { a: text }\n' }, behind).next).toBe(13);
  });

  test('a revision has one content: other content that a merge left under its number becomes the next revision', () => {
    const ledger = gen({ alpha: 'fields: { a: text }\n' }, null);
    const merged = gen({ alpha: 'fields: { a: text }\n' }, { ...ledger, content: '0123456789abcdef' });
    expect(merged).toMatchObject({ next: ledger.next + 1, content: ledger.content });
    expect(gen({ alpha: 'fields: {}\n' }, ledger).next).toBe(ledger.next);
  });

  test('the last of several values that had a name is recorded', () => {
    const identities = (list: string) => ({ alpha: `identities: ${list}\n` });
    let ledger: Ledger | null = null;
    const steps = [
      '{ X: {}, B: {} }',
      '{ A: { was: X }, B: {} }',
      '{ A: {}, X: { was: B } }',
      '{ A: {}, C: { was: X } }',
    ];
    for (const step of steps) ledger = gen(identities(step), ledger);
    const [values] = Object.values(ledger?.resources.alpha?.values ?? {});
    expect(values?.latest).toEqual({ X: values?.names.C });
  });
});

function allNumbers({ resources: all }: Ledger): ReadonlySet<number> {
  return new Set(Object.values(all).flatMap(({ number, columns }) => [number, ...Object.values(columns)]));
}

test('a statement whose column is missing is followed again', () => {
  const base = gen({ alpha: 'fields: { a: text }\n' }, null);
  const { alpha, ...others } = gen({ alpha: 'fields: { b: { kind: text, was: a } }\n' }, base).resources;
  const undone = {
    ...base,
    resources: { ...others, alpha: { ...base.resources.alpha, was: alpha?.was } as LedgerEntry },
  };
  expect(numbersOf(gen({ alpha: 'fields: { b: { kind: text, was: a } }\n' }, undone), 'alpha')).toBe('b=5; former a=5');
});

describe('the text of the ledger', () => {
  const damaged = 'is damaged: restore it from version control; it must not be edited by hand';

  test.each([
    ['', damaged],
    ['[]', damaged],
    ['{ "next": 1 }', damaged],
    ['{ "next": 1, "resources": [] }', damaged],
    ['{ "next": 1, "resources": { "a": { "number": "1", "columns": {} } } }', damaged],
    ['{ "next": 1, "resources": {}, "retired": { "a": 5 } }', damaged],
    ['{ "next": 1, "resources": { "a": { "number": 1, "columns": { "b": 0 } } } }', damaged],
    ['{ "next": 1, "resources": {}, "formerly": { "1": ["a", 2] } }', damaged],
    ['{ "next": 1, "resources": {}, "was": { "a": 5 } }', damaged],
    [
      '{\n<<<<<<< HEAD\n  "next": 1,\n  "resources": {\n=======\n  "next": 2,\n>>>>>>> other\n  "resources": {}\n}\n',
      'has conflict marks that cannot be joined without the index of git: run `git checkout --merge` on it, then gen, and add it afterwards',
    ],
  ])('%j', (text, problem) => expect(parseLedger(text)).toBe(problem));

  test('a valid text', () => expect(parseLedger('{ "next": 1, "resources": {} }')).toEqual({ next: 1, resources: {} }));
});
